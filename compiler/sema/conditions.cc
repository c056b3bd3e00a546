// Conditions: logic, comparisons, membership, presence, places, counts.
#include <algorithm>
#include <bit>

#include "compiler/sema/expressions.h"
#include "compiler/sema/regexes.h"
#include "fmt/format.h"

namespace attr::sema {

using syntax::BinaryOp;
using syntax::Expr;

namespace {

bool IsOrder(BinaryOp op) { return op != BinaryOp::kEq && op != BinaryOp::kNe; }

}  // namespace

BinaryOp Mirrored(BinaryOp op) {
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

TypedPtr Checker::Condition(const Expr& expr) {
  if (depth_ >= 300) return Fail(Code::kNestingTooDeep, expr.span, "expression nests too deep");
  ++depth_;
  TypedPtr result;
  if (const auto* chain = std::get_if<syntax::ChainExpr>(&expr.node)) {
    result = Chain(*chain, expr.span);
  } else if (const auto* has = std::get_if<syntax::HasExpr>(&expr.node)) {
    result = Has(*has, expr.span);
  } else if (const auto* same = std::get_if<syntax::SamePlaceExpr>(&expr.node)) {
    result = SamePlace(*same, expr.span);
  } else if (const auto* match = std::get_if<syntax::MatchExpr>(&expr.node)) {
    result = Matches(*match, expr.span);
  } else if (const auto* in = std::get_if<syntax::InExpr>(&expr.node)) {
    result = Membership(*in, expr.span);
  } else if (const auto* unary = std::get_if<syntax::UnaryExpr>(&expr.node);
             unary && unary->op == syntax::UnaryOp::kNot) {
    result = Negated(Condition(*unary->operand), true, expr.span);
  } else if (const auto* binary = std::get_if<syntax::BinaryExpr>(&expr.node);
             binary && binary->op >= BinaryOp::kEq && binary->op <= BinaryOp::kGe) {
    result = Compare(*binary, expr.span);
  } else {
    result = Value(expr, Type::kBool);
    if (!result->poison() && result->type != Type::kBool) {
      result = Fail(Code::kNotACondition, expr.span,
                    fmt::format("`{}` is {}, not a condition", Source(expr.span), Article(result->type)),
                    fmt::format("compare it, or ask `has {}`", Source(expr.span)));
    }
  }
  --depth_;
  return result;
}

TypedPtr Checker::Negated(TypedPtr condition, bool negated, Span span) const {
  if (!negated || condition->poison()) return condition;
  TypedPtr typed = Make(TypedKind::kNot, Type::kBool, span);
  typed->args.push_back(std::move(condition));
  return typed;
}

TypedPtr Checker::Chain(const syntax::ChainExpr& chain, Span span) {
  TypedPtr typed = Make(chain.op == BinaryOp::kAnd ? TypedKind::kAnd : TypedKind::kOr, Type::kBool, span);
  bool poisoned = false;
  for (const syntax::ExprPtr& operand : chain.operands) {
    typed->args.push_back(Condition(*operand));
    poisoned = poisoned || typed->args.back()->poison();
  }
  return poisoned ? Poison(span) : std::move(typed);
}

TypedPtr Checker::Has(const syntax::HasExpr& has, Span span) {
  if (has.key) return HasKey(has, span);
  TypedPtr value = Reference(has.reference, span, std::nullopt);
  if (value->poison()) return value;
  TypedPtr typed = Make(TypedKind::kHas, Type::kBool, span);
  typed->args.push_back(std::move(value));
  return typed;
}

/// `same node(a, b)`: a binding stands for its place.
TypedPtr Checker::PlaceOf(const Expr& expr, Type type) {
  const auto* reference = std::get_if<syntax::RefExpr>(&expr.node);
  if (reference && reference->pack.empty() && reference->parts.size() == 1) {
    if (const std::optional<uint32_t> binding = scope_.FindBinding(reference->parts[0].text)) {
      TypedPtr typed = Make(TypedKind::kColumn, type, expr.span);
      typed->binding = *binding;
      typed->column = type == Type::kNode ? plan::kNode : type == Type::kGpu ? plan::kGpu : plan::kRank;
      return typed;
    }
  }
  TypedPtr value = Value(expr, type);
  if (!value->poison() && value->type != type) {
    return Fail(Code::kUnlikeTypes, expr.span,
                fmt::format("`{}` is {}, not {}", Source(expr.span), Article(value->type), Article(type)));
  }
  return value;
}

TypedPtr Checker::SamePlace(const syntax::SamePlaceExpr& same, Span span) {
  const std::string& place = same.place.text;
  Type type = Type::kNode;
  if (place == "gpu") {
    type = Type::kGpu;
  } else if (place == "rank") {
    type = Type::kRank;
  } else if (place == "rack" || place == "nvlink_domain") {
    return SameLabel(same, span);
  } else if (place == "event") {
    return SameEvent(same, span);
  } else if (place != "node") {
    return Fail(Code::kUnknownPlace, same.place.span, fmt::format("unknown kind of place `{}`", place),
                DidYouMean(place, {"node", "gpu", "rank", "rack", "nvlink_domain", "event"}));
  }
  TypedPtr left = PlaceOf(*same.left, type);
  TypedPtr right = PlaceOf(*same.right, type);
  return CompareTyped(BinaryOp::kEq, same.place.span, std::move(left), std::move(right), span);
}

/// `same rack(a, b)`: the nodes carry one label. Each side is a node of one binding.
TypedPtr Checker::SameLabel(const syntax::SamePlaceExpr& same, Span span) {
  if (!scope_.Labels()) return Fail(Code::kLabelPlace, span, fmt::format("`same {}` stands in rules", same.place.text));
  TypedPtr typed = Make(TypedKind::kSameLabel, Type::kBool, span);
  typed->text = same.place.text;
  for (const syntax::ExprPtr* side : {&same.left, &same.right}) {
    TypedPtr node = PlaceOf(**side, Type::kNode);
    if (node->poison()) return node;
    if (!std::has_single_bit(BindingsOf(*node))) {
      return Fail(Code::kWrongOperand, (*side)->span, "name a binding, or a node of one");
    }
    typed->args.push_back(std::move(node));
  }
  return typed;
}

TypedPtr Checker::RecordOf(const Expr& expr) {
  const auto* reference = std::get_if<syntax::RefExpr>(&expr.node);
  const bool bare = reference && reference->pack.empty() && reference->parts.size() == 1;
  const std::optional<uint32_t> binding = bare ? scope_.FindBinding(reference->parts[0].text) : std::nullopt;
  if (bare && !binding && scope_.RefusedAsPartial(reference->parts[0].text, expr.span)) return Poison(expr.span);
  if (!binding) {
    return Fail(Code::kWrongOperand, expr.span, "`same event` takes two bindings",
                bare ? DidYouMean(reference->parts[0].text, scope_.Names()) : "");
  }
  if (!scope_.Readable(*binding, expr.span)) return Poison(expr.span);
  TypedPtr typed = Make(TypedKind::kRecord, Type::kInt, expr.span);
  typed->binding = *binding;
  return typed;
}

/// `same event(a, b)`: one record is behind both, which related bindings else exclude.
TypedPtr Checker::SameEvent(const syntax::SamePlaceExpr& same, Span span) {
  TypedPtr left = RecordOf(*same.left), right = RecordOf(*same.right);
  return CompareTyped(BinaryOp::kEq, same.place.span, std::move(left), std::move(right), span);
}

/// `label(x.node, driver)`: a word of the inventory about the node.
TypedPtr Checker::Label(const syntax::CallExpr& call, Span span) {
  if (!scope_.Labels()) return Fail(Code::kLabelPlace, span, "`label` stands in rules");
  const auto* name = call.arguments.size() == 2 ? std::get_if<syntax::RefExpr>(&call.arguments[1]->node) : nullptr;
  if (!name || !name->pack.empty() || name->parts.size() != 1) {
    return Fail(Code::kWrongOperand, span, "`label` takes a node and a label's name, as `label(x.node, driver)`");
  }
  TypedPtr node = PlaceOf(*call.arguments[0], Type::kNode);
  if (node->poison()) return node;
  if (!std::has_single_bit(BindingsOf(*node))) {
    return Fail(Code::kWrongOperand, call.arguments[0]->span, "name a binding, or a node of one");
  }
  TypedPtr typed = Make(TypedKind::kLabel, Type::kText, span);
  typed->text = name->parts[0].text;
  typed->args.push_back(std::move(node));
  return typed;
}

TypedPtr Checker::Compare(const syntax::BinaryExpr& binary, Span span) {
  const bool left_count = AsCount(*binary.left) != nullptr, right_count = AsCount(*binary.right) != nullptr;
  const auto literal = [](const Expr& expr) { return std::holds_alternative<syntax::Literal>(expr.node); };
  if ((left_count && literal(*binary.right)) || (right_count && literal(*binary.left))) {
    return CountCompare(binary, span);
  }
  TypedPtr left, right;
  ValuesOf(binary, &left, &right);
  return CompareTyped(binary.op, binary.op_span, std::move(left), std::move(right), span);
}

TypedPtr Checker::CompareTyped(BinaryOp op, Span op_span, TypedPtr left, TypedPtr right, Span span) {
  if (left->poison()) return left;
  if (right->poison()) return right;
  const auto number = [](Type t) { return t == Type::kInt || t == Type::kFloat || t == Type::kRank; };
  if (left->type != right->type && !(number(left->type) && number(right->type))) {
    diagnostics::Diagnostic diagnostic;
    diagnostic.code = Code::kUnlikeTypes;
    diagnostic.message = fmt::format("{} is compared with {}", Article(left->type), Article(right->type));
    diagnostic.primary = {op_span, ""};
    diagnostic.secondary.push_back({left->span, Article(left->type)});
    diagnostic.secondary.push_back({right->span, Article(right->type)});
    context_.sink.Add(std::move(diagnostic));
    return Poison(span);
  }
  if (left->kind == TypedKind::kAggregate || right->kind == TypedKind::kAggregate) {
    return AggregateCompare(op, std::move(left), std::move(right), span);
  }
  const bool ids = plan::IsId(left->type) && left->type != Type::kText;
  if (IsOrder(op) && (ids || left->type == Type::kBool)) {
    return Fail(Code::kWrongOperand, op_span, fmt::format("{} has no order", Article(left->type)),
                "compare it with `==` or `!=`");
  }
  // A condition on a domain includes what lies below it.
  if (left->type == Type::kDomain && left->kind == TypedKind::kLiteral) std::swap(left, right);
  if (right->type == Type::kDomain && right->kind == TypedKind::kLiteral) {
    TypedPtr typed = Make(TypedKind::kInSet, Type::kBool, span);
    for (const Domain& domain : context_.program.domains) {
      if (domain.path == right->text || domain.path.rfind(right->text + ".", 0) == 0)
        typed->texts.push_back(domain.path);
    }
    typed->args.push_back(std::move(left));
    return Negated(std::move(typed), op == BinaryOp::kNe, span);
  }
  TypedPtr typed = Make(TypedKind::kCompare, Type::kBool, span);
  typed->op = op;
  typed->args.push_back(std::move(left));
  typed->args.push_back(std::move(right));
  return typed;
}

TypedPtr Checker::Matches(const syntax::MatchExpr& match, Span span) {
  TypedPtr operand = Value(*match.operand, Type::kText);
  const std::optional<CheckedRegex> regex = CheckRegex(context_, match.regex);
  if (operand->poison() || !regex) return Poison(span);
  if (operand->type != Type::kText) {
    return Fail(Code::kWrongOperand, match.operand->span,
                fmt::format("`~` takes text, `{}` is {}", Source(match.operand->span), Article(operand->type)));
  }
  if (BindingsOf(*operand) == 0) {
    return Fail(Code::kWrongOperand, match.operand->span, "`~` takes what was observed, not a text that is given");
  }
  TypedPtr typed = Make(TypedKind::kMatch, Type::kBool, span);
  typed->text = regex->text;
  typed->args.push_back(std::move(operand));
  return Negated(std::move(typed), match.negated, span);
}

TypedPtr Checker::Membership(const syntax::InExpr& in, Span span) {
  if (const syntax::CallExpr* call = AsCount(*in.operand)) return CountMembership(*call, in, span);
  if (in.reference) return InNamed(in, span);
  std::optional<Type> hint;
  if (!in.set.empty()) hint = LiteralOf(in.set[0]).type;
  if (in.range) hint = LiteralOf(in.range->first).type;
  TypedPtr operand = Value(*in.operand, hint);
  if (operand->poison()) return operand;
  if (operand->kind == TypedKind::kAggregate) {
    return Fail(Code::kWrongOperand, span, "`in` does not take an aggregate", "compare it with `>=` and `<=`");
  }
  TypedPtr typed = in.range ? InRange(std::move(operand), in, span) : InSet(std::move(operand), in, span);
  return Negated(std::move(typed), in.negated, span);
}

/// `in` a table asks for its key, `in` a field for an element of the set that it holds.
TypedPtr Checker::InNamed(const syntax::InExpr& in, Span span) {
  const syntax::RefExpr& name = *in.reference;
  const Item* item = name.parts.size() == 1 ? PeekItem(context_, pack_, name.pack, name.parts[0].text) : nullptr;
  if (!scope_.Knows(name) && item && item->kind == ItemKind::kTable) {
    uint32_t index = 0;
    std::vector<TypedPtr> keys = TableKeys(name, {in.operand.get()}, span, &index);
    if (keys.empty()) return Poison(span);
    TypedPtr typed = Make(TypedKind::kHasKey, Type::kBool, span);
    typed->table = index;
    typed->args = std::move(keys);
    return Negated(std::move(typed), in.negated, span);
  }
  TypedPtr set = Reference(name, name.parts[0].span, std::nullopt);
  if (set->poison()) return set;
  if (!plan::IsSet(set->type)) {
    return Fail(Code::kWrongOperand, name.parts[0].span,
                fmt::format("`in` takes a set, and this is {}", Article(set->type)),
                "a set in braces, a range, a table or a field of type `set of …`");
  }
  const Type element = plan::ElementOf(set->type);
  TypedPtr value = Value(*in.operand, element);
  if (value->poison()) return value;
  const bool integers =
      (value->type == Type::kInt || value->type == Type::kRank) && (element == Type::kInt || element == Type::kRank);
  if (value->type != element && !integers) {
    return Fail(Code::kUnlikeTypes, in.operand->span,
                fmt::format("{} in a set of {}", Article(value->type), plan::Name(element)));
  }
  TypedPtr typed = Make(TypedKind::kMember, Type::kBool, span);
  typed->args.push_back(std::move(value));
  typed->args.push_back(std::move(set));
  return Negated(std::move(typed), in.negated, span);
}

TypedPtr Checker::InSet(TypedPtr operand, const syntax::InExpr& in, Span span) {
  const Type type = operand->type;
  bool floats = type == Type::kFloat;
  bool poisoned = false;
  TypedPtr typed = Make(TypedKind::kInSet, Type::kBool, span);
  for (const syntax::Literal& literal : in.set) {
    TypedPtr value = Literal(literal, type);
    if (value->poison()) {
      poisoned = true;
      continue;
    }
    const auto number = [](Type t) { return t == Type::kInt || t == Type::kFloat || t == Type::kRank; };
    if (value->type != type && !(number(value->type) && number(type))) {
      poisoned = true;
      context_.Error(Code::kUnlikeTypes, literal.span,
                     fmt::format("{} in a set for {}", Article(value->type), Article(type)));
      continue;
    }
    floats = floats || value->type == Type::kFloat;
    if (!plan::IsId(type)) {
      typed->ints.push_back(value->imm);
    } else if (type == Type::kDomain) {
      for (const Domain& domain : context_.program.domains) {
        if (domain.path == value->text || domain.path.rfind(value->text + ".", 0) == 0)
          typed->texts.push_back(domain.path);
      }
    } else {
      typed->texts.push_back(value->text);
    }
  }
  if (poisoned) return Poison(span);
  if (floats) return InFloats(std::move(operand), in, span);
  typed->args.push_back(std::move(operand));
  return typed;
}

/// Floats have no sets in the plan: equal to one of them.
TypedPtr Checker::InFloats(TypedPtr operand, const syntax::InExpr& in, Span span) {
  TypedPtr any = Make(TypedKind::kOr, Type::kBool, span);
  for (const syntax::Literal& literal : in.set) {
    TypedPtr value = Literal(literal, std::nullopt);
    any->args.push_back(CompareTyped(BinaryOp::kEq, literal.span, Clone(*operand), std::move(value), span));
  }
  return any;
}

TypedPtr Checker::InRange(TypedPtr operand, const syntax::InExpr& in, Span span) {
  TypedPtr lo = Literal(in.range->first, operand->type);
  TypedPtr hi = Literal(in.range->second, operand->type);
  if (lo->poison() || hi->poison()) return Poison(span);
  const Type type = operand->type;
  if (lo->type == type && hi->type == type && plan::IsInteger(type)) {
    if (lo->imm > hi->imm) {
      return Fail(Code::kWrongOperand, span, "the range is empty: its low end lies above its high end");
    }
    TypedPtr typed = Make(TypedKind::kInRange, Type::kBool, span);
    typed->imm = lo->imm;
    typed->hi = hi->imm;
    typed->args.push_back(std::move(operand));
    return typed;
  }
  TypedPtr both = Make(TypedKind::kAnd, Type::kBool, span);
  both->args.push_back(CompareTyped(BinaryOp::kGe, in.range->first.span, Clone(*operand), std::move(lo), span));
  both->args.push_back(CompareTyped(BinaryOp::kLe, in.range->second.span, std::move(operand), std::move(hi), span));
  if (both->args[0]->poison() || both->args[1]->poison()) return Poison(span);
  return both;
}

const syntax::CallExpr* Checker::AsCount(const Expr& expr) const {
  const auto* call = std::get_if<syntax::CallExpr>(&expr.node);
  return call && call->callee.text == "count" && having_ ? call : nullptr;
}

/// nullopt after a diagnostic.
std::optional<uint32_t> Checker::CountedBinding(const syntax::CallExpr& call, Span span) {
  const auto* argument = call.arguments.size() == 1 ? std::get_if<syntax::RefExpr>(&call.arguments[0]->node) : nullptr;
  if (!argument || argument->parts.size() != 1 || !argument->pack.empty()) {
    context_.Error(Code::kWrongOperand, span, fmt::format("`{}` takes one binding", call.callee.text));
    return std::nullopt;
  }
  const syntax::Name& name = argument->parts[0];
  const std::optional<uint32_t> binding = scope_.FindBinding(name.text);
  if (binding && !scope_.Readable(*binding, name.span)) return std::nullopt;
  if (!binding && !scope_.RefusedAsPartial(name.text, name.span)) {
    context_.Error(Code::kUnknownName, name.span, fmt::format("unknown binding `{}`", name.text), "",
                   DidYouMean(name.text, scope_.Names()));
  }
  return binding;
}

/// `count(x) in 2..5` and `count(x) in {2, 4}`.
TypedPtr Checker::CountMembership(const syntax::CallExpr& call, const syntax::InExpr& in, Span span) {
  const std::optional<uint32_t> binding = CountedBinding(call, span);
  if (!binding) return Poison(span);
  TypedPtr all = Make(in.range ? TypedKind::kAnd : TypedKind::kOr, Type::kBool, span);
  const auto add = [&](BinaryOp op, const syntax::Literal& literal) {
    const Const value = LiteralOf(literal);
    if (value.type != Type::kInt) {
      context_.Error(Code::kUnlikeTypes, literal.span, "a count is compared with a whole number or a constant");
    }
    TypedPtr typed = Make(TypedKind::kCountCompare, Type::kBool, span);
    typed->op = op;
    typed->binding = *binding;
    typed->imm = value.imm;
    all->args.push_back(std::move(typed));
  };
  if (in.range) {
    add(BinaryOp::kGe, in.range->first);
    add(BinaryOp::kLe, in.range->second);
  }
  for (const syntax::Literal& literal : in.set) add(BinaryOp::kEq, literal);
  if (in.reference) return Fail(Code::kWrongOperand, span, "a count is no key of a table");
  return Negated(std::move(all), in.negated, span);
}

TypedPtr Checker::CountCompare(const syntax::BinaryExpr& binary, Span span) {
  const syntax::CallExpr* call = AsCount(*binary.left);
  const Expr* bound = binary.right.get();
  BinaryOp op = binary.op;
  if (!call) {
    call = AsCount(*binary.right);
    bound = binary.left.get();
    op = Mirrored(op);
  }
  const std::optional<uint32_t> binding = CountedBinding(*call, span);
  if (!binding) return Poison(span);
  TypedPtr value = Value(*bound, Type::kInt);
  if (value->poison()) return value;
  if (value->kind != TypedKind::kLiteral || value->type != Type::kInt) {
    return Fail(Code::kUnlikeTypes, bound->span, "a count is compared with a whole number or a constant");
  }
  TypedPtr typed = Make(TypedKind::kCountCompare, Type::kBool, span);
  typed->op = op;
  typed->binding = *binding;
  typed->imm = value->imm;
  return typed;
}

TypedPtr Checker::Call(const syntax::CallExpr& call, Span span) {
  static const std::vector<std::string_view> kKnown = {"avg",     "closed", "count", "distinct", "first",   "increase",
                                                       "label",   "last",   "max",   "min",      "open",    "peers",
                                                       "portion", "rate",   "share", "span",     "stalled", "sum"};
  const std::string& name = call.callee.text;
  if (name == "open") return Open(call, span);
  if (scope_.HasWindows() && (WindowKindOf(name) || name == "peers")) return Window(call, span);
  if (Aggregates(name)) {
    if (having_) return Aggregate(call, span);
    return Fail(Code::kWrongOperand, span, fmt::format("`{}` stands in `having`", name));
  }
  if (WindowKindOf(name) || name == "peers") {
    return Fail(Code::kBadFold, span, fmt::format("`{}` stands in an event with `over`", name));
  }
  if (name == "label") return Label(call, span);
  if (std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end()) {
    context_.NotYet(span, fmt::format("`{}(...)`", name));
    return Poison(span);
  }
  return Fail(Code::kUnknownFunction, call.callee.span, fmt::format("unknown function `{}`", name),
              DidYouMean(name, kKnown));
}

}  // namespace attr::sema
