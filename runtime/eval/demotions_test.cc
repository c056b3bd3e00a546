// Demotion edges between findings, and limits.
#include <doctest.h>

#include "runtime/eval/test_support.h"

namespace attr::eval {
namespace {

using namespace testing;

/// Cause 0 (event a) demotes symptom 1 (event b); both per node.
struct Demoting : Scenario {
  uint32_t a, b;
  explicit Demoting(plan::DemoteOn on = plan::DemoteOn::kAny, double within = 120, double lead = 0) {
    a = Event("a");
    b = Event("b");
    p.Rule("cause", {a}).keys = {p.KeyOf("node", plan::kNode)};
    p.Rule("symptom", {b}).keys = {p.KeyOf("node", plan::kNode)};
    Demote(0, {1}, on, within, lead);
  }
  void Demote(uint32_t source, std::vector<uint32_t> targets, plan::DemoteOn on, double within, double lead) {
    plan::Demotion d;
    d.source = source;
    d.targets = std::move(targets);
    d.on = on;
    d.join.relations = {{plan::RelationKind::kDemote, within < 0 ? plan::kNoWindow : Seconds(within), Seconds(lead)}};
    const uint32_t column = on == plan::DemoteOn::kGpu ? plan::kGpu : plan::kNode;
    if (on != plan::DemoteOn::kAny) d.join.keys = {{column, column, true}};
    p.plan.demotions.push_back(d);
  }
};

TEST_CASE("an edge stands where the demoted finding begins or ends inside the window") {
  Demoting s;
  s.Add(s.a, 100, "n1", 0);
  s.Add(s.b, 220, "n2", 1);
  s.Add(s.b, 221, "n3", 2);
  s.Add(s.b, 99, "n4", 3);
  s.Add(s.b, 50, "n5", 4);
  s.Add(s.b, 150, "n5", 5);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 5);
  std::vector<std::string> demoted;
  for (const Edge& edge : out.edges) {
    CHECK(edge.from == 0);
    CHECK(edge.bits == kAllBits);
    demoted.push_back(s.Names(out.findings[edge.to].nodes)[0]);
  }
  CHECK(demoted == std::vector<std::string>{"n5", "n2"});
}

TEST_CASE("lead reaches back before the cause began") {
  for (double lead : {0.0, 5.0}) {
    Demoting s(plan::DemoteOn::kAny, 120, lead);
    s.Add(s.a, 100, "n1", 0);
    s.Add(s.b, 96, "n2", 1);
    CHECK(s.Evaluate().edges.size() == (lead == 0.0 ? 0 : 1));
  }
}

TEST_CASE("without a window any later finding is demoted and none that was reported before") {
  Demoting s(plan::DemoteOn::kAny, -1);
  s.Add(s.a, 100, "n1", 0);
  s.Add(s.b, 99, "n2", 1);
  s.Add(s.b, 1'000'000, "n3", 2);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.edges.size() == 1);
  CHECK(s.Names(out.findings[out.edges[0].to].nodes) == std::vector<std::string>{"n3"});
}

TEST_CASE("on node asks for one shared node") {
  Demoting s(plan::DemoteOn::kNode);
  s.p.plan.rules[1].keys.clear();
  s.Add(s.a, 100, "n1", 0);
  s.Add(s.a, 100, "n9", 1);
  s.Add(s.b, 110, "n1", 2);
  s.Add(s.b, 111, "n2", 3);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 3);
  REQUIRE(out.edges.size() == 1);
  CHECK(s.Names(out.findings[out.edges[0].from].nodes) == std::vector<std::string>{"n1"});
  CHECK(out.edges[0].bits == kAllBits);
}

TEST_CASE("a finding without a place shares it perhaps: the edge is presumed") {
  Demoting s(plan::DemoteOn::kNode);
  s.Add(s.a, 100, "n1", 0);
  s.Add(s.b, 110, "", 1);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.edges.size() == 1);
  CHECK(out.edges[0].bits == (kPresumedBit | kMayBit));
}

TEST_CASE("the demoted finding's own truth is no part of the edge") {
  Demoting s;
  s.p.plan.rules[1].bindings[0].where = s.p.Node(Op::kEqI, s.p.Column(0, plan::kRank), s.p.Int(1));
  s.Add(s.a, 100, "n1", 0);
  s.Add(s.b, 110, "n1", 1);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 2);
  CHECK(out.findings[1].bits == kMayBit);
  REQUIRE(out.edges.size() == 1);
  CHECK(out.edges[0].bits == kAllBits);
}

TEST_CASE("unevaluable findings have no edges") {
  Demoting s(plan::DemoteOn::kAny, -1);
  s.tables[s.a].Phantom(0, 0, 100);
  s.Add(s.b, 110, "n1", 1);
  const Evaluation out = s.Evaluate();
  CHECK(out.findings.size() == 2);
  CHECK(out.edges.empty());
}

