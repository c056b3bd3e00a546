// `having` on bounds (semantics.md S9): three counts, and no upper bound where a
// phantom may be a member.
#include <limits>
#include <stdexcept>

#include "tests/oracle/findings.h"

namespace attr::oracle {

namespace {

using syntax::BinaryOp;

constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

struct Count {
  int64_t lo = 0, presumed = 0, hi = 0;
};

class HavingEvaluator {
 public:
  HavingEvaluator(World& world, const Rule& rule, const std::vector<Slot>& slots,
                  const std::vector<std::vector<Member>>& members)
      : world_(world), rule_(rule), slots_(slots), members_(members) {}

  Bits Condition(const syntax::Expr& expr, bool negated) {
    if (const auto* chain = std::get_if<syntax::ChainExpr>(&expr.node)) {
      const bool all = (chain->op == BinaryOp::kAnd) != negated;
      Bits out = all ? kYes : kNo;
      for (const syntax::ExprPtr& operand : chain->operands) {
        const Bits bits = Condition(*operand, negated);
        out = all ? And(out, bits) : Or(out, bits);
      }
      return out;
    }
    if (const auto* unary = std::get_if<syntax::UnaryExpr>(&expr.node)) return Condition(*unary->operand, !negated);
    if (const auto* in = std::get_if<syntax::InExpr>(&expr.node)) return In(*in, negated != in->negated);
    const auto& binary = std::get<syntax::BinaryExpr>(expr.node);
    if (IsCall(*binary.left)) return Compare(CountOf(*binary.left), binary.op, Bound(*binary.right), negated);
    return Compare(CountOf(*binary.right), Mirrored(binary.op), Bound(*binary.left), negated);
  }

 private:
  static bool IsCall(const syntax::Expr& expr) { return std::holds_alternative<syntax::CallExpr>(expr.node); }

  static BinaryOp Mirrored(BinaryOp op) {
    switch (op) {
      case BinaryOp::kLt:
        return BinaryOp::kGt;
      case BinaryOp::kLe:
        return BinaryOp::kGe;
      case BinaryOp::kGt:
        return BinaryOp::kLt;
      case BinaryOp::kGe:
        return BinaryOp::kLe;
      default:
        return op;
    }
  }

  int64_t Bound(const syntax::Expr& expr) {
    const RuleScope scope(world_.pack, {}, false);
    return Evaluator(world_, rule_.pack, scope).Eval(expr, Type::kInt).value.number;
  }

  Count CountOf(const syntax::Expr& expr) const {
    const auto& call = std::get<syntax::CallExpr>(expr.node);
    if (call.callee.text != "count") throw std::runtime_error("aggregate " + call.callee.text);
    const auto& ref = std::get<syntax::RefExpr>(call.arguments[0]->node);
    Count out;
    bool open = false;
    for (size_t s = 0; s < slots_.size(); ++s) {
      if (slots_[s].name != ref.parts[0].text) continue;
      for (const Member& member : members_[s]) {
        open = open || member.row->IsPhantom();
        out.lo += member.bits.must ? 1 : 0;
        out.presumed += member.bits.presumed ? 1 : 0;
        out.hi += 1;
      }
    }
    if (open) out.hi = kUnbounded;
    return out;
  }

  /// The least and the greatest count that could be, and what is presumed.
  static Bits Compare(Count count, BinaryOp op, int64_t n, bool negated) {
    auto holds = [&](int64_t x) {
      switch (op) {
        case BinaryOp::kEq:
          return x == n;
        case BinaryOp::kNe:
          return x != n;
        case BinaryOp::kLt:
          return x < n;
        case BinaryOp::kLe:
          return x <= n;
        case BinaryOp::kGt:
          return x > n;
        default:
          return x >= n;
      }
    };
    // Every count between the bounds is possible; beyond n nothing changes any more.
    const int64_t last = std::min(count.hi, std::max(count.lo, n) + 2);
    bool always = true, ever = false;
    for (int64_t x = count.lo; x <= last; ++x) {
      always = always && holds(x) != negated;
      ever = ever || holds(x) != negated;
    }
    return {always, holds(count.presumed) != negated, ever};
  }

  Bits In(const syntax::InExpr& in, bool negated) {
    const Count count = CountOf(*in.operand);
    auto number = [](const syntax::Literal& literal) { return LiteralValue(literal).number; };
    Bits out = in.range ? kYes : kNo;
    if (in.range) {
      out = And(Compare(count, BinaryOp::kGe, number(in.range->first), false),
                Compare(count, BinaryOp::kLe, number(in.range->second), false));
    }
    for (const syntax::Literal& literal : in.set) out = Or(out, Compare(count, BinaryOp::kEq, number(literal), false));
    return negated ? Not(out) : out;
  }

  World& world_;
  const Rule& rule_;
  const std::vector<Slot>& slots_;
  const std::vector<std::vector<Member>>& members_;
};

}  // namespace

Bits Having(World& world, const Rule& rule, const std::vector<Slot>& slots, const syntax::Expr& having,
            const std::vector<std::vector<Member>>& members) {
  return HavingEvaluator(world, rule, slots, members).Condition(having, false);
}

}  // namespace attr::oracle
