// Observation set and plan to findings and edges, with a given engine.
#pragma once

#include "runtime/eval/findings.h"
#include "runtime/eval/kernel.h"

namespace attr {
struct Stats;
}

namespace attr::eval {

/// Documented limits (docs/limits.md), counted without evaluating, the same way by every engine.
struct Limits {
  uint64_t events_per_type = 10'000'000;
  uint64_t candidate_pairs = 100'000'000;  // of one join: rows agreeing on the keys, inside the windows
  uint64_t findings_per_rule = 100'000;
  uint64_t window_samples = plan::kMaxWindowSamples;  // match/ folds no event that exceeds it
  size_t members_kept = 9;
};

/// Rows of every event, scan planes, joins, groups, edges. `context.events` is
/// filled by match::Match before, but for findings that rules bind: rules are evaluated
/// in plan::EvaluationOrder, and those tables made when their rules are done.
Evaluation Evaluate(Context& context, const Engine& engine, const Limits& limits, Stats* stats);

}  // namespace attr::eval
