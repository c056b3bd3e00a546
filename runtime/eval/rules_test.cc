// Rules of one and two bindings: groups, members, bits, blame, having.
#include <doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "runtime/eval/test_support.h"

namespace attr::eval {
namespace {

using namespace testing;
using Names = std::vector<std::string>;

/// p and r, joined within `seconds` after p on the same node, per p.node.
struct Pair : Scenario {
  uint32_t p_event, r_event;
  explicit Pair(double seconds = 60, bool same_node = true) {
    p_event = Event("p", {{"v", Type::kInt}});
    r_event = Event("r", {{"v", Type::kInt}});
    plan::Rule& rule = p.Rule("rule", {p_event, r_event});
    rule.joins[0].relations = {{plan::RelationKind::kWithinAfter, Seconds(seconds), 0}};
    if (same_node) rule.joins[0].keys = {{plan::kNode, plan::kNode, true}};
    rule.keys = {p.KeyOf("node", plan::kNode)};
    rule.blame = {{plan::BlameKind::kNode, {0, plan::kNode}}};
  }
  plan::Rule& rule() { return p.plan.rules[0]; }
};

TEST_CASE("one binding: a finding per key with counts, span, places and blame") {
  Scenario s;
  const uint32_t e = s.Event("e", {{"code", Type::kInt}});
  plan::Rule& rule = s.p.Rule("rule", {e});
  const plan::ExprId code = s.p.Column(0, kField);
  rule.bindings[0].where = s.p.Node(Op::kEqI, code, s.p.Int(79));
  rule.keys = {s.p.KeyOf("node", plan::kNode)};
  rule.blame = {{plan::BlameKind::kNode, {0, plan::kNode}}};
  for (int i = 0; i < 12; ++i) s.Put(e, s.Add(e, 10 + i, "n10", i), kField, 79);
  s.Put(e, s.Add(e, 5, "n2", 20), kField, 79);
  s.Put(e, s.Add(e, 1, "n3", 21), kField, 80);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 2);
  const Finding& first = out.findings[0];
  CHECK(first.bits == kAllBits);
  CHECK(first.event_bound);
  CHECK(s.Names(first.blamed_nodes) == Names{"n2"});
  CHECK(s.context.dictionary.Text(static_cast<uint32_t>(first.keys[0].slot)) == "n2");
  const Finding& second = out.findings[1];
  CHECK(s.Names(second.nodes) == Names{"n10"});
  CHECK(second.members[0].must == 12);
  CHECK(second.members[0].rows == std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 11});
  CHECK(second.begin.lo == Seconds(10));
  CHECK(second.end.hi == Seconds(21));
}

TEST_CASE("large groups, summarized together, are what their members say") {
  struct Wanted {
    int64_t begin = INT64_MAX, end = INT64_MIN;
    std::set<int64_t> ranks;
    uint64_t presumed = 0, may = 0;
  };
  Scenario s;
  const uint32_t e = s.Event("e", {{"code", Type::kInt}});
  plan::Rule& rule = s.p.Rule("rule", {e});
  rule.bindings[0].where = s.p.Node(Op::kEqI, s.p.Column(0, kField), s.p.Int(79));
  rule.keys = {s.p.KeyOf("node", plan::kNode)};
  Random random;
  std::map<std::string, Wanted> expected;
  for (uint32_t i = 0; i < 6000; ++i) {
    // On n1 all are sure, on n2 some are only possible and do not count, on n3 nothing is more than possible.
    const std::string node = "n" + std::to_string(1 + random.Below(3));
    const auto seconds = static_cast<double>(random.Below(100000));
    const auto rank = static_cast<int64_t>(random.Below(node == "n2" ? 4 : 30));
    const bool known = node == "n1" || (node == "n2" && random.Below(2) == 0);
    const bool other = random.Below(8) == 0;  // another code: no member
    const size_t row = s.Add(e, seconds, node, i);
    s.Put(e, row, plan::kRank, rank);
    s.Put(e, row, plan::kClock, node == "n1" ? 5 : rank);
    if (known || other) s.Put(e, row, kField, other ? 80 : 79);
    if (other) continue;
    Wanted& group = expected[node];
    ++group.may;
    group.presumed += known ? 1 : 0;
    if (!known && node == "n2") continue;
    group.begin = std::min(group.begin, Seconds(seconds));
    group.end = std::max(group.end, Seconds(seconds));
    group.ranks.insert(rank);
  }
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 3);
  for (const Finding& finding : out.findings) {
    const std::string node(s.context.dictionary.Text(static_cast<uint32_t>(finding.keys[0].slot)));
    CAPTURE(node);
    const Wanted& group = expected.at(node);
    CHECK(finding.begin.lo == group.begin);
    CHECK(finding.end.hi == group.end);
    CHECK(finding.ranks == std::vector<int64_t>(group.ranks.begin(), group.ranks.end()));
    CHECK(s.Names(finding.nodes) == Names{node});
    CHECK(finding.members[0].presumed == group.presumed);
    CHECK(finding.members[0].may == group.may);
    CHECK((finding.clock == 5) == (node == "n1"));
  }
}

