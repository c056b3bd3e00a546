// The verifier: everything that an engine relies on, checked before anything
// else runs (semantics.md section 6). A pack is a stranger's.
#pragma once

#include <string>

#include "runtime/base/result.h"
#include "runtime/plan/plan.h"

namespace attr::plan {

/// The first violation, naming section and index ("rules[12].joins[0]: ...").
Status Verify(const Plan& plan);

}  // namespace attr::plan
