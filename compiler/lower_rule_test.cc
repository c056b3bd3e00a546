// Rules, joins, demotions and order from text to the plan.
#include "compiler/test_support.h"

namespace attr::compiler {
namespace {

TEST_CASE("a pack of one event, one cause and one demotion compiles end to end") {
  const plan::Plan plan = PlanOf(R"(
/// Lost.
cause gpu_lost "GPU lost" {
  domain  hardware.gpu
  when    x: xid where x.code == 79
  per     node, gpu
  blame   node x.node, gpu x.gpu
  demote  tag slow within 2m because "it waits"
  advise  drain, reset_gpu
  explain "Xid {x.code} on {node}: {count} {{once}}"
}
symptom slow_step { tags slow when s: step per s.who suggests hardware, fabric }
)");
  const plan::Rule& lost = RuleOf(plan, "gpu_lost");
  CHECK(plan.Str(lost.title) == "GPU lost");
  CHECK(plan.Str(lost.doc) == "Lost.");
  CHECK(lost.location.line == 18);
  REQUIRE(lost.keys.size() == 2);
  CHECK(plan.Str(lost.keys[1].name) == "gpu");
  CHECK(lost.keys[1].column == plan::ColumnRef{0, plan::kGpu});
  CHECK(lost.blame[0].column == plan::ColumnRef{0, plan::kNode});
  REQUIRE(lost.explain.size() == 7);
  CHECK(lost.explain[1].kind == plan::SegmentKind::kColumn);
  CHECK(lost.explain[3].column == plan::ColumnRef{0, plan::kNode});
  CHECK(plan.Str(lost.explain[6].text) == " {once}");
  const plan::Rule& slow = RuleOf(plan, "slow_step");
  CHECK(plan.Str(slow.title) == "slow_step");
  CHECK(plan.Str(slow.keys[0].name) == "who");
  CHECK(slow.suggests.size() == 2);
  REQUIRE(plan.demotions.size() == 1);
  CHECK(plan.rules[plan.demotions[0].targets.at(0)].name == slow.name);
  CHECK(plan.Str(plan.demotions[0].target_text) == "tag slow");
  CHECK(plan.demotions[0].join.relations[0].distance == 120 * plan::kSecond);
  CHECK(plan.Str(plan.demotions[0].because) == "it waits");
}

TEST_CASE("only what somebody reads is stored") {
  const plan::Plan plan = PlanOf("cause r \"R\" { domain hardware when x: xid where x.code == 79 }");
  const plan::Event& xid = EventOf(plan, "xid");
  CHECK_FALSE(xid.fields[0].used);
  CHECK(xid.fields[1].used);
  CHECK_FALSE(xid.fields[2].used);
}

TEST_CASE("conjuncts go to the scan, the keys or the residual") {
  const plan::Plan plan = PlanOf(R"(
cause r "R" {
  domain hardware
  when x: xid where x.code == 79
  and  s: step within 30s after x where s.node == x.node and s.n == x.code and s.n > 5 and s.n + 1 < x.code
       and not (s.who == "a" or s.rank == x.rank)
}
)");
  const plan::Rule& rule = RuleOf(plan, "r");
  REQUIRE(rule.joins.size() == 1);
  const plan::Join& join = rule.joins[0];
  REQUIRE(join.keys.size() == 2);
  CHECK(join.keys[0].left == plan::kNode);
  CHECK(join.keys[0].place);
  CHECK_FALSE(join.keys[1].place);
  CHECK(join.relations[0].kind == plan::RelationKind::kWithinAfter);
  CHECK(join.relations[0].distance == 30 * plan::kSecond);
  CHECK_FALSE(join.different_observations);
  CHECK(ShowWhere(plan, "r", 1) == "and(lt(5, 0.n), ne(0.who, 'a'))");
  CHECK(ShowResidual(plan, "r") == "and(lt(add(1.n, 1), 0.code), placene(1.rank, 0.rank))");
}

TEST_CASE("places inside an or are compared in the residual, undecided when missing") {
  const plan::Plan plan = PlanOf(R"(
cause r "R" { domain hardware when x: xid and y: step where same node(x, y) or y.n == 1 }
cause s "S" { domain hardware when x: xid and y: step where same node(x, y) }
)");
  CHECK(ShowResidual(plan, "r") == "or(placeeq(0.node, 1.node), eq(1.n, 1))");
  CHECK(RuleOf(plan, "s").joins[0].keys.at(0).place);
}

TEST_CASE("bindings of one event or of related ones take different observations") {
  const plan::Plan plan = PlanOf(R"(
event xid_149 extends xid { where code == 149 }
cause a "A" { domain hardware when x: xid and y: xid within 1s of x }
cause b "B" { domain hardware when x: xid and y: xid_149 within 1s of x }
cause c "C" { domain hardware when x: xid and y: step within 1s of x }
)");
  CHECK(RuleOf(plan, "a").joins[0].different_observations);
  CHECK(RuleOf(plan, "b").joins[0].different_observations);
  CHECK_FALSE(RuleOf(plan, "c").joins[0].different_observations);
}

TEST_CASE("per defaults to the node and may be the attempt or expressions of one binding") {
  const plan::Plan plan = PlanOf(R"(
cause a "A" { domain hardware when x: xid }
cause b "B" { domain hardware when x: xid per attempt }
cause c "C" { domain hardware when x: xid per x.code / 10, x.code }
)");
  CHECK(plan.Str(RuleOf(plan, "a").keys.at(0).name) == "node");
  CHECK(RuleOf(plan, "b").keys.empty());
  const plan::Rule& c = RuleOf(plan, "c");
  CHECK(plan.Str(c.keys.at(0).name) == "key");
  CHECK(c.keys[0].column.column == EventOf(plan, "xid").DerivedColumn(0));
}

TEST_CASE("having compares counts and nothing is lost when it is negated") {
  const plan::Plan plan =
      PlanOf("cause r \"R\" { domain hardware when x: xid having not (count(x) < 3 or 5 < count(x)) }\n");
  CHECK(Show(plan, RuleOf(plan, "r").having, nullptr, nullptr) == "and(count(0)5:3, count(0)3:5)");
  const plan::Plan range =
      PlanOf("cause r \"R\" { domain hardware when x: xid having not count(x) in 2..5 or count(x) in {7} }\n");
  CHECK(Show(range, RuleOf(range, "r").having, nullptr, nullptr) == "or(or(count(0)2:2, count(0)4:5), count(0)0:7)");
}

TEST_CASE("demotion by name needs a place for a cause and none for a symptom") {
  const plan::Plan plan = PlanOf(R"(
cause a "A" { domain hardware when x: xid demote b on node within 1m lead 5s demote c }
cause b "B" { domain hardware when x: xid }
symptom c "C" { when x: xid }
demote c by b on attempt
)");
  REQUIRE(plan.demotions.size() == 3);
  CHECK(plan.demotions[0].on == plan::DemoteOn::kNode);
  CHECK(plan.demotions[0].join.keys.at(0).left == plan::kNode);
  CHECK(plan.demotions[0].join.relations[0].lead == 5 * plan::kSecond);
  CHECK(plan.demotions[2].on == plan::DemoteOn::kAny);
  CHECK(plan.demotions[2].join.relations[0].distance == plan::kNoWindow);
}

TEST_CASE("a tag selects symptoms only, and never its own rule") {
  const plan::Plan plan = PlanOf(R"(
cause a "A" { domain hardware tags net when x: xid }
symptom b "B" { tags net when x: xid demote tag net }
symptom c "C" { tags net when x: xid }
)");
  REQUIRE(plan.demotions.size() == 1);
  REQUIRE(plan.demotions[0].targets.size() == 1);
  CHECK(plan.Str(plan.rules[plan.demotions[0].targets[0]].name) == "site.demo::c");
}

TEST_CASE("chains of precedence become pairs of rules, tags, domains and the star") {
  const plan::Plan plan = PlanOf(R"(
cause a "A" { domain hardware tags hard when x: xid }
cause b "B" { domain fabric tags soft when x: xid }
precedence {
  a > b
  tag hard > tag soft
  hardware.gpu > fabric.nvlink
  hardware > fabric
  * > tag soft
}
)");
  REQUIRE(plan.order.size() == 5);
  CHECK(plan.order[0].above.kind == plan::SideKind::kRule);
  CHECK(plan.order[1].above.kind == plan::SideKind::kTag);
  CHECK(plan.order[2].above.kind == plan::SideKind::kDomain);
  CHECK(plan.order[3].above.kind == plan::SideKind::kDomain);
  CHECK(plan.order[4].above.kind == plan::SideKind::kAll);
  CHECK(plan.Str(plan.order[4].text) == "* > tag soft");
}

TEST_CASE("outcomes stand first and in their order") {
  const plan::Plan plan = PlanOf(R"(
cause a "A" { domain hardware when x: xid }
outcome timed_out when s: step where s.n == 1
outcome failed when s: step
)");
  REQUIRE(plan.rules.size() == 3);
  CHECK(plan.Str(plan.rules[0].name) == "site.demo::outcome#1");
  CHECK(plan.rules[0].state == plan::TerminalState::kTimedOut);
  CHECK(plan.rules[1].state == plan::TerminalState::kFailed);
  CHECK(plan.rules[2].kind == plan::RuleKind::kCause);
}

}  // namespace
}  // namespace attr::compiler
