#include "runtime/match/intervals.h"

#include <algorithm>

namespace attr::match {

Intervals Normalize(Intervals intervals) {
  std::erase_if(intervals, [](const Interval& i) { return i.from > i.to; });
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.from < b.from; });
  Intervals merged;
  for (const Interval& i : intervals) {
    // to + 1 cannot overflow: moments end at plan::kAfterAll, a quarter of the range.
    if (!merged.empty() && i.from <= merged.back().to + 1) {
      merged.back().to = std::max(merged.back().to, i.to);
    } else {
      merged.push_back(i);
    }
  }
  return merged;
}

Intervals Union(const Intervals& a, const Intervals& b) {
  Intervals both = a;
  both.insert(both.end(), b.begin(), b.end());
  return Normalize(std::move(both));
}

Intervals Intersect(const Intervals& a, const Intervals& b) {
  Intervals common;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Interval overlap{std::max(a[i].from, b[j].from), std::min(a[i].to, b[j].to)};
    if (overlap.from <= overlap.to) common.push_back(overlap);
    a[i].to < b[j].to ? ++i : ++j;
  }
  return common;
}

Intervals Without(const Intervals& whole, const Intervals& a) {
  Intervals rest;
  for (Interval piece : whole) {
    for (const Interval& hole : a) {
      if (hole.to < piece.from) continue;
      if (hole.from > piece.to) break;
      if (hole.from > piece.from) rest.push_back({piece.from, hole.from - 1});
      piece.from = hole.to + 1;
      if (piece.from > piece.to) break;
    }
    if (piece.from <= piece.to) rest.push_back(piece);
  }
  return rest;
}

bool Intersects(const Intervals& a, Interval b) {
  const auto first = std::partition_point(a.begin(), a.end(), [&](const Interval& i) { return i.to < b.from; });
  return first != a.end() && first->from <= b.to;
}

}  // namespace attr::match
