// What the time relations of one left row need, laid out for generated code. The
// engine fills it once per call, so that each relation is one function of a module
// instead of a copy in every join: relations are most of a join's code (2026-11-30:
// 31 ms of compiling a join with them in place, on a loaded machine).
#pragma once

#include <cstdint>

#include "runtime/eval/kernel.h"
#include "runtime/eval/time_relation.h"

namespace attr::jit {

/// The columns kBeginLo .. kPosition.
inline constexpr uint32_t kSpanColumns = plan::kPosition + 1;

struct RelationFrame {
  int64_t left[kSpanColumns];
  int64_t left_orders;                 // -1: placed in a stream, and its begin was not moved
  const int64_t* right[kSpanColumns];  // stream and position may be null in the arguments, not here
  int64_t right_index_mask[2];         // of stream, position: 0 where the column is null, else -1
  const uint64_t* present[2];          // of stream, position
  int64_t present_index_mask[2];       // 0 where all rows are present, else -1
  int64_t right_placed;                // -1: both columns are there
};

/// plan::TimeRelation's numbers.
struct JoinWindow {
  int64_t distance = 0, lead = 0;
};

RelationFrame FrameOf(const eval::JoinArgs& args);

}  // namespace attr::jit
