// What a sound file becomes: every construct of the language's page, precedence
// of operators, spans, doc comments.
#include "compiler/syntax/parse.h"

#include <doctest.h>

#include <fstream>
#include <sstream>

#include "compiler/diagnostics/render.h"
#include "compiler/syntax/test_parse.h"

namespace attr::syntax {
namespace {

TEST_CASE("every code block of the language's page parses") {
  std::ifstream stream(ATTR_SOURCE_DIR "/tests/golden/syntax/language_page.attr");
  std::stringstream text;
  text << stream.rdbuf();
  Parsed parsed(text.str());
  CHECK(parsed.rendered() == "");
  REQUIRE(parsed.file.items.size() == 20);
  const auto& pack = std::get<PackDecl>(parsed.file.items[0].node);
  CHECK(pack.name.text == "site.training");
  CHECK(pack.version.value == "1.2.0");
  CHECK(pack.language == 1);
  CHECK(pack.imports.size() == 2);
  REQUIRE(pack.skews.size() == 2);
  CHECK(pack.skews[1].clock == "dmesg_wall");
  CHECK(pack.grace == 600'000'000'000);
  CHECK(parsed.file.items[0].doc == "Site rules for the training clusters.");
  const auto& xid = std::get<EventDecl>(parsed.file.items[1].node);
  CHECK(xid.sources.size() == 1);
  CHECK(xid.sources[0].alternatives.size() == 2);
  CHECK(xid.fields.size() == 5);
  CHECK(xid.examples.size() == 2);
  const auto& test = std::get<TestDecl>(parsed.file.items[18].node);
  CHECK(test.observations.size() == 4);
  CHECK(test.expectations.size() == 4);
  CHECK(!test.observations[3].node);
  CHECK(!test.observations[3].time);
  for (const Item& item : parsed.file.items) CHECK(!Dump(item).empty());
}

TEST_CASE("operators bind as the page says") {
  auto dump = [](const std::string& expr) { return Parsed("outcome o when " + expr).DumpAll(); };
  CHECK(dump("a or b and not c == 1") ==
        "outcome o\n  when\n    or\n      a\n      and\n        b\n        not\n          ==\n            c\n          "
        "  1\n");
  CHECK(dump("a + b * -c - 2") ==
        "outcome o\n  when\n    -\n      +\n        a\n        *\n          b\n          negate\n            c\n      "
        "2\n");
  CHECK(dump("x & m == v") == "outcome o\n  when\n    ==\n      &\n        x\n        m\n      v\n");
  CHECK(dump("a and b and c") == "outcome o\n  when\n    and\n      a\n      b\n      c\n");
  CHECK(dump("a and (b and c)") == "outcome o\n  when\n    and\n      a\n      and\n        b\n        c\n");
  CHECK(dump("a << 1 | b") == "outcome o\n  when\n    |\n      <<\n        a\n        1\n      b\n");
}

TEST_CASE("forms of expressions keep their parts") {
  auto dump = [](const std::string& expr) { return Parsed("outcome o when " + expr).DumpAll(); };
  CHECK(dump("x.code in {1, -2}") == "outcome o\n  when\n    in {1, -2}\n      x.code\n");
  CHECK(dump("x not in 1..5") == "outcome o\n  when\n    not in 1..5\n      x\n");
  CHECK(dump("x not ~ /a\\/b/") == "outcome o\n  when\n    not ~ /a/b/\n      x\n");
  CHECK(dump("has t[x] and has x.f") == "outcome o\n  when\n    and\n      has t\n        x\n      has x.f\n");
  CHECK(dump("same node (a, b)") == "outcome o\n  when\n    same node\n      a\n      b\n");
  CHECK(dump("t[x.k].domain == \"a\"") ==
        "outcome o\n  when\n    ==\n      lookup t[].domain\n        x.k\n      \"a\"\n");
  CHECK(dump("std.gpu::limit.text > 30GiB") ==
        "outcome o\n  when\n    >\n      std.gpu::limit.text\n      32212254720B\n");
  CHECK(dump("f() == label(x.node, rack)") ==
        "outcome o\n  when\n    ==\n      call f\n      call label\n        x.node\n        rack\n");
}

TEST_CASE("alternatives, exceptions and relations of a condition") {
  Parsed parsed(
      "cause c { domain a.b | c when { x: e where x.k } or { x: std.gpu::f } without y: g within 5m after x "
      "unless z: finding tag t before x with w: finding r and i: inventory.rank within d of x }");
  CHECK(parsed.rendered() == "");
  REQUIRE(parsed.file.items.size() == 1);
  const auto& rule = std::get<RuleDecl>(parsed.file.items[0].node);
  CHECK(rule.domain->alternatives.size() == 2);
  REQUIRE(rule.when->groups.size() == 2);
  CHECK(rule.when->groups[1].bindings[0].event.pack == "std.gpu");
  REQUIRE(rule.when->further.size() == 4);
  CHECK(rule.when->further[0].word == JoinWord::kWithout);
  CHECK(rule.when->further[0].relations[0].kind == TimeRel::Kind::kWithinAfter);
  CHECK(rule.when->further[1].finding_tag->text == "t");
  CHECK(rule.when->further[2].finding);
  CHECK(rule.when->further[3].event.name == "inventory.rank");
  CHECK(rule.when->further[3].relations[0].distance->constant == "d");
}

TEST_CASE("bindings without braces are one group") {
  Parsed parsed("cause c { when a: e and b: f where b.x == a.x or b.y without d: g }");
  const auto& rule = std::get<RuleDecl>(parsed.file.items.at(0).node);
  REQUIRE(rule.when->groups.size() == 1);
  CHECK(rule.when->groups[0].bindings.size() == 3);
  CHECK(rule.when->further.empty());
}

TEST_CASE("every expectation and attempt form") {
  Parsed parsed(R"(test "t" from "set.json" dropping kernel, syslog on n1 12:00 .. 12:30 as partial {
    attempt { nodes n1, "n-2"  start 2026-03-02T12:00:00Z  ranks 16  rack = "r7" on n1 }
    cover metric
    metric n1 12:10 gpu 3 value 0.5 { name = "x", v = -1 }
    scheduler { state = "FAILED" }
    expect ambiguous between a, b.c settled
    expect no_failure
    expect not demoted a, std.gpu::b on n1 by c
    expect not would_change r
    expect cause r on n1, "n-2"
  })");
  CHECK(parsed.rendered() == "");
  CHECK(parsed.DumpAll() ==
        "test \"t\" from \"set.json\" dropping kernel, syslog on \"n1\" 12:00 .. 12:30 as partial\n"
        "  attempt nodes n1, \"n-2\"\n"
        "  attempt start 2026-03-02T12:00:00Z\n"
        "  attempt ranks 16\n"
        "  attempt rack = \"r7\" on \"n1\"\n"
        "  cover metric\n"
        "  observation metric \"n1\" 12:10 gpu=3 value=0.5 { name=\"x\" v=-1 }\n"
        "  observation scheduler - - { state=\"FAILED\" }\n"
        "  expect ambiguous a, b.c settled\n"
        "  expect no_failure\n"
        "  expect not demoted a std.gpu::b on \"n1\" by c\n"
        "  expect not would_change r\n"
        "  expect cause r on \"n1\", \"n-2\"\n");
}

TEST_CASE("the rest of the declarations") {
  Parsed parsed(R"(
    source dmesg_wall "dmesg -T"
    const limit = -5m
    disable std.gpu::x because "noise"
    override std.gpu::y { domain a.b advise drain const w = 60s because "site" }
    allow A0207 "vendor prints it so" until "2027-01-01"
    demote tag t, r by std.gpu::x on node within 5m lead 1m where it.code == 3 because "b"
    event e extends std.gpu::xid { each /a/ episode gap 3m per node, code closed by f same mount scope time -7d .. +1h
      scope nodes any having count > 3 }
    event m from metric "A", metric "B" { over 20 per rank }
    precedence { a > tag b > domain c.d > * prefer x: a over y: b when x.node == y.node because "n" }
    ambiguity { between tag a, * within 5m unless apart 1h then latest }
    cause c { domain t[x.code].domain when outcome preempted and x: e per x.a, node gap 5m earliest x least x by x.n
      closed by u: f same node where u.x == 1 after 3m export k = x.a demote self after within 5m }
  )");
  CHECK(parsed.rendered() == "");
  CHECK(parsed.file.items.size() == 11);
  const auto& c = std::get<RuleDecl>(parsed.file.items.back().node);
  CHECK(c.domain->column != nullptr);
  CHECK(c.when->outcome->text == "preempted");
  CHECK(c.when->further.size() == 1);
  CHECK(c.per->keys.size() == 2);
  CHECK(c.extremes.size() == 2);
  CHECK(c.demotes[0].self_after);
  const auto& order = std::get<PrecedenceDecl>(parsed.file.items[8].node);
  CHECK(order.chains[0].items[3].kind == OrderRef::Kind::kStar);
  CHECK(order.prefers[0].under_binding->text == "y");
}

TEST_CASE("spans are byte offsets of what was written") {
  const std::string text = "/// ü\ndomain a . b \"ü\"\ncause c { when x: e where x.f + 1 == 22 }";
  Parsed parsed(text);
  REQUIRE(parsed.file.items.size() == 2);
  CHECK(parsed.Text(parsed.file.items[0].span) == "domain a . b \"ü\"");
  CHECK(std::get<DomainDecl>(parsed.file.items[0].node).path.text == "a.b");
  const auto& rule = std::get<RuleDecl>(parsed.file.items[1].node);
  const Expr& where = *rule.when->groups[0].bindings[0].where[0];
  CHECK(parsed.Text(where.span) == "x.f + 1 == 22");
  const auto& equal = std::get<BinaryExpr>(where.node);
  CHECK(parsed.Text(equal.op_span) == "==");
  CHECK(parsed.Text(equal.left->span) == "x.f + 1");
  CHECK(parsed.Text(equal.right->span) == "22");
}

TEST_CASE("doc comments belong to the item below, others hang") {
  Parsed parsed(
      "/// one\n///   two\n\ndomain a \"x\"  /// behind code\n// plain\ndomain b \"y\"\n"
      "cause c {\n  /// inside\n  when x: e\n}\n/// last\n");
  REQUIRE(parsed.file.items.size() == 3);
  CHECK(parsed.file.items[0].doc == "one\n  two");
  CHECK(parsed.file.items[1].doc == "");
  CHECK(parsed.Codes() == "A0111 A0111 A0111");
}

TEST_CASE("a placeholder's expression is placed in its file") {
  diagnostics::SourceMap sources;
  sources.Add("a.attr", "explain \"{x.code + } b\"");
  diagnostics::Sink sink;
  ExprPtr expr = ParseExpression("x.code", {0, 10, 16}, sink);
  REQUIRE(expr);
  CHECK(expr->span == Span{0, 10, 16});
  CHECK(ParseExpression("x.code +", {0, 10, 18}, sink) == nullptr);
  CHECK(ParseExpression("x y", {0, 10, 13}, sink) == nullptr);
  CHECK(ParseExpression("", {0, 10, 10}, sink) == nullptr);
  auto sorted = sink.Sorted();
  REQUIRE(sorted.size() == 3);
  CHECK(sorted[0].primary.span == Span{0, 10, 10});
  CHECK(sorted[1].primary.span == Span{0, 12, 13});
  CHECK(sorted[2].primary.span == Span{0, 18, 18});
}

}  // namespace
}  // namespace attr::syntax
