// Values: literals, references, look-ups, arithmetic. Conditions are in
// conditions.cc.
#include "compiler/sema/expressions.h"

#include <bit>
#include <cmath>

#include "fmt/format.h"

namespace attr::sema {

using syntax::BinaryOp;
using syntax::Expr;

namespace {

/// Deeper trees are refused by lowering anyway (plan expressions nest 64 deep);
/// this keeps the recursion of a left-deep chain of operators bounded.
constexpr unsigned kMaxDepth = 300;

bool IsCondition(const Expr& expr) {
  if (const auto* unary = std::get_if<syntax::UnaryExpr>(&expr.node)) return unary->op == syntax::UnaryOp::kNot;
  if (const auto* binary = std::get_if<syntax::BinaryExpr>(&expr.node)) return binary->op >= BinaryOp::kEq;
  return std::holds_alternative<syntax::HasExpr>(expr.node) ||
         std::holds_alternative<syntax::SamePlaceExpr>(expr.node) ||
         std::holds_alternative<syntax::ChainExpr>(expr.node) || std::holds_alternative<syntax::MatchExpr>(expr.node) ||
         std::holds_alternative<syntax::InExpr>(expr.node);
}

}  // namespace

uint32_t BindingsOf(const Typed& typed) {
  if (typed.kind == TypedKind::kColumn || typed.kind == TypedKind::kCountCompare || typed.kind == TypedKind::kRecord ||
      typed.kind == TypedKind::kAggregate) {
    return 1u << typed.binding;
  }
  uint32_t mask = 0;
  for (const TypedPtr& arg : typed.args) mask |= BindingsOf(*arg);
  return mask;
}

bool ContainsLookup(const Typed& typed) {
  if (typed.kind == TypedKind::kLookup) return true;
  for (const TypedPtr& arg : typed.args) {
    if (ContainsLookup(*arg)) return true;
  }
  return false;
}

TypedPtr Clone(const Typed& typed) {
  auto copy = std::make_unique<Typed>();
  copy->kind = typed.kind;
  copy->type = typed.type;
  copy->span = typed.span;
  copy->op = typed.op;
  copy->imm = typed.imm;
  copy->hi = typed.hi;
  copy->binding = typed.binding;
  copy->column = typed.column;
  copy->table = typed.table;
  copy->table_column = typed.table_column;
  copy->text = typed.text;
  copy->ints = typed.ints;
  copy->texts = typed.texts;
  for (const TypedPtr& arg : typed.args) copy->args.push_back(Clone(*arg));
  return copy;
}

TypedPtr Checker::Poison(Span span) const { return Make(TypedKind::kPoison, Type::kBool, span); }

TypedPtr Checker::Make(TypedKind kind, Type type, Span span) const {
  auto typed = std::make_unique<Typed>();
  typed->kind = kind;
  typed->type = type;
  typed->span = span;
  return typed;
}

TypedPtr Checker::Fail(Code code, Span span, std::string message, std::string help) {
  context_.Error(code, span, std::move(message), "", std::move(help));
  return Poison(span);
}

std::string Checker::Source(Span span) const {
  std::string text(context_.sources.Text(span));
  if (text.size() > 40) text = text.substr(0, 37) + "...";
  return text;
}

/// Who gives the type when two operands meet: 0 has one, 1 has one but bends to
/// the other's (a literal), 2 has none of its own (an attribute, a domain's path).
int Checker::Adaptivity(const Expr& expr) const {
  if (std::holds_alternative<syntax::Literal>(expr.node)) return 1;
  const auto* reference = std::get_if<syntax::RefExpr>(&expr.node);
  if (!reference) return 0;
  if (scope_.Adaptive(*reference)) return 2;
  if (scope_.Knows(*reference)) return 0;
  const Item* item = PeekItem(context_, pack_, reference->pack, reference->parts[0].text);
  return item && item->kind == ItemKind::kConst && reference->parts.size() == 1 ? 1 : 2;
}

/// Both operands, the one that gives the type first.
void Checker::ValuesOf(const syntax::BinaryExpr& binary, TypedPtr* left, TypedPtr* right) {
  const bool left_first = Adaptivity(*binary.left) <= Adaptivity(*binary.right);
  const auto hint = [](const TypedPtr& other) { return other->poison() ? std::nullopt : std::optional(other->type); };
  if (left_first) {
    *left = Value(*binary.left);
    *right = Value(*binary.right, hint(*left));
  } else {
    *right = Value(*binary.right);
    *left = Value(*binary.left, hint(*right));
  }
}

TypedPtr Checker::Value(const Expr& expr, std::optional<Type> hint) {
  if (depth_ >= kMaxDepth) return Fail(Code::kNestingTooDeep, expr.span, "expression nests too deep");
  ++depth_;
  TypedPtr result;
  if (const auto* literal = std::get_if<syntax::Literal>(&expr.node)) {
    result = Literal(*literal, hint);
  } else if (const auto* reference = std::get_if<syntax::RefExpr>(&expr.node)) {
    result = Reference(*reference, expr.span, hint);
  } else if (const auto* lookup = std::get_if<syntax::LookupExpr>(&expr.node)) {
    result = Lookup(*lookup, expr.span);
  } else if (const auto* call = std::get_if<syntax::CallExpr>(&expr.node)) {
    result = Call(*call, expr.span);
  } else if (IsCondition(expr)) {
    result = Fail(Code::kNotAValue, expr.span, fmt::format("`{}` is a condition, not a value", Source(expr.span)));
  } else if (const auto* unary = std::get_if<syntax::UnaryExpr>(&expr.node)) {
    result = Negate(*unary, expr.span);
  } else {
    result = Arith(std::get<syntax::BinaryExpr>(expr.node), expr.span);
  }
  --depth_;
  return result;
}

TypedPtr Checker::Literal(const syntax::Literal& literal, std::optional<Type> hint) {
  Const value = LiteralOf(literal);
  if (hint && value.type == Type::kText && plan::IsId(*hint)) value.type = *hint;
  if (hint == Type::kRank && value.type == Type::kInt) value.type = Type::kRank;
  if (value.type == Type::kFloat && std::isnan(std::bit_cast<double>(value.imm))) {
    return Fail(Code::kWrongOperand, literal.span, "a literal is never NaN");
  }
  TypedPtr typed = Make(TypedKind::kLiteral, value.type, literal.span);
  typed->imm = value.imm;
  typed->text = std::move(value.text);
  if (typed->type == Type::kDomain) {
    const uint32_t domain = FindDomain(context_, pack_, typed->text, literal.span);
    if (domain == plan::kNone) return Poison(literal.span);
  }
  return typed;
}

TypedPtr Checker::Reference(const syntax::RefExpr& reference, Span span, std::optional<Type> hint) {
  if (scope_.Knows(reference)) return scope_.Resolve(reference, span, hint);
  if (hint == Type::kDomain) return DomainLiteral(reference, span);
  if (reference.parts.size() == 1) {
    const std::string& name = reference.parts[0].text;
    const Item* item = PeekItem(context_, pack_, reference.pack, name);
    if (item && item->kind == ItemKind::kConst) {
      item = FindItem(context_, pack_, {reference.pack, name, span}, "constant");
      if (!item) return Poison(span);
      const Const& constant = context_.ValueOf(item->index);
      TypedPtr typed = Make(TypedKind::kLiteral, constant.type, span);
      typed->imm = constant.imm;
      typed->text = constant.text;
      if (hint && constant.type == Type::kText && plan::IsId(*hint)) typed->type = *hint;
      if (hint == Type::kRank && constant.type == Type::kInt) typed->type = Type::kRank;
      return typed;
    }
    if (item) {
      return Fail(Code::kWrongItemKind, span, fmt::format("`{}` is a {}, not a value", name, Describe(item->kind)));
    }
  }
  std::vector<std::string_view> names = scope_.Names();
  for (const auto& [name, item] : context_.program.packs[pack_].items) {
    if (item.kind == ItemKind::kConst) names.push_back(name);
  }
  const std::string& first = reference.parts[0].text;
  if (LeftOut(context_, first)) return Poison(span);
  std::string help = scope_.HelpFor(first);
  if (help.empty()) help = DidYouMean(first, names);
  return Fail(Code::kUnknownName, reference.parts[0].span, fmt::format("unknown name `{}`", first), std::move(help));
}

TypedPtr Checker::DomainLiteral(const syntax::RefExpr& reference, Span span) {
  std::string path;
  for (const syntax::Name& part : reference.parts) {
    if (!path.empty()) path += '.';
    path += part.text;
  }
  if (FindDomain(context_, pack_, path, span) == plan::kNone) return Poison(span);
  TypedPtr typed = Make(TypedKind::kLiteral, Type::kDomain, span);
  typed->text = std::move(path);
  return typed;
}

/// The table's index and the checked keys, one for each of its key columns; empty after a diagnostic.
std::vector<TypedPtr> Checker::TableKeys(const syntax::RefExpr& name, const std::vector<const Expr*>& keys, Span span,
                                         uint32_t* index) {
  if (name.parts.size() != 1) {
    Fail(Code::kUnknownName, span, fmt::format("unknown table `{}`", Source(span)));
    return {};
  }
  const Item* item = FindItemOf(context_, pack_, {name.pack, name.parts[0].text, name.parts[0].span}, ItemKind::kTable);
  if (!item) return {};
  *index = item->index;
  const Table& table = context_.program.tables[item->index];
  if (table.poisoned) return {};
  if (table.keys.empty()) {
    Fail(Code::kWrongOperand, span, fmt::format("table `{}` has no key to look up by", name.parts[0].text),
         "bind its rows: `and r: table where …`");
    return {};
  }
  if (table.keys.size() != keys.size()) {
    Fail(Code::kWrongOperand, span,
         fmt::format("table `{}` has a key of {} columns, {} {} given", name.parts[0].text, table.keys.size(),
                     keys.size(), keys.size() == 1 ? "is" : "are"));
    return {};
  }
  std::vector<TypedPtr> values;
  uint32_t mask = 0;
  for (size_t k = 0; k < keys.size(); ++k) {
    values.push_back(TableKey(name.parts[0].text, table.columns[table.keys[k]].type, *keys[k]));
    if (values.back()->poison()) return {};
    mask |= BindingsOf(*values.back());
  }
  if ((mask & (mask - 1)) == 0) return values;
  Fail(Code::kKeyOfTwoBindings, span, "the keys read two bindings");
  return {};
}

TypedPtr Checker::TableKey(const std::string& table, Type type, const Expr& key) {
  TypedPtr value = Value(key, type);
  if (value->poison()) return value;
  const bool integers =
      (value->type == Type::kInt && type == Type::kRank) || (value->type == Type::kRank && type == Type::kInt);
  if (value->type == type || integers) return value;
  return Fail(
      Code::kUnlikeTypes, key.span,
      fmt::format("the key of `{}` is {}, `{}` is {}", table, Article(type), Source(key.span), Article(value->type)));
}

namespace {

std::vector<const Expr*> KeysOf(const syntax::ExprPtr& first, const std::vector<syntax::ExprPtr>& more) {
  std::vector<const Expr*> keys{first.get()};
  for (const syntax::ExprPtr& key : more) keys.push_back(key.get());
  return keys;
}

}  // namespace

TypedPtr Checker::HasKey(const syntax::HasExpr& has, Span span) {
  uint32_t index = 0;
  std::vector<TypedPtr> keys = TableKeys(has.reference, KeysOf(has.key, has.more_keys), span, &index);
  if (keys.empty()) return Poison(span);
  TypedPtr typed = Make(TypedKind::kHasKey, Type::kBool, span);
  typed->table = index;
  typed->args = std::move(keys);
  return typed;
}

TypedPtr Checker::Lookup(const syntax::LookupExpr& lookup, Span span) {
  uint32_t index = 0;
  std::vector<TypedPtr> keys = TableKeys(lookup.table, KeysOf(lookup.key, lookup.more_keys), span, &index);
  if (keys.empty()) return Poison(span);
  const Table& table = context_.program.tables[index];
  std::vector<std::string_view> names;
  for (uint32_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name != lookup.column.text) {
      names.push_back(table.columns[i].name);
      continue;
    }
    TypedPtr typed = Make(TypedKind::kLookup, table.columns[i].type, span);
    typed->table = index;
    typed->table_column = i;
    typed->args = std::move(keys);
    return typed;
  }
  return Fail(Code::kUnknownField, lookup.column.span,
              fmt::format("table `{}` has no column `{}`", lookup.table.parts[0].text, lookup.column.text),
              DidYouMean(lookup.column.text, names));
}

