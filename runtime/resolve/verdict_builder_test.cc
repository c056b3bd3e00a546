// What the document shows: order, samples, counts, templates, coverage.
#include <doctest.h>

#include <algorithm>
#include <random>

#include "runtime/model/time_text.h"
#include "runtime/report/report.h"
#include "runtime/resolve/scenario.h"

namespace attr::resolve {

namespace {

using Names = std::vector<std::string>;

// A cause on n1, `symptoms` symptoms under it; findings in a random order.
Scenario Cascade(int symptoms, unsigned seed) {
  Scenario s;
  uint32_t failed = s.Outcome(plan::TerminalState::kFailed);
  uint32_t fault = s.Cause("fault", {"fabric.nvlink"});
  uint32_t hurt = s.Symptom("hurt");
  s.Demotes(fault, {hurt}, "all wait for it");
  s.Find(failed, "", 99);
  s.Find(fault, "n1", 1);
  for (int i = 0; i < symptoms; ++i) s.Find(hurt, "n" + std::to_string(i), 5);
  std::vector<eval::Finding>& findings = s.evaluation.findings;
  std::shuffle(findings.begin(), findings.end(), std::mt19937(seed));
  for (uint32_t to = 0; to < findings.size(); ++to) {
    for (uint32_t from = 0; from < findings.size(); ++from) {
      if (findings[to].rule == hurt && findings[from].rule == fault) s.Edge(from, to);
    }
  }
  std::shuffle(s.evaluation.edges.begin(), s.evaluation.edges.end(), std::mt19937(seed + 1));
  return s;
}

}  // namespace

TEST_CASE("the order of findings and edges reaches no byte of the verdict") {
  Scenario first = Cascade(30, 1);
  std::string expected = report::ToJson(first.Resolve());
  for (unsigned seed = 2; seed < 8; ++seed) {
    Scenario other = Cascade(30, seed);
    CHECK(report::ToJson(other.Resolve()) == expected);
  }
}

TEST_CASE("nine symptoms of a rule are shown, all are counted") {
  Scenario s = Cascade(30, 1);
  model::Verdict v = s.Resolve();
  REQUIRE(v.symptoms.size() == 9);
  CHECK(v.symptoms[7].finding.nodes == Names{"n7"});
  CHECK(v.symptoms[8].finding.nodes == Names{"n29"});
  REQUIRE(v.symptom_groups.size() == 1);
  CHECK(v.symptom_groups[0].findings == 30);
  CHECK(v.symptom_groups[0].unexplained == 0);
  CHECK(v.symptom_groups[0].nodes.size() == 30);
  CHECK(v.causes[0].explains.size() == 9);
  CHECK(v.causes[0].explains_total == std::vector<std::pair<std::string, uint64_t>>{{"test.pack::hurt", 30}});
  CHECK(v.affected_nodes == std::vector<std::pair<std::string, Names>>{{"n1", {"test.pack::fault"}}});
}

TEST_CASE("a symptom that nothing explains is in the sample") {
  Scenario s = Cascade(30, 1);
  auto into = [&](const eval::Edge& e) { return s.context.dictionary.Text(s.evaluation.findings[e.to].nodes[0]); };
  auto& edges = s.evaluation.edges;
  edges.erase(std::find_if(edges.begin(), edges.end(), [&](const eval::Edge& e) { return into(e) == "n20"; }));
  model::Verdict v = s.Resolve();
  CHECK(v.symptom_groups[0].unexplained == 1);
  CHECK(std::count_if(v.symptoms.begin(), v.symptoms.end(),
                      [](const model::SymptomView& x) { return x.demoted_by.empty(); }) == 1);
}

TEST_CASE("many causes of a rule are all listed, nine with evidence") {
  Scenario s;
  uint32_t fault = s.Cause("fault", {"fabric"});
  for (int i = 0; i < 20; ++i) s.Find(fault, "n" + std::to_string(i), i);
  model::Verdict v = s.Resolve();
  REQUIRE(v.causes.size() == 20);
  CHECK(std::count_if(v.causes.begin(), v.causes.end(),
                      [](const model::CauseView& c) { return !c.finding.evidence.empty(); }) == 9);
  CHECK(v.causes[15].finding.evidence_total == 1);
}

TEST_CASE("templates print the first member, and ? for what is missing") {
  Scenario s;
  uint32_t fault = s.Cause("fault", {"fabric"});
  auto add = [&](plan::SegmentKind kind, const char* text, uint32_t column) {
    plan::Segment segment;
    segment.kind = kind;
    if (*text != 0) {
      s.plan.strings.emplace_back(text);
      segment.text = static_cast<plan::StrId>(s.plan.strings.size() - 1);
    }
    segment.column = {0, column};
    s.plan.rules[fault].explain.push_back(segment);
  };
  add(plan::SegmentKind::kColumn, "", plan::kNode);
  add(plan::SegmentKind::kText, " at ", 0);
  add(plan::SegmentKind::kColumn, "", plan::kBegin);
  add(plan::SegmentKind::kText, " x", 0);
  add(plan::SegmentKind::kCount, "", 0);
  uint32_t f = s.Find(fault, "", 1);
  CHECK(s.Resolve().causes[0].finding.explanation.substr(0, 5) == "? at ");
  s.evaluation.findings[f].members[0].presumed = 7;
  std::string text = s.Resolve().causes[0].finding.explanation;
  CHECK(text.substr(text.size() - 3) == " x7");
}

TEST_CASE("coverage folds by what it says; sources that rules read and nobody mentions are absent") {
  Scenario s;
  plan::SourceRef ref;
  for (const char* name : {"kernel", "scheduler"}) {
    s.plan.strings.emplace_back(name);
    ref.alternatives = {{static_cast<plan::StrId>(s.plan.strings.size() - 1), 0}};
    s.plan.events[0].sources.push_back(ref);
  }
  for (int i = 1; i <= 3; ++i) {
    model::Coverage row;
    row.source = s.set.names.Intern("kernel");
    row.node = s.set.names.Intern("n" + std::to_string(i));
    row.from = 0;
    row.to = plan::kSecond;
    s.set.coverage.push_back(row);
  }
  s.Find(s.Cause("fault", {"fabric"}), "n2", 1);
  model::Verdict v = s.Resolve();
  REQUIRE(v.coverage.size() == 2);
  CHECK(v.coverage[0].source == "kernel");
  CHECK(v.coverage[0].nodes == Names{"n1", "n2", "n3"});
  CHECK(v.coverage[0].observations == 1);
  CHECK(model::FormatMoment(v.coverage[0].to) == "1970-01-01T00:00:01Z");
  CHECK(v.coverage[1].source == "scheduler");
  CHECK(v.coverage[1].status == "absent");
  for (const char* node : {"n2", "n4", "n5"}) {
    s.set.attempt.nodes.emplace_back();
    s.set.attempt.nodes.back().node = s.set.names.Intern(node);
  }
  v = s.Resolve();
  REQUIRE(v.coverage.size() == 3);
  CHECK(v.coverage[1].source == "kernel");
  CHECK(v.coverage[1].status == "absent");
  CHECK(v.coverage[1].nodes == Names{"n4", "n5"});
  CHECK(v.coverage[1].reason == "the observation set does not mention it there");
}

TEST_CASE("what lies outside is counted with its reason") {
  Scenario s;
  s.matched.scope = {10, 2, 0, 3, 0};
  model::Verdict v = s.Resolve();
  CHECK(v.observations_in == 10);
  CHECK(v.observations_out == 5);
  REQUIRE(v.out_of_scope.size() == 2);
  CHECK(v.out_of_scope[1].reason == "other node");
}

}  // namespace attr::resolve
