// How many of an expression node's `a` and `b` are other nodes.
#pragma once

#include "runtime/plan/plan.h"

namespace attr::plan {

/// 0, 1 (`a`) or 2 (`a` and `b`).
unsigned OperandCount(Op op);

}  // namespace attr::plan
