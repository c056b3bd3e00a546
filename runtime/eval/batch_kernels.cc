#include "runtime/eval/batch_kernels.h"

#include <algorithm>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "runtime/eval/value_ops.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define ATTR_HAS_AVX2_CLONE 1
#define ATTR_AVX2 __attribute__((target("avx2")))
#else
#define ATTR_HAS_AVX2_CLONE 0
#endif

namespace attr::eval {
namespace {

using plan::Op;

// A word is computed as 64 lanes of 0 or -1, which GCC vectorises, then packed by
// sign bits; or-ing single bits in the loop kept it scalar (GCC 12).

template <Op kOp, bool kUa, bool kUb>
ATTR_INLINE void ValueLanes(const int64_t* a, const int64_t* b, int64_t* out, int64_t* lanes) {
  for (unsigned j = 0; j < 64; ++j) {
    int64_t result = 0;
    lanes[j] = Apply(kOp, a[kUa ? 0 : j], b[kUb ? 0 : j], &result) ? -1 : 0;
    out[j] = result;
  }
}
template <Op kOp, bool kUa, bool kUb>
ATTR_INLINE void CompareLanes(const int64_t* a, const int64_t* b, int64_t* lanes) {
  for (unsigned j = 0; j < 64; ++j) lanes[j] = Compare(kOp, a[kUa ? 0 : j], b[kUb ? 0 : j]) ? -1 : 0;
}
ATTR_INLINE void RangeLanes(const int64_t* a, int64_t lo, int64_t hi, int64_t* lanes) {
  for (unsigned j = 0; j < 64; ++j) lanes[j] = (a[j] >= lo) & (a[j] <= hi) ? -1 : 0;
}
ATTR_INLINE void MemberLanes(const int64_t* a, int64_t member, int64_t* lanes) {
  for (unsigned j = 0; j < 64; ++j) lanes[j] |= a[j] == member ? -1 : 0;
}

void SortedSet(const int64_t* a, const int64_t* members, size_t count, uint64_t* mask, size_t words) {
  for (size_t w = 0; w < words; ++w) {
    uint64_t bits = 0;
    for (unsigned j = 0; j < 64; ++j) {
      bits |= uint64_t{std::binary_search(members, members + count, a[w * 64 + j])} << j;
    }
    mask[w] = bits;
  }
}

#if defined(__x86_64__)
ATTR_INLINE uint64_t PackBaseline(const int64_t* lanes) {
  uint64_t bits = 0;
  for (unsigned j = 0; j < 64; j += 2) {
    const __m128d two = _mm_load_pd(reinterpret_cast<const double*>(lanes + j));
    bits |= static_cast<uint64_t>(_mm_movemask_pd(two)) << j;
  }
  return bits;
}
#else
ATTR_INLINE uint64_t PackBaseline(const int64_t* lanes) {
  uint64_t bits = 0;
  for (unsigned j = 0; j < 64; ++j) bits |= (static_cast<uint64_t>(lanes[j]) & 1) << j;
  return bits;
}
#endif

// The loops over words, once per target. Constant operands (kUa, kUb) stay in place.
#define ATTR_KERNELS(NAME, TARGET, PACK)                                                                        \
  template <Op kOp, bool kUa, bool kUb>                                                                         \
  struct NAME {                                                                                                 \
    TARGET static void Value(const int64_t* a, const int64_t* b, int64_t* out, uint64_t* ok, size_t words) {    \
      alignas(32) int64_t lanes[64];                                                                            \
      for (size_t w = 0; w < words; ++w) {                                                                      \
        ValueLanes<kOp, kUa, kUb>(kUa ? a : a + w * 64, kUb ? b : b + w * 64, out + w * 64, lanes);             \
        ok[w] &= PACK(lanes);                                                                                   \
      }                                                                                                         \
    }                                                                                                           \
    TARGET static void Compare(const int64_t* a, const int64_t* b, uint64_t* mask, size_t words) {              \
      alignas(32) int64_t lanes[64];                                                                            \
      for (size_t w = 0; w < words; ++w) {                                                                      \
        CompareLanes<kOp, kUa, kUb>(kUa ? a : a + w * 64, kUb ? b : b + w * 64, lanes);                         \
        mask[w] = PACK(lanes);                                                                                  \
      }                                                                                                         \
    }                                                                                                           \
  };                                                                                                            \
  TARGET void NAME##Range(const int64_t* a, int64_t lo, int64_t hi, uint64_t* mask, size_t words) {             \
    alignas(32) int64_t lanes[64];                                                                              \
    for (size_t w = 0; w < words; ++w) {                                                                        \
      RangeLanes(a + w * 64, lo, hi, lanes);                                                                    \
      mask[w] = PACK(lanes);                                                                                    \
    }                                                                                                           \
  }                                                                                                             \
  TARGET void NAME##Set(const int64_t* a, const int64_t* members, size_t count, uint64_t* mask, size_t words) { \
    alignas(32) int64_t lanes[64];                                                                              \
    for (size_t w = 0; w < words; ++w) {                                                                        \
      for (int64_t & lane : lanes) lane = 0;                                                                    \
      for (size_t m = 0; m < count; ++m) MemberLanes(a + w * 64, members[m], lanes);                            \
      mask[w] = PACK(lanes);                                                                                    \
    }                                                                                                           \
  }

