#include "runtime/resolve/problem.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "runtime/resolve/values.h"

namespace attr::resolve {

AboveMemo::AboveMemo(const plan::Plan& plan) : plan_(&plan), order_(plan) {}

bool AboveMemo::Above(plan::Level level, uint32_t x, uint32_t y) const {
  if (x == y || order_.Empty(level)) return false;
  std::vector<uint8_t>& memo = memo_[static_cast<size_t>(level)];
  size_t rules = plan_->rules.size();
  if (memo.empty()) memo.resize(rules * rules);
  uint8_t& known = memo[x * rules + y];
  if (known == 0) known = order_.Above(level, x, y) == plan::kNone ? 1 : 2;
  return known == 2;
}

std::string AboveMemo::Text(plan::Level level, uint32_t x, uint32_t y) const {
  std::string out;
  for (uint32_t pair : order_.Chain(level, x, y)) {
    if (!out.empty()) out += ", ";
    out += plan_->Str(plan_->order[pair].text);
  }
  return out;
}

namespace {

// Unknown begins stand last.
int64_t BeginKey(const model::Moment& begin) { return begin.lo <= plan::kBeforeAll ? plan::kAfterAll : begin.lo; }

void SortUnique(std::vector<uint32_t>* list) {
  std::sort(list->begin(), list->end());
  list->erase(std::unique(list->begin(), list->end()), list->end());
}

int CompareKeys(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i] == b[i]) continue;
    return NaturalLess(a[i], b[i]) ? -1 : 1;
  }
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

// Rows of an event stand in canonical order, so member rows break what ties are left.
bool LessByContent(const eval::Finding& a, const eval::Finding& b) {
  if (a.begin.hi != b.begin.hi) return a.begin.hi < b.begin.hi;
  if (BeginKey(a.end) != BeginKey(b.end)) return BeginKey(a.end) < BeginKey(b.end);
  for (size_t i = 0; i < a.members.size() && i < b.members.size(); ++i) {
    if (a.members[i].rows != b.members[i].rows) return a.members[i].rows < b.members[i].rows;
  }
  return a.bits > b.bits;
}

std::vector<uint32_t> CanonicalOrder(const Problem& p) {
  std::vector<uint32_t> out(p.FindingCount());
  std::iota(out.begin(), out.end(), 0);
  const auto& findings = p.evaluation.findings;
  std::stable_sort(out.begin(), out.end(), [&](uint32_t x, uint32_t y) {
    const eval::Finding& a = findings[x];
    const eval::Finding& b = findings[y];
    if (BeginKey(a.begin) != BeginKey(b.begin)) return BeginKey(a.begin) < BeginKey(b.begin);
    if (a.rule != b.rule) {
      int names = p.plan.Str(p.plan.rules[a.rule].name).compare(p.plan.Str(p.plan.rules[b.rule].name));
      return names != 0 ? names < 0 : a.rule < b.rule;
    }
    int keys = CompareKeys(p.key_text[x], p.key_text[y]);
    return keys != 0 ? keys < 0 : LessByContent(a, b);
  });
  return out;
}

std::vector<uint32_t> SortedEdges(const eval::Evaluation& evaluation) {
  std::vector<uint32_t> out(evaluation.edges.size());
  std::iota(out.begin(), out.end(), 0);
  auto less = [&](uint32_t x, uint32_t y) {
    const eval::Edge& a = evaluation.edges[x];
    const eval::Edge& b = evaluation.edges[y];
    if (a.to != b.to) return a.to < b.to;
    if (a.from != b.from) return a.from < b.from;
    return a.demotion < b.demotion;
  };
  if (!std::is_sorted(out.begin(), out.end(), less)) std::sort(out.begin(), out.end(), less);
  return out;
}

}  // namespace

Problem::Problem(const eval::Context& c, const eval::Evaluation& e)
    : context(c), plan(*c.plan), evaluation(e), order(*c.plan) {
  key_text.reserve(e.findings.size());
  std::set<uint32_t> unknown;
  rule_gaps.resize(plan.rules.size());
  for (const eval::Finding& f : e.findings) {
    key_text.push_back(KeyTexts(c, f));
    if (f.event_bound || f.bits == kNo) continue;
    unknown.insert(f.rule);
    rule_gaps[f.rule].insert(rule_gaps[f.rule].end(), f.gaps.begin(), f.gaps.end());
  }
  for (auto& list : rule_gaps) SortUnique(&list);
  for (const eval::Limit& limit : e.limits) unknown.insert(limit.rule);
  unevaluable.assign(unknown.begin(), unknown.end());
  canonical = CanonicalOrder(*this);
  rank.resize(canonical.size());
  for (size_t i = 0; i < canonical.size(); ++i) rank[canonical[i]] = static_cast<uint32_t>(i);
  edges = SortedEdges(e);
  targets.resize(plan.rules.size());
  for (const plan::Demotion& d : plan.demotions) {
    targets[d.source].insert(targets[d.source].end(), d.targets.begin(), d.targets.end());
  }
  for (auto& list : targets) SortUnique(&list);
}

Assignment Bounds(const Problem& p) {
  Assignment out;
  out.outcome.resize(p.plan.rules.size());
  out.finding.reserve(p.FindingCount());
  for (const eval::Finding& f : p.evaluation.findings) {
    bool outcome = p.plan.rules[f.rule].kind == plan::RuleKind::kOutcome;
    if (outcome) out.outcome[f.rule] |= f.bits;
    out.finding.push_back(f.event_bound && !outcome ? f.bits : kNo);
  }
  for (const eval::Limit& limit : p.evaluation.limits) {
    if (p.plan.rules[limit.rule].kind == plan::RuleKind::kOutcome) out.outcome[limit.rule] |= eval::kMayBit;
  }
  out.edge.reserve(p.evaluation.edges.size());
  for (const eval::Edge& e : p.evaluation.edges) out.edge.push_back(e.bits);
  out.tried.assign(p.tried.size(), eval::kMayBit);
  return out;
}

Assignment Decided(const Assignment& bounds) {
  Assignment out = bounds;
  for (auto* list : {&out.finding, &out.edge, &out.tried, &out.outcome}) {
    for (Bits& b : *list) b = Nominal(b);
  }
  return out;
}

}  // namespace attr::resolve
