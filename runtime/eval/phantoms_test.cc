// Where nobody looked: phantoms in rules, gaps, folding of blind groups; and S6,
// one event without a place against many groups.
#include <doctest.h>

#include "runtime/eval/test_support.h"

namespace attr::eval {
namespace {

using namespace testing;
using Names = std::vector<std::string>;

struct OneEvent : Scenario {
  uint32_t e;
  OneEvent() {
    e = Event("e", {{"code", Type::kInt}});
    plan::Rule& rule = p.Rule("rule", {e});
    rule.bindings[0].where = p.Node(Op::kEqI, p.Column(0, kField), p.Int(79));
    rule.keys = {p.KeyOf("node", plan::kNode)};
    rule.blame = {{plan::BlameKind::kNode, {0, plan::kNode}}};
  }
};

TEST_CASE("groups that only phantoms support are one unevaluable finding with all its gaps") {
  OneEvent s;
  for (uint32_t i = 0; i < 40; ++i) s.tables[s.e].Phantom(39 - i, 0, 100, s.Id(Numbered("n", i)));
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  const Finding& f = out.findings[0];
  CHECK_FALSE(f.event_bound);
  CHECK(f.bits == kMayBit);
  CHECK(f.gaps.size() == 40);
  CHECK(f.gaps.front() == 0);
  CHECK(f.gaps.back() == 39);
  CHECK(f.keys.size() == 1);
  CHECK_FALSE(f.keys[0].present);
  CHECK(f.members[0].unbounded);
  CHECK(f.members[0].may == 0);
  CHECK(f.blamed_nodes.empty());
  CHECK(f.begin.Unknown());
}

TEST_CASE("a real finding stands beside the blind groups, and its phantoms take the upper bound of its count") {
  OneEvent s;
  s.Put(s.e, s.Add(s.e, 1, "n1", 0), kField, 79);
  s.tables[s.e].Phantom(0, 0, 100, s.Id("n1"));
  s.tables[s.e].Phantom(1, 0, 100, s.Id("n2"));
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 2);
  CHECK(out.findings[0].bits == kAllBits);
  CHECK(out.findings[0].gaps.empty());
  CHECK(out.findings[0].members[0].unbounded);
  CHECK(out.findings[0].members[0].must == 1);
  CHECK_FALSE(out.findings[1].event_bound);
  CHECK(out.findings[1].gaps == std::vector<uint32_t>{1});
}

TEST_CASE("a condition that phantoms cannot meet keeps the rule silent") {
  OneEvent s;
  s.p.plan.rules[0].bindings[0].where = s.p.Node(Op::kHas, s.p.Column(0, kField));
  s.tables[s.e].Phantom(0, 0, 100, s.Id("n1"));
  CHECK(s.Evaluate().findings.empty());
}

struct TwoEvents : Scenario {
  uint32_t a, b;
  TwoEvents() {
    a = Event("a");
    b = Event("b");
    plan::Rule& rule = p.Rule("rule", {a, b});
    rule.joins[0].keys = {{plan::kNode, plan::kNode, true}};
    rule.joins[0].relations = {{plan::RelationKind::kWithinAfter, Seconds(60), 0}};
    rule.keys = {p.KeyOf("node", plan::kNode)};
    rule.blame = {{plan::BlameKind::kNode, {0, plan::kNode}}};
  }
};

TEST_CASE("a real event with a phantom partner is possible and names the gap") {
  TwoEvents s;
  s.Add(s.a, 10, "n1", 0);
  s.tables[s.b].Phantom(4, 0, 100, s.Id("n1"));
  s.tables[s.b].Phantom(5, 0, 100, s.Id("n2"));
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  CHECK(out.findings[0].bits == kMayBit);
  CHECK(out.findings[0].event_bound);
  CHECK(out.findings[0].gaps == std::vector<uint32_t>{4});
  CHECK(s.Names(out.findings[0].nodes) == Names{"n1"});
}

TEST_CASE("a blind time outside the window cannot hold a partner") {
  TwoEvents s;
  s.Add(s.a, 10, "n1", 0);
  s.tables[s.b].Phantom(4, 71, 100, s.Id("n1"));
  CHECK(s.Evaluate().findings.empty());
}

TEST_CASE("two blind bindings are unevaluable once, on shared places only") {
  TwoEvents s;
  for (uint32_t i = 0; i < 8; ++i) {
    s.tables[s.a].Phantom(i, 0, 100, s.Id(Numbered("n", i)));
    s.tables[s.b].Phantom(100 + i, 0, 100, s.Id(Numbered("n", i + 4)));
  }
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  CHECK_FALSE(out.findings[0].event_bound);
  CHECK(out.findings[0].gaps == std::vector<uint32_t>{4, 5, 6, 7, 100, 101, 102, 103});
}

TEST_CASE("phantoms of one event are different observations") {
  Scenario s;
  const uint32_t e = s.Event("e");
  plan::Rule& rule = s.p.Rule("rule", {e, e});
  rule.joins[0].different_observations = true;
  s.tables[e].Phantom(0, 0, 100);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  CHECK_FALSE(out.findings[0].event_bound);
}

TEST_CASE("one placeless line against forty nodes is one finding that blames nobody") {
  TwoEvents s;
  for (uint32_t i = 0; i < 40; ++i) s.Add(s.a, 10, Numbered("n", i), i);
  s.Add(s.b, 20, "", 100);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  const Finding& f = out.findings[0];
  CHECK(f.place_open);
  CHECK(f.bits == (kPresumedBit | kMayBit));
  CHECK(f.blamed_nodes.empty());
  REQUIRE(f.open_places.size() == 40);
  CHECK(s.Names(f.open_places)[2] == "n2");
  CHECK(s.Names(f.open_places)[39] == "n39");
  CHECK(f.members[0].presumed == 40);
  CHECK(f.members[1].presumed == 1);
  CHECK_FALSE(f.keys[0].present);
}

TEST_CASE("the same with the keys over the placed second binding") {
  TwoEvents s;
  s.p.plan.rules[0].keys = {s.p.KeyOf("node", plan::kNode, 1)};
  s.Add(s.a, 10, "", 100);
  for (uint32_t i = 0; i < 40; ++i) s.Add(s.b, 20, Numbered("n", i), i);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  CHECK(out.findings[0].place_open);
  CHECK(out.findings[0].open_places.size() == 40);
  CHECK(out.findings[0].members[0].presumed == 1);
  CHECK(out.findings[0].members[1].presumed == 40);
}

TEST_CASE("a placeless line folds nothing when one group alone can take it, or a group stands by itself") {
  TwoEvents s;
  s.Add(s.a, 10, "n1", 0);
  s.Add(s.b, 20, "", 100);
  Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  CHECK_FALSE(out.findings[0].place_open);
  CHECK(s.Names(out.findings[0].blamed_nodes) == Names{"n1"});
  // n2 and n3 fold; n1 has a line of its own and is certain.
  s.Add(s.a, 10, "n2", 1);
  s.Add(s.a, 10, "n3", 2);
  s.Add(s.b, 30, "n1", 101);
  out = s.Evaluate();
  REQUIRE(out.findings.size() == 2);
  CHECK(out.findings[0].bits == kAllBits);
  CHECK(s.Names(out.findings[0].blamed_nodes) == Names{"n1"});
  CHECK(out.findings[1].place_open);
  CHECK(s.Names(out.findings[1].open_places) == Names{"n2", "n3"});
}

}  // namespace
}  // namespace attr::eval
