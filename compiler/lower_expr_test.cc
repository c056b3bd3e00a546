// Expressions from text to plan nodes, through the whole compiler.
#include "compiler/test_support.h"

namespace attr::compiler {
namespace {

const char* const kTable = "code,level,limit,place\n79,fatal,3,n1\n149,,,\n";

TEST_CASE("comparisons lower to four operators, mirrored where need be") {
  CHECK(WhereOf("x: xid where x.code == 79") == "eq(0.code, 79)");
  CHECK(WhereOf("x: xid where x.code > 79") == "lt(79, 0.code)");
  CHECK(WhereOf("x: xid where 79 >= x.code") == "le(0.code, 79)");
  CHECK(WhereOf("x: xid where x.node == \"n1\"") == "eq(0.node, 'n1')");
  CHECK(WhereOf("x: step where x.took >= 5s") == "le(5000000000, 0.took)");
}

TEST_CASE("not is moved into comparisons") {
  CHECK(WhereOf("x: xid where not x.code == 79") == "ne(0.code, 79)");
  CHECK(WhereOf("x: xid where not (x.code < 79 and has x.link)") == "or(le(79, 0.code), hasnot(0.link))");
  CHECK(WhereOf("x: xid where not (x.code == 1 or not x.code == 2)") == "and(ne(0.code, 1), eq(0.code, 2))");
  CHECK(WhereOf("x: xid where not x.code in {1, 2}") == "notinset(0.code, #0)");
  CHECK(WhereOf("x: xid where x.code not in 144..150") == "notinrange(0.code, #0)");
  CHECK(WhereOf("x: step where not x.who ~ /a/") == "isfalse(0.d0)");
  CHECK(WhereOf("x: xid where not not x.code == 1") == "eq(0.code, 1)");
}

TEST_CASE("integers and floats compare exactly and meet in float arithmetic") {
  CHECK(WhereOf("x: step where x.n < x.loss") == "ltif(0.n, 0.loss)");
  CHECK(WhereOf("x: step where x.n > x.loss") == "ltfi(0.loss, 0.n)");
  CHECK(WhereOf("x: step where x.loss == x.n") == "eqif(0.n, 0.loss)");
  CHECK(WhereOf("x: step where x.loss + x.n != 1.5") == "fne(fadd(0.loss, tofloat(0.n)), float)");
}

TEST_CASE("times and durations have their own arithmetic") {
  CHECK(WhereOf("x: step where x.end - x.begin > x.took * 2") == "lt(mul(0.took, 2), sub(0.end, 0.begin))");
  CHECK(WhereOf("x: step where x.begin + x.took <= x.end") == "le(add(0.begin, 0.took), 0.end)");
}

TEST_CASE("an absent key makes a comparison false whichever operator it has (S17)") {
  CHECK(WhereOf("x: xid where codes[x.code].level == \"fatal\"", kTable) == "and(istrue(0.d0), eq(0.d1, 'fatal'))");
  CHECK(WhereOf("x: xid where codes[x.code].level != \"fatal\"", kTable) == "and(istrue(0.d0), ne(0.d1, 'fatal'))");
  CHECK(WhereOf("x: xid where not codes[x.code].level == \"fatal\"", kTable) == "and(istrue(0.d0), ne(0.d1, 'fatal'))");
  CHECK(WhereOf("x: xid where has codes[x.code]", kTable) == "istrue(0.d0)");
  CHECK(WhereOf("x: xid where not has codes[x.code]", kTable) == "isfalse(0.d0)");
  CHECK(WhereOf("x: xid where x.code in codes", kTable) == "istrue(0.d0)");
}

TEST_CASE("a regex is a derived column, shared by the rules that ask it") {
  const plan::Plan plan = PlanOf(
      "cause a \"A\" { domain hardware when x: step where x.who ~ /^a/ }\n"
      "cause b \"B\" { domain hardware when x: step where x.who ~ /^a/ or not x.who ~ /b/ }\n"
      "cause c \"C\" { domain hardware when x: step where x.who not ~ /^a/ }\n");
  CHECK(EventOf(plan, "step").derived.size() == 2);
}

TEST_CASE("a long chain of conditions stays shallow") {
  std::string when = "x: xid where x.code == 0";
  for (int i = 1; i < 1000; ++i) when += " or x.code == " + std::to_string(i);
  CHECK(WhereOf(when).size() > 2000);
}

TEST_CASE("an expression deeper than the engines allow is refused at its place") {
  std::string sum = "x.code";
  for (int i = 0; i < 100; ++i) sum += " + x.code * " + std::to_string(i);
  const Compilation deep =
      CompileText(std::string(kHead) + "cause r \"R\" { domain hardware when x: xid where " + sum + " > 5 }");
  CHECK(Codes(deep) == std::vector<std::string>{"A0004"});
}

TEST_CASE("a domain includes what lies below it") {
  const plan::Plan plan = PlanOf(
      "table codes from \"codes.csv\" key code { code: int, domain: domain }\n"
      "cause r \"R\" { domain hardware when x: xid where codes[x.code].domain == hardware }\n",
      "code,domain\n1,hardware.gpu\n2,fabric\n");
  REQUIRE(plan.sets.size() == 1);
  CHECK(plan.sets[0].values.size() == 2);
}

TEST_CASE("constants stand for their values") {
  CHECK(WhereOf("x: xid where x.code == bad }\nconst bad = 79\ncause q \"Q\" { domain hardware when x: xid") ==
        "eq(0.code, 79)");
}

}  // namespace
}  // namespace attr::compiler
