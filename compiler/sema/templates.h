// `explain` texts: literal pieces and placeholders.
#pragma once

#include "compiler/sema/rule_scope.h"

namespace attr::sema {

std::vector<Segment> AnalyzeTemplate(Context& context, const Rule& rule, RuleScope& scope, const syntax::Text& text);

}  // namespace attr::sema
