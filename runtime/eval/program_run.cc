// Running a program over one batch: columns are read in place where a whole batch
// lies there, everything else goes through registers.
#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/base/check.h"
#include "runtime/eval/program.h"
#include "runtime/eval/value_ops.h"

namespace attr::eval {
namespace {

using plan::Op;

constexpr std::array<uint64_t, kBatchWords> kNonePresent{};
constexpr std::array<uint64_t, kBatchWords> kAllPresent = [] {
  std::array<uint64_t, kBatchWords> words{};
  words.fill(~uint64_t{0});
  return words;
}();
constexpr std::array<int64_t, kBatchRows> kZeros{};

/// Bits [base, base + count) of a bitmap, moved down to bit 0.
void CopyBits(const uint64_t* from, size_t base, size_t count, uint64_t* to) {
  const size_t shift = base % 64, last = (base + count - 1) / 64;
  for (size_t w = 0; w < WordsFor(count); ++w) {
    const size_t word = base / 64 + w;
    uint64_t bits = from[word] >> shift;
    if (shift != 0 && word < last) bits |= from[word + 1] << (64 - shift);
    to[w] = bits;
  }
}

void FillPlanes(uint64_t* planes, size_t words, uint8_t bits) {
  for (size_t w = 0; w < words; ++w) {
    planes[w] = (bits & kMustBit) != 0 ? ~uint64_t{0} : 0;
    planes[kBatchWords + w] = (bits & kPresumedBit) != 0 ? ~uint64_t{0} : 0;
    planes[2 * kBatchWords + w] = (bits & kMayBit) != 0 ? ~uint64_t{0} : 0;
  }
}

}  // namespace

struct Program::Batch {
  const BatchInput& input;
  size_t base, count, words;
  Scratch& scratch;

