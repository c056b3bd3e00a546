#include "runtime/match/expression_columns.h"

namespace attr::match {

void ExpressionColumns::Column(uint32_t column) {
  if (column >= needed_.size() || needed_[column]) return;
  needed_[column] = true;
  if (column < plan::kSystemColumns) return;
  column -= plan::kSystemColumns;
  if (column < event_.fields.size()) {
    Expr(event_.fields[column].expr);
    return;
  }
  const plan::Derived& derived = event_.derived[column - event_.fields.size()];
  for (const plan::ExprId key : derived.keys) Expr(key);
  if (derived.kind == plan::DerivedKind::kRegex) Column(derived.column);
}

void ExpressionColumns::Expr(plan::ExprId id) {
  if (id == plan::kNone || !visited_.insert(id).second) return;
  const plan::Expr& expr = plan_.exprs[id];
  switch (expr.op) {
    case plan::Op::kColumn:
      Column(expr.b);
      return;
    case plan::Op::kInt:
    case plan::Op::kFloat:
    case plan::Op::kConstant:
    case plan::Op::kTrue:
    case plan::Op::kFalse:
    case plan::Op::kCountCmp:
    case plan::Op::kAggregateCmp:
      return;
    default:
      Expr(expr.a);
      Expr(expr.b);
  }
}

}  // namespace attr::match
