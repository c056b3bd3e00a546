// What does not fit, overflows or is divided by zero is missing, and matching is
// two-valued: a required field drops the row, an unknown condition does not match.
#include <doctest.h>

#include "runtime/match/test_plan.h"

using namespace attr;
using namespace attr::match;
using namespace attr::match::testing;
using plan::FieldFrom;

namespace {

/// `a` and `b` of each line, and a field computed from them.
struct Computed {
  TestPlan plan;
  uint32_t event = 0, a = 0, b = 0, c = 0;

  Computed(Op op, bool optional) {
    event = plan.Event("e", {"kernel"});
    plan.Text(event, {R"((?P<a>\S+) by (?P<b>\S+))"});
    a = plan.Field(event, "a", Type::kInt);
    b = plan.Field(event, "b", Type::kInt);
    c = plan.Field(event, "c", Type::kInt, optional, FieldFrom::kExpr);
    plan.plan.events[event].fields[2].expr =
        plan.Binary(op, plan.Column(a, Type::kInt), plan.Column(b, Type::kInt), Type::kInt);
  }
};

TestSet Lines(const std::vector<const char*>& texts) {
  TestSet set;
  int64_t at = 0;
  for (const char* text : texts) set.Line("kernel", "n1", ++at, text);
  return set;
}

}  // namespace

TEST_CASE("an integer out of range is a failed conversion") {
  Computed e(Op::kAddI, true);
  const auto m =
      Run(e.plan, Lines({"9223372036854775807 by 1", "9223372036854775808 by 1", "0x1ffffffffffffffff by 1"}));
  REQUIRE(m->Rows(e.event) == 1);
  CHECK(m->result.failed_conversions == 2);
  CHECK_FALSE(m->Has(e.event, e.c, 0));  // MAX + 1
}

TEST_CASE("a division by zero is missing: it drops a required field's row, and leaves an optional one without") {
  const auto lines = Lines({"7 by 2", "7 by 0"});
  Computed optional(Op::kDivI, true), required(Op::kDivI, false);
  const auto with = Run(optional.plan, lines);
  REQUIRE(with->Rows(optional.event) == 2);
  CHECK(with->Slot(optional.event, optional.c, 0) == 3);
  CHECK_FALSE(with->Has(optional.event, optional.c, 1));
  const auto without = Run(required.plan, lines);
  CHECK(without->Rows(required.event) == 1);
  CHECK(without->result.failed_conversions == 1);
}

TEST_CASE("a condition on what is missing does not match, nor does its opposite") {
  for (const Op op : {Op::kLtI, Op::kNeI, Op::kEqI}) {
    Computed e(Op::kModI, true);
    e.plan.plan.events[e.event].where = e.plan.Binary(op, e.plan.Int(0), e.plan.Column(e.c, Type::kInt));
    const auto m = Run(e.plan, Lines({"7 by 0", "9 by 0"}));
    CHECK(m->Rows(e.event) == 0);
  }
}

TEST_CASE("an increase that does not fit is missing") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"kernel"});
  plan.Text(e, {R"(at (?P<v>-?\d+))"});
  const uint32_t v = plan.Field(e, "v", Type::kInt);
  const uint32_t grown = plan.Field(e, "grown", Type::kInt, true, FieldFrom::kWindow);
  plan::Event& event = plan.plan.events[e];
  event.fields[1].window = plan::WindowKind::kIncrease;
  event.fields[1].expr = plan.Column(v, Type::kInt);
  event.fold.kind = plan::FoldKind::kWindows;
  event.fold.records = 2;
  event.fold.keys = {plan::kNode};
  event.fold.fields = 1;
  event.fold.where = plan.Add({Op::kHas, Type::kBool, plan.Column(grown, Type::kInt)});
  const auto m = Run(plan, Lines({"at -9223372036854775808", "at 9223372036854775807", "at 9223372036854775807"}));
  REQUIRE(m->Rows(e) == 1);
  CHECK(m->context.events[e].observation[0] == 2);
  CHECK(m->Slot(e, grown, 0) == 0);
}
