// Sets of values, order of texts, keys of several columns, from text to the plan.
#include "compiler/test_support.h"

namespace attr::compiler {
namespace {

const char* const kLists = R"(
event lost from scheduler { text /(?P<nodes>\S+) by (?P<ranks>\S+)/ field nodes: set of node, ranks: set of rank? }
)";

TEST_CASE("an element of one binding's own set is a column, of another's a search") {
  const plan::Plan plan = PlanOf(std::string(kLists) + R"(
cause a "A" { domain hardware when l: lost where "n1" in l.nodes and 3 not in l.ranks }
cause b "B" { domain hardware when x: xid and l: lost where x.node in l.nodes and not x.code in l.ranks }
)");
  CHECK(ShowWhere(plan, "a") == "and(istrue(0.d0), isfalse(0.d1))");
  const plan::Event& lost = EventOf(plan, "lost");
  CHECK(lost.derived[0].kind == plan::DerivedKind::kMember);
  CHECK(ShowResidual(plan, "b") == "and(placemember(0.node, 1.d2), notmember(0.code, 1.d3))");
  CHECK(lost.derived[2].kind == plan::DerivedKind::kSetSpan);
  CHECK(lost.fields[0].type == plan::Type::kNodeSet);
  CHECK(lost.fields[1].optional);
}

TEST_CASE("texts of one binding are compared once, of two by rank, of none at once") {
  const plan::Plan plan = PlanOf(R"(
cause a "A" { domain hardware when x: step where x.who <= "m" }
cause b "B" { domain hardware when x: step and y: step where x.who > y.who }
cause c "C" { domain hardware when x: step where "a" < "b" and not "a" >= "b" }
)");
  CHECK(ShowWhere(plan, "a") == "isfalse(0.d0)");
  CHECK(ShowResidual(plan, "b") == "lt(1.d1, 0.d1)");
  CHECK(ShowWhere(plan, "c") == "and(true, true)");
}

TEST_CASE("a key of several columns") {
  const std::string table = "table codes from \"codes.csv\" key code, who { code: int, who: text, level: text? }\n";
  const std::string csv = "code,who,level\n1,a,fatal\n1,b,\n";
  const auto rule = [&](const std::string& where) {
    return Codes(
        CompileText(kHead + table + "cause r \"R\" { domain hardware when x: step where " + where + " }\n", csv));
  };
  CHECK(rule("codes[x.n, x.who].level == \"fatal\" and has codes[x.n, \"a\"]").empty());
  CHECK(rule("codes[x.n].level == \"fatal\"") == std::vector<std::string>{"A0301"});
  CHECK(rule("codes[x.who, x.n].level == \"fatal\"") == std::vector<std::string>{"A0300"});
  CHECK(rule("x.n in codes") == std::vector<std::string>{"A0301"});
  const plan::Plan plan =
      PlanOf(table + "cause r \"R\" { domain hardware when x: step where codes[x.n, x.who].level ~ /^f/ }\n", csv);
  const plan::Event& step = EventOf(plan, "step");
  REQUIRE(step.derived.size() == 3);
  CHECK(step.derived[0].keys.size() == 2);
}

}  // namespace
}  // namespace attr::compiler
