// Sets of nanoseconds as closed intervals, ascending, never touching.
#pragma once

#include <cstdint>
#include <vector>

namespace attr::match {

struct Interval {
  int64_t from = 0, to = 0;
  bool operator==(const Interval&) const = default;
};
using Intervals = std::vector<Interval>;

/// Any intervals to a set; empty ones (from > to) are dropped.
Intervals Normalize(Intervals intervals);
Intervals Union(const Intervals& a, const Intervals& b);
Intervals Intersect(const Intervals& a, const Intervals& b);
/// The part of `whole` that `a` does not hold.
Intervals Without(const Intervals& whole, const Intervals& a);
bool Intersects(const Intervals& a, Interval b);

}  // namespace attr::match
