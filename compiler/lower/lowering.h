// What the lowering of tables, events, rules and demotions shares. Internal to lower/.
#pragma once

#include "compiler/lower/lower.h"
#include "compiler/lower/lower_expr.h"

namespace attr::lower {

struct Lowering {
  const sema::Program& program;
  const diagnostics::SourceMap& sources;
  diagnostics::Sink& sink;
  Builder builder;
  std::vector<uint32_t> event_index;  // sema event -> plan event

  plan::SourceLocation Location(diagnostics::Span span);
  /// Reports an expression that is deeper than the engines allow.
  plan::ExprId Checked(plan::ExprId expr, diagnostics::Span span);
};

void LowerTables(Lowering& lowering);
/// With its ancestors, when they are not there yet.
void LowerEvent(Lowering& lowering, uint32_t event);
void LowerEvents(Lowering& lowering);
void LowerRules(Lowering& lowering);
void LowerDemotions(Lowering& lowering);
void LowerOrder(Lowering& lowering);

}  // namespace attr::lower