TEST_CASE("a condition on a missing field makes a possible finding, a missing key blames nobody") {
  Scenario s;
  const uint32_t e = s.Event("e", {{"code", Type::kInt}});
  plan::Rule& rule = s.p.Rule("rule", {e});
  rule.bindings[0].where = s.p.Node(Op::kEqI, s.p.Column(0, kField), s.p.Int(79));
  rule.keys = {s.p.KeyOf("node", plan::kNode)};
  rule.blame = {{plan::BlameKind::kNode, {0, plan::kNode}}};
  s.Add(e, 1, "n1", 0);
  s.Put(e, s.Add(e, 2, "", 1), kField, 79);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 2);
  CHECK(out.findings[0].bits == kMayBit);
  CHECK(out.findings[0].event_bound);
  CHECK(out.findings[0].members[0].presumed == 0);
  CHECK(out.findings[0].members[0].may == 1);
  CHECK(out.findings[0].members[0].rows == std::vector<uint32_t>{0});
  CHECK(out.findings[1].bits == kAllBits);
  CHECK_FALSE(out.findings[1].keys[0].present);
  CHECK(out.findings[1].blamed_nodes.empty());
}

TEST_CASE("a rule without keys is one group") {
  Scenario s;
  const uint32_t e = s.Event("e");
  s.p.Rule("rule", {e});
  s.Add(e, 1, "n1", 0);
  s.Add(e, 2, "n2", 1);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  CHECK(s.Names(out.findings[0].nodes) == Names{"n1", "n2"});
}

TEST_CASE("members are distinct events: two tuples with one event count once") {
  Pair s;
  s.Add(s.p_event, 0, "n1", 0);
  s.Add(s.p_event, 10, "n1", 1);
  s.Add(s.r_event, 20, "n1", 2);
  Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  CHECK(out.findings[0].members[0].must == 2);
  CHECK(out.findings[0].members[1].must == 1);
  s.rule().having =
      s.p.Add({Op::kCountCmp, Type::kBool, 1, static_cast<uint32_t>(plan::CountCmp::kGe), plan::kNone, 2});
  CHECK(s.Evaluate().findings.empty());
}

TEST_CASE("bindings of one event take different observations") {
  Scenario s;
  const uint32_t e = s.Event("e");
  plan::Rule& rule = s.p.Rule("rule", {e, e});
  rule.joins[0].relations = {{plan::RelationKind::kWithinAfter, Seconds(60), 0}};
  rule.joins[0].different_observations = true;
  s.Add(e, 0, "n1", 7);
  CHECK(s.Evaluate().findings.empty());
  s.Add(e, 10, "n1", 8);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  CHECK(out.findings[0].members[0].rows == std::vector<uint32_t>{0});
  CHECK(out.findings[0].members[1].rows == std::vector<uint32_t>{1});
}

