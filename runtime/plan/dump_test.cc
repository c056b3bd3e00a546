// The plan as people read it.
#include "runtime/plan/dump.h"

#include <doctest.h>

#include "runtime/plan/dump_expr.h"
#include "runtime/plan/sample_plan_test.h"
#include "runtime/plan/verify.h"

namespace attr::plan {
namespace {

TEST_CASE("a rule is shown with its conditions, edges, precedence and events") {
  const std::string text = DumpRule(SamplePlan(), 3);
  const std::string head =
      "cause site.training::link_fault \"NVLink fault\"  (\"pack.attr\":12)\n"
      "  doc      \"The link's signal is damaged.\"\n"
      "  domain   fabric.nvlink | hardware.gpu\n"
      "  tags     hardware\n"
      "  when     x: site.training::nvlink5\n"
      "      where x.code == 149 and x.level == \"Fatal\"\n"
      "  and      w: site.training::watchdog\n"
      "      key x.node == w.node, a place\n"
      "      within 1m after x\n"
      "      where x.code < w.ratio\n"
      "      another observation than x\n"
      "  per      \"node\" = x.node, \"gpu\" = x.gpu\n"
      "  blame    node x.node, gpu x.gpu, rank w.rank\n"
      "  advise   \"drain\", \"reset_gpu\"\n"
      "  export   code: int = x.code\n"
      "  explain  \"Xid {x.code} on {nodes}{code}{count(w)}\"\n"
      "  demotes  \"tag collective\", on node, within 2m, lead 10s, because "
      "\"a lost NVLink stalls every collective that crosses it\"\n"
      "      site.training::collective_timeout\n"
      "  order    \"link_fault > gpu_fault\"  (\"pack.attr\":30)\n"
      "  order    \"fabric.nvlink > hardware\"  (\"pack.attr\":30)\n"
      "\n"
      "event site.training::nvlink5 extends site.training::xid\n";
  CHECK(text.substr(0, head.size()) == head);
  CHECK(text.find("  where   code in 144..150\n  since   end - 1s\n") != std::string::npos);
  CHECK(text.find("  field   half: int = code / 2\n") != std::string::npos);
  CHECK(text.find("event site.training::xid\n") != std::string::npos);
  CHECK(text.find("event site.training::watchdog\n") != std::string::npos);
}

TEST_CASE("derived columns are shown as what they compute") {
  const std::string text = DumpRule(SamplePlan(), 2);
  CHECK(text.find("where site.training::xid_catalog[x.code].action in {\"drain\", \"reset\"} or "
                  "has site.training::xid_catalog[x.code]\n") != std::string::npos);
  CHECK(text.find("  derived detail ~ /Fatal/: bool\n") != std::string::npos);
}

TEST_CASE("a symptom shows what demotes it") {
  const std::string text = DumpRule(SamplePlan(), 1);
  CHECK(text.find("  having   count(w) >= 2\n") != std::string::npos);
  CHECK(text.find("      where w.ratio > 0.5\n") != std::string::npos);
  CHECK(text.find("  demoted by site.training::link_fault as \"tag collective\"") != std::string::npos);
}

TEST_CASE("the whole pack shows every part") {
  const std::string text = Dump(SamplePlan());
  for (const char* part :
       {"pack site.training 1.2.0, language 1\n", "  skew dmesg_wall 5m\n", "  domain fabric.nvlink \"NVLink\"\n",
        "table site.training::xid_catalog, 3 rows\n  code: int, key\n  action: text?\n",
        "outcome site.training::outcome#1", "  state    hung\n", "precedence\n  \"link_fault > gpu_fault\""}) {
    INFO(std::string(part));
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("parentheses stand where the tree needs them") {
  SampleBuilder b;
  ExprId one = b.Int(1), two = b.Int(2);
  ExprId difference = b.Binary(Op::kSubI, one, two, Type::kInt);
  ExprId right = b.Binary(Op::kSubI, one, difference, Type::kInt);
  ExprId product = b.Binary(Op::kMulI, difference, b.Add({Op::kNegI, Type::kInt, two}), Type::kInt);
  CHECK(PrintExpr(b.plan, right, {}) == "1 - (1 - 2)");
  CHECK(PrintExpr(b.plan, b.Binary(Op::kSubI, difference, one, Type::kInt), {}) == "1 - 2 - 1");
  CHECK(PrintExpr(b.plan, product, {}) == "(1 - 2) * -2");
  ExprId less = b.Binary(Op::kLtI, one, two), yes = b.Add({Op::kTrue});
  ExprId either = b.Binary(Op::kOr, less, yes);
  CHECK(PrintExpr(b.plan, b.Binary(Op::kAnd, either, less), {}) == "(1 < 2 or true) and 1 < 2");
  CHECK(PrintExpr(b.plan, b.Binary(Op::kOr, yes, either), {}) == "true or 1 < 2 or true");
}

TEST_CASE("a small plan cannot make a text without end") {
  SampleBuilder b;
  b.plan = SamplePlan();
  ExprId e = b.Add({Op::kTrue});
  for (int i = 1; i < 64; ++i) e = b.Binary(Op::kAnd, e, e);
  b.plan.rules[2].bindings[0].where = e;
  REQUIRE(Verify(b.plan).ok());
  CHECK(DumpRule(b.plan, 2).size() < 100'000);
}

TEST_CASE("durations are exact") {
  CHECK(PrintDuration(90 * kSecond) == "90s");
  CHECK(PrintDuration(120 * kSecond) == "2m");
  CHECK(PrintDuration(86'400 * kSecond) == "1d");
  CHECK(PrintDuration(1'500'000'000) == "1500ms");
  CHECK(PrintDuration(1) == "1ns");
  CHECK(PrintDuration(0) == "0s");
}

TEST_CASE("controls of a stranger's text do not reach the terminal") {
  CHECK(Quoted("a\x1b[31m") == "\"a\\u001b[31m\"");
  CHECK(Quoted("a\xc2\x9b"
               "b") == "\"a\\u009bb\"");
  CHECK(Quoted("a\xe2\x80\xae"
               "b") == "\"a\\u202eb\"");
  CHECK(Quoted("a\xe2\x82\xac\xc3\xa4") == "\"a\xe2\x82\xac\xc3\xa4\"");
}

}  // namespace
}  // namespace attr::plan