ATTR_KERNELS(Baseline, , PackBaseline)

#if ATTR_HAS_AVX2_CLONE
ATTR_AVX2 inline uint64_t PackAvx2(const int64_t* lanes) {
  uint64_t bits = 0;
  for (unsigned j = 0; j < 64; j += 4) {
    const __m256d four = _mm256_load_pd(reinterpret_cast<const double*>(lanes + j));
    bits |= static_cast<uint64_t>(_mm256_movemask_pd(four)) << j;
  }
  return bits;
}
ATTR_KERNELS(Avx2, ATTR_AVX2, PackAvx2)
bool HasAvx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}
#else
ATTR_KERNELS(Avx2, , PackBaseline)
bool HasAvx2() { return false; }
#endif

template <Op kOp, template <Op, bool, bool> class Target>
ValueKernel PickValue(bool a, bool b) {
  if (a && b) return nullptr;
  return a   ? &Target<kOp, true, false>::Value
         : b ? &Target<kOp, false, true>::Value
             : &Target<kOp, false, false>::Value;
}
template <Op kOp, template <Op, bool, bool> class Target>
CompareKernel PickCompare(bool a, bool b) {
  if (a && b) return nullptr;
  return a   ? &Target<kOp, true, false>::Compare
         : b ? &Target<kOp, false, true>::Compare
             : &Target<kOp, false, false>::Compare;
}

template <template <Op, bool, bool> class Target, size_t... kI>
ValueKernel ValueOf(Op op, bool a, bool b, std::index_sequence<kI...>) {
  constexpr size_t kFirst = static_cast<size_t>(Op::kAddI);
  ValueKernel found = nullptr;
  const bool matched =
      ((op == static_cast<Op>(kFirst + kI) ? (found = PickValue<static_cast<Op>(kFirst + kI), Target>(a, b), true)
                                           : false) ||
       ...);
  return matched ? found : nullptr;
}
template <template <Op, bool, bool> class Target, size_t... kI>
CompareKernel CompareOf(Op op, bool a, bool b, std::index_sequence<kI...>) {
  constexpr size_t kFirst = static_cast<size_t>(Op::kEqI);
  CompareKernel found = nullptr;
  const bool matched =
      ((op == static_cast<Op>(kFirst + kI) ? (found = PickCompare<static_cast<Op>(kFirst + kI), Target>(a, b), true)
                                           : false) ||
       ...);
  return matched ? found : nullptr;
}

}  // namespace

ValueKernel ValueKernelOf(Op op, bool a_uniform, bool b_uniform) {
  constexpr auto kAll =
      std::make_index_sequence<static_cast<size_t>(Op::kToFloat) - static_cast<size_t>(Op::kAddI) + 1>();
  return HasAvx2() ? ValueOf<Avx2>(op, a_uniform, b_uniform, kAll) : ValueOf<Baseline>(op, a_uniform, b_uniform, kAll);
}

CompareKernel CompareKernelOf(Op op, bool a_uniform, bool b_uniform) {
  if (op == Op::kPlaceEq) op = Op::kEqI;
  if (op == Op::kPlaceNe) op = Op::kNeI;
  constexpr auto kAll = std::make_index_sequence<static_cast<size_t>(Op::kLeFI) - static_cast<size_t>(Op::kEqI) + 1>();
  return HasAvx2() ? CompareOf<Avx2>(op, a_uniform, b_uniform, kAll)
                   : CompareOf<Baseline>(op, a_uniform, b_uniform, kAll);
}

RangeKernel RangeKernelOf() { return HasAvx2() ? &Avx2Range : &BaselineRange; }
SetKernel LinearSetKernelOf() { return HasAvx2() ? &Avx2Set : &BaselineSet; }
SetKernel SortedSetKernelOf() { return &SortedSet; }
const char* KernelTarget() { return HasAvx2() ? "avx2" : "baseline"; }

}  // namespace attr::eval