TEST_CASE("only pairs on one node and inside the window satisfy") {
  Pair s;
  s.Add(s.p_event, 0, "n1", 0);
  s.Add(s.p_event, 0, "n2", 1);
  s.Add(s.r_event, 60, "n1", 2);
  s.Add(s.r_event, 61, "n1", 3);
  s.Add(s.r_event, 30, "n3", 4);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  CHECK(out.findings[0].bits == kAllBits);
  CHECK(out.findings[0].members[1].rows == std::vector<uint32_t>{0});
  CHECK(s.Names(out.findings[0].nodes) == Names{"n1"});
}

TEST_CASE("keys over the second binding give the same findings as over the first") {
  for (int side = 0; side < 2; ++side) {
    Pair s;
    s.rule().keys = {s.p.KeyOf("node", plan::kNode, side)};
    s.rule().blame = {{plan::BlameKind::kNode, {static_cast<uint32_t>(side), plan::kNode}}};
    for (uint32_t i = 0; i < 6; ++i) {
      s.Add(s.p_event, i, Numbered("n", i % 3), i);
      s.Add(s.r_event, 10 + i, Numbered("n", i % 2), 10 + i);
    }
    const Evaluation out = s.Evaluate();
    REQUIRE(out.findings.size() == 2);
    for (const Finding& f : out.findings) {
      CHECK(f.bits == kAllBits);
      CHECK(f.members[0].must == 2);
      CHECK(f.members[1].must == 3);
    }
    CHECK(s.Names(out.findings[0].blamed_nodes) == Names{"n0"});
    CHECK(out.findings[0].members[1].rows == std::vector<uint32_t>{0, 2, 4});
  }
}

TEST_CASE("a missing field key may agree with anything, a missing place leaves it undecided") {
  for (bool place : {false, true}) {
    Pair s;
    s.rule().joins[0].keys = {{kField, kField, place}};
    s.Put(s.p_event, s.Add(s.p_event, 0, "n1", 0), kField, 5);
    s.Add(s.r_event, 1, "n1", 1);
    const uint8_t expected = place ? kPresumedBit | kMayBit : kMayBit;
    Evaluation out = s.Evaluate();
    REQUIRE(out.findings.size() == 1);
    CHECK(out.findings[0].bits == expected);
    // And the other way round: the left row lacks it.
    Pair t;
    t.rule().joins[0].keys = {{kField, kField, place}};
    t.Add(t.p_event, 0, "n1", 0);
    t.Put(t.r_event, t.Add(t.r_event, 1, "n1", 1), kField, 5);
    out = t.Evaluate();
    REQUIRE(out.findings.size() == 1);
    CHECK(out.findings[0].bits == expected);
  }
}

