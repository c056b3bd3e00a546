// Each relation on stamps, ranges, tolerance, untied clocks and positions.
#include "runtime/eval/time_relation.h"

#include <doctest.h>

namespace attr::eval {
namespace {

using plan::kSecond;
using plan::RelationKind;

Span At(int64_t begin, int64_t end) {
  Span s;
  s.begin_lo = s.begin_hi = begin * kSecond;
  s.end_lo = s.end_hi = end * kSecond;
  return s;
}
Span At(int64_t moment) { return At(moment, moment); }
Span Between(int64_t lo, int64_t hi) {
  Span s;
  s.begin_lo = s.end_lo = lo * kSecond;
  s.begin_hi = s.end_hi = hi * kSecond;
  return s;
}
Span Unknown() {
  Span s;
  s.begin_lo = s.end_lo = plan::kBeforeAll;
  s.begin_hi = s.end_hi = plan::kAfterAll;
  return s;
}
Span InStream(Span s, int64_t stream, int64_t position) {
  s.placed = true;
  s.stream = stream;
  s.position = position;
  return s;
}
uint8_t Bits(RelationKind kind, const Span& left, const Span& right, int64_t distance = 0, int64_t lead = 0) {
  return RelationBits({kind, distance, lead}, left, right);
}

TEST_CASE("after and before compare begins and both hold only at a tie") {
  CHECK(Bits(RelationKind::kAfter, At(10), At(11)) == kAllBits);
  CHECK(Bits(RelationKind::kAfter, At(10), At(9)) == 0);
  CHECK(Bits(RelationKind::kBefore, At(10), At(11)) == 0);
  CHECK(Bits(RelationKind::kBefore, At(10), At(9)) == kAllBits);
  CHECK(Bits(RelationKind::kAfter, At(10), At(10)) == kAllBits);
  CHECK(Bits(RelationKind::kBefore, At(10), At(10)) == kAllBits);
}

TEST_CASE("a watchdog span that encloses a moment is before it, not after it") {
  const Span watchdog = At(10, 20);
  CHECK(Bits(RelationKind::kBefore, At(15), watchdog) == kAllBits);
  CHECK(Bits(RelationKind::kAfter, At(15), watchdog) == 0);
}

TEST_CASE("the coarser stamp's precision is tolerance and stays true") {
  Span kernel = At(2);
  kernel.precision = kSecond;
  Span application = At(2);
  application.begin_lo = application.begin_hi = application.end_lo = application.end_hi = 2 * kSecond + 700'000'000;
  application.precision = 100'000'000;
  CHECK(Bits(RelationKind::kAfter, application, kernel) == kAllBits);
  CHECK(Bits(RelationKind::kBefore, application, kernel) == kAllBits);
  CHECK(Bits(RelationKind::kAfter, kernel, application) == kAllBits);
  kernel.precision = 600'000'000;
  CHECK(Bits(RelationKind::kAfter, application, kernel) == 0);
}

TEST_CASE("skew is tolerance between two clocks and nothing inside one") {
  Span a = At(10), b = At(8);
  a.skew = kSecond;
  b.skew = 2 * kSecond;
  CHECK(Bits(RelationKind::kAfter, a, b) == 0);
  b.clock = 1;
  CHECK(Bits(RelationKind::kAfter, a, b) == kAllBits);
  b.skew = kSecond;
  CHECK(Bits(RelationKind::kAfter, a, b) == 0);
}

TEST_CASE("ranges are undecided where they overlap and decided where they do not") {
  CHECK(Bits(RelationKind::kAfter, At(10), Between(8, 12)) == kUndecided);
  CHECK(Bits(RelationKind::kBefore, At(10), Between(8, 12)) == kUndecided);
  CHECK(Bits(RelationKind::kAfter, At(10), Between(10, 12)) == kAllBits);
  CHECK(Bits(RelationKind::kAfter, At(10), Between(7, 9)) == 0);
  CHECK(Bits(RelationKind::kBefore, At(10), Between(7, 10)) == kAllBits);
  for (RelationKind kind : {RelationKind::kAfter, RelationKind::kBefore, RelationKind::kWithinOf,
                            RelationKind::kWithinAfter, RelationKind::kWithinBefore, RelationKind::kDemote}) {
    CHECK(Bits(kind, At(10), Unknown(), 5 * kSecond, kSecond) == kUndecided);
    CHECK(Bits(kind, Unknown(), At(10), 5 * kSecond, kSecond) == kUndecided);
  }
}

TEST_CASE("untied clocks leave every relation undecided") {
  for (uint8_t kind = 0; kind < plan::kRelationKindCount; ++kind) {
    Span other = At(500);
    other.tie = 1;
    CHECK(Bits(static_cast<RelationKind>(kind), At(10), other, kSecond) == kUndecided);
    CHECK(Bits(static_cast<RelationKind>(kind), other, At(10), kSecond) == kUndecided);
  }
}

TEST_CASE("inside one stream position decides the order, whatever the stamps say") {
  const Span first = InStream(At(20), 1, 4), second = InStream(At(10), 1, 5);
  CHECK(Bits(RelationKind::kAfter, first, second) == kAllBits);
  CHECK(Bits(RelationKind::kBefore, first, second) == 0);
  CHECK(Bits(RelationKind::kAfter, first, InStream(At(10), 2, 5)) == 0);
  CHECK(Bits(RelationKind::kAfter, InStream(Between(0, 30), 1, 4), InStream(Between(0, 30), 1, 5)) == kAllBits);
  CHECK(Bits(RelationKind::kAfter, InStream(Between(0, 30), 1, 5), InStream(Between(0, 30), 1, 4)) == 0);
  CHECK(Bits(RelationKind::kAfter, InStream(At(10), 1, 5), InStream(At(10), 1, 5)) == kAllBits);
}

TEST_CASE("position does not order a begin that was moved away from its report") {
  const Span event = InStream(At(15), 1, 4), watchdog = InStream(At(10, 20), 1, 5);
  CHECK(Bits(RelationKind::kBefore, event, watchdog) == kAllBits);
  CHECK(Bits(RelationKind::kAfter, event, watchdog) == 0);
}

TEST_CASE("distances are stamps even where position decides the order") {
  const Span first = InStream(At(10), 1, 4);
  CHECK(Bits(RelationKind::kWithinAfter, first, InStream(At(14), 1, 5), 5 * kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kWithinAfter, first, InStream(At(16), 1, 5), 5 * kSecond) == 0);
  CHECK(Bits(RelationKind::kWithinAfter, first, InStream(Between(12, 30), 1, 5), 5 * kSecond) == kUndecided);
}

TEST_CASE("within of: some moment of the span lies in the closed window around the other span") {
  const Span episode = At(100, 130);
  CHECK(Bits(RelationKind::kWithinOf, episode, At(70), 30 * kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kWithinOf, episode, At(69), 30 * kSecond) == 0);
  CHECK(Bits(RelationKind::kWithinOf, episode, At(160), 30 * kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kWithinOf, episode, At(161), 30 * kSecond) == 0);
  CHECK(Bits(RelationKind::kWithinOf, episode, At(0, 500), 30 * kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kWithinOf, episode, Between(60, 75), 30 * kSecond) == kUndecided);
  CHECK(Bits(RelationKind::kWithinOf, episode, Between(75, 140), 30 * kSecond) == kAllBits);
}

TEST_CASE("within after an episode runs from its begin to its end and the distance") {
  const Span episode = At(100, 130);
  CHECK(Bits(RelationKind::kWithinAfter, episode, At(100), kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kWithinAfter, episode, At(131), kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kWithinAfter, episode, At(132), kSecond) == 0);
  CHECK(Bits(RelationKind::kWithinAfter, episode, At(99), kSecond) == 0);
  CHECK(Bits(RelationKind::kWithinAfter, episode, At(99, 120), kSecond) == 0);
}

TEST_CASE("within before is the mirror of within after") {
  const Span episode = At(100, 130);
  CHECK(Bits(RelationKind::kWithinBefore, episode, At(99), kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kWithinBefore, episode, At(98), kSecond) == 0);
  CHECK(Bits(RelationKind::kWithinBefore, episode, At(90, 99), kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kWithinBefore, episode, At(101), kSecond) == 0);
}

TEST_CASE("tolerance widens each side of a window once") {
  Span a = At(100), b = At(107);
  a.precision = kSecond;
  a.skew = kSecond;
  b.clock = 1;
  CHECK(Bits(RelationKind::kWithinOf, a, b, 5 * kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kWithinAfter, a, b, 5 * kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kDemote, a, b, 5 * kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kWithinOf, a, b, 4 * kSecond) == 0);
  CHECK(Bits(RelationKind::kWithinAfter, a, b, 4 * kSecond) == 0);
  CHECK(Bits(RelationKind::kDemote, a, b, 4 * kSecond) == 0);
}

TEST_CASE("demotion holds when begin or end of the demoted finding lies in the window") {
  const Span cause = At(100, 130);
  CHECK(Bits(RelationKind::kDemote, cause, At(150), 20 * kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kDemote, cause, At(151), 20 * kSecond) == 0);
  CHECK(Bits(RelationKind::kDemote, cause, At(90, 140), 20 * kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kDemote, cause, At(140, 900), 20 * kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kDemote, cause, At(90, 900), 20 * kSecond) == 0);
  CHECK(Bits(RelationKind::kDemote, cause, At(95), 20 * kSecond) == 0);
  CHECK(Bits(RelationKind::kDemote, cause, At(95), 20 * kSecond, 5 * kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kDemote, cause, At(94), 20 * kSecond, 5 * kSecond) == 0);
}

TEST_CASE("without a window only what was reported before the cause began is spared") {
  const Span cause = At(100, 130);
  CHECK(Bits(RelationKind::kDemote, cause, At(100'000), plan::kNoWindow) == kAllBits);
  CHECK(Bits(RelationKind::kDemote, cause, At(10, 100), plan::kNoWindow) == kAllBits);
  CHECK(Bits(RelationKind::kDemote, cause, At(10, 99), plan::kNoWindow) == 0);
  CHECK(Bits(RelationKind::kDemote, cause, At(10, 99), plan::kNoWindow, kSecond) == kAllBits);
  CHECK(Bits(RelationKind::kDemote, cause, Between(90, 110), plan::kNoWindow) == kUndecided);
}

TEST_CASE("a span is read from columns, without a place in a stream when one column is missing") {
  std::vector<std::vector<int64_t>> columns(plan::kSystemColumns, std::vector<int64_t>(2));
  for (size_t c = 0; c < columns.size(); ++c) columns[c] = {static_cast<int64_t>(c), static_cast<int64_t>(100 + c)};
  std::vector<const int64_t*> pointers;
  for (const auto& c : columns) pointers.push_back(c.data());
  const uint64_t second_only = 2;
  std::vector<const uint64_t*> present(plan::kSystemColumns, nullptr);
  present[plan::kPosition] = &second_only;
  CHECK_FALSE(SpanAt(pointers.data(), present.data(), 0).placed);
  const Span span = SpanAt(pointers.data(), present.data(), 1);
  CHECK(span == Span{100, 101, 102, 103, 104, 105, 106, 107, 108, 109, true});
}

}  // namespace
}  // namespace attr::eval