TypedPtr Checker::Negate(const syntax::UnaryExpr& unary, Span span) {
  TypedPtr operand = Value(*unary.operand);
  if (operand->poison()) return operand;
  if (operand->kind == TypedKind::kAggregate) {
    return Fail(Code::kWrongOperand, span, "aggregates are compared, not computed with",
                "compare each aggregate with a value, and join the comparisons");
  }
  const Type type = operand->type;
  if (type != Type::kInt && type != Type::kFloat && type != Type::kDuration) {
    return Fail(Code::kWrongOperand, span, fmt::format("`-` does not take {}", Article(type)));
  }
  TypedPtr typed = Make(TypedKind::kNegate, type, span);
  typed->args.push_back(std::move(operand));
  return typed;
}

TypedPtr Checker::Arith(const syntax::BinaryExpr& binary, Span span) {
  TypedPtr left, right;
  ValuesOf(binary, &left, &right);
  return ArithTyped(binary.op, binary.op_span, std::move(left), std::move(right), span);
}

/// The result's type; nullopt: the operator does not take these.
std::optional<plan::Type> Checker::ArithType(BinaryOp op, Type left, Type right) const {
  const auto integer = [](Type t) { return t == Type::kInt || t == Type::kRank; };
  if (integer(left) && integer(right)) return Type::kInt;
  if (op >= BinaryOp::kShl && op <= BinaryOp::kBitOr) return std::nullopt;
  if (op == BinaryOp::kMod) return std::nullopt;
  const auto number = [&](Type t) { return integer(t) || t == Type::kFloat; };
  if (number(left) && number(right)) return Type::kFloat;
  const bool sum = op == BinaryOp::kAdd || op == BinaryOp::kSub;
  if (sum && left == Type::kTime && right == Type::kDuration) return Type::kTime;
  if (op == BinaryOp::kAdd && left == Type::kDuration && right == Type::kTime) return Type::kTime;
  if (op == BinaryOp::kSub && left == Type::kTime && right == Type::kTime) return Type::kDuration;
  const auto quantity = [](Type t) { return t == Type::kDuration || t == Type::kSize; };
  if (sum && quantity(left) && left == right) return left;
  if (op == BinaryOp::kMul && quantity(left) && integer(right)) return left;
  if (op == BinaryOp::kMul && integer(left) && quantity(right)) return right;
  if (op == BinaryOp::kDiv && quantity(left) && integer(right)) return left;
  if (op == BinaryOp::kDiv && quantity(left) && left == right) return Type::kInt;
  return std::nullopt;
}

