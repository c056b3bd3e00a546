// The two graphs of a plan: who demotes whom, and who stands above whom on each
// level of precedence (semantics.md S7, S15, S21). The compiler reports their
// cycles, the verifier refuses them, the resolver asks `Order`.
//
// A level is closed over the names its pairs declare, then lifted to rules:
//  rule    named rules; closed transitively.
//  tag     x above y when some closed pair says so and none says the reverse.
//  domain  of the pairs whose sides hold x's and y's domain the deepest decides;
//          two pairs that contradict each other, neither deeper on both sides,
//          are a cycle. With alternatives: only if every combination says the same.
// A pair with `*` belongs to its named side's level. It speaks where that level's
// named pairs are silent, excludes the named side's members, and is silent itself
// where another `*` pair says the reverse (`* > tag a`, `* > tag b`: no order of a and b).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/plan/plan.h"

namespace attr::plan {

/// More than this is refused by the verifier: closures and lifted graphs are quadratic.
inline constexpr size_t kMaxOrderPairs = 1024;
inline constexpr size_t kMaxStarPairs = 16;
/// Rules that a level cannot tell apart (the same tags of its pairs, the same
/// domains) are one class.
inline constexpr size_t kMaxOrderClasses = 1024;

/// Demotions that form a cycle, in its order: the source of each is a target of
/// the one before. Empty: there is none.
/// `self after` closes none: it goes from the earlier finding to the later (S11, S14).
std::vector<uint32_t> FindDemotionCycle(const Plan& plan);

/// Preferences that form a cycle, in its order, every `when` taken as true. Empty: there is none.
std::vector<uint32_t> FindPreferenceCycle(const Plan& plan);
/// Rules in an order in which each stands behind those whose findings it binds
/// (semantics.md S14): a binding of an outcome waits for all outcomes up to the last of its
/// state, outcomes wait for each other in their order when something binds one. Empty for a
/// plan with rules: some rule waits for itself.
std::vector<uint32_t> EvaluationOrder(const Plan& plan);

/// Order pairs that contradict each other, in the order of the cycle. Empty: there
/// is none, or a level has more than kMaxOrderClasses classes.
std::vector<uint32_t> FindOrderCycle(const Plan& plan);

enum class Level : uint8_t { kRule, kTag, kDomain };
inline constexpr uint8_t kLevelCount = 3;

/// What one direction of a question gives: the pairs that it follows from, in
/// order (more than one when it follows by transitivity). Empty: not above.
using OrderChain = std::vector<uint32_t>;

/// Precedence of a plan's rules. Keeps a pointer to the plan.
class Order {
 public:
  explicit Order(const Plan& plan);

  /// Does rule x stand above rule y on this level? kNone: no; else the order pair
  /// that says so (the first one, when it follows from several).
  uint32_t Above(Level level, uint32_t x, uint32_t y) const;
  /// The same with the whole chain of pairs.
  OrderChain Chain(Level level, uint32_t x, uint32_t y) const;
  /// Does the level have any pair at all?
  bool Empty(Level level) const { return Names(level).pairs == 0; }
  /// One cause of each class, in rule order: what a lifted relation has to look at.
  std::vector<uint32_t> Classes(Level level) const;

 private:
  friend class CycleFinder;
  /// The names that one level's pairs declare, closed transitively.
  struct Closure {
    size_t pairs = 0;
    std::vector<uint32_t> ids;                                 // ascending: rules, StrIds of tags, or domains
    std::vector<uint32_t> first;                               // [from * n + to]: first pair on a shortest path, kNone
    std::vector<uint32_t> next;                                // [from * n + to]: the name after that pair
    std::vector<std::pair<uint32_t, uint32_t>> tops, bottoms;  // (name, pair) of `name > *` and of `* > name`
    size_t size() const { return ids.size(); }
    uint32_t Find(uint32_t id) const;  // its number, kNone
    uint32_t First(size_t from, size_t to) const { return first[from * ids.size() + to]; }
    bool Reaches(size_t from, size_t to) const { return from == to || First(from, to) != kNone; }
    void Append(size_t from, size_t to, OrderChain* chain) const;
  };
  enum class Says : uint8_t { kNothing, kAbove, kBelow, kConflict };
  struct Candidate {
    bool above = false;
    uint32_t from = 0, to = 0;  // names: from stands above to
    uint32_t star = kNone;      // the `*` pair; kNone: a named one
    bool top = false;           // star: `name > *`
    uint32_t x_depth = 0, y_depth = 0;
  };
  struct Answer {
    Says says = Says::kNothing;
    Candidate by, against;  // against: kConflict only
  };

  const Closure& Names(Level level) const { return levels_[static_cast<size_t>(level)]; }
  void Close(Closure* level, const std::vector<uint32_t>& pairs);
  /// Numbers of the names that hold the rule (rule, tag) or the domain with its ancestors.
  std::vector<uint32_t> MembersOf(Level level, uint32_t rule) const;
  void AddNamed(const Closure& names, const std::vector<uint32_t>& x, const std::vector<uint32_t>& y,
                std::vector<Candidate>* out) const;
  void AddStars(const Closure& names, const std::vector<uint32_t>& x, const std::vector<uint32_t>& y,
                std::vector<Candidate>* out) const;
  Answer AskNames(Level level, const std::vector<uint32_t>& x, const std::vector<uint32_t>& y) const;
  Answer AskDomains(uint32_t x_domain, uint32_t y_domain) const;
  Answer Ask(Level level, uint32_t x, uint32_t y) const;
  OrderChain ChainOf(Level level, const Candidate& by) const;
  void Rank(Level level, std::vector<Candidate>* candidates) const;
  static Answer Decide(const std::vector<Candidate>& candidates, bool deepest);

  const Plan* plan_;
  Closure levels_[kLevelCount];
  std::vector<uint32_t> depth_;  // of each domain; a top-level domain has 1
};

}  // namespace attr::plan
