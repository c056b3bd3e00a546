// Verification of expressions: once over the pool, each node against the nodes
// before it; then every use of a root against the tables it reads there. No
// recursion: facts of a node come from its operands' facts.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "runtime/plan/verify_internal.h"

namespace attr::plan {

namespace {

enum class Shape : uint8_t {
  kColumn,
  kInt,
  kFloat,
  kConstant,
  kInteger1,
  kInteger2,  // integers to integer
  kFloat1,
  kFloat2,
  kToFloat,
  kCompareEqual,  // integers, bools or ids
  kCompareOrder,  // integers or bools
  kCompareFloat,
  kCompareIntFloat,
  kCompareFloatInt,
  kRange,
  kSet,
  kAny,
  kBool,
  kPlaces,
  kMember,
  kLeaf,
  kLogic,
  kCount,
};

Shape ShapeOf(Op op) {
  switch (op) {
    case Op::kColumn:
      return Shape::kColumn;
    case Op::kInt:
      return Shape::kInt;
    case Op::kFloat:
      return Shape::kFloat;
    case Op::kConstant:
      return Shape::kConstant;
    case Op::kNegI:
      return Shape::kInteger1;
    case Op::kNegF:
      return Shape::kFloat1;
    case Op::kAddF:
    case Op::kSubF:
    case Op::kMulF:
    case Op::kDivF:
      return Shape::kFloat2;
    case Op::kToFloat:
      return Shape::kToFloat;
    case Op::kEqI:
    case Op::kNeI:
      return Shape::kCompareEqual;
    case Op::kLtI:
    case Op::kLeI:
      return Shape::kCompareOrder;
    case Op::kEqF:
    case Op::kNeF:
    case Op::kLtF:
    case Op::kLeF:
      return Shape::kCompareFloat;
    case Op::kEqIF:
    case Op::kNeIF:
    case Op::kLtIF:
    case Op::kLeIF:
      return Shape::kCompareIntFloat;
    case Op::kLtFI:
    case Op::kLeFI:
      return Shape::kCompareFloatInt;
    case Op::kInRange:
    case Op::kNotInRange:
      return Shape::kRange;
    case Op::kInSet:
    case Op::kNotInSet:
      return Shape::kSet;
    case Op::kHas:
    case Op::kHasNot:
      return Shape::kAny;
    case Op::kIsTrue:
    case Op::kIsFalse:
      return Shape::kBool;
    case Op::kPlaceEq:
    case Op::kPlaceNe:
      return Shape::kPlaces;
    case Op::kMember:
    case Op::kNotMember:
    case Op::kPlaceMember:
    case Op::kPlaceNotMember:
      return Shape::kMember;
    case Op::kTrue:
    case Op::kFalse:
      return Shape::kLeaf;
    case Op::kAnd:
    case Op::kOr:
      return Shape::kLogic;
    case Op::kCountCmp:
    case Op::kAggregateCmp:
      return Shape::kCount;
    default:
      return Shape::kInteger2;
  }
}

int OperandCount(Shape shape) {
  switch (shape) {
    case Shape::kColumn:
    case Shape::kInt:
    case Shape::kFloat:
    case Shape::kConstant:
    case Shape::kLeaf:
    case Shape::kCount:
      return 0;
    case Shape::kInteger1:
    case Shape::kFloat1:
    case Shape::kToFloat:
    case Shape::kRange:
    case Shape::kSet:
    case Shape::kAny:
    case Shape::kBool:
      return 1;
    default:
      return 2;
  }
}

/// One node of the pool; its operands are known to be earlier nodes.
class NodeCheck {
 public:
  NodeCheck(Verification& v, uint32_t index) : v_(v), index_(index), e_(v.plan.exprs[index]) {}

  bool Run() {
    Shape shape = ShapeOf(e_.op);
    if (e_.op == Op::kAnd || e_.op == Op::kOr) {
      if (!v_.facts[e_.a].bits || !v_.facts[e_.b].bits) return Fail("an operand that is not a condition");
    } else {
      int operands = OperandCount(shape);
      if ((operands > 0 && v_.facts[e_.a].bits) || (operands > 1 && v_.facts[e_.b].bits)) {
        return Fail("an operand that is not a value");
      }
    }
    if (IsBits(e_.op) && e_.op != Op::kAggregateCmp && e_.type != Type::kBool)
      return Fail("a condition must have type bool");
    return Leaf(shape) && Typed(shape);
  }

 private:
  bool Fail(std::string what) { return v_.Fail(At("exprs", index_), std::string(Name(e_.op)) + ": " + what); }
  SlotClass A() const { return ClassOf(v_.plan.exprs[e_.a].type); }
  SlotClass B() const { return ClassOf(v_.plan.exprs[e_.b].type); }
  bool Need(bool condition) { return condition || Fail("operand and result types do not fit"); }

