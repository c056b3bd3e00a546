// semantics.md S1: bounds, tried causes, would_change.
#include <doctest.h>

#include "runtime/resolve/scenario.h"

namespace attr::resolve {

using model::VerdictStatus;

TEST_CASE("two presumed causes with the same blame leave the verdict open, though one flip changes nothing") {
  Scenario s;
  uint32_t failed = s.Outcome(plan::TerminalState::kFailed);
  uint32_t fault = s.Cause("fault", {"fabric.nvlink"});
  s.Find(failed, "", 0);
  s.Find(fault, "n1", 1, kPresumed);
  s.Find(fault, "n1", 2, kPresumed);
  model::Verdict v = s.Resolve();
  CHECK(v.status == VerdictStatus::kAttributed);
  CHECK(v.domain == "fabric.nvlink");
  CHECK_FALSE(v.settled);
  REQUIRE(v.would_change.size() == 1);
  CHECK(v.would_change[0].verdict == "unattributed");
  CHECK(v.would_change[0].rules == std::vector<std::string>{"test.pack::fault"});
}

TEST_CASE("a presumed finding beside a confirmed one of the same rule and node settles") {
  Scenario s;
  uint32_t failed = s.Outcome(plan::TerminalState::kFailed);
  uint32_t fault = s.Cause("fault", {"fabric.nvlink"});
  s.Find(failed, "", 0);
  s.Find(fault, "n1", 1);
  s.Find(fault, "n1", 2, kPresumed);
  CHECK(s.Resolve().settled);
}

TEST_CASE("possible causes of one gap act together") {
  Scenario s;
  uint32_t failed = s.Outcome(plan::TerminalState::kFailed);
  uint32_t flap = s.Cause("flap", {"network.ib"});
  uint32_t reset = s.Cause("reset", {"network.ib"});
  uint32_t sw = s.Cause("switch", {"fabric.nvswitch"});
  uint32_t hurt = s.Symptom("hurt");
  s.RulePair(reset, sw);
  s.Find(failed, "", 0);
  uint32_t gap = s.Gap("kernel", "n1");
  uint32_t top = s.Find(sw, "n9", 1);
  s.Edge(top, s.Find(hurt, "n2", 9));
  for (int i = 0; i < 2; ++i) {
    uint32_t f = s.Find(flap, "n1", 2 + i, kPossible);
    s.evaluation.findings[f].gaps = {gap};
    uint32_t r = s.Find(reset, "n1", 4 + i);
    s.Edge(r, s.Find(hurt, "n1", 10 + i));
    s.Edge(f, r);
  }
  model::Verdict v = s.Resolve();
  CHECK(v.domain == "network.ib");
  CHECK_FALSE(v.settled);
  REQUIRE(v.would_change.size() == 1);
  CHECK(v.would_change[0].source == "kernel");
  CHECK(v.would_change[0].places == std::vector<std::string>{"n1"});
}

TEST_CASE("a cause that is only possible is listed with what was seen of it") {
  Scenario s;
  uint32_t failed = s.Outcome(plan::TerminalState::kFailed);
  uint32_t cause = s.Cause("cause", {"storage"});
  s.Find(failed, "", 0);
  for (int i = 0; i < 10; ++i) s.Find(cause, "n1", 10 + i, kPossible);
  model::Verdict v = s.Resolve();
  CHECK(v.status == VerdictStatus::kUnattributed);
  REQUIRE(v.possible.size() == 8);
  CHECK(v.possible_more == 2);
  CHECK(v.possible[0].finding.truth == model::Truth::kPossible);
  CHECK(v.possible[0].finding.evidence.size() == 1);
}

TEST_CASE("a possible edge is an unknown") {
  Scenario s;
  uint32_t failed = s.Outcome(plan::TerminalState::kFailed);
  uint32_t lesser = s.Cause("lesser", {"storage"});
  uint32_t mount = s.Cause("mount", {"network"});
  s.Find(failed, "", 0);
  s.Edge(s.Find(mount, "n1", 1), s.Find(lesser, "n2", 2), kPossible);
  model::Verdict v = s.Resolve();
  CHECK(v.status == VerdictStatus::kAmbiguous);
  CHECK_FALSE(v.settled);
  REQUIRE_FALSE(v.would_change.empty());
  CHECK(v.would_change[0].verdict == "attributed");
  CHECK(v.would_change[0].leads_to[0].first == "network");
}

TEST_CASE("an unevaluable cause is tried only when it demotes a root or something unexplained") {
  Scenario s;
  uint32_t failed = s.Outcome(plan::TerminalState::kFailed);
  uint32_t blind = s.Cause("blind", {"hardware.gpu"});
  uint32_t fault = s.Cause("fault", {"fabric.nvlink"});
  uint32_t hurt = s.Symptom("hurt", {"fabric", "network"});
  s.Demotes(blind, {hurt});
  s.Find(failed, "", 0);
  s.Unevaluable(blind, "kernel", "n2");
  uint32_t f = s.Find(hurt, "n1", 5);
  SUBCASE("nothing explains the symptom") {
    model::Verdict v = s.Resolve();
    CHECK(v.status == VerdictStatus::kUnattributed);
    CHECK_FALSE(v.settled);
    REQUIRE(v.would_change.size() == 1);
    CHECK(v.would_change[0].source == "kernel");
    CHECK(v.would_change[0].places == std::vector<std::string>{"n2"});
    CHECK(v.would_change[0].verdict == "attributed");
    CHECK(v.would_change[0].leads_to == std::vector<std::pair<std::string, uint64_t>>{{"hardware.gpu", 1}});
    REQUIRE(v.candidates.size() == 2);
    CHECK(v.candidates[0].domain == "fabric");
    CHECK(v.candidates[0].needs.empty());
    REQUIRE(v.first_failure);
    CHECK(v.first_failure->rule == "test.pack::hurt");
  }
  SUBCASE("a root explains it") {
    s.Edge(s.Find(fault, "n1", 1), f);
    model::Verdict v = s.Resolve();
    CHECK(v.domain == "fabric.nvlink");
    CHECK(v.settled);
    CHECK(v.would_change.empty());
    REQUIRE(v.unevaluable.size() == 1);
    CHECK(v.unevaluable[0].rule == "test.pack::blind");
  }
  SUBCASE("the root that explains it is itself named") {
    s.Demotes(blind, {fault});
    s.Edge(s.Find(fault, "n1", 1), f);
    model::Verdict v = s.Resolve();
    CHECK(v.domain == "fabric.nvlink");
    CHECK_FALSE(v.settled);
    REQUIRE(v.would_change.size() == 1);
    CHECK(v.would_change[0].leads_to[0].first == "hardware.gpu");
  }
}

TEST_CASE("blind causes of one source fold by the domains that they lead to") {
  Scenario s;
  uint32_t failed = s.Outcome(plan::TerminalState::kFailed);
  uint32_t a = s.Cause("a", {"hardware.gpu"});
  uint32_t b = s.Cause("b", {"hardware.gpu"});
  uint32_t c = s.Cause("c", {"fabric.nvlink"});
  uint32_t hurt = s.Symptom("hurt");
  s.Find(failed, "", 0);
  s.Find(hurt, "n1", 5);
  for (uint32_t rule : {c, b, a}) {
    s.Demotes(rule, {hurt});
    for (int n = 9; n > 1; --n) s.Unevaluable(rule, "kernel", "n" + std::to_string(n));
  }
  model::Verdict v = s.Resolve();
  REQUIRE(v.would_change.size() == 1);
  CHECK(v.would_change[0].places.size() == 8);
  CHECK(v.would_change[0].places.front() == "n2");
  CHECK(v.would_change[0].leads_to ==
        std::vector<std::pair<std::string, uint64_t>>{{"hardware.gpu", 2}, {"fabric.nvlink", 1}});
}

TEST_CASE("blind causes of one kind are told apart where a pair names one of them") {
  Scenario s;
  uint32_t failed = s.Outcome(plan::TerminalState::kFailed);
  uint32_t a = s.Cause("a", {"hardware"});
  uint32_t b = s.Cause("b", {"hardware"});
  uint32_t main = s.Cause("main", {"fabric"});
  s.RulePair(main, b);
  s.Find(failed, "", 0);
  s.Find(main, "n1", 5);
  for (uint32_t rule : {a, b}) {
    s.Demotes(rule, {main});
    s.Unevaluable(rule, "kernel", "n2");
  }
  // Either would demote `main`: then nothing stands above b.
  model::Verdict v = s.Resolve();
  REQUIRE(v.would_change.size() == 1);
  CHECK(v.would_change[0].leads_to == std::vector<std::pair<std::string, uint64_t>>{{"hardware", 2}});
}

TEST_CASE("what changes nothing alone but keeps the verdict open stands last, jointly") {
  Scenario s;
  uint32_t failed = s.Outcome(plan::TerminalState::kFailed);
  uint32_t first = s.Cause("first", {"network"});
  uint32_t lesser = s.Cause("lesser", {"storage"});
  uint32_t second = s.Cause("second", {"network"});
  uint32_t strong = s.Cause("strong", {"network"});
  s.RulePair(lesser, strong);
  s.Find(failed, "", 0);
  s.Find(strong, "n1", 1);
  // Two lesser causes; each has its own possible demoter, and either alone leaves the other above `strong`.
  uint32_t l1 = s.Find(lesser, "n1", 2);
  uint32_t l2 = s.Find(lesser, "n1", 3);
  uint32_t f1 = s.Find(first, "n1", 4, kPossible);
  uint32_t f2 = s.Find(second, "n1", 5, kPossible);
  s.evaluation.findings[f1].gaps = {s.Gap("kernel", "n1")};
  s.evaluation.findings[f2].gaps = {s.Gap("fabric")};
  s.RulePair(lesser, first);
  s.RulePair(lesser, second);
  uint32_t hurt = s.Symptom("symptom");
  s.Edge(l1, s.Find(hurt, "n2", 8));
  s.Edge(l2, s.Find(hurt, "n3", 9));
  s.Edge(f1, l1);
  s.Edge(f2, l2);
  model::Verdict v = s.Resolve();
  CHECK(v.domain == "storage");
  CHECK_FALSE(v.settled);
  REQUIRE(v.would_change.size() == 2);
  CHECK(v.would_change[0].verdict == "jointly");
  CHECK(v.would_change[0].source == "fabric");
  CHECK(v.would_change[1].source == "kernel");
}

TEST_CASE("a rule over a limit counts as unevaluable") {
  Scenario s;
  uint32_t failed = s.Outcome(plan::TerminalState::kFailed);
  uint32_t big = s.Cause("big", {"host"});
  uint32_t hurt = s.Symptom("hurt");
  s.Demotes(big, {hurt});
  s.Find(failed, "", 0);
  s.Find(hurt, "n1", 5);
  s.Limit(big);
  model::Verdict v = s.Resolve();
  CHECK_FALSE(v.settled);
  REQUIRE(v.limits.size() == 1);
  CHECK(v.limits[0].bound == 100);
  REQUIRE(v.would_change.size() == 1);
  CHECK(v.would_change[0].source == "limit on candidate pairs");
}

TEST_CASE("an empty set is unattributed, open by its outcome, and lists what it lacked") {
  Scenario s;
  uint32_t failed = s.Outcome(plan::TerminalState::kFailed);
  uint32_t fault = s.Cause("fault", {"host"});
  s.Unevaluable(failed, "scheduler");
  s.Unevaluable(fault, "kernel");
  model::Verdict v = s.Resolve();
  CHECK(v.status == VerdictStatus::kUnattributed);
  CHECK_FALSE(v.settled);
  CHECK(v.unevaluable.size() == 2);
  CHECK(v.terminal_state == "unknown");
  CHECK(v.terminal_state_unknown_before == std::vector<std::string>{"failed"});
  // Nothing survives, so the cause that was never looked for could be the answer.
  REQUIRE(v.would_change.size() == 2);
  CHECK(v.would_change[0].source == "kernel");
  CHECK(v.would_change[0].leads_to[0].first == "host");
  CHECK(v.would_change[1].source == "scheduler");
  CHECK(v.would_change[1].leads_to[0].first == "terminal state failed");
}

TEST_CASE("a cause that demotes nothing keeps an empty answer open, not one that stands") {
  Scenario open;
  open.Unevaluable(open.Cause("fault", {"host"}), "kernel");
  CHECK_FALSE(open.Resolve().settled);
}

}  // namespace attr::resolve
