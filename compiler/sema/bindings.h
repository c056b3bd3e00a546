// The `when` of rules and outcomes: bindings, their conditions and relations.
#pragma once

#include "compiler/sema/context.h"

namespace attr::sema {

void AnalyzeCondition(Context& context, Rule& rule, const syntax::Condition& when);

}  // namespace attr::sema
