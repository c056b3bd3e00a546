// Matching: order of steps, texts, unless, fields, conversions, extends, since.
#include <doctest.h>

#include "runtime/match/test_plan.h"

using namespace attr;
using namespace attr::match;
using namespace attr::match::testing;
using plan::FieldFrom;

TEST_CASE("an event is tried on the records of its source only") {
  TestPlan plan;
  const uint32_t e = plan.Event("xid", {"kernel"});
  plan.Text(e, {R"(Xid \((?P<pci>[0-9a-f:]+)\): (?P<code>\d+))"});
  const uint32_t code = plan.Field(e, "code", Type::kInt);
  TestSet set;
  set.Line("kernel", "n1", 10, "NVRM: Xid (0000:1b:00): 079, gone");
  set.Line("application", "n1", 11, "NVRM: Xid (0000:1b:00): 80, quoted");
  set.Line("kernel", "n2", 12, "nothing");
  Stats stats;
  const auto m = Run(plan, set, {}, &stats);
  REQUIRE(m->error.empty());
  REQUIRE(m->Rows(e) == 1);
  CHECK(m->Slot(e, code, 0) == 79);
  CHECK(m->Text(e, plan::kNode, 0) == "n1");
  CHECK(m->context.events[e].observation[0] == 0);
  CHECK(stats.observations == 3);
  CHECK(stats.matched_lines == 1);
  CHECK(stats.events == 1);
}

TEST_CASE("of alternatives the first that matches wins, whatever the literals hit") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"kernel"});
  plan.Text(e, {R"(alpha=(?P<v>\d+))", R"(beta=(?P<v>\d+))", R"((?P<v>\d+) gamma)"});
  const uint32_t v = plan.Field(e, "v", Type::kInt);
  TestSet set;
  set.Line("kernel", "n1", 1, "beta=2 alpha=1");
  set.Line("kernel", "n1", 2, "beta=2 alpha=x 3 gamma");
  set.Line("kernel", "n1", 3, "4 gamma");
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 3);
  CHECK(m->Slot(e, v, 0) == 1);
  CHECK(m->Slot(e, v, 1) == 2);
  CHECK(m->Slot(e, v, 2) == 4);
}

TEST_CASE("unless looks only at the lines that text matched") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"application"});
  plan.Text(e, {"(?:CUDA error)"});
  plan.Unless(e, "ignored");
  TestSet set;
  set.Line("application", "n1", 1, "hint: ignored\nCUDA error: x\nalso ignored");
  set.Line("application", "n1", 2, "first\nCUDA error: ignored\nlast");
  set.Line("application", "n1", 3, "CUDA error");
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 2);
  CHECK(m->context.events[e].observation == std::vector<uint32_t>{0, 2, model::kNoId});
}

TEST_CASE("optional text fills fields and never excludes") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"application"});
  plan.Text(e, {R"(Timeout (?P<ms>\d+))"});
  plan.Text(e, {R"(op=(?P<op>\w+))"}, true);
  const uint32_t ms = plan.Field(e, "ran", Type::kDuration, false, FieldFrom::kGroup, "ms", 1'000'000);
  const uint32_t op = plan.Field(e, "op", Type::kText, true);
  TestSet set;
  set.Line("application", "n1", 1, "Timeout 5 op=SEND");
  set.Line("application", "n1", 2, "Timeout 5");
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 2);
  CHECK(m->Slot(e, ms, 0) == 5'000'000);
  CHECK(m->Text(e, op, 0) == "SEND");
  CHECK_FALSE(m->Has(e, op, 1));
}