TypedPtr Checker::ArithTyped(BinaryOp op, Span op_span, TypedPtr left, TypedPtr right, Span span) {
  if (left->poison()) return left;
  if (right->poison()) return right;
  if (left->kind == TypedKind::kAggregate || right->kind == TypedKind::kAggregate) {
    return Fail(Code::kWrongOperand, span, "aggregates are compared, not computed with",
                "compare each aggregate with a value, and join the comparisons");
  }
  const std::optional<Type> type = ArithType(op, left->type, right->type);
  if (!type) {
    diagnostics::Diagnostic diagnostic;
    diagnostic.code = Code::kWrongOperand;
    diagnostic.message =
        fmt::format("`{}` does not take {} and {}", Source(op_span), Article(left->type), Article(right->type));
    diagnostic.primary = {op_span, ""};
    diagnostic.secondary.push_back({left->span, Article(left->type)});
    diagnostic.secondary.push_back({right->span, Article(right->type)});
    context_.sink.Add(std::move(diagnostic));
    return Poison(span);
  }
  const auto to_float = [&](TypedPtr operand) {
    if (*type != Type::kFloat || operand->type == Type::kFloat) return operand;
    TypedPtr converted = Make(TypedKind::kToFloat, Type::kFloat, operand->span);
    converted->args.push_back(std::move(operand));
    return converted;
  };
  TypedPtr typed = Make(TypedKind::kArith, *type, span);
  typed->op = op;
  typed->args.push_back(to_float(std::move(left)));
  typed->args.push_back(to_float(std::move(right)));
  return typed;
}

}  // namespace attr::sema
