// What one level of precedence says between two rules (semantics.md S7): pairs
// closed over the declared names, `*` on the level of its other side.
#pragma once

#include "tests/oracle/pack.h"

namespace attr::oracle {

enum class Level : uint8_t { kPrefer, kRule, kAmbiguity, kTag, kDomain };

class Precedence {
 public:
  explicit Precedence(const Pack& pack) : pack_(pack) {}
  /// The pairs, as written, that put x above y; empty when none does.
  std::string Above(Level level, uint32_t x, uint32_t y) const;

 private:
  struct Step {
    bool above = false;       // x above y, else below
    Side over, under;         // names; `*` has kind kAll
    std::vector<size_t> way;  // pairs
    size_t x_depth = 0, y_depth = 0;
  };
  using Way = std::vector<size_t>;  // pairs in pack.order; empty: there is none
  std::vector<size_t> PairsOf(Level level) const;
  Way Chain(Level level, const Side& from, const Side& to) const;
  void AddNamed(Level level, const std::vector<Side>& x, const std::vector<Side>& y, std::vector<Step>* out) const;
  void AddStars(Level level, const std::vector<Side>& x, const std::vector<Side>& y, std::vector<Step>* out) const;
  std::vector<Side> NamesOf(Level level, uint32_t rule) const;
  std::vector<Side> DomainsAbove(uint32_t domain) const;
  int Decide(std::vector<Step> steps, bool deepest, Way* way) const;
  int AskDomains(uint32_t x, uint32_t y, Way* way) const;
  std::string TextOf(const Way& way) const;
  size_t Depth(const Side& side) const;

  const Pack& pack_;
};

}  // namespace attr::oracle
