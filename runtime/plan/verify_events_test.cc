// Every rule of the verifier about events has a plan here that breaks this rule alone.
#include "runtime/plan/broken_plan_test.h"

namespace attr::plan {

TEST_CASE("events: head, sources, fields") {
  CheckAll({
      {"events[0].name: a name that is not of the form", [](B& b) { b.plan.events[0].name = b.Str("site::x y"); }},
      {"events[2]: its name stands twice", [](B& b) { b.plan.events[2].name = b.plan.events[0].name; }},
      {"events[1].parent: the parent must stand before", [](B& b) { b.plan.events[1].parent = 1; }},
      {"events[2]: neither a source nor a parent", [](B& b) { b.plan.events[2].sources.clear(); }},
      {"events[2].sources[0]: no carrier", [](B& b) { b.plan.events[2].sources[0].alternatives.clear(); }},
      {"events[2].sources[0]: a source that is not declared",
       [](B& b) { b.plan.events[2].sources[0].alternatives[0].source = b.Str("pack.attr"); }},
      {"events[1].fields[1]: not what the parent has", [](B& b) { b.plan.events[1].fields[1].type = Type::kDuration; }},
      {"events[1].fields[3]: inherited, but the parent has no such",
       [](B& b) { b.plan.events[1].fields[3].from = FieldFrom::kInherited; }},
      {"events[0].fields[1]: inherited, but there is no parent",
       [](B& b) { b.plan.events[0].fields[1].from = FieldFrom::kInherited; }},
      {"events[0].fields[2]: its name stands twice",
       [](B& b) { b.plan.events[0].fields[1].name = b.plan.events[0].fields[2].name; }},
      {"events[0].fields[0]: a field named gpu must have that type",
       [](B& b) { b.plan.events[0].fields[0].type = Type::kText; }},
      {"events[0].fields[1].unit", [](B& b) { b.plan.events[0].fields[1].unit = 0; }},
      {"events[0].fields[1]: an unknown origin",
       [](B& b) { b.plan.events[0].fields[1].from = static_cast<FieldFrom>(10); }},
      {"events[0].fields[1]: observations have nothing",
       [](B& b) { b.plan.events[0].fields[1].from = FieldFrom::kBuiltin; }},
      {"events[1].fields[4].expr: it reads column 20, which is not there yet",
       [](B& b) { b.plan.events[1].fields[4].expr = b.Column(0, 20, Type::kInt); }},
      {"events[1].fields[4].expr: a value is needed",
       [](B& b) { b.plan.events[1].fields[4].expr = b.Add({Op::kTrue}); }},
      {"events[1].fields[4].expr: a value of type float", [](B& b) { b.plan.events[1].fields[4].expr = b.Float(1); }},
      {"events[1].fields[4].expr: no expression", [](B& b) { b.plan.events[1].fields[4].expr = kNone; }},
  });
}

TEST_CASE("events: clauses, conditions, derived columns") {
  CheckAll({
      {"events[0].texts[0]: no pattern", [](B& b) { b.plan.events[0].texts[0].patterns.clear(); }},
      {"events[0].texts[0].patterns[0]: no string", [](B& b) { b.plan.events[0].texts[0].patterns[0].regex = 9999; }},
      {"events[1].texts[0]: it must match a text field", [](B& b) { b.plan.events[1].texts[0].field = 17; }},
      {"events[1].texts[0]: it must match a text field", [](B& b) { b.plan.events[1].texts[0].field = 500; }},
      {"events[1].texts[0]: it must match a text field", [](B& b) { b.plan.events[1].texts[0].field = kNode; }},
      {"events[0].fields[1].expr: it reads column 18, which is not there yet",
       [](B& b) {  // by way of a derived column
         b.plan.events[0].fields[1].from = FieldFrom::kExpr;
         b.plan.events[0].fields[1].type = Type::kBool;
         b.plan.events[0].derived.erase(b.plan.events[0].derived.begin(), b.plan.events[0].derived.begin() + 2);
         b.plan.events[0].fields[1].expr = b.Column(0, 19, Type::kBool);
       }},
      {"events[0].where: a condition is needed", [](B& b) { b.plan.events[0].where = b.Int(1); }},
      {"events[0].where: expression",
       [](B& b) { b.plan.events[0].where = b.Unary(Op::kHas, b.Column(0, 17, Type::kSize)); }},
      {"events[0].where: it reads a binding",
       [](B& b) { b.plan.events[0].where = b.Unary(Op::kHas, b.Column(1, 17, Type::kInt)); }},
      {"events[0].where: counts stand in", [](B& b) { b.plan.events[0].where = b.plan.rules[1].having; }},
      {"events[1].since: a value is needed", [](B& b) { b.plan.events[1].since = b.Add({Op::kTrue}); }},
      {"events[0].derived[0]: not as many keys", [](B& b) { b.plan.events[0].derived[0].keys.clear(); }},
      {"events[0].derived[0].table: no table 1", [](B& b) { b.plan.events[0].derived[0].table = 1; }},
      {"events[0].derived[0]: no table column 3", [](B& b) { b.plan.events[0].derived[0].table_column = 3; }},
      {"events[0].derived[0]: not the table column's type",
       [](B& b) { b.plan.events[0].derived[0].type = Type::kNode; }},
      {"events[0].derived[0].keys[0]: a value of type text",
       [](B& b) { b.plan.events[0].derived[0].keys = {b.Column(0, 18, Type::kText)}; }},
      {"events[0].derived[1]: its type must be bool", [](B& b) { b.plan.events[0].derived[1].type = Type::kInt; }},
      {"events[0].derived[2]: it must match an earlier text", [](B& b) { b.plan.events[0].derived[2].column = 21; }},
      {"events[1].derived[0]: it needs one node", [](B& b) { b.plan.events[1].derived[0].keys.clear(); }},
      {"events[1].derived[0]: a label without", [](B& b) { b.plan.events[1].derived[0].regex = 0; }},
      {"events[1].derived[0]: its type must be text", [](B& b) { b.plan.events[1].derived[0].type = Type::kInt; }},
      {"events[1].derived[1]: it is an int", [](B& b) { b.plan.events[1].derived[1].type = Type::kText; }},
      {"events[0].derived[2]: it must match an earlier text", [](B& b) { b.plan.events[0].fields[2].used = false; }},
      {"events[0].derived[0]: an unknown kind",
       [](B& b) { b.plan.events[0].derived[0].kind = static_cast<DerivedKind>(kDerivedKindCount); }},
      {"events[0].derived[0].keys[0]: it reads column 17, which is marked unused",
       [](B& b) { b.plan.events[0].fields[1].used = false; }},
  });
}

TEST_CASE("events: scope, each, folding") {
  CheckAll({
      {"events[1].scope: it is the parent's", [](B& b) { b.plan.events[1].scope.any_node = true; }},
      {"events[3].scope: a duration", [](B& b) { b.plan.events[3].scope.after = INT64_MAX; }},
      {"events[3].each: more than one", [](B& b) { b.plan.events[3].each.push_back({b.Str("x")}); }},
      {"events[3].fold: an unknown kind", [](B& b) { b.plan.events[3].fold.kind = static_cast<FoldKind>(9); }},
      {"events[3].fields[2]: nothing is folded yet", [](B& b) { b.plan.events[3].fold.fields = 3; }},
      {"events[3].fold.fields: more than", [](B& b) { b.plan.events[3].fold.fields = 99; }},
      {"events[3].fields[3]: its type must be int", [](B& b) { b.plan.events[3].fields[3].type = Type::kTime; }},
      {"events[3].fold.keys: it must be", [](B& b) { b.plan.events[3].fold.keys = {19}; }},
      {"events[3].fold.closed_by: the closing", [](B& b) { b.plan.events[3].fold.closed_by = 3; }},
      {"events[3].fold.same: columns of two",
       [](B& b) {
         b.plan.events[3].fold.same = {{16, 17, false}};
       }},
      {"events[3].fold.same: no such column",
       [](B& b) {
         b.plan.events[3].fold.same = {{16, 99, false}};
       }},
      {"events[3].fold: a condition without", [](B& b) { b.plan.events[3].fold.where = b.Add({Op::kTrue}); }},
      {"events[3].fold: nothing closes", [](B& b) { b.plan.events[3].fold.closed_by = kNone; }},
      {"events[3].where: it reads column 19, which is not there yet",
       [](B& b) { b.plan.events[3].where = b.Unary(Op::kHas, b.Column(0, 19, Type::kInt)); }},
      {"events[4].fold: windows without", [](B& b) { b.plan.events[4].fold.where = kNone; }},
      {"events[4].fold: windows are not closed", [](B& b) { b.plan.events[4].fold.closed_by = 2; }},
      {"events[4].fold.records: more than", [](B& b) { b.plan.events[4].fold.records = 10'001; }},
      {"events[4].fold.where: it reads column 18, which is not there yet",
       [](B& b) { b.plan.events[4].fold.where = b.Unary(Op::kHas, b.Column(0, 18, Type::kFloat)); }},
      {"events[4].fields[1]: not the type that its window", [](B& b) { b.plan.events[4].fields[1].type = Type::kInt; }},
      {"events[4].fields[1].expr: it reads column 18",
       [](B& b) { b.plan.events[4].fields[1].expr = b.Column(0, 18, Type::kFloat); }},
      {"events[4].fields[1].window: an unknown",
       [](B& b) { b.plan.events[4].fields[1].window = static_cast<WindowKind>(9); }},
      {"events[0].fold: clauses without a fold", [](B& b) { b.plan.events[0].fold.keys = {kNode}; }},
  });
}

TEST_CASE("events: order and sets of texts") {
  const auto add = [](B& b, DerivedKind kind, Type type, std::vector<ExprId> keys) {
    Derived derived;
    derived.kind = kind;
    derived.type = type;
    derived.keys = std::move(keys);
    b.plan.events[0].derived.push_back(derived);
  };
  const auto text = [](B& b) { return b.Column(0, 18, Type::kText); };
  CHECK(Broken([&](B& b) { add(b, DerivedKind::kTextLess, Type::kBool, {text(b), text(b)}); }) == "");
  CHECK(Broken([&](B& b) { add(b, DerivedKind::kTextRank, Type::kInt, {text(b)}); }) == "");
  CheckAll({
      {"events[0].derived[3]: only texts", [&](B& b) { add(b, DerivedKind::kTextRank, Type::kInt, {b.Int(1)}); }},
      {"events[0].derived[3]: not as many", [&](B& b) { add(b, DerivedKind::kTextLess, Type::kBool, {text(b)}); }},
      {"events[0].derived[3]: not the type", [&](B& b) { add(b, DerivedKind::kTextRank, Type::kBool, {text(b)}); }},
      {"events[0].derived[3]: not an element",
       [&](B& b) {
         add(b, DerivedKind::kMember, Type::kBool, {text(b), text(b)});
       }},
      {"events[0].derived[3]: it is no set", [&](B& b) { add(b, DerivedKind::kSetSpan, Type::kInt, {text(b)}); }},
      {"events[0].derived[4]: it reads the rank",
       [&](B& b) {
         add(b, DerivedKind::kTextRank, Type::kInt, {text(b)});
         add(b, DerivedKind::kExpr, Type::kInt, {b.Column(0, 22, Type::kInt)});
       }},
      {"rules[3].joins[0].residual: it looks for an element in what is no set",
       [&](B& b) {
         b.plan.rules[3].joins[0].residual =
             b.Add({Op::kMember, Type::kBool, b.Column(0, 17, Type::kInt), b.Column(1, kPosition, Type::kInt)});
       }},
  });
}

TEST_CASE("events whose rows are no observations") {
  CheckAll({
      {"events[5].origin: unknown", [](B& b) { b.plan.events[5].origin = static_cast<EventOrigin>(8); }},
      {"events[5]: clauses of observations", [](B& b) { b.plan.events[5].where = b.Add({Op::kTrue}); }},
      {"events[5].rules: no rule 9", [](B& b) { b.plan.events[5].rules = {9}; }},
      {"events[5].rules: they must ascend",
       [](B& b) {
         b.plan.events[5].rules = {1, 1};
       }},
      {"events[5].rules: outcomes of one state",
       [](B& b) {
         b.plan.events[5].rules = {0, 1};
         b.plan.events[5].fields.clear();
       }},
      {"events[5].fields[0]: a field that findings",
       [](B& b) {
         b.plan.events[5].rules = {1, 2};
         b.plan.rules[2].keys.clear();
       }},
      {"events[5].fields[1]: a field that findings", [](B& b) { b.plan.events[5].fields[1].type = Type::kTime; }},
      {"events[5].fields[0]: not a field of such rows",
       [](B& b) { b.plan.events[5].fields[0].from = FieldFrom::kGroup; }},
      {"events[2].fields[0]: not a field of such rows",
       [](B& b) { b.plan.events[2].fields[0].from = FieldFrom::kRow; }},
      {"events[2]: rows of observations and", [](B& b) { b.plan.events[2].rules = {1}; }},
      {"events[5].rules: not of findings", [](B& b) { b.plan.events[5].origin = EventOrigin::kTable; }},
      {"rules: some rule binds findings",
       [](B& b) {
         b.plan.rules[1].bindings[0] = {b.Str("f"), BindKind::kPositive, 5, kNone};
         b.plan.rules[1].keys.clear();
         b.plan.events[5].fields.clear();
       }},
      {"events[5].of: no table 9",
       [](B& b) {
         b.plan.events[5] = {};
         b.plan.events[5].name = b.Str("site.training::t");
         b.plan.events[5].origin = EventOrigin::kTable;
         b.plan.events[5].of = 9;
       }},
      {"events[5].lacks: a name",
       [](B& b) {
         b.plan.events[5] = {};
         b.plan.events[5].name = b.Str("attempt::node");
         b.plan.events[5].origin = EventOrigin::kNodes;
       }},
      {"events[5].of: the event must stand before",
       [](B& b) {
         b.plan.events[5] = {};
         b.plan.events[5].name = b.Str("stalled::x");
         b.plan.events[5].origin = EventOrigin::kStalled;
         b.plan.events[5].of = 5;
       }},
  });
}

}  // namespace attr::plan
