#include "runtime/eval/open_rows.h"

#include <doctest.h>

#include <utility>

namespace attr::eval {
namespace {

using Runs = std::vector<std::pair<size_t, size_t>>;

/// Gives every open row of the range these bits; returns what was visited.
Runs Give(OpenRows* open, RowRange range, uint8_t left_bits, const std::vector<uint8_t>& possible, uint8_t bits) {
  Runs runs;
  open->ForEachOpen(range, left_bits, possible.data(), [&](size_t begin, size_t end) {
    runs.emplace_back(begin, end);
    for (size_t i = begin; i < end; ++i) open->bits()[i] |= bits & possible[i] & left_bits;
  });
  return runs;
}

TEST_CASE("a row that has all it can get is passed over") {
  OpenRows open(10);
  const std::vector<uint8_t> possible(10, kAllBits);
  CHECK(Give(&open, {2, 5}, kAllBits, possible, kAllBits) == Runs{{2, 5}});
  CHECK(Give(&open, {0, 10}, kAllBits, possible, kAllBits) == Runs{{0, 2}, {5, 10}});
  CHECK(Give(&open, {0, 10}, kAllBits, possible, kAllBits).empty());
}

TEST_CASE("a weak left row closes rows for weak ones only") {
  OpenRows open(4);
  const std::vector<uint8_t> possible(4, kAllBits);
  CHECK(Give(&open, {0, 4}, kMayBit, possible, kAllBits) == Runs{{0, 4}});
  CHECK(Give(&open, {0, 4}, kMayBit, possible, kAllBits).empty());
  CHECK(Give(&open, {1, 3}, kAllBits, possible, kAllBits) == Runs{{1, 3}});
  CHECK(open.bits(0) == kMayBit);
  CHECK(open.bits(1) == kAllBits);
}

TEST_CASE("what a row cannot get keeps nobody waiting, and a miss leaves it open") {
  OpenRows open(3);
  const std::vector<uint8_t> possible = {kMayBit, 0, kAllBits};
  CHECK(Give(&open, {0, 3}, kAllBits, possible, kMayBit) == Runs{{0, 3}});
  CHECK(Give(&open, {0, 3}, kAllBits, possible, kMayBit) == Runs{{2, 3}});
}

TEST_CASE("cleared rows are open again") {
  OpenRows open(6);
  const std::vector<uint8_t> possible(6, kAllBits);
  Give(&open, {0, 6}, kAllBits, possible, kAllBits);
  open.Clear({1, 3});
  CHECK(open.bits(1) == 0);
  CHECK(Give(&open, {0, 6}, kAllBits, possible, kAllBits) == Runs{{1, 3}});
}

}  // namespace
}  // namespace attr::eval
