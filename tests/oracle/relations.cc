// Time on ranges: a relation must hold when it does for every pair of moments
// that the ranges allow, and may when it does for one (semantics.md S3, S10).
#include <algorithm>

#include "tests/oracle/findings.h"

namespace attr::oracle {

namespace {

int64_t Tolerance(const Span& a, const Span& b) {
  return std::max(a.precision, b.precision) + (a.clock == b.clock ? 0 : std::max(a.skew, b.skew));
}

/// Inside one stream position decides, unless a begin was moved away from its report.
bool InOneStream(const Span& a, const Span& b) {
  auto in_place = [](const Span& s) {
    return !s.stream.empty() && s.position >= 0 && s.begin_lo == s.end_lo && s.begin_hi == s.end_hi;
  };
  return in_place(a) && in_place(b) && a.stream == b.stream;
}

Bits Decide(bool always, bool possibly) { return {always, possibly, possibly}; }

/// x in [from, to], each somewhere in its range.
bool AlwaysIn(int64_t x_lo, int64_t x_hi, int64_t from_hi, int64_t to_lo) { return x_lo >= from_hi && x_hi <= to_lo; }
bool PossiblyIn(int64_t x_lo, int64_t x_hi, int64_t from_lo, int64_t to_hi) { return x_hi >= from_lo && x_lo <= to_hi; }

}  // namespace

Bits After(const Span& left, const Span& right) {
  if (InOneStream(left, right)) return Known(right.position >= left.position);
  if (left.tie != right.tie) return kUndecided;
  const int64_t t = Tolerance(left, right);
  return Decide(right.begin_lo >= left.begin_hi - t, right.begin_hi >= left.begin_lo - t);
}

Bits Before(const Span& left, const Span& right) {
  if (InOneStream(left, right)) return Known(right.position <= left.position);
  if (left.tie != right.tie) return kUndecided;
  const int64_t t = Tolerance(left, right);
  return Decide(right.begin_hi <= left.begin_lo + t, right.begin_lo <= left.begin_hi + t);
}

Bits Within(const Span& left, const Span& right, int64_t before, int64_t after) {
  if (left.tie != right.tie) return kUndecided;
  const int64_t t = Tolerance(left, right);
  return Decide(right.begin_hi <= left.end_lo + after + t && right.end_lo >= left.begin_hi - before - t,
                right.begin_lo <= left.end_hi + after + t && right.end_hi >= left.begin_lo - before - t);
}

Bits DemotesInTime(const Span& a, const Span& b, std::optional<int64_t> within, int64_t lead) {
  if (a.tie != b.tie) return kUndecided;
  const int64_t t = Tolerance(a, b);
  const int64_t from_lo = a.begin_lo - lead - t, from_hi = a.begin_hi - lead - t;
  if (!within) return Decide(b.end_lo >= from_hi, b.end_hi >= from_lo);
  const int64_t to_lo = a.end_lo + *within + t, to_hi = a.end_hi + *within + t;
  return Decide(AlwaysIn(b.begin_lo, b.begin_hi, from_hi, to_lo) || AlwaysIn(b.end_lo, b.end_hi, from_hi, to_lo),
                PossiblyIn(b.begin_lo, b.begin_hi, from_lo, to_hi) || PossiblyIn(b.end_lo, b.end_hi, from_lo, to_hi));
}

}  // namespace attr::oracle
