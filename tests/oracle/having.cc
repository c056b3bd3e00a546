// `having`: comparisons of bounds, joined on three bits (semantics.md S9).
#include "tests/oracle/aggregates.h"
#include "tests/oracle/expression.h"
#include "tests/oracle/joined.h"

namespace attr::oracle {

namespace {

using syntax::BinaryOp;

class HavingEvaluator {
 public:
  explicit HavingEvaluator(const Asked& of) : of_(of) {}

  Bits Condition(const syntax::Expr& expr) {
    return Joined(expr, false, [this](const syntax::Expr& leaf, bool negated) {
      if (const auto* in = std::get_if<syntax::InExpr>(&leaf.node)) return In(*in, negated != in->negated);
      const auto& binary = std::get<syntax::BinaryExpr>(leaf.node);
      return Compare(Side(*binary.left), negated ? Opposite(binary.op) : binary.op, Side(*binary.right));
    });
  }

 private:
  Bounds Side(const syntax::Expr& expr) {
    if (const auto* call = std::get_if<syntax::CallExpr>(&expr.node)) return Aggregate(of_, *call);
    const RuleScope scope(of_.world.pack, {}, false);
    return Exactly(AmountOf(Evaluator(of_.world, of_.rule.pack, scope).Eval(expr).value));
  }

  Bits In(const syntax::InExpr& in, bool negated) {
    const Bounds count = Side(*in.operand);
    auto against = [&](BinaryOp op, const syntax::Literal& literal) {
      return Compare(count, op, Exactly(AmountOf(LiteralValue(literal))));
    };
    Bits out = in.range ? kYes : kNo;
    if (in.range) out = And(against(BinaryOp::kGe, in.range->first), against(BinaryOp::kLe, in.range->second));
    for (const syntax::Literal& literal : in.set) out = Or(out, against(BinaryOp::kEq, literal));
    return negated ? Not(out) : out;
  }

  const Asked& of_;
};

}  // namespace

Bits Having(World& world, const Rule& rule, const std::vector<Slot>& slots, const syntax::Expr& having,
            const std::vector<std::vector<Member>>& members) {
  const Asked asked{world, rule, slots, members};
  return HavingEvaluator(asked).Condition(having);
}

}  // namespace attr::oracle
