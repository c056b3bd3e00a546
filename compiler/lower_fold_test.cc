// Folded events, `open`, and conditions of events, from text to the plan.
#include "compiler/test_support.h"

namespace attr::compiler {
namespace {

const char* const kUp = "event up from kernel { text /up (?P<n>\\d+)/ field n: int }\n";

std::vector<std::string> CodesOf(const std::string& text) { return Codes(CompileText(kHead + text)); }

TEST_CASE("fields stand by when they are there, and what reads them follows") {
  const plan::Plan plan = PlanOf(R"(
event burst from metric "M" {
  over  5m per node, gpu
  where increase(value) >= 100 and severity == "high"
  where value > 0.0
  field twice: float = increase(value) * 2.0, code: int = attrs.code, port: int = code + 1
  having twice > 250.0 and count >= 2
}
)");
  const plan::Event& e = EventOf(plan, "burst");
  REQUIRE(e.fold.kind == plan::FoldKind::kWindows);
  CHECK(e.fold.span == 300 * plan::kSecond);
  CHECK(e.fold.keys == std::vector<uint32_t>{plan::kNode, plan::kGpu});
  std::vector<plan::FieldFrom> from;
  for (const plan::Field& field : e.fields) from.push_back(field.from);
  using F = plan::FieldFrom;
  // What the line has, the window's aggregate, what the folded row has.
  CHECK(from == std::vector<F>{F::kBuiltin, F::kAttribute, F::kExpr, F::kBuiltin, F::kWindow, F::kFirst, F::kLast,
                               F::kCount, F::kExpr});
  CHECK(e.fold.fields == 4);
  CHECK(Show(plan, e.fields[2].expr, &e, nullptr) == "add(0.code, 1)");
  CHECK(Show(plan, e.fields[8].expr, &e, nullptr) == "fmul(0.increase(value), float)");
  CHECK(Show(plan, e.fold.where, &e, nullptr) == "and(leif(100, 0.increase(value)), eq(0.severity, 'high'))");
  CHECK(Show(plan, e.fold.having, &e, nullptr) == "and(flt(float, 0.twice), le(2, 0.count))");
  CHECK(Show(plan, e.where, &e, nullptr) == "flt(float, 0.value)");
}

TEST_CASE("a child of a folded event has the line's fields and folds for itself") {
  const plan::Plan plan = PlanOf(std::string(kUp) + R"(
event down from kernel { text /down (?P<n>\d+)/ field n: int episode gap 3m per n closed by up same n, node }
event bad extends down { where n > 3 closed by up same n }
)");
  const plan::Event& down = EventOf(plan, "down");
  const plan::Event& bad = EventOf(plan, "bad");
  CHECK(down.fields.size() == 4);
  CHECK(down.fold.same.size() == 2);
  CHECK(down.fold.same[1].place);
  CHECK(bad.fields.size() == 1);
  CHECK(bad.fold.kind == plan::FoldKind::kLines);
}

TEST_CASE("open becomes an exception: the closing event at or after it, the same in what was said") {
  const plan::Plan plan = PlanOf(std::string(kUp) + R"(
event down from kernel { text /down (?P<n>\d+)/ field n: int closed by up same n, node }
cause a "A" { domain hardware when p: down where open(p) and p.n > 3 }
)");
  const plan::Rule& rule = RuleOf(plan, "a");
  REQUIRE(rule.bindings.size() == 2);
  CHECK(rule.bindings[1].kind == plan::BindKind::kUnless);
  CHECK(plan.Str(plan.events[rule.bindings[1].event].name) == "site.demo::up");
  REQUIRE(rule.joins.size() == 1);
  CHECK(rule.joins[0].keys.size() == 2);
  REQUIRE(rule.joins[0].relations.size() == 1);
  CHECK(rule.joins[0].relations[0].kind == plan::RelationKind::kAfter);
  CHECK(ShowWhere(plan, "a") == "lt(3, 0.n)");
}

TEST_CASE("an event's own conditions read tables, patterns and the order of texts") {
  const std::string table = "table codes from \"codes.csv\" key code { code: int, level: text?, limit: int? }\n";
  const plan::Plan plan = PlanOf(table + R"(
event e from kernel {
  text  /(?P<code>\d+) (?P<who>\w+)/
  field code: int, who: text, level: text? = codes[code].level
  where level ~ /^f/ and who not ~ /x/ and who < "m"
  where codes[code].limit > 3 and has codes[code]
  since time - 1s
}
)",
                                 "code,level,limit\n1,fatal,4\n2,,\n");
  const plan::Event& e = EventOf(plan, "e");
  CHECK(e.derived.size() == 6);  // level, starts with f, x, before m, limit, has
  CHECK(e.fields[2].from == plan::FieldFrom::kExpr);
}

TEST_CASE("what folding and scopes refuse") {
  CHECK(CodesOf("event a from kernel { text /a/ scope time 1s .. 2s }\n") == std::vector<std::string>{"A0420"});
  CHECK(CodesOf("event a from kernel { text /a/ scope time -1s .. 2s scope nodes any }\n").empty());
  CHECK(CodesOf("event a from kernel { text /a/ field count: int = attrs.n episode gap 1s }\n") ==
        std::vector<std::string>{"A0206"});
  CHECK(CodesOf("event a extends xid { field count: int = code }\nevent b extends a { episode gap 1s }\n") ==
        std::vector<std::string>{"A0314"});
  CHECK(CodesOf("event a from kernel { text /a/ episode gap 1s per nobody }\n") == std::vector<std::string>{"A0213"});
  CHECK(CodesOf("event a from kernel { text /a/ closed by a }\n") == std::vector<std::string>{"A0315"});
  CHECK(CodesOf("event a from kernel { text /a/ closed by step same node, code }\n").size() == 2);
  CHECK(CodesOf("event a from metric \"M\" { over 1 per node where max(value) > 1.0 }\n") ==
        std::vector<std::string>{"A0418"});
  CHECK(CodesOf("event a from metric \"M\" { over 1s per node where max(severity) > 1.0 }\n") ==
        std::vector<std::string>{"A0301"});
  CHECK(CodesOf("event a from metric \"M\" { over 1s per node where peers(value) > 1.0 }\n") ==
        std::vector<std::string>{"A0301"});
}

}  // namespace
}  // namespace attr::compiler
