// Rules over findings of other rules: truth, places, exports, strata, limits.
#include <doctest.h>

#include "runtime/eval/test_support.h"

namespace attr::eval {
namespace {

using testing::Scenario;

/// Rule 0 over events x, per node; rule 1 over its findings.
struct Layers {
  Scenario s;
  uint32_t x = 0, found = 0;

  explicit Layers(bool reversed = false) {
    x = s.Event("p::x", {{"n", plan::Type::kInt}});
    plan::Event event;
    event.name = s.p.Str("p::inner");
    event.origin = plan::EventOrigin::kFindings;
    event.rules = {reversed ? 1U : 0U};
    event.fields.push_back({s.p.Str("worst"), plan::Type::kInt, true, false, true, plan::FieldFrom::kRow});
    event.fields.push_back({s.p.Str("count"), plan::Type::kInt, true, false, true, plan::FieldFrom::kRow});
    s.p.plan.events.push_back(event);
    found = 1;
    s.tables.emplace_back(event.ColumnCount());
    if (reversed) Outer();
    plan::Rule& inner = s.p.Rule("p::inner", {x});
    inner.keys = {s.p.KeyOf("node", plan::kNode)};
    inner.aggregates = {{plan::AggregateKind::kMax, 0, testing::kField, plan::Type::kInt}};
    inner.exports = {{event.fields[0].name, plan::Type::kInt, {}, 0}};
    if (!reversed) Outer();
  }
  plan::Rule& Outer() {
    plan::Rule& outer = s.p.Rule("p::outer", {found});
    outer.keys = {s.p.KeyOf("node", plan::kNode)};
    return outer;
  }
  plan::Rule& outer() { return s.p.plan.rules.back(); }
  void Add(double seconds, const std::string& node, uint32_t observation, int64_t n) {
    s.Put(x, s.Add(x, seconds, node, observation), testing::kField, n);
  }
  std::vector<Finding> Of(const Evaluation& evaluation, const char* rule) const {
    std::vector<Finding> out;
    for (const Finding& finding : evaluation.findings) {
      if (s.p.plan.Str(s.p.plan.rules[finding.rule].name) == rule) out.push_back(finding);
    }
    return out;
  }
};

TEST_CASE("a bound finding has its key as node, its span, its exports and the records behind it") {
  Layers l;
  l.Add(1, "n1", 0, 5);
  l.Add(3, "n1", 1, 9);
  l.Add(7, "n2", 2, 4);
  l.outer().bindings[0].where = l.s.p.Node(plan::Op::kLtI, l.s.p.Int(4), l.s.p.Column(0, testing::kField));
  const Evaluation evaluation = l.s.Evaluate();
  const std::vector<Finding> outer = l.Of(evaluation, "p::outer");
  REQUIRE(outer.size() == 1);
  CHECK(outer[0].bits == kAllBits);
  CHECK(outer[0].begin.lo == testing::Seconds(1));
  CHECK(outer[0].end.hi == testing::Seconds(3));
  CHECK(l.s.Names(outer[0].nodes) == std::vector<std::string>{"n1"});
  const Table& rows = l.s.context.events[l.found];
  CHECK(rows.evidence[0] == std::vector<uint32_t>{0, 1});
  CHECK(rows.columns[testing::kField].slots[0] == 9);
  CHECK(rows.columns[testing::kField + 1].slots[0] == 2);
}

TEST_CASE("rules are evaluated in the order in which they need each other, findings stand in the rules' order") {
  Layers l(true);
  l.Add(1, "n1", 0, 5);
  const Evaluation evaluation = l.s.Evaluate();
  REQUIRE(evaluation.findings.size() == 2);
  CHECK(evaluation.findings[0].rule == 0);
  CHECK(l.s.p.plan.Str(l.s.p.plan.rules[0].name) == "p::outer");
  CHECK(evaluation.findings[0].bits == kAllBits);
}

TEST_CASE("a finding of phantoms alone is one phantom of those that bind it") {
  Layers l;
  l.s.context.gaps = {{0, model::kNoId, 0, testing::Seconds(9)}};
  l.s.tables[l.x].Phantom(0, 0, 9, l.s.Id("n1"));
  l.s.tables[l.x].Phantom(0, 0, 9, l.s.Id("n2"));
  const std::vector<Finding> outer = l.Of(l.s.Evaluate(), "p::outer");
  REQUIRE(outer.size() == 1);
  CHECK(outer[0].bits == kMayBit);
  CHECK_FALSE(outer[0].event_bound);
  CHECK(outer[0].gaps == std::vector<uint32_t>{0});
  CHECK(l.s.context.events[l.found].rows == 1);
}

TEST_CASE("a possible finding is bound as possible, with what it lacks") {
  Layers l;
  l.s.context.gaps = {{0, model::kNoId, 0, testing::Seconds(9)}};
  l.Add(1, "n1", 0, 5);
  l.s.tables[l.x].Phantom(0, 0, 9, l.s.Id("n1"));
  l.s.p.plan.rules[0].having = l.s.p.Add(
      {plan::Op::kCountCmp, plan::Type::kBool, 0, static_cast<uint32_t>(plan::CountCmp::kGe), plan::kNone, 2});
  const std::vector<Finding> outer = l.Of(l.s.Evaluate(), "p::outer");
  REQUIRE(outer.size() == 1);
  CHECK(outer[0].bits == kMayBit);
  CHECK(outer[0].event_bound);
  CHECK(outer[0].gaps == std::vector<uint32_t>{0});
}

TEST_CASE("without a finding of a rule over its limit is not proved") {
  Layers l;
  l.Add(1, "n1", 0, 5);
  l.Add(2, "n2", 1, 5);
  const uint32_t y = l.s.Event("p::y");
  l.s.Add(y, 1, "n1", 7);
  plan::Rule& rule = l.s.p.Rule("p::third", {y, l.found});
  rule.bindings[1].kind = plan::BindKind::kWithout;
  rule.joins[0].keys = {{plan::kNode, plan::kNode, true}};
  CHECK(l.Of(l.s.Evaluate(), "p::third").empty());
  l.s.limits.findings_per_rule = 1;
  const Evaluation limited = l.s.Evaluate();
  const std::vector<Finding> third = l.Of(limited, "p::third");
  REQUIRE(third.size() == 1);
  CHECK(third[0].bits == kMayBit);
  REQUIRE(limited.limits.size() == 1);
  CHECK(limited.limits[0].rule == 0);
}

TEST_CASE("two bindings of one rule's findings take different findings") {
  Layers l;
  plan::Rule& pair = l.s.p.Rule("p::pair", {l.found, l.found});
  pair.joins[0].different_observations = true;
  l.Add(1, "n1", 0, 5);
  CHECK(l.Of(l.s.Evaluate(), "p::pair").empty());
  l.Add(2, "n2", 1, 5);
  CHECK(l.Of(l.s.Evaluate(), "p::pair").size() == 1);
}

TEST_CASE("an outcome is bound as far as no other comes before it") {
  Scenario s;
  const uint32_t a = s.Event("p::a"), b = s.Event("p::b");
  plan::Event event;
  event.name = s.p.Str("outcome::failed");
  event.origin = plan::EventOrigin::kFindings;
  event.rules = {1};
  s.p.plan.events.push_back(event);
  s.tables.emplace_back(event.ColumnCount());
  for (const auto& [of, state] : {std::pair(a, plan::TerminalState::kPreempted), {b, plan::TerminalState::kFailed}}) {
    plan::Rule& outcome = s.p.Rule("p::outcome#" + std::to_string(of + 1), {of});
    outcome.kind = plan::RuleKind::kOutcome;
    outcome.state = state;
  }
  s.p.Rule("p::requeue", {2});
  s.Add(b, 1, "n1", 0);
  const auto bits = [&] {
    const Evaluation evaluation = s.Evaluate();
    uint8_t out = 0;
    for (const Finding& finding : evaluation.findings) out |= finding.rule == 2 ? finding.bits : 0;
    return out;
  };
  CHECK(bits() == kAllBits);
  s.context.gaps = {{0, model::kNoId, 0, testing::Seconds(9)}};
  s.tables[a].Phantom(0, 0, 9);
  CHECK(bits() == (kPresumedBit | kMayBit));
  s.tables[a] = testing::TableBuilder(plan::kSystemColumns);
  s.Add(a, 2, "n1", 1);
  CHECK(bits() == 0);
}

}  // namespace
}  // namespace attr::eval
