// See lower_expr.h.
#include "compiler/lower/lower_expr.h"

#include <bit>
#include <utility>

#include "compiler/sema/expressions.h"
#include "runtime/base/check.h"

namespace attr::lower {

using plan::ExprId;
using plan::Op;
using plan::Type;
using sema::Typed;
using sema::TypedKind;
using syntax::BinaryOp;

BinaryOp Inverted(BinaryOp op) {
  switch (op) {
    case BinaryOp::kEq:
      return BinaryOp::kNe;
    case BinaryOp::kNe:
      return BinaryOp::kEq;
    case BinaryOp::kLt:
      return BinaryOp::kGe;
    case BinaryOp::kLe:
      return BinaryOp::kGt;
    case BinaryOp::kGt:
      return BinaryOp::kLe;
    default:
      return BinaryOp::kLt;
  }
}

bool IsPlaceType(Type type) { return type == Type::kNode || type == Type::kRank || type == Type::kGpu; }

namespace {

plan::CountCmp ComparisonOf(BinaryOp op) {
  switch (op) {
    case BinaryOp::kNe:
      return plan::CountCmp::kNe;
    case BinaryOp::kLt:
      return plan::CountCmp::kLt;
    case BinaryOp::kLe:
      return plan::CountCmp::kLe;
    case BinaryOp::kGt:
      return plan::CountCmp::kGt;
    case BinaryOp::kGe:
      return plan::CountCmp::kGe;
    default:
      return plan::CountCmp::kEq;
  }
}

}  // namespace

void SplitConjuncts(const Typed& typed, bool negated, std::vector<Conjunct>* out) {
  if (typed.kind == TypedKind::kNot) return SplitConjuncts(*typed.args[0], !negated, out);
  if (typed.kind == (negated ? TypedKind::kOr : TypedKind::kAnd)) {
    for (const sema::TypedPtr& arg : typed.args) SplitConjuncts(*arg, negated, out);
    return;
  }
  out->push_back({&typed, negated});
}

ExprId ExprLowering::ReadColumn(uint32_t sema_binding, uint32_t column, Type type) {
  const Frame::Bound& bound = frame_.bindings[sema_binding];
  if (frame_.marks) builder_.MarkUsed(bound.event, column);
  return builder_.Column(bound.binding, column, type);
}

ExprId ExprLowering::Literal(const Typed& typed) {
  if (plan::IsId(typed.type)) {
    return builder_.Add({.op = Op::kConstant, .type = typed.type, .a = builder_.Constant(typed.type, typed.text)});
  }
  return builder_.Add({.op = typed.type == Type::kFloat ? Op::kFloat : Op::kInt, .type = typed.type, .imm = typed.imm});
}

ExprId ExprLowering::Value(const Typed& typed) {
  switch (typed.kind) {
    case TypedKind::kLiteral:
      return Literal(typed);
    case TypedKind::kColumn:
      return ReadColumn(typed.binding, typed.column, typed.type);
    case TypedKind::kLookup: {
      uint32_t binding = 0;
      const uint32_t column = DeriveTable(plan::DerivedKind::kLookup, typed, typed.type, typed.table_column, &binding);
      return ReadColumn(binding, column, typed.type);
    }
    case TypedKind::kLabel: {
      uint32_t binding = 0;
      const uint32_t column = DeriveLabel(*typed.args[0], typed.text, &binding);
      return ReadColumn(binding, column, Type::kText);
    }
    case TypedKind::kRecord: {
      const plan::ColumnRef record = AsColumn(typed);
      return ReadColumn(record.binding, record.column, Type::kInt);
    }
    case TypedKind::kNegate:
      return builder_.Unary(typed.type == Type::kFloat ? Op::kNegF : Op::kNegI, Value(*typed.args[0]), typed.type);
    case TypedKind::kToFloat:
      return builder_.Unary(Op::kToFloat, Value(*typed.args[0]), Type::kFloat);
    default:
      return Arith(typed);
  }
}

ExprId ExprLowering::Arith(const Typed& typed) {
  const bool floats = typed.type == Type::kFloat;
  Op op = Op::kAddI;
  switch (typed.op) {
    case BinaryOp::kMul:
      op = floats ? Op::kMulF : Op::kMulI;
      break;
    case BinaryOp::kDiv:
      op = floats ? Op::kDivF : Op::kDivI;
      break;
    case BinaryOp::kMod:
      op = Op::kModI;
      break;
    case BinaryOp::kSub:
      op = floats ? Op::kSubF : Op::kSubI;
      break;
    case BinaryOp::kShl:
      op = Op::kShl;
      break;
    case BinaryOp::kShr:
      op = Op::kShr;
      break;
    case BinaryOp::kBitAnd:
      op = Op::kBitAnd;
      break;
    case BinaryOp::kBitOr:
      op = Op::kBitOr;
      break;
    case BinaryOp::kBitXor:
      op = Op::kBitXor;
      break;
    default:
      op = floats ? Op::kAddF : Op::kAddI;
      break;
  }
  const ExprId left = Value(*typed.args[0]);
  return builder_.Binary(op, left, Value(*typed.args[1]), typed.type);
}

/// A key of a derived column: binding 0, and its reads are always marked.
ExprId ExprLowering::OwnValue(const Typed& typed, uint32_t sema_binding) {
  Frame own;
  own.bindings.assign(frame_.bindings.size(), {0, frame_.bindings[sema_binding].event});
  return ExprLowering(builder_, own).Value(typed);
}

uint32_t ExprLowering::DeriveTable(plan::DerivedKind kind, const Typed& typed, Type type, uint32_t table_column,
                                   uint32_t* sema_binding) {
  const uint32_t mask = sema::BindingsOf(typed);
  // A key without any binding is a constant: it is read from the first one.
  *sema_binding = mask == 0 ? 0 : static_cast<uint32_t>(std::countr_zero(mask));
  plan::Derived derived;
  derived.kind = kind;
  derived.type = type;
  derived.table = typed.table;
  derived.table_column = table_column;
  for (const sema::TypedPtr& key : typed.args) derived.keys.push_back(OwnValue(*key, *sema_binding));
  return builder_.Derive(frame_.bindings[*sema_binding].event, std::move(derived));
}

uint32_t ExprLowering::DeriveLabel(const Typed& node, const std::string& label, uint32_t* sema_binding) {
  *sema_binding = static_cast<uint32_t>(std::countr_zero(sema::BindingsOf(node)));
  plan::Derived derived;
  derived.kind = plan::DerivedKind::kLabel;
  derived.type = Type::kText;
  derived.regex = builder_.Str(label);
  derived.keys.push_back(OwnValue(node, *sema_binding));
  return builder_.Derive(frame_.bindings[*sema_binding].event, std::move(derived));
}

/// Where a node is missing the relation is undecided, as between places; where a
/// label is, unknown: `place == and place !=` holds in no other case.
ExprId ExprLowering::SameLabel(const Typed& typed, bool negated) {
  const Typed &left = *typed.args[0], &right = *typed.args[1];
  uint32_t a = 0, b = 0;
  const uint32_t left_label = DeriveLabel(left, typed.text, &a), right_label = DeriveLabel(right, typed.text, &b);
  const ExprId l = ReadColumn(a, left_label, Type::kText), r = ReadColumn(b, right_label, Type::kText);
  const ExprId same = builder_.Binary(negated ? Op::kNeI : Op::kEqI, l, r);
  if (a == b) return same;
  const ExprId left_node = Value(left), right_node = Value(right);
  const ExprId equal = builder_.Binary(Op::kPlaceEq, left_node, right_node);
  const ExprId apart = builder_.Binary(Op::kPlaceNe, left_node, right_node);
  return builder_.Binary(Op::kOr, builder_.Binary(Op::kAnd, equal, apart), same);
}

std::optional<std::pair<plan::ColumnRef, plan::ColumnRef>> LabelColumns(Builder& builder, const Frame& frame,
                                                                        const Typed& typed) {
  std::vector<plan::ColumnRef> columns;
  for (const sema::TypedPtr& node : typed.args) {
    Typed label;
    label.kind = TypedKind::kLabel;
    label.type = Type::kText;
    label.text = typed.text;
    label.args.push_back(sema::Clone(*node));
    columns.push_back(ExprLowering(builder, frame).AsColumn(label));
  }
  if (columns[0].binding == columns[1].binding) return std::nullopt;
  return std::pair(columns[0], columns[1]);
}

ExprId ExprLowering::HasKey(const Typed& typed, bool negated) {
  uint32_t binding = 0;
  const uint32_t column = DeriveTable(plan::DerivedKind::kHasKey, typed, Type::kBool, plan::kNone, &binding);
  return builder_.Unary(negated ? Op::kIsFalse : Op::kIsTrue, ReadColumn(binding, column, Type::kBool));
}

void ExprLowering::CollectKeys(const Typed& typed, std::vector<ExprId>* keys) {
  if (typed.kind == TypedKind::kLookup) keys->push_back(HasKey(typed, false));
  for (const sema::TypedPtr& arg : typed.args) CollectKeys(*arg, keys);
}

ExprId ExprLowering::Condition(const Typed& typed, bool negated) {
  switch (typed.kind) {
    case TypedKind::kNot:
      return Condition(*typed.args[0], !negated);
    case TypedKind::kAnd:
    case TypedKind::kOr:
      return Logic(typed, negated);
    case TypedKind::kHasKey:
      return HasKey(typed, negated);
    case TypedKind::kCountCompare:
      return CountCompare(typed, negated);
    case TypedKind::kAggregateCompare:
      return AggregateCompare(typed, negated);
    default:
      break;
  }
  // An absent key makes the comparison false, whichever operator it has (S17).
  std::vector<ExprId> operands;
  if (typed.kind != TypedKind::kHas) CollectKeys(typed, &operands);
  operands.push_back(Leaf(typed, negated));
  return builder_.Join(Op::kAnd, operands);
}

ExprId ExprLowering::Logic(const Typed& typed, bool negated) {
  std::vector<ExprId> operands;
  for (const sema::TypedPtr& arg : typed.args) operands.push_back(Condition(*arg, negated));
  return builder_.Join((typed.kind == TypedKind::kAnd) != negated ? Op::kAnd : Op::kOr, operands);
}

ExprId ExprLowering::Leaf(const Typed& typed, bool negated) {
  switch (typed.kind) {
    case TypedKind::kCompare:
      return Compare(typed, negated);
    case TypedKind::kSameLabel:
      return SameLabel(typed, negated);
    case TypedKind::kHas:
      return builder_.Unary(negated ? Op::kHasNot : Op::kHas, Value(*typed.args[0]));
    case TypedKind::kInSet:
      return InSet(typed, negated);
    case TypedKind::kInRange: {
      const ExprId operand = Value(*typed.args[0]);
      return builder_.Add(
          {.op = negated ? Op::kNotInRange : Op::kInRange, .a = operand, .index = builder_.Range(typed.imm, typed.hi)});
    }
    case TypedKind::kMatch: {
      const plan::ColumnRef text = AsColumn(*typed.args[0]);
      plan::Derived derived;
      derived.kind = plan::DerivedKind::kRegex;
      derived.column = text.column;
      derived.regex = builder_.Str(typed.text);
      const uint32_t column = builder_.Derive(frame_.bindings[text.binding].event, std::move(derived));
      return builder_.Unary(negated ? Op::kIsFalse : Op::kIsTrue, ReadColumn(text.binding, column, Type::kBool));
    }
    case TypedKind::kMember:
      return Member(typed, negated);
    default:
      break;
  }
  if (typed.kind == TypedKind::kLiteral) {
    return builder_.Add({.op = (typed.imm != 0) != negated ? Op::kTrue : Op::kFalse});
  }
  return builder_.Unary(negated ? Op::kIsFalse : Op::kIsTrue, Value(typed));
}

ExprId ExprLowering::Compare(const Typed& typed, bool negated) {
  const BinaryOp op = negated ? Inverted(typed.op) : typed.op;
  const Typed& left = *typed.args[0];
  const Typed& right = *typed.args[1];
  if (left.type == Type::kFloat || right.type == Type::kFloat) return CompareNumbers(op, left, right);
  const bool order = op != BinaryOp::kEq && op != BinaryOp::kNe;
  if (order && left.type == Type::kText) return CompareTexts(op, left, right);
  const uint32_t a = sema::BindingsOf(left), b = sema::BindingsOf(right);
  const bool places =
      left.type == right.type && IsPlaceType(left.type) && std::has_single_bit(a) && std::has_single_bit(b) && a != b;
  const ExprId l = Value(left), r = Value(right);
  switch (op) {
    case BinaryOp::kEq:
      return builder_.Binary(places ? Op::kPlaceEq : Op::kEqI, l, r);
    case BinaryOp::kNe:
      return builder_.Binary(places ? Op::kPlaceNe : Op::kNeI, l, r);
    case BinaryOp::kLt:
      return builder_.Binary(Op::kLtI, l, r);
    case BinaryOp::kLe:
      return builder_.Binary(Op::kLeI, l, r);
    case BinaryOp::kGt:
      return builder_.Binary(Op::kLtI, r, l);
    default:
      return builder_.Binary(Op::kLeI, r, l);
  }
}

/// A derived column of one binding, and its value where this expression stands.
ExprId ExprLowering::DerivedValue(uint32_t sema_binding, plan::DerivedKind kind, Type type,
                                  const std::vector<const Typed*>& keys) {
  plan::Derived derived;
  derived.kind = kind;
  derived.type = type;
  for (const Typed* key : keys) derived.keys.push_back(OwnValue(*key, sema_binding));
  const uint32_t column = builder_.Derive(frame_.bindings[sema_binding].event, std::move(derived));
  return ReadColumn(sema_binding, column, type);
}

/// Byte by byte. Texts of one binding are compared when its rows are made, those of
/// two by their ranks among all texts of the evaluation.
ExprId ExprLowering::CompareTexts(BinaryOp op, const Typed& left, const Typed& right) {
  if (op == BinaryOp::kGt) return CompareTexts(BinaryOp::kLt, right, left);
  if (op == BinaryOp::kGe) return CompareTexts(BinaryOp::kLe, right, left);
  const bool less = op == BinaryOp::kLt;
  const uint32_t mask = sema::BindingsOf(left) | sema::BindingsOf(right);
  if (mask == 0) {
    const bool holds = less ? left.text < right.text : left.text <= right.text;
    return builder_.Add({.op = holds ? Op::kTrue : Op::kFalse});
  }
  if (std::has_single_bit(mask)) {  // a <= b: not b < a
    const auto binding = static_cast<uint32_t>(std::countr_zero(mask));
    const ExprId stands_before = DerivedValue(binding, plan::DerivedKind::kTextLess, Type::kBool,
                                              {less ? &left : &right, less ? &right : &left});
    return builder_.Unary(less ? Op::kIsTrue : Op::kIsFalse, stands_before);
  }
  const auto rank = [&](const Typed& text) {
    const auto binding = static_cast<uint32_t>(std::countr_zero(sema::BindingsOf(text)));
    return DerivedValue(binding, plan::DerivedKind::kTextRank, Type::kInt, {&text});
  };
  const ExprId l = rank(left);
  return builder_.Binary(less ? Op::kLtI : Op::kLeI, l, rank(right));
}

ExprId ExprLowering::Member(const Typed& typed, bool negated) {
  const Typed &element = *typed.args[0], &set = *typed.args[1];
  const uint32_t of_element = sema::BindingsOf(element), of_set = sema::BindingsOf(set);
  const auto binding = static_cast<uint32_t>(std::countr_zero(of_set));
  if ((of_element & ~of_set) == 0) {
    const ExprId in = DerivedValue(binding, plan::DerivedKind::kMember, Type::kBool, {&element, &set});
    return builder_.Unary(negated ? Op::kIsFalse : Op::kIsTrue, in);
  }
  const bool place = IsPlaceType(element.type) && std::has_single_bit(of_element);
  const Op op = place ? (negated ? Op::kPlaceNotMember : Op::kPlaceMember) : (negated ? Op::kNotMember : Op::kMember);
  const ExprId value = Value(element);
  return builder_.Binary(op, value, DerivedValue(binding, plan::DerivedKind::kSetSpan, Type::kInt, {&set}));
}

/// At least one side is a float. An integer is compared exactly, not rounded.
ExprId ExprLowering::CompareNumbers(BinaryOp op, const Typed& left, const Typed& right) {
  if (op == BinaryOp::kGt) return CompareNumbers(BinaryOp::kLt, right, left);
  if (op == BinaryOp::kGe) return CompareNumbers(BinaryOp::kLe, right, left);
  const bool left_float = left.type == Type::kFloat, right_float = right.type == Type::kFloat;
  ExprId l = Value(left), r = Value(right);
  const bool equality = op == BinaryOp::kEq || op == BinaryOp::kNe;
  if (equality && left_float && !right_float) std::swap(l, r);
  const bool both = left_float && right_float;
  switch (op) {
    case BinaryOp::kEq:
      return builder_.Binary(both ? Op::kEqF : Op::kEqIF, l, r);
    case BinaryOp::kNe:
      return builder_.Binary(both ? Op::kNeF : Op::kNeIF, l, r);
    case BinaryOp::kLt:
      return builder_.Binary(both ? Op::kLtF : left_float ? Op::kLtFI : Op::kLtIF, l, r);
    default:
      return builder_.Binary(both ? Op::kLeF : left_float ? Op::kLeFI : Op::kLeIF, l, r);
  }
}

ExprId ExprLowering::InSet(const Typed& typed, bool negated) {
  const Typed& operand = *typed.args[0];
  plan::Set set;
  set.ids = plan::IsId(operand.type);
  set.values = typed.ints;
  for (const std::string& text : typed.texts) set.values.push_back(builder_.Constant(operand.type, text));
  const ExprId value = Value(operand);
  // A set of bools is a comparison: the plan has sets of integers and ids.
  if (operand.type == Type::kBool) {
    std::vector<ExprId> any;
    for (int64_t bit : set.values) {
      any.push_back(builder_.Unary((bit != 0) != negated ? Op::kIsTrue : Op::kIsFalse, value));
    }
    return builder_.Join(negated ? Op::kAnd : Op::kOr, any);
  }
  return builder_.Add({.op = negated ? Op::kNotInSet : Op::kInSet, .a = value, .index = builder_.Set(std::move(set))});
}

ExprId ExprLowering::CountCompare(const Typed& typed, bool negated) {
  const plan::CountCmp cmp = ComparisonOf(negated ? Inverted(typed.op) : typed.op);
  if (frame_.alternatives) {
    aggregates_->push_back({plan::AggregateKind::kCount, typed.binding, plan::kNone, Type::kInt});
    return builder_.Add({.op = Op::kAggregateCmp,
                         .type = Type::kInt,
                         .a = static_cast<uint32_t>(aggregates_->size() - 1),
                         .b = static_cast<uint32_t>(cmp),
                         .imm = typed.imm});
  }
  return builder_.Add({.op = Op::kCountCmp, .a = typed.binding, .b = static_cast<uint32_t>(cmp), .imm = typed.imm});
}

uint32_t ExprLowering::Aggregate(const Typed& typed) {
  plan::Aggregate aggregate{static_cast<plan::AggregateKind>(typed.imm), typed.binding, plan::kNone, typed.type};
  if (!typed.args.empty()) {
    aggregate.column = AsColumn(*typed.args[0]).column;
    aggregate.type = typed.args[0]->type;
  }
  aggregates_->push_back(aggregate);
  return static_cast<uint32_t>(aggregates_->size() - 1);
}

ExprId ExprLowering::AggregateCompare(const Typed& typed, bool negated) {
  const Typed& right = *typed.args[1];
  const plan::CountCmp cmp = ComparisonOf(negated ? Inverted(typed.op) : typed.op);
  plan::Expr expr{.op = Op::kAggregateCmp, .type = typed.args[0]->type, .b = static_cast<uint32_t>(cmp)};
  expr.a = Aggregate(*typed.args[0]);
  if (right.kind == TypedKind::kAggregate) {
    expr.index = Aggregate(right);
  } else {
    expr.imm = right.imm;
  }
  return builder_.Add(expr);
}

plan::ColumnRef ExprLowering::AsColumn(const Typed& typed) {
  if (typed.kind == TypedKind::kColumn) {
    builder_.MarkUsed(frame_.bindings[typed.binding].event, typed.column);
    return {typed.binding, typed.column};
  }
  uint32_t binding = 0;
  if (typed.kind == TypedKind::kLookup) {
    const uint32_t column = DeriveTable(plan::DerivedKind::kLookup, typed, typed.type, typed.table_column, &binding);
    return {binding, column};
  }
  if (typed.kind == TypedKind::kLabel) {
    const uint32_t column = DeriveLabel(*typed.args[0], typed.text, &binding);
    return {binding, column};
  }
  if (typed.kind == TypedKind::kRecord) {
    plan::Derived record;
    record.kind = plan::DerivedKind::kRecord;
    record.type = Type::kInt;
    return {typed.binding, builder_.Derive(frame_.bindings[typed.binding].event, std::move(record))};
  }
  const uint32_t mask = sema::BindingsOf(typed);
  ATTR_CHECK(std::has_single_bit(mask));
  binding = static_cast<uint32_t>(std::countr_zero(mask));
  plan::Derived derived;
  derived.kind = plan::DerivedKind::kExpr;
  derived.type = typed.type;
  derived.keys.push_back(OwnValue(typed, binding));
  const uint32_t column = builder_.Derive(frame_.bindings[binding].event, std::move(derived));
  return {binding, column};
}

}  // namespace attr::lower
