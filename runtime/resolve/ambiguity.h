// `ambiguity` clauses (semantics.md S7): the first clause that fits a pair of roots
// and whose `within` is not false speaks. It drops the later (or earlier) of the two,
// or says that they stay two: then no level below asks about the pair.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "runtime/resolve/flow.h"

namespace attr::resolve {

/// Pairs that stay two: all roots of two rules, or two roots.
class Exemptions {
 public:
  bool empty() const { return rules_.empty() && entities_.empty(); }
  void AddRules(uint32_t a, uint32_t b) { rules_[std::minmax(a, b)] = kYes; }
  void AddEntities(uint32_t a, uint32_t b, Bits bits) {
    entities_[std::minmax(a, b)] = bits;
    involved_.insert({a, b});
  }
  Bits OfRules(uint32_t a, uint32_t b) const { return Find(rules_, a, b); }
  Bits OfEntities(uint32_t a, uint32_t b) const { return Find(entities_, a, b); }
  /// Some pair of this root alone is exempt.
  bool Involves(uint32_t entity) const { return involved_.count(entity) != 0; }

 private:
  using Pairs = std::map<std::pair<uint32_t, uint32_t>, Bits>;
  static Bits Find(const Pairs& pairs, uint32_t a, uint32_t b) {
    const auto at = pairs.find(std::minmax(a, b));
    return at == pairs.end() ? kNo : at->second;
  }
  Pairs rules_, entities_;
  std::set<uint32_t> involved_;
};

/// Runs the clauses on what the levels above left.
Exemptions RunAmbiguity(const Problem& problem, Flow* flow);

}  // namespace attr::resolve