  bool Leaf(Shape shape) {
    const std::string where = At("exprs", index_);
    switch (shape) {
      case Shape::kColumn:
        return (e_.a < kMaxBindings || Fail("no such binding")) && v_.Index(where, e_.b, kMaxColumns, "column");
      case Shape::kInt:
        if (e_.type == Type::kBool) return e_.imm == 0 || e_.imm == 1 || Fail("a bool that is neither 0 nor 1");
        return Need(ClassOf(e_.type) == SlotClass::kInteger);
      case Shape::kFloat: {
        double value;
        std::memcpy(&value, &e_.imm, sizeof(value));
        return (!std::isnan(value) || Fail("not a number")) && Need(e_.type == Type::kFloat);
      }
      case Shape::kConstant:
        return v_.Index(where, e_.a, v_.plan.constants.size(), "constant") &&
               Need(e_.type == v_.plan.constants[e_.a].type);
      case Shape::kRange:
        return v_.Index(where, e_.index, v_.plan.ranges.size(), "range");
      case Shape::kSet:
        return v_.Index(where, e_.index, v_.plan.sets.size(), "set");
      case Shape::kCount:
        return (e_.op == Op::kAggregateCmp || e_.a < kMaxBindings || Fail("no such binding")) &&
               (e_.b <= static_cast<uint32_t>(CountCmp::kGe) || Fail("no such comparison"));
      default:
        return true;
    }
  }

  bool Typed(Shape shape) {
    constexpr SlotClass kI = SlotClass::kInteger, kF = SlotClass::kFloat;
    SlotClass result = ClassOf(e_.type);
    switch (shape) {
      case Shape::kInteger1:
        return Need(A() == kI && result == kI);
      case Shape::kInteger2:
        return Need(A() == kI && B() == kI && result == kI);
      case Shape::kFloat1:
        return Need(A() == kF && result == kF);
      case Shape::kFloat2:
        return Need(A() == kF && B() == kF && result == kF);
      case Shape::kToFloat:
        return Need(A() == kI && result == kF);
      case Shape::kCompareEqual:
        return Need(A() == B() && A() != kF);
      case Shape::kCompareOrder:
        return Need(A() == B() && A() != kF && A() != SlotClass::kId);
      case Shape::kCompareFloat:
        return Need(A() == kF && B() == kF);
      case Shape::kCompareIntFloat:
        return Need(A() == kI && B() == kF);
      case Shape::kCompareFloatInt:
        return Need(A() == kF && B() == kI);
      case Shape::kRange:
        return Need(A() == kI);
      case Shape::kSet:
        return Need(A() == (v_.plan.sets[e_.index].ids ? SlotClass::kId : kI));
      case Shape::kBool:
        return Need(A() == SlotClass::kBool);
      case Shape::kPlaces: {
        Type a = v_.plan.exprs[e_.a].type, b = v_.plan.exprs[e_.b].type;
        return Need(a == b && IsPlace(a));
      }
      case Shape::kMember:
        return Need((A() == kI || A() == SlotClass::kId) && v_.plan.exprs[e_.b].op == Op::kColumn && B() == kI);
      default:
        return true;
    }
  }

