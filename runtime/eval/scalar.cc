#include "runtime/eval/scalar.h"

#include "runtime/eval/time_relation.h"
#include "runtime/eval/value_ops.h"

namespace attr::eval {

using plan::Op;

bool Scalar::Value(plan::ExprId id, int64_t* out) const {
  const plan::Expr& e = plan.exprs[id];
  switch (e.op) {
    case Op::kColumn: {
      const Column& column = tables[e.a]->columns[e.b];
      if (!column.Has(rows[e.a])) return false;
      *out = column.slots[rows[e.a]];
      return true;
    }
    case Op::kInt:
    case Op::kFloat:
      *out = e.imm;
      return true;
    case Op::kConstant:
      *out = constants[e.a];
      return true;
    default: {
      int64_t a = 0, b = 0;
      if (!Value(e.a, &a)) return false;
      if (e.b != plan::kNone && !Value(e.b, &b)) return false;
      return Apply(e.op, a, b, out);
    }
  }
}

uint8_t Scalar::Leaf(const plan::Expr& e) const {
  int64_t a = 0, b = 0;
  const bool has_a = Value(e.a, &a);
  if (e.op == Op::kHas || e.op == Op::kHasNot) return has_a == (e.op == Op::kHas) ? kAllBits : 0;
  const bool has_b = e.b == plan::kNone || Value(e.b, &b);
  if (!has_a || !has_b) return plan::IsPlaceRelation(e.op) ? kUndecided : uint8_t{kMayBit};
  const auto in_set = [&] {
    for (int64_t v : plan.sets[e.index].values) {
      if (a == (plan.sets[e.index].ids ? constants[v] : v)) return true;
    }
    return false;
  };
  const auto in_range = [&] { return a >= plan.ranges[e.index].lo && a <= plan.ranges[e.index].hi; };
  switch (e.op) {
    case Op::kInRange:
      return in_range() ? kAllBits : 0;
    case Op::kNotInRange:
      return in_range() ? 0 : kAllBits;
    case Op::kInSet:
      return in_set() ? kAllBits : 0;
    case Op::kNotInSet:
      return in_set() ? 0 : kAllBits;
    case Op::kMember:
    case Op::kPlaceMember:
      return InSpan(constants, b, a) ? kAllBits : 0;
    case Op::kNotMember:
    case Op::kPlaceNotMember:
      return InSpan(constants, b, a) ? 0 : kAllBits;
    case Op::kIsTrue:
      return a != 0 ? kAllBits : 0;
    case Op::kIsFalse:
      return a == 0 ? kAllBits : 0;
    default:
      return Compare(e.op, a, b) ? kAllBits : 0;
  }
}

uint8_t Scalar::Bits(plan::ExprId id) const {
  const plan::Expr& e = plan.exprs[id];
  switch (e.op) {
    case Op::kTrue:
      return kAllBits;
    case Op::kFalse:
      return 0;
    case Op::kAnd:
      return Bits(e.a) & Bits(e.b);
    case Op::kOr:
      return Bits(e.a) | Bits(e.b);
    default:
      return Leaf(e);
  }
}

uint8_t PairBits(const plan::Plan& plan, const plan::Join& join, const Table& left, size_t left_row, const Table& right,
                 size_t right_row, const int64_t* constants) {
  const bool real = left_row < left.first_phantom && right_row < right.first_phantom;
  if (join.different_observations && real && left.IdentityOf(left_row) == right.IdentityOf(right_row)) return 0;
  uint8_t bits = kAllBits;
  for (const plan::EqualKey& key : join.keys) {
    const Column &a = left.columns[key.left], &b = right.columns[key.right];
    if (!a.Has(left_row) || !b.Has(right_row)) {
      bits &= key.place ? kUndecided : uint8_t{kMayBit};
    } else if (a.slots[left_row] != b.slots[right_row]) {
      return 0;
    }
  }
  if (!join.relations.empty()) {
    const Span from = SpanOf(left, left_row), to = SpanOf(right, right_row);
    for (const plan::TimeRelation& relation : join.relations) bits &= RelationBits(relation, from, to);
  }
  if (join.residual == plan::kNone || bits == 0) return bits;
  return bits & Scalar{plan, {&left, &right}, {left_row, right_row}, constants}.Bits(join.residual);
}

}  // namespace attr::eval
