// An outcome's expression written out: alternatives of parts that hold together. Each
// part is `stalled(...)` or its opposite, so that evaluation meets bindings only.
#include "compiler/sema/context.h"

namespace attr::sema {

namespace {

using Terms = std::vector<std::vector<StallTerm>>;

/// Every one of `left` together with every one of `right`; empty when that is too much.
Terms Together(const Terms& left, const Terms& right) {
  Terms out;
  if (left.size() * right.size() > plan::kMaxAllBindings) return out;
  for (const auto& a : left) {
    for (const auto& b : right) {
      out.push_back(a);
      out.back().insert(out.back().end(), b.begin(), b.end());
    }
  }
  return out;
}

}  // namespace

Terms OutcomeTerms(const syntax::Expr& expr, bool negated) {
  if (const auto* unary = std::get_if<syntax::UnaryExpr>(&expr.node); unary && unary->op == syntax::UnaryOp::kNot) {
    return OutcomeTerms(*unary->operand, !negated);
  }
  const auto* chain = std::get_if<syntax::ChainExpr>(&expr.node);
  if (!chain) return {{{&expr, negated}}};
  const bool all = (chain->op == syntax::BinaryOp::kAnd) != negated;
  Terms out;
  for (size_t i = 0; i < chain->operands.size(); ++i) {
    Terms one = OutcomeTerms(*chain->operands[i], negated);
    if (one.empty()) return {};
    if (i == 0) {
      out = std::move(one);
    } else if (all) {
      out = Together(out, one);
    } else {
      out.insert(out.end(), one.begin(), one.end());
    }
    if (out.empty() || out.size() > plan::kMaxAllBindings) return {};
  }
  return out;
}

}  // namespace attr::sema
