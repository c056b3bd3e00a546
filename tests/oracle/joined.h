// Conditions whose leaves are not those of a binding's `where`: `and`, `or` and `not`
// around them, three bits at a time.
#pragma once

#include "compiler/syntax/ast.h"
#include "tests/oracle/value.h"

namespace attr::oracle {

/// `leaf(expression, negated)` gives the bits of what is no `and`, `or` or `not`.
template <class Leaf>
Bits Joined(const syntax::Expr& expr, bool negated, const Leaf& leaf) {
  if (const auto* unary = std::get_if<syntax::UnaryExpr>(&expr.node)) return Joined(*unary->operand, !negated, leaf);
  const auto* chain = std::get_if<syntax::ChainExpr>(&expr.node);
  if (chain == nullptr) return leaf(expr, negated);
  const bool all = (chain->op == syntax::BinaryOp::kAnd) != negated;
  Bits out = all ? kYes : kNo;
  for (const syntax::ExprPtr& operand : chain->operands) {
    const Bits bits = Joined(*operand, negated, leaf);
    out = all ? And(out, bits) : Or(out, bits);
  }
  return out;
}

}  // namespace attr::oracle