TEST_CASE("a required field that does not convert drops the event, an optional one is missing") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"application"});
  plan.Text(e, {R"(code=(?P<code>\w+) pid=(?P<pid>\S*))"});
  plan.Field(e, "code", Type::kInt);
  const uint32_t pid = plan.Field(e, "pid", Type::kInt, true);
  plan.plan.events[e].fields[0].used = false;  // nobody reads it; it must convert all the same
  TestSet set;
  set.Line("application", "n1", 1, "code=x pid=1");
  set.Line("application", "n1", 2, "code=7 pid=<unknown>");
  set.Line("application", "n1", 3, "code=99999999999999999999 pid=1");
  set.Line("application", "n1", 4, "code=8 pid=12");
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 2);
  CHECK_FALSE(m->Has(e, pid, 0));
  CHECK(m->Slot(e, pid, 1) == 12);
  CHECK(m->result.failed_conversions == 2);
  CHECK(m->result.left_missing == 1);
  REQUIRE(m->result.conversions.size() == e + 1);
  CHECK(m->result.conversions[e].failed == 2);
  CHECK(m->result.conversions[e].left_missing == 1);
  CHECK(m->context.events[e].columns[plan.plan.events[e].FieldColumn(0)].slots.empty());
}

TEST_CASE("more groups than one pass finds") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"application"});
  plan.Text(e, {R"(a=(?P<a>\d+) (?:b=(?P<b>\d+) )?c=(?P<c>\w+) d=(?P<d>\w+),.*e=(?P<e>\d+) f=(?P<f>\d+))"});
  std::vector<uint32_t> columns;
  for (const char* name : {"f", "a", "b", "c", "d", "e"})
    columns.push_back(plan.Field(e, name, name[0] == 'c' || name[0] == 'd' ? Type::kText : Type::kInt, true));
  TestSet set;
  set.Line("application", "n1", 1, "a=9 a=1 b=2 c=x d=y, z e=5 f=6 tail");
  set.Line("application", "n1", 1, "a=1 c=x d=y,e=5 f=6");
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 2);
  CHECK(m->Slot(e, columns[0], 0) == 6);
  CHECK(m->Slot(e, columns[1], 0) == 1);
  CHECK(m->Slot(e, columns[2], 0) == 2);
  CHECK(m->Text(e, columns[3], 0) == "x");
  CHECK(m->Text(e, columns[4], 0) == "y");
  CHECK(m->Slot(e, columns[5], 0) == 5);
  CHECK_FALSE(m->Has(e, columns[2], 1));
}

TEST_CASE("attributes and builtins become fields, where is two-valued") {
  TestPlan plan;
  const uint32_t e = plan.Event("job", {"scheduler"});
  const uint32_t name = plan.Field(e, "name", Type::kText, true, FieldFrom::kBuiltin);
  const uint32_t state = plan.Field(e, "state", Type::kText, false, FieldFrom::kAttribute, "job.state");
  const uint32_t code = plan.Field(e, "code", Type::kInt, true, FieldFrom::kAttribute, "exit_code");
  plan.plan.events[e].where = plan.Binary(Op::kEqI, plan.Column(name, Type::kText), plan.Constant("job_end"));
  TestSet set;
  set.Line("scheduler", "", 1, "").name = "job_end";
  set.Attribute("job.state", "FAILED");
  set.Attribute("exit_code", 9);
  set.Line("scheduler", "", 2, "").name = "job_start";
  set.Attribute("job.state", "RUNNING");
  set.Line("scheduler", "", 3, "");
  set.Attribute("job.state", "FAILED");
  set.Line("scheduler", "", 4, "").name = "job_end";
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 1);
  CHECK(m->Text(e, state, 0) == "FAILED");
  CHECK(m->Slot(e, code, 0) == 9);
  CHECK(m->result.failed_conversions == 1);
}

