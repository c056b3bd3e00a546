// semantics.md S7: roots, bystanders, sieves; S15 and S22: status and terminal state.
#include <doctest.h>

#include "runtime/resolve/scenario.h"

namespace attr::resolve {

using model::VerdictStatus;

namespace {

std::vector<std::string> Rules(const std::vector<model::CauseView>& causes) {
  std::vector<std::string> out;
  for (const auto& c : causes) out.push_back(c.finding.rule.substr(sizeof("test.pack::") - 1));
  return out;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a domain pair that contradicts a rule pair makes no cycle: levels are sieves") {
  Scenario s;
  uint32_t h1 = s.Cause("h1", {"hardware"});
  uint32_t h2 = s.Cause("h2", {"hardware"});
  uint32_t n = s.Cause("n", {"network"});
  s.RulePair(n, h1);
  s.DomainPair("hardware", "network");
  s.Find(h1, "n1", 1);
  s.Find(n, "n1", 2);
  SUBCASE("three roots: the rule level drops h1, the domain level n") {
    s.Find(h2, "n1", 3);
    model::Verdict v = s.Resolve();
    CHECK(Rules(v.causes) == Names{"h2"});
    REQUIRE(v.outranked.size() == 2);
    CHECK(v.outranked[0].cause.finding.rule == "test.pack::h1");
    CHECK(v.outranked[0].pair == "test.pack::n > test.pack::h1");
    CHECK(v.outranked[1].pair == "hardware > network");
    CHECK(v.outranked[1].by_rule == "test.pack::h2");
  }
  SUBCASE("two roots: n wins") { CHECK(Rules(s.Resolve().causes) == Names{"n"}); }
}

TEST_CASE("domain pairs speak only between roots that share a symptom or a node") {
  Scenario s;
  uint32_t h = s.Cause("h", {"hardware"});
  uint32_t n = s.Cause("n", {"network"});
  uint32_t hurt = s.Symptom("hurt");
  s.DomainPair("hardware", "network");
  uint32_t fh = s.Find(h, "n1", 1);
  uint32_t fn = s.Find(n, "n2", 2);
  uint32_t a = s.Find(hurt, "n3", 3);
  uint32_t b = s.Find(hurt, "n4", 4);
  s.Edge(fh, a);
  SUBCASE("apart") {
    s.Edge(fn, b);
    CHECK(s.Resolve().status == VerdictStatus::kAmbiguous);
  }
  SUBCASE("one symptom") {
    s.Edge(fn, a);
    CHECK(Rules(s.Resolve().causes) == Names{"h"});
  }
  SUBCASE("one symptom, by an edge that is only presumed") {
    s.Edge(fn, a, kPresumed);
    s.Edge(fn, b);
    model::Verdict v = s.Resolve();
    CHECK(Rules(v.causes) == Names{"h"});
    CHECK_FALSE(v.settled);
  }
}

TEST_CASE("a wildcard gives way at its named side's level, before domains speak") {
  Scenario s;
  uint32_t bug = s.Cause("bug", {"application.code"});
  uint32_t limit = s.Cause("limit", {"platform.scheduler"}, {"fallback"});
  uint32_t other = s.Cause("lost", {"host"}, {"fallback"});
  s.AllAboveTag("fallback");
  s.DomainPair("platform", "application");
  s.Find(limit, "n1", 1);
  SUBCASE("against another") {
    s.Find(bug, "n1", 2);
    CHECK(Rules(s.Resolve().causes) == Names{"bug"});
  }
  SUBCASE("not among its own") {
    s.Find(other, "n1", 2);
    CHECK(s.Resolve().causes.size() == 2);
  }
}

TEST_CASE("drops of one level happen at once") {
  Scenario s;
  uint32_t a = s.Cause("a", {"host"});
  uint32_t b = s.Cause("b", {"network"});
  uint32_t c = s.Cause("c", {"storage"});
  s.RulePair(a, b);
  s.RulePair(b, c);
  s.Find(a, "n1", 1);
  s.Find(b, "n2", 2);
  s.Find(c, "n3", 3);
  model::Verdict v = s.Resolve();
  CHECK(Rules(v.causes) == Names{"a"});
  CHECK(v.outranked.size() == 2);
}

TEST_CASE("a root that explains nothing is a bystander beside one that explains something") {
  Scenario s;
  uint32_t idle = s.Cause("idle", {"storage"});
  uint32_t lesser = s.Cause("lesser", {"network"});
  uint32_t main = s.Cause("main", {"network"});
  uint32_t hurt = s.Symptom("hurt");
  s.Find(idle, "n9", 1);
  SUBCASE("a symptom counts") {
    s.Edge(s.Find(main, "n1", 2), s.Find(hurt, "n1", 3));
    model::Verdict v = s.Resolve();
    CHECK(Rules(v.causes) == Names{"main"});
    CHECK(Rules(v.bystanders) == Names{"idle"});
  }
  SUBCASE("a lesser cause counts as well") {
    s.Edge(s.Find(main, "n1", 2), s.Find(lesser, "n1", 3));
    model::Verdict v = s.Resolve();
    CHECK(Rules(v.causes) == Names{"main"});
    REQUIRE(v.symptoms.size() == 1);
    CHECK(v.symptoms[0].is_cause);
  }
  SUBCASE("nobody explains anything: all stay") {
    s.Find(main, "n1", 2);
    CHECK(s.Resolve().causes.size() == 2);
  }
  SUBCASE("a presumed edge makes it so, provisionally") {
    s.Edge(s.Find(main, "n1", 2), s.Find(hurt, "n1", 3), kPresumed);
    model::Verdict v = s.Resolve();
    CHECK(Rules(v.bystanders) == Names{"idle"});
    CHECK_FALSE(v.settled);
  }
}

TEST_CASE("a demoted finding still demotes, and the chain is kept") {
  Scenario s;
  uint32_t top = s.Cause("top", {"host"});
  uint32_t mid = s.Symptom("mid");
  uint32_t low = s.Symptom("low");
  s.Demotes(top, {mid}, "it takes the host down");
  uint32_t t = s.Find(top, "n1", 1);
  uint32_t m = s.Find(mid, "n1", 2);
  uint32_t l = s.Find(low, "n1", 3);
  s.Edge(t, m);
  s.Edge(m, l);
  model::Verdict v = s.Resolve();
  REQUIRE(v.symptoms.size() == 2);
  CHECK(v.symptoms[0].demoted_by[0].because == "it takes the host down");
  CHECK_FALSE(v.symptoms[0].parent);
  REQUIRE(v.symptoms[1].parent);
  CHECK(*v.symptoms[1].parent == 0);
  CHECK(v.causes[0].explains == std::vector<uint32_t>{0});
}

TEST_CASE("alternatives are intersected at the top") {
  Scenario s;
  SUBCASE("under one top: attributed to it") {
    uint32_t port = s.Cause("port", {"network.ib", "network.roce"});
    s.Find(port, "n1", 1);
    CHECK(s.Resolve().domain == "network");
  }
  SUBCASE("another root decides") {
    uint32_t a = s.Cause("a", {"storage", "network.ib"});
    uint32_t b = s.Cause("b", {"network.ib", "host"});
    s.Find(a, "n1", 1);
    s.Find(b, "n1", 2);
    CHECK(s.Resolve().domain == "network.ib");
  }
  SUBCASE("alone it stays open") {
    uint32_t a = s.Cause("a", {"storage", "network"});
    s.Find(a, "n1", 1);
    model::Verdict v = s.Resolve();
    CHECK(v.status == VerdictStatus::kAmbiguous);
    CHECK(v.domain.empty());
  }
  SUBCASE("the deepest domain that holds all") {
    uint32_t a = s.Cause("a", {"hardware.gpu.memory"});
    uint32_t b = s.Cause("b", {"hardware.gpu.thermal"});
    s.Find(a, "n1", 1);
    s.Find(b, "n1", 2);
    CHECK(s.Resolve().domain == "hardware.gpu");
  }
}

TEST_CASE("terminal state: the first true one, with what may stand before it") {
  Scenario s;
  uint32_t preempted = s.Outcome(plan::TerminalState::kPreempted);
  uint32_t failed = s.Outcome(plan::TerminalState::kFailed);
  s.Find(failed, "", 1);
  CHECK(s.Resolve().terminal_state == "failed");
  CHECK(s.Resolve().settled);
  s.Unevaluable(preempted, "scheduler");
  model::Verdict v = s.Resolve();
  CHECK(v.terminal_state == "failed");
  CHECK(v.terminal_state_unknown_before == Names{"preempted"});
  CHECK_FALSE(v.settled);
}

TEST_CASE("a success has no causes, only what is notable") {
  Scenario s;
  uint32_t ok = s.Outcome(plan::TerminalState::kSucceeded);
  uint32_t a = s.Cause("a", {"host"});
  s.Find(a, "n1", 1);
  s.Find(a, "n2", 2, kPresumed);
  SUBCASE("certain") {
    s.Find(ok, "", 3);
    model::Verdict v = s.Resolve();
    CHECK(v.status == VerdictStatus::kNoFailure);
    CHECK(v.settled);
    CHECK(v.causes.empty());
    CHECK(v.affected_nodes.empty());
    REQUIRE(v.notable.size() == 2);
    CHECK(v.notable[1].finding.truth == model::Truth::kPresumed);
  }
  SUBCASE("an unknown outcome is no success, and open") {
    s.Unevaluable(ok, "scheduler");
    model::Verdict v = s.Resolve();
    CHECK(v.status == VerdictStatus::kAttributed);
    CHECK_FALSE(v.settled);
  }
}

TEST_CASE("a finding that could not choose its place blames nobody and says so") {
  Scenario s;
  uint32_t port = s.Cause("port", {"network.ib"});
  uint32_t f = s.Find(port, "", 1, kPresumed);
  s.evaluation.findings[f].place_open = true;
  s.evaluation.findings[f].open_places = {s.context.dictionary.Intern("n10"), s.context.dictionary.Intern("n2")};
  model::Verdict v = s.Resolve();
  CHECK(v.affected_nodes.empty());
  CHECK(v.causes[0].finding.open_places == Names{"n2", "n10"});
}

}  // namespace attr::resolve