  Verification& v_;
  uint32_t index_;
  const Expr& e_;
};

void Include(NodeFacts* node, const NodeFacts& operand) {
  node->depth = static_cast<uint8_t>(std::max<int>(node->depth, operand.depth + 1));
  node->counts |= operand.counts;
  node->places |= operand.places;
  for (uint32_t i = 0; i < kMaxBindings; ++i) node->columns[i] = std::max(node->columns[i], operand.columns[i]);
}

}  // namespace

bool VerifyExprs(Verification& v) {
  const std::vector<Expr>& exprs = v.plan.exprs;
  if (!v.Count("exprs", exprs.size(), kMaxExprs)) return false;
  v.facts.reserve(exprs.size());
  for (uint32_t i = 0; i < exprs.size(); ++i) {
    const Expr& e = exprs[i];
    if (static_cast<uint8_t>(e.op) >= kOpCount) return v.Fail(At("exprs", i), "an unknown operator");
    if (static_cast<uint8_t>(e.type) >= kTypeCount) return v.Fail(At("exprs", i), "an unknown type");
    int operands = OperandCount(ShapeOf(e.op));
    if ((operands > 0 && e.a >= i) || (operands > 1 && e.b >= i)) {
      return v.Fail(At("exprs", i), std::string(Name(e.op)) + ": an operand must be an earlier node");
    }
    if (!NodeCheck(v, i).Run()) return false;
    NodeFacts facts;
    facts.bits = IsBits(e.op);
    facts.counts = e.op == Op::kCountCmp || e.op == Op::kAggregateCmp;
    facts.places = IsPlaceRelation(e.op);
    if (e.op == Op::kColumn) facts.columns[e.a] = static_cast<uint16_t>(e.b + 1);
    if (operands > 0) Include(&facts, v.facts[e.a]);
    if (operands > 1) Include(&facts, v.facts[e.b]);
    if (facts.depth > kMaxDepth) return v.Fail(At("exprs", i), "nested more than 64 deep");
    v.facts.push_back(facts);
  }
  return true;
}

bool IsStored(const Event& event, uint32_t column) {
  bool field = column >= kSystemColumns && column - kSystemColumns < event.fields.size();
  return !field || event.fields[column - kSystemColumns].used;
}

bool Verification::ReadsAggregates(const std::string& where, const Expr& e, const Scope& scope) {
  for (uint32_t index : {e.a, e.index}) {
    if (index == kNone && index == e.index) continue;
    if (scope.aggregates == nullptr || index >= scope.aggregates->size()) {
      return Fail(where, "it compares an aggregate that does not exist");
    }
    if (ClassOf(ResultType((*scope.aggregates)[index])) != ClassOf(e.type)) {
      return Fail(where, "it compares an aggregate as another type");
    }
  }
  return true;
}

/// What `in` searches lies where a column of that kind says, and nowhere else.
bool Verification::ReadsSet(const std::string& where, const Expr& column, const Scope& scope) {
  const Event* event = scope.events[column.a];
  const bool derived = event != nullptr && column.b >= event->DerivedColumn(0) && column.b < event->ColumnCount();
  if (derived && event->derived[column.b - event->DerivedColumn(0)].kind == DerivedKind::kSetSpan) return true;
  return Fail(where, "it looks for an element in what is no set");
}

bool Verification::ReadsNode(const std::string& where, ExprId node, const Scope& scope) {
  const Expr& e = plan.exprs[node];
  if (e.op == Op::kCountCmp && e.a >= scope.counted) return Fail(where, "it counts a binding that does not exist");
  if (e.op == Op::kAggregateCmp) return ReadsAggregates(where, e, scope);
  if (IsMembership(e.op)) return ReadsSet(where, plan.exprs[e.b], scope);
  if (e.op != Op::kColumn) return true;
  const Event& event = *scope.events[e.a];
  if (event.ColumnType(e.b) != e.type) {
    return Fail(where, "expression " + std::to_string(node) + " reads column " + std::to_string(e.b) + " as " +
                           std::string(Name(e.type)) + ", it is " + std::string(Name(event.ColumnType(e.b))));
  }
  if (!scope.stored || IsStored(event, e.b)) return true;
  return Fail(where, "it reads column " + std::to_string(e.b) + ", which is marked unused");
}

bool Verification::Reads(const std::string& where, ExprId root, const Scope& scope) {
  if (!Index(where, root, plan.exprs.size(), "expression")) return false;
  for (uint32_t b = 0; b < kMaxBindings; ++b) {
    if (facts[root].columns[b] <= scope.columns[b]) continue;
    return Fail(where, scope.columns[b] == 0 ? "it reads a binding that it must not read"
                                             : "it reads column " + std::to_string(facts[root].columns[b] - 1) +
                                                   ", which is not there yet");
  }
  // Every node once per root; the budgets keep the sum of all walks small.
  stamp_.resize(plan.exprs.size(), 0);
  ++pass_;
  std::vector<ExprId> open{root};
  stamp_[root] = pass_;
  while (!open.empty()) {
    const ExprId at = open.back();
    const Expr& e = plan.exprs[at];
    open.pop_back();
    if (operators_ == 0 || all_operators_ == 0) return Fail(where, "too many operators in one rule, event or pack");
    --operators_;
    --all_operators_;
    if (!ReadsNode(where, at, scope)) return false;
    int operands = OperandCount(ShapeOf(e.op));
    for (ExprId operand : {operands > 0 ? e.a : kNone, operands > 1 ? e.b : kNone}) {
      if (operand == kNone || stamp_[operand] == pass_) continue;
      stamp_[operand] = pass_;
      open.push_back(operand);
    }
  }
  return true;
}

bool Verification::Condition(const std::string& where, ExprId root, const Scope& scope) {
  if (root == kNone) return true;
  if (!Index(where, root, plan.exprs.size(), "expression")) return false;
  if (!facts[root].bits) return Fail(where, "a condition is needed, not a value");
  if (facts[root].counts) return Fail(where, "counts stand in `having` only");
  if (facts[root].places && std::count(scope.columns, scope.columns + kMaxBindings, 0U) > kMaxBindings - 2)
    return Fail(where, "places are compared between two bindings only");
  return Reads(where, root, scope);
}

bool Verification::Value(const std::string& where, ExprId root, const Scope& scope, Type type) {
  if (!Index(where, root, plan.exprs.size(), "expression")) return false;
  if (facts[root].bits) return Fail(where, "a value is needed, not a condition");
  if (ClassOf(plan.exprs[root].type) != ClassOf(type)) {
    return Fail(where, "a value of type " + std::string(Name(plan.exprs[root].type)) + " where " +
                           std::string(Name(type)) + " is needed");
  }
  return Reads(where, root, scope);
}

}  // namespace attr::plan
