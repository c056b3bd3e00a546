// `--rule NAME`: a rule of a plan by its qualified name, or by its own where one has it.
#pragma once

#include <string>

#include "runtime/base/result.h"
#include "runtime/plan/plan.h"

namespace attr::cli {

/// Index into Plan::rules; else a usage error that names a near one.
Result<uint32_t> FindRule(const plan::Plan& plan, const std::string& name);

}  // namespace attr::cli
