#include "tests/oracle/expression.h"

#include <bit>
#include <stdexcept>

namespace attr::oracle {

using syntax::BinaryOp;
using syntax::Expr;

bool Holds(BinaryOp op, int order) {
  switch (op) {
    case BinaryOp::kEq:
      return order == 0;
    case BinaryOp::kNe:
      return order != 0;
    case BinaryOp::kLt:
      return order < 0;
    case BinaryOp::kLe:
      return order <= 0;
    case BinaryOp::kGt:
      return order > 0;
    default:
      return order >= 0;
  }
}

BinaryOp Opposite(BinaryOp op) {
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

namespace {

Arith ArithOf(BinaryOp op) {
  switch (op) {
    case BinaryOp::kMul:
      return Arith::kMul;
    case BinaryOp::kDiv:
      return Arith::kDiv;
    case BinaryOp::kMod:
      return Arith::kMod;
    case BinaryOp::kAdd:
      return Arith::kAdd;
    case BinaryOp::kSub:
      return Arith::kSub;
    case BinaryOp::kShl:
      return Arith::kShl;
    case BinaryOp::kShr:
      return Arith::kShr;
    case BinaryOp::kBitAnd:
      return Arith::kAnd;
    case BinaryOp::kBitXor:
      return Arith::kXor;
    default:
      return Arith::kOr;
  }
}

bool IsComparison(BinaryOp op) { return op >= BinaryOp::kEq && op <= BinaryOp::kGe; }

/// A comparison's leaf: unknown where a value is missing, false where a table has no such row.
Bits Leaf(const Operand& left, const Operand* right, bool holds) {
  if (left.absent || (right != nullptr && right->absent)) return kNo;
  if (!left.value.present || (right != nullptr && !right->value.present)) return kUnknown;
  return Known(holds);
}

}  // namespace

Operand Evaluator::Eval(const Expr& expr, std::optional<Type> hint) {
  if (const auto* literal = std::get_if<syntax::Literal>(&expr.node)) return EvalLiteral(*literal, hint);
  if (const auto* ref = std::get_if<syntax::RefExpr>(&expr.node)) return EvalRef(*ref, hint);
  if (const auto* lookup = std::get_if<syntax::LookupExpr>(&expr.node)) return EvalLookup(*lookup);
  if (const auto* unary = std::get_if<syntax::UnaryExpr>(&expr.node)) {
    Operand out = Eval(*unary->operand);
    out.value = Calculate(Arith::kNeg, out.value, out.value);
    return out;
  }
  if (const auto* call = std::get_if<syntax::CallExpr>(&expr.node)) return EvalCall(*call);
  const auto* binary = std::get_if<syntax::BinaryExpr>(&expr.node);
  if (binary == nullptr) throw std::runtime_error("an expression that the oracle does not read");
  Operand left, right;
  Both(*binary, &left, &right);
  return {Calculate(ArithOf(binary->op), left.value, right.value), left.bindings | right.bindings,
          left.absent || right.absent};
}

Operand Evaluator::EvalLiteral(const syntax::Literal& literal, std::optional<Type> hint) {
  Value value = LiteralValue(literal);
  if (hint && value.type == Type::kText && IsTextLike(*hint)) value.type = *hint;
  if (hint == Type::kRank && value.type == Type::kInt) value.type = Type::kRank;
  if (value.type == Type::kNode) value.text = world_.NodeNamed(value.text);
  return {std::move(value)};
}

Operand Evaluator::EvalRef(const syntax::RefExpr& ref, std::optional<Type> hint) {
  if (scope_.Knows(ref)) return scope_.Read(ref, hint);
  if (hint == Type::kDomain) {
    std::string path;
    for (const syntax::Name& part : ref.parts) path += (path.empty() ? "" : ".") + part.text;
    return {Text(Type::kDomain, path)};
  }
  const syntax::Literal* constant = world_.pack.FindConstant(pack_, ref.pack, ref.parts[0].text);
  if (constant == nullptr) throw std::runtime_error("unknown name " + ref.parts[0].text);
  return EvalLiteral(*constant, hint);
}

const std::vector<Value>* Evaluator::FindRow(const Table& table, const Value& key) {
  for (const std::vector<Value>& row : table.rows) {
    Value own = row[table.key];
    if (own.type == Type::kNode) own.text = world_.NodeNamed(own.text);
    if (Order(own, key) == 0) return &row;
  }
  return nullptr;
}

Operand Evaluator::EvalLookup(const syntax::LookupExpr& lookup) {
  const Table& table = world_.pack.tables[world_.pack.FindTable(pack_, lookup.table.pack, lookup.table.parts[0].text)];
  const uint32_t column = table.Column(lookup.column.text);
  Operand key = Eval(*lookup.key, table.types[table.key]);
  Operand out{Missing(table.types[column]), key.bindings, key.absent};
  if (!key.value.present) return out;
  const std::vector<Value>* row = FindRow(table, key.value);
  if (row == nullptr) {
    out.absent = true;
    return out;
  }
  out.value = (*row)[column];
  if (out.value.present && out.value.type == Type::kNode) out.value.text = world_.NodeNamed(out.value.text);
  return out;
}

/// Who gives the type when two operands meet: 0 has one, 1 bends, 2 has none.
uint32_t Evaluator::ReadBy(const Expr& expr) {
  auto of = [&](const syntax::ExprPtr& part) { return part ? ReadBy(*part) : 0; };
  if (const auto* ref = std::get_if<syntax::RefExpr>(&expr.node)) {
    if (!scope_.Knows(*ref)) return 0;
    if (ref->parts.size() > 1) return scope_.Read(*ref, std::nullopt).bindings;
    const auto place = scope_.PlaceOf(ref->parts[0].text, Type::kNode);
    return place ? place->bindings : scope_.Read(*ref, std::nullopt).bindings;
  }
  if (const auto* has = std::get_if<syntax::HasExpr>(&expr.node)) {
    if (has->key) return ReadBy(*has->key);
    return scope_.Knows(has->reference) ? scope_.Read(has->reference, std::nullopt).bindings : 0;
  }
  if (const auto* same = std::get_if<syntax::SamePlaceExpr>(&expr.node)) return of(same->left) | of(same->right);
  if (const auto* lookup = std::get_if<syntax::LookupExpr>(&expr.node)) return of(lookup->key);
  if (const auto* unary = std::get_if<syntax::UnaryExpr>(&expr.node)) return of(unary->operand);
  if (const auto* binary = std::get_if<syntax::BinaryExpr>(&expr.node)) return of(binary->left) | of(binary->right);
  if (const auto* match = std::get_if<syntax::MatchExpr>(&expr.node)) return of(match->operand);
  if (const auto* in = std::get_if<syntax::InExpr>(&expr.node)) return of(in->operand);
  uint32_t out = 0;
  if (const auto* chain = std::get_if<syntax::ChainExpr>(&expr.node)) {
    for (const syntax::ExprPtr& operand : chain->operands) out |= ReadBy(*operand);
  }
  if (const auto* call = std::get_if<syntax::CallExpr>(&expr.node)) {
    for (const syntax::ExprPtr& argument : call->arguments) out |= ReadBy(*argument);
  }
  return out;
}

int Evaluator::Adaptivity(const Expr& expr) const {
  if (std::holds_alternative<syntax::Literal>(expr.node)) return 1;
  const auto* ref = std::get_if<syntax::RefExpr>(&expr.node);
  if (ref == nullptr) return 0;
  if (scope_.Adaptive(*ref)) return 2;
  if (scope_.Knows(*ref)) return 0;
  return ref->parts.size() == 1 && world_.pack.FindConstant(pack_, ref->pack, ref->parts[0].text) != nullptr ? 1 : 2;
}

void Evaluator::Both(const syntax::BinaryExpr& binary, Operand* left, Operand* right) {
  if (Adaptivity(*binary.left) <= Adaptivity(*binary.right)) {
    *left = Eval(*binary.left);
    *right = Eval(*binary.right, left->value.type);
  } else {
    *right = Eval(*binary.right);
    *left = Eval(*binary.left, right->value.type);
  }
}

Bits Evaluator::Condition(const Expr& expr, bool negated) {
  if (const auto* chain = std::get_if<syntax::ChainExpr>(&expr.node)) {
    const bool all = (chain->op == BinaryOp::kAnd) != negated;
    Bits out = all ? kYes : kNo;
    for (const syntax::ExprPtr& operand : chain->operands) {
      const Bits bits = Condition(*operand, negated);
      out = all ? And(out, bits) : Or(out, bits);
    }
    return out;
  }
  if (const auto* unary = std::get_if<syntax::UnaryExpr>(&expr.node); unary && unary->op == syntax::UnaryOp::kNot) {
    return Condition(*unary->operand, !negated);
  }
  if (const auto* has = std::get_if<syntax::HasExpr>(&expr.node)) {
    if (has->key) return HasKey(has->reference.pack, has->reference.parts[0].text, *has->key, negated);
    return Known(scope_.Read(has->reference, std::nullopt).value.present != negated);
  }
  if (const auto* same = std::get_if<syntax::SamePlaceExpr>(&expr.node)) return SamePlace(*same, negated);
  if (const auto* in = std::get_if<syntax::InExpr>(&expr.node)) return In(*in, negated != in->negated);
  if (const auto* match = std::get_if<syntax::MatchExpr>(&expr.node)) {
    const Operand text = Eval(*match->operand, Type::kText);
    const bool found = text.value.present && RE2::PartialMatch(text.value.text, world_.Regex(match->regex.value));
    return Leaf(text, nullptr, found != (negated != match->negated));
  }
  if (const auto* binary = std::get_if<syntax::BinaryExpr>(&expr.node); binary && IsComparison(binary->op)) {
    Operand left, right;
    Both(*binary, &left, &right);
    return Compare(binary->op, left, right, negated);
  }
  if (const auto* call = std::get_if<syntax::CallExpr>(&expr.node); call && call->callee.text == "open") {
    return kYes;  // an exception of the rule, asked when its tuple is there
  }
  const Operand flag = Eval(expr, Type::kBool);
  return Leaf(flag, nullptr, (flag.value.number != 0) != negated);
}

/// `not` is moved into the comparison first: `not a == b` is `a != b` (S2).
Bits Evaluator::Compare(BinaryOp op, const Operand& left, const Operand& right, bool negated) {
  if (negated) op = Opposite(op);
  const bool equality = op == BinaryOp::kEq || op == BinaryOp::kNe;
  // A condition on a domain includes what lies below it.
  if (left.value.type == Type::kDomain && equality && (left.bindings == 0) != (right.bindings == 0)) {
    const Operand& column = left.bindings == 0 ? right : left;
    const std::string& path = (left.bindings == 0 ? left : right).value.text;
    const std::string& own = column.value.text;
    const bool within = own == path || own.compare(0, path.size() + 1, path + ".") == 0;
    return Leaf(column, nullptr, within == (op == BinaryOp::kEq));
  }
  const bool between =
      std::has_single_bit(left.bindings) && std::has_single_bit(right.bindings) && left.bindings != right.bindings;
  const bool place = equality && between && left.value.type == right.value.type && IsPlace(left.value.type);
  if (place) {
    if (!left.value.present) lacking_ |= left.bindings;
    if (!right.value.present) lacking_ |= right.bindings;
    if (left.absent || right.absent) return kNo;
    if (!left.value.present || !right.value.present) return kUndecided;
  }
  const bool both = left.value.present && right.value.present;
  return Leaf(left, &right, both && Holds(op, Order(left.value, right.value)));
}

/// A label of a node in the inventory; a node that has none there lacks it.
Operand Evaluator::Label(const Operand& node, const std::string& name) const {
  Operand out{Missing(Type::kText), node.bindings, node.absent};
  for (const model::InventoryNode& of : world_.set.attempt.nodes) {
    const auto label = of.labels.find(name);
    if (!node.value.present || label == of.labels.end() || world_.Name(of.node) != node.value.text) continue;
    out.value = Text(Type::kText, label->second);
  }
  return out;
}

Operand Evaluator::EvalCall(const syntax::CallExpr& call) {
  if (auto known = scope_.Call(call)) return *known;
  if (call.callee.text != "label") throw std::runtime_error("the call " + call.callee.text);
  const auto& name = std::get<syntax::RefExpr>(call.arguments[1]->node);
  const auto* whole = std::get_if<syntax::RefExpr>(&call.arguments[0]->node);
  if (whole != nullptr && whole->parts.size() == 1) {  // a binding alone means its node
    if (auto place = scope_.PlaceOf(whole->parts[0].text, Type::kNode)) return Label(*place, name.parts[0].text);
  }
  return Label(Eval(*call.arguments[0], Type::kNode), name.parts[0].text);
}

/// Where a node is not known, it may be of the same rack; where its label is not, nobody can tell.
Bits Evaluator::SameLabel(const syntax::SamePlaceExpr& same, bool negated) {
  auto node = [&](const Expr& expr) {
    const auto* ref = std::get_if<syntax::RefExpr>(&expr.node);
    if (ref != nullptr && ref->parts.size() == 1) {
      if (auto place = scope_.PlaceOf(ref->parts[0].text, Type::kNode)) return *place;
    }
    return Eval(expr, Type::kNode);
  };
  const Operand left = node(*same.left), right = node(*same.right);
  if (!left.value.present) lacking_ |= left.bindings;
  if (!right.value.present) lacking_ |= right.bindings;
  if (!left.value.present || !right.value.present) return kUndecided;
  return Compare(negated ? BinaryOp::kNe : BinaryOp::kEq, Label(left, same.place.text), Label(right, same.place.text),
                 false);
}

Bits Evaluator::SameEvent(const syntax::SamePlaceExpr& same, bool negated) {
  auto row = [&](const Expr& expr) { return scope_.RowNamed(std::get<syntax::RefExpr>(expr.node).parts[0].text); };
  const Row *left = row(*same.left), *right = row(*same.right);
  if (left == nullptr || right == nullptr || left->IsPhantom() || right->IsPhantom()) return kUnknown;
  return Known((left->kind == right->kind && left->observation == right->observation) != negated);
}

Bits Evaluator::SamePlace(const syntax::SamePlaceExpr& same, bool negated) {
  if (same.place.text == "event") return SameEvent(same, negated);
  if (!TypeNamed(same.place.text)) return SameLabel(same, negated);
  const Type type = *TypeNamed(same.place.text);
  auto side = [&](const Expr& expr) {
    const auto* ref = std::get_if<syntax::RefExpr>(&expr.node);
    if (ref != nullptr && ref->parts.size() == 1) {
      if (auto place = scope_.PlaceOf(ref->parts[0].text, type)) return *place;
    }
    return Eval(expr, type);
  };
  return Compare(BinaryOp::kEq, side(*same.left), side(*same.right), negated);
}

Bits Evaluator::HasKey(const std::string& pack, const std::string& name, const Expr& key, bool negated) {
  const Table& table = world_.pack.tables[world_.pack.FindTable(pack_, pack, name)];
  const Operand value = Eval(key, table.types[table.key]);
  if (!value.value.present) return kUnknown;
  return Known((FindRow(table, value.value) != nullptr) != negated);
}

bool Evaluator::IsOneOf(const Value& value, const std::vector<syntax::Literal>& set) {
  for (const syntax::Literal& literal : set) {
    const Value one = EvalLiteral(literal, value.type).value;
    if (value.type == Type::kDomain) {
      if (value.text == one.text || value.text.compare(0, one.text.size() + 1, one.text + ".") == 0) return true;
    } else if (Order(value, one) == 0) {
      return true;
    }
  }
  return false;
}

Bits Evaluator::In(const syntax::InExpr& in, bool negated) {
  if (in.reference) return HasKey(in.reference->pack, in.reference->parts[0].text, *in.operand, negated);
  std::optional<Type> hint;
  if (!in.set.empty()) hint = LiteralValue(in.set[0]).type;
  if (in.range) hint = LiteralValue(in.range->first).type;
  const Operand operand = Eval(*in.operand, hint);
  bool inside = false;
  if (operand.value.present && in.range) {
    inside = Order(operand.value, LiteralValue(in.range->first)) >= 0 &&
             Order(operand.value, LiteralValue(in.range->second)) <= 0;
  } else if (operand.value.present) {
    inside = IsOneOf(operand.value, in.set);
  }
  return Leaf(operand, nullptr, inside != negated);
}

}  // namespace attr::oracle
