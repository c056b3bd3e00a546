// Place, clocks, scope, carriers, threads.
#include <doctest.h>

#include <algorithm>

#include "runtime/match/test_plan.h"

using namespace attr;
using namespace attr::match;
using namespace attr::match::testing;
using plan::FieldFrom;

TEST_CASE("a field named node, rank or gpu replaces the observation's, through the inventory") {
  TestPlan plan;
  const uint32_t e = plan.Event("down", {"scheduler"});
  plan.Text(e, {R"(Nodes (?P<node>[\w.-]+)? gpu (?P<gpu>\S+) not responding)"});
  plan.Field(e, "node", Type::kNode, true);
  const uint32_t gpu = plan.Field(e, "gpu", Type::kGpu);
  const uint32_t r = plan.Event("rank", {"application"});
  plan.Text(r, {R"(\[Rank (?P<rank>\d+)\])"});
  plan.Field(r, "rank", Type::kRank);
  TestSet set;
  auto& node = set.Node("gpu-09", {8, 9}, {"10.0.0.9"});
  node.gpus.emplace_back(set.set.names.Intern("GPU-uuid"), std::vector<std::string>{"0", "0000:1b:00.0"});
  set.Node("gpu-01", {0, 1});
  set.Index();
  set.Line("scheduler", "gpu-01", 1, "Nodes gpu-09.cluster.local gpu PCI:0000:1B:00 not responding");
  set.Line("scheduler", "gpu-01", 2, "Nodes  gpu 7 not responding");
  set.Line("application", "gpu-01", 3, "[Rank 9] timeout");
  set.Line("application", "", 4, "[Rank 77] timeout");
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 2);
  CHECK(m->Text(e, plan::kNode, 0) == "gpu-09");
  CHECK(m->Text(e, plan::kObserver, 0) == "gpu-01");
  CHECK(m->Text(e, gpu, 0) == "GPU-uuid");
  CHECK(m->Text(e, plan::kGpu, 0) == "GPU-uuid");
  CHECK(m->Text(e, plan::kNode, 1) == "gpu-01");
  CHECK(m->Text(e, plan::kGpu, 1) == "7");
  REQUIRE(m->Rows(r) == 2);
  CHECK(m->Text(r, plan::kNode, 0) == "gpu-09");
  CHECK(m->Slot(r, plan::kRank, 0) == 9);
  CHECK_FALSE(m->Has(r, plan::kNode, 1));
  CHECK(m->Slot(r, plan::kRank, 1) == 77);
}

TEST_CASE("node constants are normalized, and in an attempt of one node a missing node is that node") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"application"});
  plan.plan.events[e].where =
      plan.Binary(Op::kEqI, plan.Column(plan::kNode, Type::kNode), plan.Constant("10.0.0.1", Type::kNode));
  TestSet set;
  set.Node("n1", {0}, {"10.0.0.1"});
  set.Index();
  set.Line("application", "", 1, "x");
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 1);
  CHECK(m->Text(e, plan::kNode, 0) == "n1");
}

TEST_CASE("clocks go by observer, skew by the set, the clock's name, the pack") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"application", "scheduler"});
  plan.plan.meta.skews = {{plan.Str("dmesg_wall"), 300 * kSecond}, {0, 7 * kSecond}};
  TestSet set;
  set.set.clocks = {{"utc", true}, {"dmesg_wall", true}, {"uptime:n1", false}};
  set.Line("application", "n1", 1, "");
  set.Line("application", "n2", 2, "");
  set.Line("application", "n1", 3, "").clock = 1;
  set.Line("application", "n1", 4, "").clock = 2;
  set.Line("application", "", 5, "");
  set.Line("scheduler", "", 6, "");
  set.Line("scheduler", "", 7, "");
  auto m = Run(plan, set);
  REQUIRE(m->Rows(e) == 7);
  std::vector<int64_t> clocks;
  for (size_t row = 0; row < 7; ++row) clocks.push_back(m->Slot(e, plan::kClock, row));
  CHECK(clocks[5] == clocks[6]);
  clocks.pop_back();
  std::sort(clocks.begin(), clocks.end());
  CHECK(std::unique(clocks.begin(), clocks.end()) == clocks.end());
  CHECK(m->Slot(e, plan::kSkew, 0) == 7 * kSecond);
  CHECK(m->Slot(e, plan::kSkew, 2) == 300 * kSecond);
  CHECK(m->Slot(e, plan::kTie, 0) == 0);
  CHECK(m->Slot(e, plan::kTie, 3) != 0);
  CHECK(m->context.default_skew == 7 * kSecond);
  set.set.skew = kSecond;
  m = Run(plan, set);
  CHECK(m->Slot(e, plan::kSkew, 2) == kSecond);
}