TEST_CASE("since moves the begin; without a value the begin is unknown and the end stays") {
  TestPlan plan;
  const uint32_t e = plan.Event("watchdog", {"application"});
  plan.Text(e, {R"(ran for (?P<ran>\d+)?)"});
  const uint32_t ran = plan.Field(e, "ran", Type::kDuration, true, FieldFrom::kGroup, "", kSecond);
  plan.plan.events[e].since =
      plan.Binary(Op::kSubI, plan.Column(plan::kEnd, Type::kTime), plan.Column(ran, Type::kDuration), Type::kTime);
  TestSet set;
  set.Line("application", "n1", 1000, "ran for 600");
  set.Line("application", "n1", 1001, "ran for ever");
  set.Line("application", "n1", 0, "ran for 3").time = {5 * kSecond, 9 * kSecond, 0};
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 3);
  CHECK(m->Slot(e, plan::kBeginLo, 0) == 400 * kSecond);
  CHECK(m->Slot(e, plan::kBeginHi, 0) == 400 * kSecond);
  CHECK(m->Slot(e, plan::kBegin, 0) == 400 * kSecond);
  CHECK(m->Slot(e, plan::kEnd, 0) == 1000 * kSecond);
  CHECK(m->Slot(e, plan::kBeginLo, 1) == plan::kBeforeAll);
  CHECK_FALSE(m->Has(e, plan::kBegin, 1));
  CHECK(m->Slot(e, plan::kEnd, 1) == 1001 * kSecond);
  CHECK_FALSE(m->Has(e, plan::kEnd, 2));
  CHECK(m->Slot(e, plan::kEndLo, 2) == 5 * kSecond);
  CHECK(m->Slot(e, plan::kEndHi, 2) == 9 * kSecond);
  CHECK(m->Slot(e, plan::kBeginHi, 2) == plan::kAfterAll);
}

TEST_CASE("extends refines the parent's rows and inherits fields and begin") {
  TestPlan plan;
  const uint32_t xid = plan.Event("xid", {"kernel"});
  plan.Text(xid, {R"(Xid: (?P<code>\d+), (?P<detail>.*))"});
  const uint32_t code = plan.Field(xid, "code", Type::kInt);
  const uint32_t detail = plan.Field(xid, "detail", Type::kText);
  plan.plan.events[xid].fields[1].used = false;  // only the child reads it
  plan.plan.events[xid].since =
      plan.Binary(Op::kSubI, plan.Column(plan::kEnd, Type::kTime), plan.Int(kSecond, Type::kDuration), Type::kTime);
  const uint32_t nvlink = plan.Event("nvlink", {}, xid);
  plan.Field(nvlink, "code", Type::kInt, false, FieldFrom::kInherited);
  plan.Field(nvlink, "detail", Type::kText, false, FieldFrom::kInherited);
  plan.Text(nvlink, {R"(Link (?P<link>\d+))"}, false, detail);
  const uint32_t link = plan.Field(nvlink, "link", Type::kInt);
  plan.plan.events[nvlink].where = plan.Binary(Op::kLeI, plan.Int(144), plan.Column(code, Type::kInt));
  TestSet set;
  set.Line("kernel", "n1", 10, "Xid: 145, NETIR Link 7");
  set.Line("kernel", "n1", 11, "Xid: 79, Link 9");
  set.Line("kernel", "n1", 12, "Xid: 146, none");
  const auto m = Run(plan, set);
  CHECK(m->Rows(xid) == 3);
  REQUIRE(m->Rows(nvlink) == 1);
  CHECK(m->Slot(nvlink, code, 0) == 145);
  CHECK(m->Slot(nvlink, link, 0) == 7);
  CHECK(m->Text(nvlink, detail, 0) == "NETIR Link 7");
  CHECK(m->Slot(nvlink, plan::kBegin, 0) == 9 * kSecond);
  CHECK(m->context.events[nvlink].observation[0] == 0);
  CHECK(m->Phantoms(nvlink) == m->Phantoms(xid));
  CHECK(m->Phantoms(xid) == 1);
}

TEST_CASE("long records are matched up to the limit and counted") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"application"});
  plan.Text(e, {"needle"});
  TestSet set;
  set.Line("application", "n1", 1, std::string(100, 'x') + "needle");
  set.Line("application", "n1", 2, "needle" + std::string(100, 'x'));
  set.Line("application", "n1", 3, std::string(49, 'x') + "\xC3\xA4");
  MatchOptions options;
  options.record_bytes = 50;
  const auto m = Run(plan, set, options);
  CHECK(m->Rows(e) == 1);
  CHECK(m->result.long_records == 3);
}

TEST_CASE("a pattern that does not compile is an error, not a silent miss") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"application"});
  plan.Text(e, {"needle("});
  TestSet set;
  set.Line("application", "n1", 1, "needle(");
  CHECK(Run(plan, set)->error == "pattern /needle(/ does not compile: missing ): needle(");
}

