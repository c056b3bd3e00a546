// Which right rows of a join can still gain bits. A window that holds a thousand
// rows is read once, not once for each left row: a right row that has all that a
// left row could give it is passed over (semantics.md P1: members, not pairs).
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "runtime/eval/candidates.h"

namespace attr::eval {

/// Positions of one candidate index with the bits that they have so far.
class OpenRows {
 public:
  explicit OpenRows(size_t rows) : bits_(rows) {}

  uint8_t* bits() { return bits_.data(); }
  uint8_t bits(size_t position) const { return bits_[position]; }

  /// Calls `run(begin, end)` for the parts of `range` that a left row of these bits
  /// could add to; `possible` are the most that each position can get from anyone.
  template <class Run>
  void ForEachOpen(RowRange range, uint8_t left_bits, const uint8_t* possible, const Run& run) {
    Level& level = LevelOf(left_bits);
    for (size_t at = Next(level, range.begin); at < range.end;) {
      size_t end = at;
      while (end < range.end && level.next[end] == end) ++end;
      run(at, end);
      for (size_t i = at; i < end; ++i) {
        if ((possible[i] & left_bits & ~bits_[i]) == 0) level.next[i] = static_cast<uint32_t>(i) + 1;
      }
      at = Next(level, end);
    }
  }

  /// Takes away the bits of a range; its positions are open again.
  void Clear(RowRange range) {
    for (size_t i = range.begin; i < range.end; ++i) bits_[i] = 0;
    for (Level& level : levels_) {
      for (size_t i = range.begin; i < range.end && !level.next.empty(); ++i) level.next[i] = static_cast<uint32_t>(i);
    }
  }

 private:
  struct Level {
    std::vector<uint32_t> next;  // the position itself while open, else a later one; one past the end at the end
  };
  /// One for each height of a left row's bits: must, presumed, may.
  Level& LevelOf(uint8_t left_bits) {
    Level& level = levels_[(left_bits & kMustBit) != 0 ? 2 : (left_bits & kPresumedBit) != 0 ? 1 : 0];
    if (level.next.empty()) {
      level.next.resize(bits_.size() + 1);
      std::iota(level.next.begin(), level.next.end(), 0U);
    }
    return level;
  }
  /// The first open position from here on; halves the way behind it.
  static size_t Next(Level& level, size_t position) {
    while (level.next[position] != position) {
      level.next[position] = level.next[level.next[position]];
      position = level.next[position];
    }
    return position;
  }

  std::vector<uint8_t> bits_;
  std::array<Level, 3> levels_;
};

}  // namespace attr::eval
