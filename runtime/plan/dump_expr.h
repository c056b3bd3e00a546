// Expressions of the plan in infix notation.
#pragma once

#include <string>
#include <vector>

#include "runtime/plan/plan.h"

namespace attr::plan {

/// What a column number means to a printed expression.
struct PrintedBinding {
  std::string name;  // "x"; empty inside an event: columns stand alone
  const Event* event = nullptr;
};

/// At most some thousand characters: shared nodes could make it exponential.
std::string PrintExpr(const Plan& plan, ExprId root, const std::vector<PrintedBinding>& bindings);
std::string PrintColumn(const Plan& plan, uint32_t column, const PrintedBinding& binding);
/// Exact, in the largest unit that divides it: "90s", "2m".
std::string PrintDuration(int64_t nanos);

}  // namespace attr::plan
