// `set of …`: lists as they are written, and what each line gives by `each`.
#include <doctest.h>

#include "runtime/match/record.h"
#include "runtime/match/sets.h"
#include "runtime/match/test_plan.h"

using namespace attr;
using namespace attr::match;
using namespace attr::match::testing;

namespace {

std::string Set(Type type, std::string_view list) {
  return SetText(type, list, [](std::string_view name) { return name == "host7" ? "n7" : name; }).value_or("-");
}

}  // namespace

TEST_CASE("node lists expand, each name once and canonical") {
  CHECK(Set(Type::kNodeSet, "n2,n1 n2") == "n1,n2");
  CHECK(Set(Type::kNodeSet, "gpu-[03-05,20]") == "gpu-03,gpu-04,gpu-05,gpu-20");
  CHECK(Set(Type::kNodeSet, "r[1-2]n[9-10]") == "r1n9,r1n10,r2n9,r2n10");
  CHECK(Set(Type::kNodeSet, "host7, n10, n9") == "n7,n9,n10");
  CHECK(Set(Type::kNodeSet, "gpu-[03-") == "-");
  CHECK(Set(Type::kNodeSet, "gpu-[5-3]") == "-");
  CHECK(Set(Type::kNodeSet, "gpu-[a]") == "-");
  CHECK(Set(Type::kNodeSet, "n[0-99999]") == "-");
  CHECK(Set(Type::kNodeSet, "n[0-999][0-999]") == "-");
  CHECK(Set(Type::kNodeSet, " , ") == "-");
}

TEST_CASE("numbers and texts") {
  CHECK(Set(Type::kRankSet, "0-3,8") == "0,1,2,3,8");
  CHECK(Set(Type::kIntSet, "-5, 0x10 007") == "-5,7,16");
  CHECK(Set(Type::kRankSet, "-5") == "-");
  CHECK(Set(Type::kIntSet, "1,x") == "-");
  CHECK(Set(Type::kTextSet, "b a,b") == "a,b");
  CHECK(ElementsOf("a,b,c").size() == 3);
}

TEST_CASE("each gives a row for every match, with the record's own captures") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"fabric"});
  plan.Text(e, {R"(switch (?P<switch>\w+))"});
  plan.plan.events[e].each = {{plan.Str(R"(port (?P<port>\d+)(?: (?P<why>\w+))?)")}};
  plan.Unless(e, "planned");
  const uint32_t name = plan.Field(e, "switch", Type::kText), port = plan.Field(e, "port", Type::kInt);
  const uint32_t why = plan.Field(e, "why", Type::kText, true);
  TestSet set;
  set.Line("fabric", "", 1, "switch s1\nport 1 down\nport 2, port x, port 3 up\nport 9 planned");
  set.Line("fabric", "", 2, "port 4");
  set.Line("fabric", "", 3, "switch s2 is well");
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 3);
  CHECK(m->context.events[e].observation[2] == 0);
  CHECK(m->Text(e, name, 2) == "s1");
  CHECK(m->Slot(e, port, 0) == 1);
  CHECK(m->Slot(e, port, 1) == 2);
  CHECK(m->Slot(e, port, 2) == 3);
  CHECK(m->Text(e, why, 0) == "down");
  CHECK(m->Text(e, why, 1) == "?");
}

TEST_CASE("each sees what stands before a match, steps over empty ones and stops at 256") {
  TestPlan plan;
  const uint32_t anchored = plan.Event("anchored", {"kernel"}), words = plan.Event("words", {"kernel"});
  plan.plan.events[anchored].each = {{plan.Str("^a")}};
  plan.plan.events[words].each = {{plan.Str("b*")}};
  TestSet set;
  set.Line("kernel", "n1", 1, "aab\xC3\xA4");
  set.Line("kernel", "n1", 2, std::string(300, 'a'));
  const auto m = Run(plan, set);
  CHECK(m->Rows(anchored) == 2);
  CHECK(m->Rows(words) == 5 + kMostMatches);  // before a, a, the b, before the last letter, at the end
  CHECK(m->result.cut_records == 1);
}

TEST_CASE("text on a group that an earlier clause captured, a match at a time") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"kernel"});
  plan.Text(e, {R"((?P<unit>[A-Z]+)(?P<n>\d+))"}, false, plan::kSystemColumns);
  plan.plan.events[e].each = {{plan.Str(R"(<(?P<tag>\w*)>)")}};
  plan.Field(e, "tag", Type::kText);
  const uint32_t unit = plan.Field(e, "unit", Type::kText), n = plan.Field(e, "n", Type::kInt);
  TestSet set;
  set.Line("kernel", "n1", 1, "<AB12> <none> <C3> D4");
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 2);
  CHECK(m->Text(e, unit, 0) == "AB");
  CHECK(m->Slot(e, n, 0) == 12);
  CHECK(m->Text(e, unit, 1) == "C");
}

TEST_CASE("scope widens time and place for one event alone") {
  TestPlan plan;
  const uint32_t own = plan.Event("own", {"kernel"}), wide = plan.Event("wide", {"kernel"});
  plan.Text(own, {"x"});
  plan.Text(wide, {"x"});
  plan.plan.meta.grace = 0;
  plan.plan.events[wide].scope = {3600 * kSecond, plan::kNoWindow, true};
  TestSet set;
  set.Node("n1");
  set.Window(10'000, 20'000);
  set.Cover("kernel", model::CoverageStatus::kOk, "n1");
  set.Index();
  set.Line("kernel", "n1", 6'399, "x");
  set.Line("kernel", "n1", 6'401, "x");
  set.Line("kernel", "n9", 15'000, "x");
  set.Line("kernel", "n1", 15'001, "x");
  set.Line("kernel", "n1", 20'100, "x");
  const auto m = Run(plan, set);
  CHECK(m->context.events[own].observation[0] == 3);
  CHECK(m->Rows(own) == 1);
  CHECK(m->Rows(wide) == 3);
  CHECK(m->Phantoms(own) == 0);
  // Nobody says that other nodes were looked at; the phantom stands on none that is known.
  REQUIRE(m->Phantoms(wide) == 1);
  CHECK_FALSE(m->Has(wide, plan::kNode, 3));
  CHECK(m->Slot(wide, plan::kBeginLo, 3) == 6'400 * kSecond);
  CHECK(m->result.scope.in == 1);
}