TEST_CASE("lookups, keys and regexes on text are derived columns") {
  TestPlan plan;
  plan::Table table;
  table.rows = 2;
  table.keys = {0};
  table.columns = {{plan.Str("code"), Type::kInt, false, {48, 79}, {1, 1}},
                   {plan.Str("name"), Type::kText, true, {0, 0}, {1, 0}}};
  plan.plan.constants.push_back({Type::kText, plan.Str("dbe")});
  plan.plan.tables.push_back(table);
  const uint32_t e = plan.Event("e", {"kernel"});
  plan.Text(e, {R"(xid=(?P<code>\d+)? (?P<what>.*))"});
  const uint32_t code = plan.Field(e, "code", Type::kInt, true);
  const uint32_t what = plan.Field(e, "what", Type::kText);
  const plan::ExprId key = plan.Column(code, Type::kInt);
  plan.plan.events[e].derived = {{plan::DerivedKind::kLookup, Type::kText, 0, 1, {key}},
                                 {plan::DerivedKind::kHasKey, Type::kBool, 0, kNone, {key}},
                                 {plan::DerivedKind::kRegex, Type::kBool, kNone, kNone, {}, what, plan.Str("^bad")}};
  TestSet set;
  for (const char* text : {"xid=48 bad", "xid=79 good", "xid=5 bad", "xid= very bad"})
    set.Line("kernel", "n1", 1, text);
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 4);
  const uint32_t name = plan.plan.events[e].DerivedColumn(0);
  CHECK(m->Text(e, name, 0) == "dbe");
  for (size_t row = 1; row < 5; ++row) CHECK_FALSE(m->Has(e, name, row));
  const std::vector<int64_t> has = {1, 1, 0, -1, -1};  // the last row is the phantom
  const std::vector<int64_t> bad = {1, 0, 1, 0, -1};
  REQUIRE(m->context.events[e].rows == 5);
  for (size_t row = 0; row < 5; ++row) {
    CHECK(m->Slot(e, name + 1, row) == has[row]);
    CHECK(m->Slot(e, name + 2, row) == bad[row]);
  }
}

TEST_CASE("where may ask a table") {
  TestPlan plan;
  plan.plan.tables.push_back({plan.Str("known"), 1, {0}, {{plan.Str("code"), Type::kInt, false, {79}, {1}}}});
  const uint32_t e = plan.Event("e", {"kernel"});
  plan.Text(e, {R"(xid=(?P<code>\d+))"});
  const uint32_t code = plan.Field(e, "code", Type::kInt);
  plan.plan.events[e].derived = {{plan::DerivedKind::kHasKey, Type::kBool, 0, kNone, {plan.Column(code, Type::kInt)}}};
  plan.plan.events[e].where =
      plan.Add({Op::kIsTrue, Type::kBool, plan.Column(plan.plan.events[e].DerivedColumn(0), Type::kBool)});
  TestSet set;
  for (const char* text : {"xid=48", "xid=79"}) set.Line("kernel", "n1", 1, text);
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 1);
  CHECK(m->Slot(e, code, 0) == 79);
}

TEST_CASE("examples give the fields that rules see") {
  TestPlan plan;
  const uint32_t xid = plan.Event("xid", {"kernel|syslog"});
  plan.Text(xid, {R"(Xid: (?P<code>\d+)(?:, pid=(?P<pid>\d+))?, (?P<ran>\d+))"});
  plan.Field(xid, "code", Type::kInt);
  plan.Field(xid, "pid", Type::kInt, true);
  plan.Field(xid, "ran", Type::kDuration, false, FieldFrom::kGroup, "", 1'000'000);
  plan.plan.events[xid].fields[0].used = false;
  const auto match = MatchText(plan.plan, xid, "Xid: 79, 1500");
  REQUIRE(match.ok());
  REQUIRE(match->size() == 1);
  CHECK((*match)[0].fields == std::vector<std::pair<std::string, std::string>>{{"code", "79"}, {"ran", "1.5s"}});
  CHECK(MatchText(plan.plan, xid, "nothing")->empty());
}
