// The frame from the arguments of a join.
#include "runtime/jit/relation_frame.h"

#include <algorithm>
#include <array>

namespace attr::jit {
namespace {

constexpr std::array<int64_t, 8> kNoSlots{};
constexpr std::array<uint64_t, 8> kAllPresent{~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0},
                                              ~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}};

}  // namespace

RelationFrame FrameOf(const eval::JoinArgs& args) {
  const eval::Span left = eval::SpanAt(args.left_columns, args.left_present, args.left_row);
  RelationFrame frame{{left.begin_lo, left.begin_hi, left.end_lo, left.end_hi, left.precision, left.clock, left.tie,
                       left.skew, left.stream, left.position}};
  const bool still = left.begin_lo == left.end_lo && left.begin_hi == left.end_hi;
  frame.left_orders = left.placed && still ? -1 : 0;
  std::copy_n(args.right_columns, kSpanColumns, frame.right);
  frame.right_placed = -1;
  for (uint32_t i = 0; i < 2; ++i) {
    const uint32_t column = plan::kStream + i;
    const bool there = args.right_columns[column] != nullptr;
    const uint64_t* present = args.right_present[column];
    if (!there) frame.right[column] = kNoSlots.data();
    if (!there) frame.right_placed = 0;
    frame.right_index_mask[i] = there ? -1 : 0;
    frame.present[i] = present == nullptr ? kAllPresent.data() : present;
    frame.present_index_mask[i] = present == nullptr ? 0 : -1;
  }
  return frame;
}

}  // namespace attr::jit
