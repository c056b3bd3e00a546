// Aggregates in `having`: over a binding's members, or over a value of each.
#include <algorithm>
#include <array>

#include "compiler/sema/expressions.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

using plan::AggregateKind;
using plan::Type;
using syntax::BinaryOp;

std::optional<AggregateKind> KindOf(std::string_view name) {
  for (uint8_t i = 0; i < plan::kAggregateKindCount; ++i) {
    if (plan::Name(static_cast<AggregateKind>(i)) == name) return static_cast<AggregateKind>(i);
  }
  return std::nullopt;
}

bool Ordered(Type type) {
  return type == Type::kInt || type == Type::kFloat || type == Type::kTime || type == Type::kDuration ||
         type == Type::kSize || type == Type::kRank;
}

bool Summed(Type type) {
  return type == Type::kInt || type == Type::kFloat || type == Type::kDuration || type == Type::kSize;
}

}  // namespace

bool Checker::Aggregates(const std::string& name) const { return KindOf(name).has_value(); }

TypedPtr Checker::Aggregate(const syntax::CallExpr& call, Span span) {
  const AggregateKind kind = *KindOf(call.callee.text);
  const bool of_value = kind >= AggregateKind::kDistinct && kind <= AggregateKind::kSum;
  return of_value ? AggregateOfValue(kind, call, span) : AggregateOfBinding(kind, call, span);
}

TypedPtr Checker::AggregateOfBinding(AggregateKind kind, const syntax::CallExpr& call, Span span) {
  const std::optional<uint32_t> binding = CountedBinding(call, span);
  if (!binding) return Poison(span);
  TypedPtr typed = Make(TypedKind::kAggregate, plan::ResultType({kind, *binding}), span);
  typed->imm = static_cast<int64_t>(kind);
  typed->binding = *binding;
  return typed;
}

TypedPtr Checker::AggregateOfValue(AggregateKind kind, const syntax::CallExpr& call, Span span) {
  const std::string& name = call.callee.text;
  if (call.arguments.size() != 1) {
    return Fail(Code::kWrongOperand, span, fmt::format("`{}` takes one value, as `{}(x.field)`", name, name));
  }
  TypedPtr value = Value(*call.arguments[0]);
  if (value->poison()) return value;
  const uint32_t mask = BindingsOf(*value);
  if (mask == 0 || (mask & (mask - 1)) != 0) {
    return Fail(Code::kWrongOperand, span, fmt::format("`{}` reads a value of one binding", name));
  }
  const bool fits = kind == AggregateKind::kDistinct || (kind == AggregateKind::kSum ? Summed : Ordered)(value->type);
  if (!fits) {
    return Fail(Code::kWrongOperand, call.arguments[0]->span,
                fmt::format("`{}` does not take {}", name, Article(value->type)));
  }
  TypedPtr typed = Make(TypedKind::kAggregate, plan::ResultType({kind, 0, 0, value->type}), span);
  typed->imm = static_cast<int64_t>(kind);
  while ((mask >> typed->binding & 1) == 0) ++typed->binding;
  typed->args.push_back(std::move(value));
  return typed;
}

TypedPtr Checker::AggregateCompare(BinaryOp op, TypedPtr left, TypedPtr right, Span span) {
  if (left->kind != TypedKind::kAggregate) {
    std::swap(left, right);
    op = Mirrored(op);
  }
  if (right->kind != TypedKind::kAggregate && right->kind != TypedKind::kLiteral) {
    return Fail(Code::kWrongOperand, right->span,
                "an aggregate is compared with a literal, a constant or another aggregate");
  }
  const bool float_left = left->type == Type::kFloat, float_right = right->type == Type::kFloat;
  if (float_left != float_right) {
    return Fail(Code::kUnlikeTypes, span,
                fmt::format("{} is compared with {}", Article(left->type), Article(right->type)),
                "write both with, or both without, a decimal point");
  }
  TypedPtr typed = Make(TypedKind::kAggregateCompare, Type::kBool, span);
  typed->op = op;
  typed->args.push_back(std::move(left));
  typed->args.push_back(std::move(right));
  return typed;
}

}  // namespace attr::sema