  int64_t* reg(const Step& step) const { return scratch.registers.data() + step.reg * kBatchRows; }
  uint64_t* presence(uint32_t step) const { return scratch.presence.data() + step * kBatchWords; }
  uint64_t* planes(uint32_t step) const { return scratch.planes.data() + step * 3 * kBatchWords; }
  bool present(uint32_t step) const { return (scratch.presents[step][0] & 1U) != 0; }
  uint8_t bits(uint32_t step) const {
    const uint64_t* p = planes(step);
    return static_cast<uint8_t>((p[0] & 1) * kMustBit | (p[kBatchWords] & 1) * kPresumedBit |
                                (p[2 * kBatchWords] & 1) * kMayBit);
  }
};

void Program::RunColumn(const Step& step, uint32_t self, const Batch& batch) const {
  const int64_t* slots = batch.input.slots[step.a][step.b];
  const uint64_t* present = batch.input.present[step.a][step.b];
  Scratch& s = batch.scratch;
  if (slots == nullptr) {
    s.values[self] = kZeros.data();
    s.presents[self] = kNonePresent.data();
    return;
  }
  if (step.uniform) {
    const size_t row = batch.input.left_row;
    s.values[self] = slots + row;
    const bool has = present == nullptr || (present[row / 64] >> (row % 64) & 1U) != 0;
    s.presents[self] = has ? kAllPresent.data() : kNonePresent.data();
    return;
  }
  if (batch.count == batch.words * 64) {
    s.values[self] = slots + batch.base;
  } else {
    int64_t* reg = batch.reg(step);
    std::memcpy(reg, slots + batch.base, batch.count * sizeof(int64_t));
    std::fill(reg + batch.count, reg + batch.words * 64, 0);
    s.values[self] = reg;
  }
  if (present == nullptr) {
    s.presents[self] = kAllPresent.data();
  } else if (batch.base % 64 == 0) {
    s.presents[self] = present + batch.base / 64;
  } else {
    CopyBits(present, batch.base, batch.count, batch.presence(self));
    s.presents[self] = batch.presence(self);
  }
}

/// A missing set has no place among the constants: such rows are left out.
void Program::MembershipOf(const Step& step, const Batch& batch, uint64_t* mask) const {
  const Scratch& s = batch.scratch;
  const bool one_value = steps_[step.a].uniform, one_set = steps_[step.b].uniform;
  const size_t rows = step.uniform ? 1 : batch.count;
  std::fill(mask, mask + WordsFor(rows), 0);
  for (size_t i = 0; i < rows; ++i) {
    if ((s.presents[step.b][i / 64] >> (i % 64) & 1U) == 0) continue;
    const bool in =
        InSpan(batch.input.constants, s.values[step.b][one_set ? 0 : i], s.values[step.a][one_value ? 0 : i]);
    mask[i / 64] |= uint64_t{in} << (i % 64);
  }
}

void Program::MaskOf(const Step& step, const Batch& batch, uint64_t* mask) const {
  const int64_t* a = batch.scratch.values[step.a];
  const size_t words = step.uniform ? 1 : batch.words;
  switch (step.op) {
    case Op::kInRange:
    case Op::kNotInRange: {
      const plan::Range& range = plan_->ranges[step.index];
      if (step.uniform) {
        mask[0] = a[0] >= range.lo && a[0] <= range.hi ? 1 : 0;
      } else {
        RangeKernelOf()(a, range.lo, range.hi, mask, words);
      }
      break;
    }
    case Op::kInSet:
    case Op::kNotInSet: {
      const plan::Set& set = plan_->sets[step.index];
      const int64_t* members = set.values.data();
      if (set.ids) {  // dictionary ids follow the input: looked up a batch, sorted by nothing
        batch.scratch.members.clear();
        for (int64_t constant : set.values) batch.scratch.members.push_back(batch.input.constants[constant]);
        members = batch.scratch.members.data();
      }
      if (step.uniform) {
        mask[0] = std::find(members, members + set.values.size(), a[0]) != members + set.values.size() ? 1 : 0;
      } else if (set.ids || set.values.size() <= kLinearSet) {
        LinearSetKernelOf()(a, members, set.values.size(), mask, words);
      } else {
        SortedSetKernelOf()(a, members, set.values.size(), mask, words);
      }
      break;
    }
    case Op::kIsTrue:
    case Op::kIsFalse: {
      static constexpr int64_t kZero = 0;
      if (step.uniform) {
        mask[0] = a[0] != 0 ? 1 : 0;
      } else {
        CompareKernelOf(Op::kNeI, false, true)(a, &kZero, mask, words);
      }
      break;
    }
    case Op::kMember:
    case Op::kNotMember:
    case Op::kPlaceMember:
    case Op::kPlaceNotMember:
      MembershipOf(step, batch, mask);
      break;
    default:
      if (step.uniform) {
        mask[0] = Compare(step.op, a[0], batch.scratch.values[step.b][0]) ? 1 : 0;
      } else {
        step.compare(a, batch.scratch.values[step.b], mask, words);
      }
  }
  const bool negated = step.op == Op::kNotInRange || step.op == Op::kNotInSet || step.op == Op::kIsFalse ||
                       step.op == Op::kNotMember || step.op == Op::kPlaceNotMember;
  if (negated) {
    for (size_t w = 0; w < words; ++w) mask[w] = ~mask[w];
  }
}

void Program::RunUniform(const Step& step, uint32_t self, const Batch& batch) const {
  Scratch& s = batch.scratch;
  if (!plan::IsBits(step.op)) {
    int64_t* out = batch.reg(step);
    bool ok = true;
    if (step.op == Op::kInt || step.op == Op::kFloat) {
      *out = step.imm;
    } else if (step.op == Op::kConstant) {
      *out = batch.input.constants[step.a];
    } else {
      const bool binary = step.b != plan::kNone;
      const int64_t b = binary ? s.values[step.b][0] : 0;
      ok = Apply(step.op, s.values[step.a][0], b, out) && batch.present(step.a) && (!binary || batch.present(step.b));
    }
    s.values[self] = out;
    s.presents[self] = ok ? kAllPresent.data() : kNonePresent.data();
    return;
  }
  uint8_t bits = 0;
  switch (step.op) {
    case Op::kTrue:
      bits = kAllBits;
      break;
    case Op::kFalse:
      break;
    case Op::kAnd:
      bits = batch.bits(step.a) & batch.bits(step.b);
      break;
    case Op::kOr:
      bits = batch.bits(step.a) | batch.bits(step.b);
      break;
    case Op::kHas:
      bits = batch.present(step.a) ? kAllBits : 0;
      break;
    case Op::kHasNot:
      bits = batch.present(step.a) ? 0 : kAllBits;
      break;
    default: {
      const bool place = plan::IsPlaceRelation(step.op);
      uint64_t mask = 0;
      MaskOf(step, batch, &mask);
      if (!batch.present(step.a) || (step.b != plan::kNone && !batch.present(step.b))) {
        bits = place ? kPresumedBit | kMayBit : kMayBit;
      } else {
        bits = (mask & 1) != 0 ? kAllBits : 0;
      }
    }
  }
  FillPlanes(batch.planes(self), kBatchWords, bits);
}

void Program::RunValue(const Step& step, uint32_t self, const Batch& batch) const {
  Scratch& s = batch.scratch;
  const bool binary = step.b != plan::kNone;
  const int64_t* a = s.values[step.a];
  const int64_t* b = binary ? s.values[step.b] : &kZeros[0];
  uint64_t* ok = batch.presence(self);
  const uint64_t* pa = s.presents[step.a];
  const uint64_t* pb = binary ? s.presents[step.b] : kAllPresent.data();
  for (size_t w = 0; w < batch.words; ++w) ok[w] = pa[w] & pb[w];
  int64_t* out = batch.reg(step);
  step.value(a, b, out, ok, batch.words);
  s.values[self] = out;
  s.presents[self] = ok;
}

void Program::RunBits(const Step& step, uint32_t self, const Batch& batch) const {
  Scratch& s = batch.scratch;
  uint64_t* must = batch.planes(self);
  uint64_t* presumed = must + kBatchWords;
  uint64_t* may = presumed + kBatchWords;
  if (step.op == Op::kAnd || step.op == Op::kOr) {
    const uint64_t* a = batch.planes(step.a);
    const uint64_t* b = batch.planes(step.b);
    for (size_t plane = 0; plane < 3 * kBatchWords; plane += kBatchWords) {
      for (size_t w = plane; w < plane + batch.words; ++w) must[w] = step.op == Op::kAnd ? a[w] & b[w] : a[w] | b[w];
    }
    return;
  }
  const uint64_t* pa = s.presents[step.a];
  if (step.op == Op::kHas || step.op == Op::kHasNot) {
    const uint64_t flip = step.op == Op::kHasNot ? ~uint64_t{0} : 0;
    for (size_t w = 0; w < batch.words; ++w) must[w] = presumed[w] = may[w] = pa[w] ^ flip;
    return;
  }
  uint64_t mask[kBatchWords];
  MaskOf(step, batch, mask);
  const uint64_t* pb = step.b != plan::kNone ? s.presents[step.b] : kAllPresent.data();
  const bool place = plan::IsPlaceRelation(step.op);
  for (size_t w = 0; w < batch.words; ++w) {
    const uint64_t p = pa[w] & pb[w];
    must[w] = mask[w] & p;
    may[w] = mask[w] | ~p;
    presumed[w] = place ? may[w] : must[w];
  }
}

void Program::Run(const BatchInput& input, size_t base, size_t count, Scratch& scratch) const {
  const size_t n = steps_.size();
  if (scratch.registers.size() < registers_ * kBatchRows) scratch.registers.resize(registers_ * kBatchRows);
  if (scratch.values.size() < n) {
    scratch.presence.resize(n * kBatchWords);
    scratch.planes.resize(n * 3 * kBatchWords);
    scratch.values.resize(n);
    scratch.presents.resize(n);
  }
  const Batch batch{input, base, count, WordsFor(count), scratch};
  for (uint32_t i = 0; i < n; ++i) {
    const Step& step = steps_[i];
    if (step.op == Op::kColumn) {
      RunColumn(step, i, batch);
    } else if (step.uniform) {
      RunUniform(step, i, batch);
    } else if (plan::IsBits(step.op)) {
      RunBits(step, i, batch);
    } else {
      RunValue(step, i, batch);
    }
  }
}

}  // namespace attr::eval
