// One left row against contiguous right rows: keys and residual as planes, time
// relations row by row (time_relation.h), then the three planes become bytes.
#include <algorithm>
#include <array>

#include "runtime/eval/interpreter.h"
#include "runtime/eval/time_relation.h"

namespace attr::eval {
namespace {

using plan::Op;

/// Byte k of entry b is bit k of b: 8 rows of one plane at once.
constexpr std::array<uint64_t, 256> kSpread = [] {
  std::array<uint64_t, 256> table{};
  for (size_t b = 0; b < 256; ++b) {
    for (size_t k = 0; k < 8; ++k) table[b] |= uint64_t{b >> k & 1} << (8 * k);
  }
  return table;
}();

/// bits[i] &= the three planes' bits of row i.
void AndPlanes(const Program::BitsView& planes, size_t count, uint8_t* bits) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const size_t w = i / 64, shift = i % 64;
    const uint64_t eight = kSpread[planes.must[w] >> shift & 255] << 2 |
                           kSpread[planes.presumed[w] >> shift & 255] << 1 | kSpread[planes.may[w] >> shift & 255];
    for (size_t k = 0; k < 8; ++k) bits[i + k] &= static_cast<uint8_t>(eight >> (8 * k));
  }
  for (; i < count; ++i) {
    const size_t w = i / 64, shift = i % 64;
    bits[i] &= static_cast<uint8_t>((planes.must[w] >> shift & 1) << 2 | (planes.presumed[w] >> shift & 1) << 1 |
                                    (planes.may[w] >> shift & 1));
  }
}

}  // namespace

JoinKernel::JoinKernel(const plan::Plan& plan, const plan::Join& join) : join_(&join), program_(plan, true) {
  const auto conjoin = [&](uint32_t step) {
    root_ = root_ == plan::kNone ? step : program_.AddBinary(Op::kAnd, root_, step);
  };
  for (const plan::EqualKey& key : join.keys) {
    const uint32_t left = program_.AddColumn(0, key.left), right = program_.AddColumn(1, key.right);
    conjoin(program_.AddBinary(key.place ? Op::kPlaceEq : Op::kEqI, left, right));
  }
  if (join.residual != plan::kNone) conjoin(program_.Add(join.residual));
  if (root_ != plan::kNone) program_.Finish({root_});
}

uint32_t JoinKernel::Run(const JoinArgs& args) const {
  const uint8_t left_bits = args.left_membership[args.left_row];
  uint32_t all = 0;
  if (left_bits == 0) return all;
  for (size_t base = args.begin; base < args.end; base += kBatchRows) {
    all |= RunBatch(args, base, std::min(kBatchRows, args.end - base), left_bits);
  }
  return all;
}

uint32_t JoinKernel::RunBatch(const JoinArgs& args, size_t base, size_t count, uint8_t left_bits) const {
  std::array<uint8_t, kBatchRows> bits;
  for (size_t i = 0; i < count; ++i) bits[i] = args.right_membership[base + i] & left_bits;
  if (root_ != plan::kNone) {
    BatchInput input;
    input.slots[0] = args.left_columns;
    input.slots[1] = args.right_columns;
    input.present[0] = args.left_present;
    input.present[1] = args.right_present;
    input.constants = args.constants;
    input.left_row = args.left_row;
    Program::Scratch& scratch = Program::ThreadScratch();
    program_.Run(input, base, count, scratch);
    AndPlanes(Program::Bits(scratch, root_), count, bits.data());
  }
  if (!join_->relations.empty()) {
    const Span left = SpanAt(args.left_columns, args.left_present, args.left_row);
    for (size_t i = 0; i < count; ++i) {
      if (bits[i] == 0) continue;
      const Span right = SpanAt(args.right_columns, args.right_present, base + i);
      for (const plan::TimeRelation& relation : join_->relations) bits[i] &= RelationBits(relation, left, right);
    }
  }
  if (join_->different_observations) {
    const uint32_t self = args.left_identity[args.left_row];
    for (size_t i = 0; i < count; ++i) bits[i] &= args.right_identity[base + i] != self ? kAllBits : 0;
  }
  uint8_t all = 0;
  for (size_t i = 0; i < count; ++i) {
    all |= bits[i];
    args.right_bits[base + i] |= bits[i];
  }
  return all;
}

}  // namespace attr::eval
