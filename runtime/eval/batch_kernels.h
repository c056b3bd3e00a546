// Inner loops of the batch interpreter: one operator over up to 16 words of 64
// rows, no branch per row. Each exists for the baseline and, on x86-64, for AVX2,
// and is chosen once by what the machine has. Explicit targets instead of
// target_clones: its resolvers run before the sanitizers' runtime is up.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/plan/plan.h"

namespace attr::eval {

inline constexpr size_t kBatchWords = 16;
inline constexpr size_t kBatchRows = kBatchWords * 64;

/// out[i] = a[i] op b[i]; clears in `ok` the rows whose result is missing.
using ValueKernel = void (*)(const int64_t* a, const int64_t* b, int64_t* out, uint64_t* ok, size_t words);
/// mask bit i = a[i] op b[i], presence not looked at.
using CompareKernel = void (*)(const int64_t* a, const int64_t* b, uint64_t* mask, size_t words);
using RangeKernel = void (*)(const int64_t* a, int64_t lo, int64_t hi, uint64_t* mask, size_t words);
/// `sorted` members, or any order when there are few (see kLinearSet).
using SetKernel = void (*)(const int64_t* a, const int64_t* members, size_t count, uint64_t* mask, size_t words);

/// A uniform operand is one value, read at index 0 for every row. Both operands
/// uniform: null (the caller uses value_ops.h).
ValueKernel ValueKernelOf(plan::Op op, bool a_uniform, bool b_uniform);
CompareKernel CompareKernelOf(plan::Op op, bool a_uniform, bool b_uniform);
RangeKernel RangeKernelOf();
inline constexpr size_t kLinearSet = 16;
SetKernel LinearSetKernelOf();
SetKernel SortedSetKernelOf();

/// "avx2" or "baseline".
const char* KernelTarget();

}  // namespace attr::eval
