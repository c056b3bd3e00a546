// The builder alone: sharing, balance, marks.
#include "compiler/lower/builder.h"

#include <doctest.h>

namespace attr::lower {
namespace {

using plan::Op;
using plan::Type;

TEST_CASE("equal strings, constants, sets and expressions are one") {
  Builder builder;
  CHECK(builder.Str("") == 0);
  CHECK(builder.Str("a") == builder.Str("a"));
  CHECK(builder.Constant(Type::kText, "a") == builder.Constant(Type::kText, "a"));
  CHECK(builder.Constant(Type::kText, "a") != builder.Constant(Type::kNode, "a"));
  CHECK(builder.Set({false, {3, 1, 3}}) == builder.Set({false, {1, 3}}));
  CHECK(builder.plan.sets[0].values == std::vector<int64_t>{1, 3});
  const plan::ExprId x = builder.Column(0, 20, Type::kInt);
  CHECK(builder.Binary(Op::kEqI, x, x) == builder.Binary(Op::kEqI, x, x));
  CHECK(builder.plan.exprs.size() == 2);
}

TEST_CASE("a chain is balanced and an empty one is its neutral element") {
  Builder builder;
  std::vector<plan::ExprId> operands;
  for (int64_t i = 0; i < 1000; ++i) {
    const plan::ExprId bound = builder.Add({.op = Op::kInt, .type = Type::kInt, .imm = i});
    operands.push_back(builder.Binary(Op::kEqI, builder.Column(0, 20, Type::kInt), bound));
  }
  CHECK(builder.Depth(builder.Join(Op::kOr, operands)) <= 12);
  CHECK(builder.plan.exprs[builder.Join(Op::kAnd, {})].op == Op::kTrue);
  CHECK(builder.plan.exprs[builder.Join(Op::kOr, {})].op == Op::kFalse);
}

TEST_CASE("a field read through a child is stored in its ancestors") {
  Builder builder;
  plan::Field field;
  field.used = false;
  builder.plan.events.emplace_back().fields.push_back(field);
  field.from = plan::FieldFrom::kInherited;
  plan::Event& child = builder.plan.events.emplace_back();
  child.parent = 0;
  child.fields.push_back(field);
  builder.MarkUsed(1, plan::kNode);
  CHECK_FALSE(builder.plan.events[1].fields[0].used);
  builder.MarkUsed(1, plan::kSystemColumns);
  CHECK(builder.plan.events[1].fields[0].used);
  CHECK(builder.plan.events[0].fields[0].used);
}

TEST_CASE("a derived column is shared within its event only") {
  Builder builder;
  builder.plan.events.resize(2);
  plan::Derived derived;
  derived.kind = plan::DerivedKind::kRegex;
  derived.regex = builder.Str("x");
  CHECK(builder.Derive(0, derived) == builder.Derive(0, derived));
  builder.Derive(1, derived);
  CHECK(builder.plan.events[0].derived.size() == 1);
  CHECK(builder.plan.events[1].derived.size() == 1);
}

}  // namespace
}  // namespace attr::lower
