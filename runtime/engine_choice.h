// Which engine evaluates: the one that was asked for or, for `auto`, the cheaper.
// Both give the same bits, so this choice is about time only and reaches no verdict.
#pragma once

#include <memory>
#include <string>

#include "runtime/attribute.h"
#include "runtime/base/result.h"
#include "runtime/eval/tables.h"

namespace attr {

/// What native code would save and what it would cost, in nanoseconds.
struct EngineCost {
  uint64_t saved = 0;
  uint64_t native = 0;  // to compile, or to load what the cache holds
  bool cached = false;
};
EngineCost EstimateCost(const eval::Context& context, const eval::KernelList& kernels, bool cached);

/// Fails only when native code was asked for and cannot be made. Writes which
/// engine runs, and why, into `stats`.
Result<std::unique_ptr<eval::Engine>> MakeEngine(const eval::Context& context, const AttributeOptions& options,
                                                 Stats* stats);

}  // namespace attr