TEST_CASE("what is known to lie outside the attempt takes no part and is counted") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"application", "history"});
  plan.plan.meta.grace = 10 * kSecond;
  TestSet set;
  set.set.attempt.id = "a1";
  set.Window(100, 200);
  set.Node("n1");
  set.Node("n2");
  set.Line("application", "n1", 90, "in: within grace");
  set.Line("application", "n1", 89, "before");
  set.Line("application", "n1", 210, "in");
  set.Line("application", "n1", 211, "after");
  set.Line("application", "n9", 150, "other node");
  set.Line("application", "", 150, "in: no node");
  set.Line("application", "n1", 0, "in: no time").time = {};
  set.Line("application", "n1", 0, "in: maybe").time = {0, 90 * kSecond, 0};
  set.Line("history", "n1", 5, "in: history");
  set.Line("application", "n1", 150, "other attempt").attempt = set.set.names.Intern("a0");
  set.Line("application", "n1", 150, "in: own").attempt = set.set.names.Intern("a1");
  const auto m = Run(plan, set);
  CHECK(m->Rows(e) == 7);
  CHECK(m->result.scope.in == 7);
  CHECK(m->result.scope.before == 1);
  CHECK(m->result.scope.after == 1);
  CHECK(m->result.scope.other_node == 1);
  CHECK(m->result.scope.other_attempt == 1);
}

TEST_CASE("carriers of the same lines count a line once per observer") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"kernel|syslog"});
  TestSet set;
  set.Line("kernel", "n1", 10, "k");
  set.Line("kernel", "n1", 50, "k");
  set.Line("syslog", "n1", 10, "s: the same line");
  set.Line("syslog", "n1", 99, "s: after the kernel log ended");
  set.Line("syslog", "n2", 10, "s: nothing else there");
  auto m = Run(plan, set);
  CHECK(m->context.events[e].observation == std::vector<uint32_t>{0, 1, 3, 4, model::kNoId});
  set.Cover("kernel", model::CoverageStatus::kOk, "n1").from = 0;
  m = Run(plan, set);  // the kernel log is covered to the end: 99 is a repetition
  CHECK(m->Rows(e) == 3);
}

TEST_CASE("metrics are told apart by name") {
  TestPlan plan;
  const uint32_t util = plan.Event("util", {"metric:UTIL"});
  const uint32_t any = plan.Event("any", {"metric"});
  const uint32_t either = plan.Event("either", {"metric:TEMP|metric:UTIL"});
  const uint32_t value = plan.Field(util, "value", Type::kFloat, false, FieldFrom::kBuiltin);
  TestSet set;
  auto& sample = set.Line("metric", "n1", 1, "");
  sample.name = "UTIL";
  sample.value = 0.5;
  sample.has_value = true;
  set.Line("metric", "n1", 2, "").name = "OTHER";
  set.Line("metric", "n1", 3, "").name = "UTIL";
  const auto m = Run(plan, set);
  REQUIRE(m->Rows(util) == 1);  // a sample without value has no required value
  CHECK(m->Has(util, value, 0));
  CHECK(m->Rows(any) == 3);
  CHECK(m->Rows(either) == 2);
}

TEST_CASE("rows stand in observation order and threads change nothing") {
  TestPlan plan;
  const uint32_t e = plan.Event("e", {"kernel", "application"});
  plan.Text(e, {R"(id=(?P<id>\d+) (?P<what>\w+))"});
  const uint32_t id = plan.Field(e, "id", Type::kInt);
  const uint32_t what = plan.Field(e, "what", Type::kText, true);
  const uint32_t node = plan.Field(e, "on", Type::kNode, false, FieldFrom::kGroup, "what");
  TestSet set;
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    if (i % 3 == 0) {
      text = "noise";
    } else {
      text = "id=" + std::to_string(i) + " w" + std::to_string(i % 977);
    }
    set.Line(i % 2 == 0 ? "kernel" : "application", i % 5 == 0 ? "n1" : "n2", i, text);
  }
  const auto one = Run(plan, set);
  MatchOptions options;
  options.threads = 2;
  const auto two = Run(plan, set, options);
  const size_t rows = one->Rows(e);
  CHECK(rows == 66'666);
  REQUIRE(two->Rows(e) == rows);
  CHECK(one->context.events[e].observation == two->context.events[e].observation);
  CHECK(std::is_sorted(one->context.events[e].observation.begin(), one->context.events[e].observation.end()));
  CHECK(one->context.events[e].columns[id].slots == two->context.events[e].columns[id].slots);
  size_t differences = 0;
  for (size_t row = 0; row < rows; ++row) {
    differences += one->Text(e, what, row) != two->Text(e, what, row) ? 1 : 0;
    differences += one->Text(e, node, row) != two->Text(e, node, row) ? 1 : 0;
  }
  CHECK(differences == 0);
}