TEST_CASE("a range or an untied clock leaves a finding presumed") {
  Pair s;
  s.Add(s.p_event, 0, "n1", 0);
  s.Put(s.r_event, s.tables[s.r_event].Between(50, 70, 1), plan::kNode, s.Id("n1"));
  Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  CHECK(out.findings[0].bits == (kPresumedBit | kMayBit));
  Pair t;
  t.Add(t.p_event, 0, "n1", 0);
  const size_t row = t.Add(t.r_event, 100'000, "n1", 1);
  t.tables[t.r_event].table.columns[plan::kTie].slots[row] = 3;
  out = t.Evaluate();
  REQUIRE(out.findings.size() == 1);
  CHECK(out.findings[0].bits == (kPresumedBit | kMayBit));
  CHECK(out.findings[0].tie < 0);
}

TEST_CASE("a residual over both bindings decides pair by pair") {
  Pair s;
  s.rule().joins[0].residual = s.p.Node(Op::kLtI, s.p.Column(0, kField), s.p.Column(1, kField));
  s.Put(s.p_event, s.Add(s.p_event, 0, "n1", 0), kField, 5);
  for (int i = 0; i < 3; ++i) s.Put(s.r_event, s.Add(s.r_event, i, "n1", 1 + i), kField, 4 + i);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  CHECK(out.findings[0].members[1].rows == std::vector<uint32_t>{2});
}

TEST_CASE("having is decided by the bounds of the three counts") {
  // One certain event and one whose condition is unknown: lo 1, presumed 1, hi 2.
  const auto bits = [](plan::CountCmp compare, int64_t bound, bool phantom) -> int {
    Scenario s;
    const uint32_t e = s.Event("e", {{"code", Type::kInt}});
    plan::Rule& rule = s.p.Rule("rule", {e});
    rule.bindings[0].where = s.p.Node(Op::kEqI, s.p.Column(0, kField), s.p.Int(79));
    rule.having = s.p.Add({Op::kCountCmp, Type::kBool, 0, static_cast<uint32_t>(compare), plan::kNone, bound});
    s.Put(e, s.Add(e, 1, "n1", 0), kField, 79);
    s.Add(e, 2, "n1", 1);
    if (phantom) s.tables[e].Phantom(0, 0, 100);
    const Evaluation out = s.Evaluate();
    return out.findings.empty() ? 0 : out.findings[0].bits;
  };
  using plan::CountCmp;
  CHECK(bits(CountCmp::kGe, 1, false) == kAllBits);
  CHECK(bits(CountCmp::kGe, 2, false) == kMayBit);
  CHECK(bits(CountCmp::kGe, 3, false) == 0);
  CHECK(bits(CountCmp::kGe, 3, true) == kMayBit);
  CHECK(bits(CountCmp::kLe, 2, false) == kAllBits);
  CHECK(bits(CountCmp::kLe, 2, true) == (kPresumedBit | kMayBit));
  CHECK(bits(CountCmp::kLt, 2, false) == (kPresumedBit | kMayBit));
  CHECK(bits(CountCmp::kGt, 1, false) == kMayBit);
  CHECK(bits(CountCmp::kEq, 1, false) == (kPresumedBit | kMayBit));
  CHECK(bits(CountCmp::kEq, 2, false) == kMayBit);
  CHECK(bits(CountCmp::kEq, 3, false) == 0);
  CHECK(bits(CountCmp::kNe, 3, false) == kAllBits);
  CHECK(bits(CountCmp::kNe, 3, true) == (kPresumedBit | kMayBit));
  CHECK(bits(CountCmp::kNe, 1, false) == kMayBit);
}

TEST_CASE("blame of a rank is the node that holds it") {
  Scenario s;
  model::ObservationSet set;
  set.rank_nodes[3] = set.names.Intern("n7");
  s.context.set = &set;
  const uint32_t e = s.Event("e");
  s.p.Rule("rule", {e}).blame = {{plan::BlameKind::kRank, {0, plan::kRank}}};
  s.Id("n7");
  s.Put(e, s.Add(e, 1, "", 0), plan::kRank, 3);
  const Evaluation out = s.Evaluate();
  REQUIRE(out.findings.size() == 1);
  CHECK(s.Names(out.findings[0].blamed_nodes) == Names{"n7"});
  CHECK(out.findings[0].ranks == std::vector<int64_t>{3});
}

TEST_CASE("findings come by rule, begin and keys in natural order, whatever the rows' order") {
  const auto run = [](bool reversed) {
    Scenario s;
    const uint32_t e = s.Event("e");
    s.p.Rule("a", {e}).keys = {s.p.KeyOf("node", plan::kNode)};
    s.p.Rule("b", {e}).keys = {s.p.KeyOf("node", plan::kNode)};
    std::vector<std::string> nodes = {"n10", "n2", "n1"};
    if (reversed) std::reverse(nodes.begin(), nodes.end());
    for (const std::string& node : nodes) s.Add(e, 5, node, 0);
    std::vector<std::string> order;
    for (const Finding& f : s.Evaluate().findings) order.push_back(Numbered("", f.rule).append(s.Names(f.nodes)[0]));
    return order;
  };
  CHECK(run(false) == Names{"0n1", "0n2", "0n10", "1n1", "1n2", "1n10"});
  CHECK(run(true) == run(false));
}

}  // namespace
}  // namespace attr::eval
