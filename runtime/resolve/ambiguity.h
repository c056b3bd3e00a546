// `ambiguity` clauses (semantics.md S7): the first clause that fits a pair of roots
// and whose `within` is not false speaks. It drops the later (or earlier) of the two,
// or says that they stay two: then no level below asks about the pair.
#pragma once

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/resolve/flow.h"

namespace attr::resolve {

/// Pairs that stay two: all roots of two rules, or two roots.
class Exemptions {
 public:
  struct Pair {
    uint32_t with = 0;
    Bits bits = kNo;
  };
  void AddRules(uint32_t a, uint32_t b, Bits bits) { rules_[std::minmax(a, b)] = bits; }
  void AddEntities(uint32_t a, uint32_t b, Bits bits) {
    if (bits == kNo) return;
    pairs_[a].push_back({b, bits});
    pairs_[b].push_back({a, bits});
  }
  Bits OfRules(uint32_t a, uint32_t b) const {
    const auto at = rules_.find(std::minmax(a, b));
    return at == rules_.end() ? kNo : at->second;
  }
  /// The roots that this one stays beside; null: none.
  const std::vector<Pair>* Of(uint32_t entity) const {
    const auto at = pairs_.find(entity);
    return at == pairs_.end() ? nullptr : &at->second;
  }

 private:
  std::map<std::pair<uint32_t, uint32_t>, Bits> rules_;
  std::unordered_map<uint32_t, std::vector<Pair>> pairs_;
};

/// Runs the clauses on what the levels above left.
Exemptions RunAmbiguity(const Problem& problem, Flow* flow);

}  // namespace attr::resolve
