// Every rule of the verifier about rules, demotions and precedence has a plan here that breaks this rule alone.
#include "runtime/plan/broken_plan_test.h"

namespace attr::plan {

TEST_CASE("rules: heads and bindings") {
  CheckAll({
      {"rules[0].kind", [](B& b) { b.plan.rules[0].kind = static_cast<RuleKind>(3); }},
      {"rules[0].state", [](B& b) { b.plan.rules[0].state = static_cast<TerminalState>(13); }},
      {"rules[0].name: not the name of an outcome", [](B& b) { b.plan.rules[0].name = b.Str("site::hung"); }},
      {"rules[1].name: a name that is not", [](B& b) { b.plan.rules[1].name = b.Str("a::b::c"); }},
      {"rules[3]: rules must ascend by name", [](B& b) { b.plan.rules[3].name = b.Str("site.training::a"); }},
      {"rules[1]: outcomes must stand before", [](B& b) { std::swap(b.plan.rules[0], b.plan.rules[1]); }},
      {"rules[2].domains: a cause needs one", [](B& b) { b.plan.rules[2].domains.clear(); }},
      {"rules[2].domains: no domain 4", [](B& b) { b.plan.rules[2].domains = {4}; }},
      {"rules[2].domains: one stands twice",
       [](B& b) {
         b.plan.rules[2].domains = {1, 1};
       }},
      {"rules[1].suggests: no domain 9", [](B& b) { b.plan.rules[1].suggests = {9}; }},
      {"rules[2].tags: a name that is not", [](B& b) { b.plan.rules[2].tags = {b.Str("two words")}; }},
      {"rules[2].bindings: 1 to 32", [](B& b) { b.plan.rules[2].bindings.clear(); }},
      {"rules[2].bindings[0].kind: the first one", [](B& b) { b.plan.rules[2].bindings[0].kind = BindKind::kUnless; }},
      {"rules[4].bindings[1].alternative: alternatives",
       [](B& b) { b.plan.rules[4].bindings[1].alternative = b.plan.rules[4].bindings[2].alternative = 2; }},
      {"rules[4].bindings[1].kind: the first one", [](B& b) { b.plan.rules[4].bindings[1].kind = BindKind::kWith; }},
      {"rules[4].bindings: one name of two kinds",
       [](B& b) {
         b.plan.rules[4].bindings[2].name = b.plan.rules[4].bindings[0].name;
         b.plan.rules[4].bindings[1].name = b.Str("y");
         b.plan.rules[4].bindings[2].kind = BindKind::kUnless;
       }},
      {"rules[4].joins[0].left: a binding of another", [](B& b) { b.plan.rules[4].joins[0].left = 0; }},
      {"rules[4].joins[0].narrow[0]: columns of unequal",
       [](B& b) { b.plan.rules[4].joins[0].narrow[0].right = kGpu; }},
      {"rules[4].keys[0]: one column for each", [](B& b) { b.plan.rules[4].keys[0].more.clear(); }},
      {"rules[4].keys[0]: a binding of another", [](B& b) { b.plan.rules[4].keys[0].more[0].binding = 0; }},
      {"rules[4].extremes[0]: columns of two types", [](B& b) { b.plan.rules[4].extremes[0].more[0].column = kNode; }},
      {"rules[4].aggregates[0]: a column in some", [](B& b) { b.plan.rules[4].aggregates[0].more[0].column = kNode; }},
      {"rules[4].explain[0]: one column", [](B& b) { b.plan.rules[4].explain[0].more.clear(); }},
      {"rules[4].explain[1]: no binding 7", [](B& b) { b.plan.rules[4].explain[1].more[0].binding = 7; }},
      {"rules[4].closings[0].event: no event 9", [](B& b) { b.plan.rules[4].closings[0].event = 9; }},
      {"rules[4].closings[0].after", [](B& b) { b.plan.rules[4].closings[0].after = -1; }},
      {"rules[4].closings[0].join.keys[0]: columns of unequal",
       [](B& b) { b.plan.rules[4].closings[0].join.keys[0].right = 17; }},
      {"rules[2].bindings[0].event: no event 6", [](B& b) { b.plan.rules[2].bindings[0].event = 6; }},
      {"rules[2].bindings[0].where: it reads a binding",
       [](B& b) { b.plan.rules[2].bindings[0].where = b.Unary(Op::kHas, b.Column(1, 17, Type::kInt)); }},
      {"rules[2].bindings[0].where: places are compared",
       [](B& b) {
         ExprId node = b.Column(0, kNode, Type::kNode);
         b.plan.rules[2].bindings[0].where = b.Binary(Op::kPlaceEq, node, node);
       }},
      {"rules[3].bindings: one name",
       [](B& b) { b.plan.rules[3].bindings[1].name = b.plan.rules[3].bindings[0].name; }},
      {"rules[3].joins: one for every", [](B& b) { b.plan.rules[3].joins.clear(); }},
      {"rules[2].joins[0].right: no binding 1", [](B& b) { b.plan.rules[2].joins.resize(1); }},
      {"rules[3].joins[0].left: not a binding to the left", [](B& b) { b.plan.rules[3].joins[0].left = 1; }},
      {"rules[3].joins[1]: joins must ascend", [](B& b) { b.plan.rules[3].joins.resize(2); }},
      {"rules[3].bindings[1].kind: unknown", [](B& b) { b.plan.rules[3].bindings[1].kind = static_cast<BindKind>(4); }},
      {"rules[3].blame[0]: a binding that has no members",
       [](B& b) {
         b.plan.rules[3].bindings[1].kind = BindKind::kUnless;
         b.plan.rules[3].blame[0].column.binding = 1;
       }},
      {"rules[3].bindings[1].residual: it reads a binding",
       [](B& b) { b.plan.rules[3].bindings[1].residual = b.Unary(Op::kHas, b.Column(2, 17, Type::kInt)); }},
  });
}

TEST_CASE("rules: joins, having and outputs") {
  CheckAll({
      {"rules[3].joins[0].keys[0]: no column 40", [](B& b) { b.plan.rules[3].joins[0].keys[0].right = 40; }},
      {"rules[3].joins[0].keys[0]: columns of unequal", [](B& b) { b.plan.rules[3].joins[0].keys[0].right = kGpu; }},
      {"rules[3].joins[0].keys[0]: a place that is",
       [](B& b) {
         b.plan.rules[3].joins[0].keys[0] = {kEnd, kEnd, true};
       }},
      {"rules[3].joins[0].relations[0]: an unknown",
       [](B& b) { b.plan.rules[3].joins[0].relations[0].kind = static_cast<RelationKind>(6); }},
      {"rules[3].joins[0].relations[0]: a relation that does not",
       [](B& b) { b.plan.rules[3].joins[0].relations[0].kind = RelationKind::kDemote; }},
      {"rules[3].joins[0].relations[0].distance: a duration",
       [](B& b) { b.plan.rules[3].joins[0].relations[0].distance = kNoWindow; }},
      {"rules[3].joins[0].relations[0].distance: a duration",
       [](B& b) { b.plan.rules[3].joins[0].relations[0].distance = 367LL * 86'400 * kSecond; }},
      {"rules[3].joins[0].residual: it reads column 18",
       [](B& b) { b.plan.rules[3].joins[0].residual = b.Unary(Op::kHas, b.Column(1, 18, Type::kInt)); }},
      {"rules[3].joins[0].residual: expression",
       [](B& b) { b.plan.rules[3].joins[0].residual = b.Unary(Op::kHas, b.Column(1, 17, Type::kInt)); }},
      {"rules[3].joins[0].residual: it reads column 17, which is marked unused",
       [](B& b) {
         b.plan.rules[1].bindings[0].where = kNone;
         b.plan.events[2].fields[1].used = false;
       }},
      {"rules[1].having: it reads a binding",
       [](B& b) { b.plan.rules[1].having = b.Unary(Op::kHas, b.Column(0, 17, Type::kFloat)); }},
      {"rules[1].having: it counts a binding",
       [](B& b) {
         b.plan.rules[1].having = b.Add({Op::kCountCmp, Type::kBool, 1, 0, kNone, 1});
       }},
      {"rules[1].having: a condition is needed", [](B& b) { b.plan.rules[1].having = b.Int(1); }},
      {"rules[3].keys[0]: no binding 2", [](B& b) { b.plan.rules[3].keys[0].column.binding = 2; }},
      {"rules[3].keys[0]: no column 99", [](B& b) { b.plan.rules[3].keys[0].column.column = 99; }},
      {"rules[3].keys[0]: a key without", [](B& b) { b.plan.rules[3].keys[0].name = 0; }},
      {"rules[3].gap: a duration", [](B& b) { b.plan.rules[3].gap = -2; }},
      {"rules[3].blame[0]: a column of another", [](B& b) { b.plan.rules[3].blame[0].column.column = kGpu; }},
      {"rules[3].blame[0]: an unknown", [](B& b) { b.plan.rules[3].blame[0].kind = static_cast<BlameKind>(3); }},
      {"rules[3].advise: no string", [](B& b) { b.plan.rules[3].advise[0] = 9999; }},
      {"rules[3].explain[0]: an unknown", [](B& b) { b.plan.rules[3].explain[0].kind = static_cast<SegmentKind>(10); }},
      {"rules[3].explain[1]: no column", [](B& b) { b.plan.rules[3].explain[1].column.column = 23; }},
      {"rules[3].explain[4]: no export", [](B& b) { b.plan.rules[3].explain[4].exported = 1; }},
      {"rules[3].explain[5]: no binding", [](B& b) { b.plan.rules[3].explain[5].column.binding = 2; }},
      {"rules[3].explain[0]: one value for each", [](B& b) { b.plan.rules[3].explain[0].kind = SegmentKind::kExpr; }},
      {"rules[3].explain[0]: it reads column 99",
       [](B& b) {
         b.plan.rules[3].explain[0] = {SegmentKind::kExpr, 0, {}, {}, {b.Column(0, 99, Type::kInt)}};
       }},
      {"rules[3].exports[0]: a value of another", [](B& b) { b.plan.rules[3].exports[0].type = Type::kFloat; }},
      {"rules[3].exports[0]: no aggregate", [](B& b) { b.plan.rules[3].exports[0].exprs.clear(); }},
      {"rules[3].exports[1]: its name", [](B& b) { b.plan.rules[3].exports.push_back(b.plan.rules[3].exports[0]); }},
  });
}

TEST_CASE("demotions and precedence") {
  CheckAll({
      {"demotions[0].source: no rule 5", [](B& b) { b.plan.demotions[0].source = 5; }},
      {"demotions[0]: an outcome demotes", [](B& b) { b.plan.demotions[0].source = 0; }},
      {"demotions[0].targets[0]: no rule 9", [](B& b) { b.plan.demotions[0].targets = {9}; }},
      {"demotions[0].targets[0]: an outcome", [](B& b) { b.plan.demotions[0].targets = {0}; }},
      {"demotions[0].targets[1]: targets must",
       [](B& b) {
         b.plan.demotions[0].targets = {2, 1};
       }},
      {"demotions[0].on", [](B& b) { b.plan.demotions[0].on = static_cast<DemoteOn>(5); }},
      {"demotions[0].join: exactly one", [](B& b) { b.plan.demotions[0].join.relations.clear(); }},
      {"demotions[0].join.relations[0]: a relation",
       [](B& b) { b.plan.demotions[0].join.relations[0].kind = RelationKind::kAfter; }},
      {"demotions[0].join.relations[0].lead", [](B& b) { b.plan.demotions[0].join.relations[0].lead = -1; }},
      {"demotions[0].join.residual", [](B& b) { b.plan.demotions[0].join.residual = b.Add({Op::kTrue}); }},
      {"demotions[0].join.keys[0]: no column 16",
       [](B& b) {
         b.plan.demotions[0].join.keys[0] = {16, 16, false};
       }},
      {"demotions[0]: it closes a cycle", [](B& b) { b.plan.demotions[0].targets = {3}; }},
      {"demotions[0].after", [](B& b) { b.plan.demotions[0].after = true; }},
      {"preferences[0]: no rule 9", [](B& b) { b.plan.preferences[0].below = 9; }},
      {"preferences[0]: only causes", [](B& b) { b.plan.preferences[0].below = 1; }},
      {"preferences[0]: it closes a cycle", [](B& b) { b.plan.preferences[0].below = 2; }},
      {"preferences[0].join.keys[0]", [](B& b) { b.plan.preferences[0].join.keys[0].left = 99; }},
      {"ambiguity[0].left: no domain 9", [](B& b) { b.plan.ambiguity[0].left.id = 9; }},
      {"ambiguity[0].then: unknown", [](B& b) { b.plan.ambiguity[0].then = static_cast<AmbiguityThen>(3); }},
      {"ambiguity[0]: a duration", [](B& b) { b.plan.ambiguity[0].apart = -7; }},
      {"ambiguity[0]: `*` and `*`", [](B& b) { b.plan.ambiguity[0].left = b.plan.ambiguity[0].right = OrderSide{}; }},
      {"order[0].above: no rule", [](B& b) { b.plan.order[0].above.id = 5; }},
      {"order[0].above: only causes", [](B& b) { b.plan.order[0].above.id = 1; }},
      {"order[1].below: a name", [](B& b) { b.plan.order[1].below.id = b.Str("* > tag fallback"); }},
      {"order[2].below: no domain", [](B& b) { b.plan.order[2].below.id = 4; }},
      {"order[2].below: an unknown", [](B& b) { b.plan.order[2].below.kind = static_cast<SideKind>(4); }},
      {"order[0]: `*` against", [](B& b) { b.plan.order[0].above = b.plan.order[0].below = OrderSide{}; }},
      {"order[0]: sides of different",
       [](B& b) {
         b.plan.order[0].below = {SideKind::kDomain, 0};
       }},
      {"order[3]: it closes a cycle",
       [](B& b) {
         b.plan.order.push_back({{SideKind::kRule, 2}, {SideKind::kRule, 3}, {}, 0});
       }},
      {"order: 1025 of them", [](B& b) { b.plan.order.resize(1025, b.plan.order[0]); }},
      {"order[18]: more than 16 pairs with", [](B& b) { b.plan.order.resize(30, b.plan.order[1]); }},
  });
  CHECK(Broken([](B& b) { b.plan.demotions[0].join.relations[0].distance = kNoWindow; }) == "");
}

TEST_CASE("more rules than allowed are refused") {
  CHECK(Broken([](B& b) { b.plan.rules.resize(20'001); }) == "rules: 20001 of them, at most 20000 are allowed");
}

}  // namespace attr::plan