TEST_CASE("no finding demotes itself, and edges come by demoted, demoting, clause") {
  Demoting s;
  s.p.plan.demotions.clear();
  s.Demote(1, {0, 1}, plan::DemoteOn::kAny, 120, 0);
  s.Demote(0, {1}, plan::DemoteOn::kAny, 120, 0);
  s.Demote(0, {1}, plan::DemoteOn::kAny, -1, 0);
  s.Add(s.a, 100, "n1", 0);
  s.Add(s.b, 100, "n1", 1);
  s.Add(s.b, 100, "n2", 2);
  const Evaluation out = s.Evaluate();
  std::vector<std::array<uint32_t, 3>> edges;
  for (const Edge& e : out.edges) edges.push_back({e.to, e.from, e.demotion});
  const std::vector<std::array<uint32_t, 3>> expected = {{0, 1, 0}, {0, 2, 0}, {1, 0, 1}, {1, 0, 2},
                                                         {1, 2, 0}, {2, 0, 1}, {2, 0, 2}, {2, 1, 0}};
  CHECK(edges == expected);
}

TEST_CASE("a finding whose place is open demotes on those places, undecided") {
  Demoting s(plan::DemoteOn::kNode);
  const uint32_t r = s.Event("r");
  plan::Rule& rule = s.p.plan.rules[0];
  plan::Binding binding = rule.bindings[0];
  binding.event = r;
  rule.bindings.push_back(binding);
  rule.joins.emplace_back().keys = {{plan::kNode, plan::kNode, true}};
  s.Add(s.a, 100, "n1", 0);
  s.Add(s.a, 100, "n2", 1);
  s.Add(r, 100, "", 2);
  for (const char* node : {"n1", "n2", "n3"}) s.Add(s.b, 110, node, 3);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 4);
  CHECK(out.findings[0].place_open);
  REQUIRE(out.edges.size() == 2);
  for (const Edge& edge : out.edges) CHECK(edge.bits == (kPresumedBit | kMayBit));
}

TEST_CASE("a rule over a limit has no findings and says so; others are untouched") {
  Demoting s;
  s.limits.candidate_pairs = 6;
  for (uint32_t i = 0; i < 2; ++i) s.Add(s.a, 100, Numbered("n", i), i);
  for (uint32_t i = 0; i < 3; ++i) s.Add(s.b, 110, Numbered("n", i), 10 + i);
  Evaluation out = s.Evaluate();
  CHECK(out.edges.size() == 6);
  CHECK(out.limits.empty());
  s.limits.candidate_pairs = 5;
  out = s.Evaluate();
  REQUIRE(out.limits.size() == 1);
  CHECK(out.limits[0].rule == 0);
  CHECK(out.limits[0].name == "candidate pairs");
  CHECK(out.limits[0].value == 6);
  CHECK(out.limits[0].bound == 5);
  REQUIRE(out.findings.size() == 3);
  CHECK(out.findings[0].rule == 1);
  CHECK(out.edges.empty());
}

TEST_CASE("pairs of a rule are counted before any is evaluated, inside keys and windows") {
  Scenario s;
  const uint32_t a = s.Event("a"), b = s.Event("b");
  plan::Rule& rule = s.p.Rule("rule", {a, b});
  rule.joins[0].keys = {{plan::kNode, plan::kNode, true}};
  rule.joins[0].relations = {{plan::RelationKind::kWithinOf, Seconds(10), 0}};
  s.limits.candidate_pairs = 4;
  for (uint32_t i = 0; i < 2; ++i) {
    s.Add(a, 100, "n1", i);
    s.Add(b, 105, "n1", 10 + i);
    s.Add(b, 200, "n1", 20 + i);  // outside every window
    s.Add(b, 105, "n2", 30 + i);  // another node
  }
  CHECK(s.Evaluate().limits.empty());
  s.Add(b, 106, "n1", 40);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.limits.size() == 1);
  CHECK(out.limits[0].value == 6);
  CHECK(out.findings.empty());
}

TEST_CASE("findings per rule and events per type are limits too") {
  Demoting s;
  s.limits.findings_per_rule = 2;
  s.limits.events_per_type = 3;
  for (uint32_t i = 0; i < 3; ++i) s.Add(s.a, 100, Numbered("n", i), i);
  for (uint32_t i = 0; i < 4; ++i) s.Add(s.b, 110, "n1", 10 + i);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.limits.size() == 2);
  CHECK(out.limits[0].name == "findings per rule");
  CHECK(out.limits[1].name == "events per type");
  CHECK(out.findings.empty());
}

}  // namespace
}  // namespace attr::eval
