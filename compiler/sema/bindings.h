// The `when` of rules and outcomes: bindings, their conditions and relations.
#pragma once

#include "compiler/sema/context.h"

namespace attr::sema {

void AnalyzeCondition(Context& context, Rule& rule, const syntax::Condition& when);

/// open.cc: `open(p)` is the exception that something closed p: a binding of its own.
/// `first`: where the last alternative's bindings begin.
void ExpandOpen(Context& context, Rule& rule, size_t first);

}  // namespace attr::sema
