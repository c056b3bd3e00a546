// Of an unattributed verdict: where the unexplained symptoms point, the evidence
// that would decide, the first failure. And for every verdict: what could not be
// evaluated.
#include <algorithm>
#include <map>
#include <set>

#include "runtime/base/fold_names.h"
#include "runtime/resolve/telemetry.h"
#include "runtime/resolve/values.h"
#include "runtime/resolve/verdict_builder.h"

namespace attr::resolve {

namespace {

constexpr size_t kPlaceRuns = 12;

bool IsWithin(const plan::Plan& plan, uint32_t domain, uint32_t ancestor) {
  for (; domain != plan::kNone; domain = plan.domains[domain].parent) {
    if (domain == ancestor) return true;
  }
  return false;
}

bool Concerns(const plan::Plan& plan, uint32_t rule, uint32_t domain) {
  const std::vector<uint32_t>& mine = plan.rules[rule].domains;
  return std::any_of(mine.begin(), mine.end(),
                     [&](uint32_t d) { return IsWithin(plan, d, domain) || IsWithin(plan, domain, d); });
}

// Telemetry that causes of a domain lack, source by source.
class Needs {
 public:
  explicit Needs(const Building& b) {
    const Problem& p = b.problem;
    for (uint32_t rule : p.unevaluable) {
      if (p.plan.rules[rule].kind != plan::RuleKind::kCause) continue;
      for (Telemetry& t : LackedBy(p, rule)) lacks_.emplace_back(rule, std::move(t));
    }
    for (uint32_t f = 0; f < p.FindingCount(); ++f) {
      bool possible = b.bounds.finding[f] != kNo && !b.Exists(f);
      if (possible && p.IsCause(f)) lacks_.emplace_back(p.RuleOf(f), NeededBy(p, p.evaluation.findings[f]));
    }
  }

  std::vector<std::string> Of(const plan::Plan& plan, uint32_t domain) const {
    std::map<std::string, std::vector<std::string>> places;
    std::set<std::string> everywhere;
    for (const auto& [rule, telemetry] : lacks_) {
      if (!Concerns(plan, rule, domain)) continue;
      std::vector<std::string>& list = places[telemetry.source];
      list.insert(list.end(), telemetry.places.begin(), telemetry.places.end());
      if (telemetry.places.empty()) everywhere.insert(telemetry.source);
    }
    std::vector<std::string> out;
    for (auto& [source, list] : places) {
      SortNames(&list);
      bool all = everywhere.count(source) != 0 || list.empty();
      out.push_back(all ? source : source + " on " + FoldNames(list, kPlaceRuns));
    }
    return out;
  }

 private:
  std::vector<std::pair<uint32_t, Telemetry>> lacks_;
};

bool IsUnexplained(const Building& b, uint32_t f) { return b.Exists(f) && b.problem.IsSymptom(f) && !b.Demoted(f); }

void AddFirstFailure(Building* b, uint32_t f) {
  const eval::Finding& finding = b->problem.evaluation.findings[f];
  const plan::Rule& rule = b->problem.plan.rules[finding.rule];
  bool blames = !finding.place_open && !finding.blamed_nodes.empty();
  model::FirstFailure first;
  first.rule = std::string(b->problem.plan.Str(rule.name));
  first.title = std::string(b->problem.plan.Str(rule.title));
  first.time = finding.begin;
  first.blames = blames;
  first.nodes = NameTexts(b->problem.context, blames ? finding.blamed_nodes : finding.nodes);
  b->verdict.first_failure = std::move(first);
}

}  // namespace

void BuildCandidates(Building* b) {
  if (b->summary.status != model::VerdictStatus::kUnattributed) return;
  const plan::Plan& plan = b->problem.plan;
  std::map<std::string, std::pair<uint32_t, std::set<uint32_t>>> suggested;  // path -> domain, symptom rules
  for (uint32_t f : b->problem.canonical) {
    if (!IsUnexplained(*b, f)) continue;
    if (!b->verdict.first_failure) AddFirstFailure(b, f);
    for (uint32_t domain : plan.rules[b->problem.RuleOf(f)].suggests) {
      auto& entry = suggested[std::string(plan.Str(plan.domains[domain].path))];
      entry.first = domain;
      entry.second.insert(b->problem.RuleOf(f));
    }
  }
  if (suggested.empty()) return;
  Needs needs(*b);
  for (const auto& [path, entry] : suggested) {
    model::Candidate candidate;
    candidate.domain = path;
    for (uint32_t rule : entry.second) candidate.suggested_by.emplace_back(plan.Str(plan.rules[rule].name));
    candidate.needs = needs.Of(plan, entry.first);
    b->verdict.candidates.push_back(std::move(candidate));
  }
}

void BuildUnevaluable(Building* b) {
  const Problem& p = b->problem;
  for (uint32_t r : p.unevaluable) {
    const plan::Rule& rule = p.plan.rules[r];
    model::Unevaluable view;
    view.rule = std::string(p.plan.Str(rule.name));
    view.title = std::string(p.plan.Str(rule.title));
    for (const std::string& domain : DomainTexts(p.plan, rule.domains)) {
      view.domain += (view.domain.empty() ? "" : " | ") + domain;
    }
    for (Telemetry& t : LackedBy(p, r)) view.lacked.emplace_back(std::move(t.source), std::move(t.places));
    b->verdict.unevaluable.push_back(std::move(view));
  }
  for (const auto* limits : {&p.evaluation.limits, &b->flow.ambiguity_limits}) {
    for (const eval::Limit& limit : *limits) {
      b->verdict.limits.push_back(
          {std::string(p.plan.Str(p.plan.rules[limit.rule].name)), limit.name, limit.value, limit.bound});
    }
  }
}

}  // namespace attr::resolve
