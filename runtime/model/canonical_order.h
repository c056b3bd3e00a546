// The total order of a set's observations, clocks and coverage rows. Internal to
// this room; docs/observation-set.md, "Canonical form".
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/model/observation_set.h"

namespace attr::model {

/// Interner ids to their place in natural order, so that ids compare as texts.
class NameOrder {
 public:
  explicit NameOrder(const ObservationSet& set) : place_(set.names.size()) {
    std::vector<uint32_t> ids(set.names.size());
    std::iota(ids.begin(), ids.end(), 0U);
    std::sort(ids.begin(), ids.end(),
              [&](uint32_t a, uint32_t b) { return NaturalLess(set.names.Text(a), set.names.Text(b)); });
    for (uint32_t i = 0; i < ids.size(); ++i) place_[ids[i]] = i + 1;
  }
  uint32_t operator()(uint32_t id) const { return id == kNoId ? 0 : place_[id]; }

 private:
  std::vector<uint32_t> place_;
};

void SortClocks(ObservationSet* set);
/// Rows that say the same become one.
void SortCoverage(ObservationSet* set, const NameOrder& name);
void SortObservations(ObservationSet* set, const NameOrder& names);

}  // namespace attr::model
