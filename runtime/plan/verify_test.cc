// Every rule of the verifier about texts, domains, expressions and tables has a plan here that breaks this rule alone.
#include <limits>

#include "runtime/plan/broken_plan_test.h"

namespace attr::plan {

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

}  // namespace attr::plan
