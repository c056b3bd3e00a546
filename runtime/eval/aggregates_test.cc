// Bounds of aggregates: sure, presumed and possible members, phantoms, missing values.
#include <doctest.h>

#include <bit>

#include "runtime/eval/aggregates.h"
#include "runtime/eval/test_support.h"

namespace attr::eval {
namespace {

using namespace testing;
using plan::AggregateKind;
using plan::CountCmp;

struct Aggregated : Scenario {
  uint32_t e;
  GroupMembers group;
  std::vector<uint8_t> membership;

  explicit Aggregated(Type type = Type::kInt) {
    e = Event("e", {{"v", type}});
    p.Rule("rule", {e});
    group.bindings.resize(1);
  }
  plan::Rule& rule() { return p.plan.rules[0]; }
  void Member(double seconds, Cell value, uint8_t bits = kAllBits) {
    TableBuilder& t = tables[e];
    const size_t row = t.At(seconds, static_cast<uint32_t>(t.table.rows));
    if (value) t.Put(row, kField, *value);
    group.bindings[0].push_back({static_cast<uint32_t>(row), bits});
  }
  void AddPhantom() {
    TableBuilder& t = tables[e];
    group.bindings[0].push_back({static_cast<uint32_t>(t.Phantom(0, 0, 100)), kMayBit});
  }
  uint8_t Compare(AggregateKind kind, CountCmp compare, int64_t value, Type type = Type::kInt) {
    const bool of_column = kind >= AggregateKind::kDistinct && kind <= AggregateKind::kSum;
    plan::Aggregate aggregate{kind, 0, of_column ? kField : plan::kNone, type};
    if (!of_column) aggregate.type = plan::ResultType(aggregate);
    rule().aggregates = {aggregate};
    plan::Expr expr;
    expr.op = Op::kAggregateCmp;
    expr.type = plan::ResultType(aggregate);
    expr.a = 0;
    expr.b = static_cast<uint32_t>(compare);
    expr.imm = value;
    p.plan.exprs.push_back(expr);
    rule().having = static_cast<plan::ExprId>(p.plan.exprs.size() - 1);
    context.plan = &p.plan;
    membership.assign(tables[e].table.rows, kAllBits);
    return HavingBits(context, {&rule(), 0, {{&tables[e].table, &membership}}, 0}, group, {Members{}});
  }
};

TEST_CASE("distinct values count what is known, and widen by what is missing") {
  Aggregated s;
  s.Member(1, 5);
  s.Member(2, 5);
  s.Member(3, 7, kUndecided);
  CHECK(s.Compare(AggregateKind::kDistinct, CountCmp::kGe, 1) == kAllBits);
  CHECK(s.Compare(AggregateKind::kDistinct, CountCmp::kGe, 2) == kUndecided);
  CHECK(s.Compare(AggregateKind::kDistinct, CountCmp::kGe, 3) == 0);
  s.Member(4, std::nullopt);
  CHECK(s.Compare(AggregateKind::kDistinct, CountCmp::kGe, 3) == kMayBit);
  CHECK(s.Compare(AggregateKind::kDistinct, CountCmp::kLe, 3) == kAllBits);
  s.AddPhantom();
  CHECK(s.Compare(AggregateKind::kDistinct, CountCmp::kLe, 3) == kMayBit);
}

TEST_CASE("the least and the greatest lie between the possible and the sure ones") {
  Aggregated s;
  s.Member(1, 10);
  s.Member(2, 20);
  s.Member(3, 30, kMayBit);
  s.Member(4, 5, kUndecided);
  CHECK(s.Compare(AggregateKind::kMin, CountCmp::kLe, 10) == kAllBits);
  CHECK(s.Compare(AggregateKind::kMin, CountCmp::kEq, 5) == kUndecided);
  CHECK(s.Compare(AggregateKind::kMin, CountCmp::kLt, 5) == 0);
  CHECK(s.Compare(AggregateKind::kMax, CountCmp::kGe, 20) == kAllBits);
  CHECK(s.Compare(AggregateKind::kMax, CountCmp::kGt, 20) == kMayBit);
  CHECK(s.Compare(AggregateKind::kMax, CountCmp::kGt, 30) == 0);
  s.AddPhantom();
  CHECK(s.Compare(AggregateKind::kMin, CountCmp::kLt, 5) == kMayBit);
  CHECK(s.Compare(AggregateKind::kMax, CountCmp::kGe, 20) == kAllBits);
}

TEST_CASE("a sum is decided when nothing is open, or when what is open cannot take away") {
  Aggregated s;
  s.Member(1, 10);
  s.Member(2, 20);
  CHECK(s.Compare(AggregateKind::kSum, CountCmp::kEq, 30) == kAllBits);
  s.Member(3, 5, kUndecided);
  CHECK(s.Compare(AggregateKind::kSum, CountCmp::kGe, 30) == kUndecided);
  CHECK(s.Compare(AggregateKind::kSum, CountCmp::kGe, 36) == kMayBit);
  CHECK(s.Compare(AggregateKind::kSum, CountCmp::kGe, 30, Type::kSize) == kAllBits);
  CHECK(s.Compare(AggregateKind::kSum, CountCmp::kGt, 35, Type::kSize) == 0);
  Aggregated large;
  large.Member(1, INT64_MAX);
  large.Member(2, 1);
  large.Member(3, -5);
  CHECK(large.Compare(AggregateKind::kSum, CountCmp::kEq, INT64_MAX - 4) == kAllBits);
  large.Member(4, 100);
  CHECK(large.Compare(AggregateKind::kSum, CountCmp::kGt, 0) == kMayBit);
}

TEST_CASE("floats, times, spans and shares") {
  Aggregated floats(Type::kFloat);
  floats.Member(1, std::bit_cast<int64_t>(0.1));
  floats.Member(2, std::bit_cast<int64_t>(0.2));
  CHECK(floats.Compare(AggregateKind::kSum, CountCmp::kEq, std::bit_cast<int64_t>(0.1 + 0.2), Type::kFloat) ==
        kAllBits);
  CHECK(floats.Compare(AggregateKind::kMax, CountCmp::kLt, std::bit_cast<int64_t>(0.2), Type::kFloat) == 0);
  CHECK(floats.Compare(AggregateKind::kSpan, CountCmp::kEq, Seconds(1)) == kAllBits);
  CHECK(floats.Compare(AggregateKind::kFirst, CountCmp::kEq, Seconds(1)) == kAllBits);
  CHECK(floats.Compare(AggregateKind::kLast, CountCmp::kGt, Seconds(2)) == 0);
  floats.Member(9, std::nullopt, kMayBit);
  CHECK(floats.Compare(AggregateKind::kSpan, CountCmp::kGt, Seconds(1)) == kMayBit);
  CHECK(floats.Compare(AggregateKind::kSpan, CountCmp::kGe, Seconds(1)) == kAllBits);
  // Without an inventory nobody knows how many nodes there are.
  CHECK(floats.Compare(AggregateKind::kShare, CountCmp::kGe, std::bit_cast<int64_t>(0.5)) == kMayBit);
  CHECK(floats.Compare(AggregateKind::kShare, CountCmp::kLe, std::bit_cast<int64_t>(1.0)) == kAllBits);
}

}  // namespace
}  // namespace attr::eval
