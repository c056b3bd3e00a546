// Events and tables from text to the plan.
#include "compiler/test_support.h"

namespace attr::compiler {
namespace {

TEST_CASE("fields come from groups, attributes, built-in properties and expressions") {
  const plan::Plan plan = PlanOf(R"(
event job from scheduler {
  where name == "job_end" and attrs.exit_code != 0
  field state: text = attrs.state.name, value: float, twice: float = value * 2.0, code: int? = attrs.exit_code
}
)");
  const plan::Event& job = EventOf(plan, "job");
  REQUIRE(job.fields.size() == 5);  // what `where` reads as an int is field `code` already
  CHECK(job.fields[0].from == plan::FieldFrom::kAttribute);
  CHECK(plan.Str(job.fields[0].source) == "state.name");
  CHECK(job.fields[1].from == plan::FieldFrom::kBuiltin);
  CHECK(job.fields[2].from == plan::FieldFrom::kExpr);
  CHECK(job.fields[3].optional);
  CHECK(job.fields[4].hidden);
  CHECK(plan.Str(job.fields[4].source) == "name");
  CHECK(Show(plan, job.where, &job, nullptr) == "and(eq(0.name, 'job_end'), ne(0.code, 0))");
}

TEST_CASE("since moves the begin by a field's duration") {
  const plan::Plan plan = PlanOf("");
  const plan::Event& step = EventOf(plan, "step");
  CHECK(Show(plan, step.since, &step, nullptr) == "sub(0.end, 0.took)");
  CHECK(step.fields[1].unit == 1'000'000);
}

TEST_CASE("a child inherits columns in place and stands after its parent") {
  TestPacks packs;
  packs.root.name = "demo";
  packs.root.rules.push_back({"pack.attr", R"(
pack site.demo 1.0.0 { requires language 1 import std.base 1 }
event child extends std.base::parent { text detail /unit (?<unit>\w+)/ field unit: text where code == 3 }
)"});
  packs.imports.push_back({"std.base",
                           {{"base.attr", R"(
pack std.base 1.0.0 { requires language 1 }
event parent from kernel { text /code (?P<code>\d+) (?P<detail>.*)/ field code: int, detail: text }
)"}},
                           {},
                           ""});
  const Compilation compilation = CompilePacks(packs);
  INFO(Messages(compilation));
  REQUIRE(compilation.plan.has_value());
  const plan::Plan& plan = *compilation.plan;
  REQUIRE(plan.events.size() == 2);
  CHECK(plan.Str(plan.events[0].name) == "std.base::parent");
  CHECK(plan.events[1].parent == 0);
  CHECK(plan.events[1].fields[1].from == plan::FieldFrom::kInherited);
  CHECK(plan.events[1].texts[0].field == plan.events[1].FieldColumn(1));
  CHECK(plan.Str(plan.events[1].texts[0].patterns[0].regex) == "unit (?P<unit>\\w+)");
  CHECK(plan.meta.imports.size() == 1);
}

TEST_CASE("carriers of the same lines stay together, sources of their own apart") {
  const plan::Plan plan = PlanOf("event a from kernel | syslog, metric \"M\" { where value > 1.0 }\n");
  const plan::Event& a = EventOf(plan, "a");
  REQUIRE(a.sources.size() == 2);
  CHECK(a.sources[0].alternatives.size() == 2);
  CHECK(plan.Str(a.sources[1].alternatives[0].metric) == "M");
}

TEST_CASE("a table is sorted by key whatever the order of its rows") {
  const plan::Plan plan = PlanOf(
      "table codes from \"codes.csv\" key name { name: text, limit: duration(s)?, big: size }\n"
      "cause r \"R\" { domain hardware when s: step where has codes[s.who] }\n",
      "\xEF\xBB\xBFname,ignored,limit,big\r\nzeta,1,5,1KiB\r\n\"al,pha\",2,,2\r\n");
  REQUIRE(plan.tables.size() == 1);
  const plan::Table& table = plan.tables[0];
  REQUIRE(table.rows == 2);
  CHECK(plan.Str(plan.constants[static_cast<size_t>(table.columns[0].cells[0])].text) == "al,pha");
  CHECK(table.columns[1].present[0] == 0);
  CHECK(table.columns[1].cells[1] == 5 * plan::kSecond);
  CHECK(table.columns[2].cells == std::vector<int64_t>{2, 1024});
}

TEST_CASE("examples are matched and their values compared by type") {
  const std::string event =
      "event e from kernel { text /took (?P<took>\\d+) (?P<on>\\w+)/ field took: duration(ms), node: node = on ";
  CHECK(Codes(CompileText(kHead + event + "example \"took 1500 n1\" { took = 1500ms, node = \"n1\" } }")).empty());
  CHECK(Codes(CompileText(kHead + event + "example \"took 1500 n1\" { took = 15s } }")) ==
        std::vector<std::string>{"A0317"});
  CHECK(Codes(CompileText(kHead + event + "example \"took n1\" }")) == std::vector<std::string>{"A0316"});
  CHECK(Codes(CompileText(kHead + event + "reject \"took 1 n1\" }")) == std::vector<std::string>{"A0318"});
}

}  // namespace
}  // namespace attr::compiler
