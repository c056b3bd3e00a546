// Every rule of the verifier has a plan here that breaks this rule alone.
#include "runtime/plan/verify.h"

#include <doctest.h>

#include <functional>
#include <limits>

#include "runtime/plan/sample_plan_test.h"

namespace attr::plan {
namespace {

using Edit = std::function<void(SampleBuilder&)>;

/// The message that an edited sample gives; empty when it is accepted.
std::string Broken(const Edit& edit) {
  SampleBuilder builder;
  builder.plan = SamplePlan();
  edit(builder);
  Status status = Verify(builder.plan);
  if (!status) CHECK(status.error().kind == ErrorKind::kInput);
  return status ? "" : status.error().message;
}

struct Case {
  const char* message;  // how it begins
  Edit edit;
};

void CheckAll(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    std::string message = Broken(c.edit);
    INFO("expected: ", std::string(c.message), "\n got: ", message);
    CHECK((!message.empty() && message.rfind(c.message, 0) == 0));
  }
}

using B = SampleBuilder;

TEST_CASE("the sample and an empty pack pass") {
  CHECK(Broken([](B&) {}) == "");
  SampleBuilder empty;
  empty.plan.meta.name = empty.Str("site.empty");
  empty.plan.meta.version = empty.Str("0.0.1");
  CHECK(Verify(empty.plan).ok());
}

TEST_CASE("strings and the pack's own data") {
  CheckAll({
      {"strings[0]: it must be the empty string", [](B& b) { b.plan.strings[0] = "x"; }},
      {"strings[5]: not valid UTF-8", [](B& b) { b.plan.strings[5] = "\xc0\x80"; }},
      {"strings[5]: a NUL byte", [](B& b) { b.plan.strings[5] = std::string("a\0b", 3); }},
      {"strings[7]: it stands twice", [](B& b) { b.plan.strings[7] = b.plan.strings[6]; }},
      {"strings[4]: more than 64 MiB", [](B& b) { b.plan.strings[4].assign(65 << 20, 'x'); }},
      {"meta.name: a name that is not a dotted path", [](B& b) { b.plan.meta.name = b.Str("site..training"); }},
      {"meta.name: no string 9999", [](B& b) { b.plan.meta.name = 9999; }},
      {"meta.version: a version", [](B& b) { b.plan.meta.version = b.Str("1.2"); }},
      {"meta.version: a version", [](B& b) { b.plan.meta.version = b.Str("1.2.3.4"); }},
      {"meta.language", [](B& b) { b.plan.meta.language = 2; }},
      {"meta.grace: a duration", [](B& b) { b.plan.meta.grace = 8 * 86'400 * kSecond; }},
      {"meta.skews[0]: a duration", [](B& b) { b.plan.meta.skews[0].nanos = 3'601 * kSecond; }},
      {"meta.skews[0]: a duration", [](B& b) { b.plan.meta.skews[0].nanos = -1; }},
      {"meta.skews[1]: a second skew", [](B& b) { b.plan.meta.skews[1].clock = 0; }},
      {"meta.imports[0].sha256", [](B& b) { b.plan.meta.imports[0].sha256 = b.Str("abc"); }},
  });
}

TEST_CASE("constants, ranges, sets, sources and domains") {
  CheckAll({
      {"constants[0]: a constant must be", [](B& b) { b.plan.constants[0].type = Type::kInt; }},
      {"constants[0]: a constant must be", [](B& b) { b.plan.constants[0].type = static_cast<Type>(200); }},
      {"ranges[0]: it ends before",
       [](B& b) {
         b.plan.ranges[0] = {5, 4};
       }},
      {"sets[0]: values must ascend",
       [](B& b) {
         b.plan.sets[0].values = {1, 1};
       }},
      {"sets[0]: no constant 77", [](B& b) { b.plan.sets[0].values = {77}; }},
      {"sets[0]: no constant -1", [](B& b) { b.plan.sets[0].values = {-1}; }},
      {"sources[1]: it stands twice", [](B& b) { b.plan.sources[1] = b.plan.sources[0]; }},
      {"domains[1]: the parent must stand", [](B& b) { b.plan.domains[1].parent = 1; }},
      {"domains[1]: the parent must be the path's prefix", [](B& b) { b.plan.domains[1].path = b.Str("hard.gpu"); }},
      {"domains[1]: a dotted path", [](B& b) { b.plan.domains[1].parent = kNone; }},
      {"domains[4]: it stands twice", [](B& b) { b.plan.domains.push_back(b.plan.domains[0]); }},
  });
}

TEST_CASE("domains are at most eight levels deep") {
  auto levels = [](int n) {
    return Broken([n](B& b) {
      std::string path = "deep";
      uint32_t parent = kNone;
      for (int i = 0; i < n; ++i) {
        b.plan.domains.push_back({b.Str(path), 0, parent});
        parent = static_cast<uint32_t>(b.plan.domains.size() - 1);
        path += ".d";
      }
    });
  };
  CHECK(levels(8) == "");
  CHECK(levels(9) == "domains[12]: more than 8 levels");
}

/// Appends a node; an unused node is verified like any other.
Edit Node(Expr e) {
  return [e](B& b) { b.Add(e); };
}

TEST_CASE("expressions are typed operator by operator") {
  const int64_t nan = std::bit_cast<int64_t>(std::numeric_limits<double>::quiet_NaN());
  const uint32_t next = static_cast<uint32_t>(SamplePlan().exprs.size());
  const std::string at = "exprs[" + std::to_string(next) + "]: ";
  auto given = [&](const Edit& edit) {
    std::string message = Broken(edit);
    CHECK_MESSAGE(message.rfind("exprs[", 0) == 0, message);
    return message;
  };
  CHECK(given(Node({static_cast<Op>(kOpCount), Type::kBool})) == at + "an unknown operator");
  CHECK(given(Node({Op::kInt, static_cast<Type>(kTypeCount)})) == at + "an unknown type");
  CHECK(given(Node({Op::kAnd, Type::kBool, next, 0})) == at + "and: an operand must be an earlier node");
  CHECK(given(Node({Op::kHas, Type::kBool, kNone})) == at + "has: an operand must be an earlier node");
  CHECK(given(Node({Op::kFloat, Type::kFloat, kNone, kNone, kNone, nan})) == at + "float: not a number");
  CHECK(given(Node({Op::kInt, Type::kBool, kNone, kNone, kNone, 2})) == at + "int: a bool that is neither 0 nor 1");
  given(Node({Op::kInt, Type::kFloat}));
  given(Node({Op::kInt, Type::kText}));
  given(Node({Op::kConstant, Type::kText, 99}));
  given(Node({Op::kConstant, Type::kNode, 0}));
  given(Node({Op::kColumn, Type::kInt, kMaxBindings, 0}));
  given(Node({Op::kColumn, Type::kInt, 0, 1 << 20}));
  given(Node({Op::kTrue, Type::kInt}));
  given(Node({Op::kCountCmp, Type::kBool, kMaxBindings, 0}));
  given(Node({Op::kCountCmp, Type::kBool, 0, 6}));
}

TEST_CASE("operands must have the types of their operator") {
  struct Typed {
    Op op;
    int a, b;  // 0 int, 1 float, 2 text, 3 bool value, 4 condition, 5 node
    bool good;
  };
  const std::vector<Typed> cases = {
      {Op::kAddI, 0, 0, true}, {Op::kAddI, 0, 1, false},   {Op::kAddI, 2, 0, false},    {Op::kBitAnd, 0, 3, false},
      {Op::kEqI, 0, 0, true},  {Op::kEqI, 2, 2, true},     {Op::kEqI, 2, 0, false},     {Op::kEqI, 3, 3, true},
      {Op::kEqI, 1, 1, false}, {Op::kLtI, 2, 2, false},    {Op::kLtI, 0, 0, true},      {Op::kLtI, 0, 4, false},
      {Op::kEqF, 1, 1, true},  {Op::kEqF, 0, 1, false},    {Op::kLtIF, 0, 1, true},     {Op::kLtIF, 1, 0, false},
      {Op::kLeFI, 1, 0, true}, {Op::kLeFI, 0, 0, false},   {Op::kAnd, 4, 4, true},      {Op::kAnd, 4, 3, false},
      {Op::kOr, 3, 4, false},  {Op::kPlaceEq, 5, 5, true}, {Op::kPlaceEq, 2, 2, false}, {Op::kPlaceNe, 5, 0, false},
  };
  for (const Typed& c : cases) {
    std::string message = Broken([&](B& b) {
      std::vector<ExprId> operands = {b.Int(1),
                                      b.Float(1),
                                      b.Column(0, 18, Type::kText),
                                      b.Int(1, Type::kBool),
                                      b.Add({Op::kTrue}),
                                      b.Column(0, kNode, Type::kNode)};
      Type type = c.op == Op::kAddI || c.op == Op::kBitAnd ? Type::kInt : Type::kBool;
      b.Binary(c.op, operands[static_cast<size_t>(c.a)], operands[static_cast<size_t>(c.b)], type);
    });
    INFO(Name(c.op), ' ', c.a, ' ', c.b, ": ", message);
    CHECK(message.empty() == c.good);
  }
}

TEST_CASE("one-operand operators, ranges and sets are typed too") {
  auto with = [](Op op, Type operand, uint32_t index, Type type = Type::kBool) {
    return Broken([=](B& b) {
      ExprId a = operand == Type::kFloat ? b.Float(1)
                 : IsId(operand)         ? b.Add({Op::kConstant, operand, 0})
                                         : b.Int(1, operand);
      b.Add({op, type, a, kNone, index});
    });
  };
  CHECK(with(Op::kNegI, Type::kInt, kNone, Type::kInt) == "");
  CHECK(with(Op::kNegI, Type::kFloat, kNone, Type::kInt) != "");
  CHECK(with(Op::kNegF, Type::kInt, kNone, Type::kFloat) != "");
  CHECK(with(Op::kToFloat, Type::kInt, kNone, Type::kFloat) == "");
  CHECK(with(Op::kToFloat, Type::kInt, kNone, Type::kInt) != "");
  CHECK(with(Op::kInRange, Type::kInt, 0) == "");
  CHECK(with(Op::kInRange, Type::kInt, 1) != "");
  CHECK(with(Op::kInRange, Type::kFloat, 0) != "");
  CHECK(with(Op::kNotInSet, Type::kText, 0) == "");
  CHECK(with(Op::kInSet, Type::kInt, 0) != "");
  CHECK(with(Op::kInSet, Type::kText, 3) != "");
  CHECK(with(Op::kIsTrue, Type::kBool, kNone) == "");
  CHECK(with(Op::kIsFalse, Type::kInt, kNone) != "");
  CHECK(with(Op::kHas, Type::kText, kNone) == "");
}

TEST_CASE("expressions are at most 64 deep and 4096 operators a rule") {
  auto chain = [](int depth) {
    return Broken([depth](B& b) {
      ExprId e = b.Int(1);
      for (int i = 1; i < depth; ++i) e = b.Add({Op::kNegI, Type::kInt, e});
    });
  };
  CHECK(chain(64) == "");
  CHECK(chain(65).find("nested more than 64 deep") != std::string::npos);
  auto wide = [](int leaves) {
    return Broken([leaves](B& b) {
      std::vector<ExprId> level;
      for (int i = 0; i < leaves; ++i) level.push_back(b.Add({Op::kTrue}));
      while (level.size() > 1) {
        std::vector<ExprId> up;
        for (size_t i = 0; i + 1 < level.size(); i += 2) up.push_back(b.Binary(Op::kOr, level[i], level[i + 1]));
        level = up;
      }
      b.plan.rules[2].bindings[0].where = level[0];
    });
  };
  CHECK(wide(2048) == "");
  CHECK(wide(4096) == "rules[2].bindings[0].where: too many operators in one rule, event or pack");
}

TEST_CASE("tables") {
  CheckAll({
      {"tables[0].rows[1]: keys must ascend",
       [](B& b) {
         b.plan.tables[0].columns[0].cells = {79, 79, 149};
       }},
      {"tables[0].keys: no column 7", [](B& b) { b.plan.tables[0].keys = {7}; }},
      {"tables[0].keys: a column stands twice",
       [](B& b) {
         b.plan.tables[0].keys = {0, 0};
       }},
      {"tables[0].keys: a key must be neither", [](B& b) { b.plan.tables[0].keys = {1}; }},
      {"tables[0].keys: a key must be neither", [](B& b) { b.plan.tables[0].keys = {2}; }},
      {"tables[0].columns[0]: it has not as many cells", [](B& b) { b.plan.tables[0].rows = 4; }},
      {"tables[0].columns[1]: no constant 99", [](B& b) { b.plan.tables[0].columns[1].cells[0] = 99; }},
      {"tables[0].columns[1]: no constant 0", [](B& b) { b.plan.constants[0].type = Type::kNode; }},
      {"tables[0].columns[1].cells[1]: a missing cell", [](B& b) { b.plan.tables[0].columns[1].cells[1] = 1; }},
      {"tables[0].columns[1].cells[0]: presence", [](B& b) { b.plan.tables[0].columns[1].present[0] = 2; }},
      {"tables[0].columns[0].cells[2]: missing", [](B& b) { b.plan.tables[0].columns[0].present[2] = 0; }},
      {"tables[0].columns[2]: not a number", [](B& b) { b.plan.tables[0].columns[2].cells[0] = -1; }},
      {"tables[0].columns[1]: its name stands twice",
       [](B& b) { b.plan.tables[0].columns[1].name = b.plan.tables[0].columns[0].name; }},
      {"tables[0]: more than 1000000 cells", [](B& b) { b.plan.tables[0].rows = 400'000; }},
      {"tables[0]: a table needs", [](B& b) { b.plan.tables[0].columns.clear(); }},
      {"tables[0]: a table without key of more",
       [](B& b) {
         Table& table = b.plan.tables[0];
         table.rows = 10'001;
         table.keys.clear();
         table.columns.resize(1);
         table.columns[0].cells.assign(10'001, 1);
         table.columns[0].present.assign(10'001, 1);
       }},
  });
}

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

}  // namespace
}  // namespace attr::plan
