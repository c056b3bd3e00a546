// The time relations of language.md section 4, on spans whose ends are stamps or
// ranges: the one definition that the interpreter calls and the generated code
// follows (semantics.md S3, S10). Scalar and free of branches on data where it
// can be; batches are join_kernel.cc.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/eval/tables.h"

namespace attr::eval {

inline constexpr uint8_t kUndecided = kPresumedBit | kMayBit;

/// The system columns that time relations read, of one row.
struct Span {
  int64_t begin_lo = 0, begin_hi = 0, end_lo = 0, end_hi = 0;
  int64_t precision = 0, clock = 0, tie = 0, skew = 0;
  int64_t stream = 0, position = 0;
  bool placed = false;  // stream and position are both present
  bool operator==(const Span&) const = default;
};

/// All three bits when `must`, undecided when only `possible`. `must` implies `possible`.
inline uint8_t BitsOf(bool must, bool possible) {
  return static_cast<uint8_t>((possible ? kUndecided : 0) | (must ? kMustBit : 0));
}

/// What a relation allows for: the coarser stamp, and skew between two clocks.
inline int64_t Tolerance(const Span& left, const Span& right) {
  return std::max(left.precision, right.precision) + (left.clock == right.clock ? 0 : std::max(left.skew, right.skew));
}

/// Position orders reports. It decides the order of two begins unless one of them
/// was moved away from its report (`since`, samples): then stamps do.
inline bool OrderedByPosition(const Span& left, const Span& right) {
  return left.placed && right.placed && left.stream == right.stream &&  //
         left.begin_lo == left.end_lo && left.begin_hi == left.end_hi && right.begin_lo == right.end_lo &&
         right.begin_hi == right.end_hi;
}

/// right.begin >= left.begin
inline uint8_t AfterBits(const Span& left, const Span& right) {
  if (OrderedByPosition(left, right)) return right.position >= left.position ? kAllBits : 0;
  if (left.tie != right.tie) return kUndecided;
  const int64_t tolerance = Tolerance(left, right);
  return BitsOf(right.begin_lo >= left.begin_hi - tolerance, right.begin_hi >= left.begin_lo - tolerance);
}

/// right.begin <= left.begin
inline uint8_t BeforeBits(const Span& left, const Span& right) {
  if (OrderedByPosition(left, right)) return right.position <= left.position ? kAllBits : 0;
  if (left.tie != right.tie) return kUndecided;
  const int64_t tolerance = Tolerance(left, right);
  return BitsOf(right.begin_hi <= left.begin_lo + tolerance, right.begin_lo <= left.begin_hi + tolerance);
}

/// Some moment of right lies in [left.begin - before, left.end + after].
inline uint8_t OverlapBits(const Span& left, const Span& right, int64_t before, int64_t after) {
  if (left.tie != right.tie) return kUndecided;
  const int64_t tolerance = Tolerance(left, right);
  before += tolerance;
  after += tolerance;
  return BitsOf((right.begin_hi <= left.end_lo + after) & (right.end_lo >= left.begin_hi - before),
                (right.begin_lo <= left.end_hi + after) & (right.end_hi >= left.begin_lo - before));
}

/// Left is the demoting finding A, right the demoted B: begin or end of B lies in
/// [A.begin - lead, A.end + distance]. Without a window (kNoWindow) only a B that
/// was reported before A began, lead allowed for, is out.
inline uint8_t DemoteBits(const Span& left, const Span& right, int64_t distance, int64_t lead) {
  if (left.tie != right.tie) return kUndecided;
  const int64_t tolerance = Tolerance(left, right);
  const int64_t from_lo = left.begin_lo - lead - tolerance;
  const int64_t from_hi = left.begin_hi - lead - tolerance;
  if (distance == plan::kNoWindow) return BitsOf(right.end_lo >= from_hi, right.end_hi >= from_lo);
  const int64_t to_lo = left.end_lo + distance + tolerance;
  const int64_t to_hi = left.end_hi + distance + tolerance;
  const bool must =
      ((right.begin_lo >= from_hi) & (right.begin_hi <= to_lo)) | ((right.end_lo >= from_hi) & (right.end_hi <= to_lo));
  const bool possible =
      ((right.begin_hi >= from_lo) & (right.begin_lo <= to_hi)) | ((right.end_hi >= from_lo) & (right.end_lo <= to_hi));
  return BitsOf(must, possible);
}

inline uint8_t RelationBits(const plan::TimeRelation& relation, const Span& left, const Span& right) {
  switch (relation.kind) {
    case plan::RelationKind::kAfter:
      return AfterBits(left, right);
    case plan::RelationKind::kBefore:
      return BeforeBits(left, right);
    case plan::RelationKind::kWithinOf:
      return OverlapBits(left, right, relation.distance, relation.distance);
    case plan::RelationKind::kWithinAfter:
      return AfterBits(left, right) & OverlapBits(left, right, 0, relation.distance);
    case plan::RelationKind::kWithinBefore:
      return BeforeBits(left, right) & OverlapBits(left, right, relation.distance, 0);
    case plan::RelationKind::kDemote:
      return DemoteBits(left, right, relation.distance, relation.lead);
  }
  return 0;
}

/// A row's span: `slot(column)` of columns that are there, `has(column)` of stream and position.
template <class Slot, class Has>
Span ReadSpan(const Slot& slot, const Has& has) {
  Span span;
  span.begin_lo = slot(plan::kBeginLo);
  span.begin_hi = slot(plan::kBeginHi);
  span.end_lo = slot(plan::kEndLo);
  span.end_hi = slot(plan::kEndHi);
  span.precision = slot(plan::kPrecision);
  span.clock = slot(plan::kClock);
  span.tie = slot(plan::kTie);
  span.skew = slot(plan::kSkew);
  span.placed = has(plan::kStream) && has(plan::kPosition);
  if (span.placed) {
    span.stream = slot(plan::kStream);
    span.position = slot(plan::kPosition);
  }
  return span;
}

/// From plan columns, as ScanArgs and JoinArgs carry them. The time columns must be
/// there; stream and position may be null.
inline Span SpanAt(const int64_t* const* columns, const uint64_t* const* present, size_t row) {
  return ReadSpan([&](uint32_t column) { return columns[column][row]; },
                  [&](uint32_t column) {
                    return columns[column] != nullptr &&
                           (present[column] == nullptr || (present[column][row / 64] >> (row % 64) & 1U) != 0);
                  });
}

inline Span SpanOf(const Table& table, size_t row) {
  return ReadSpan([&](uint32_t column) { return table.columns[column].slots[row]; },
                  [&](uint32_t column) { return table.columns[column].Has(row); });
}

}  // namespace attr::eval
