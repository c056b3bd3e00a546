// Why this verdict: the roots, what each demoted and by which clause, with the
// observations and conditions behind every step; then who outranked whom.
#include <algorithm>
#include <map>
#include <set>

#include "runtime/explain/explainer.h"
#include "runtime/model/time_text.h"
#include "runtime/resolve/values.h"
#include "runtime/resolve/verdict_builder.h"

namespace attr::explain {

namespace {

constexpr size_t kMaxSteps = 64;
constexpr size_t kMaxDemotions = 12;    // shown of a step
constexpr size_t kMaxAlike = 4;         // findings of one rule that hang on nothing
constexpr size_t kMaxOfRule = 3;        // findings of one rule under one step
constexpr size_t kMaxObservations = 3;  // of a binding
constexpr size_t kMaxOutranked = 64;
constexpr uint64_t kTupleBudget = 5'000;

class Chain {
 public:
  Chain(const Explainer& e, Explanation* out) : e_(e), out_(*out) {
    edges_.resize(e_.evaluation.findings.size());
    for (const uint32_t edge : e_.problem().edges) {
      const eval::Edge& one = e_.evaluation.edges[edge];
      if (e_.Holds(edge) && e_.Exists(one.to)) edges_[one.from].push_back(edge);
    }
    const auto rank = [this](uint32_t edge) { return e_.problem().rank[e_.evaluation.edges[edge].to]; };
    for (std::vector<uint32_t>& list : edges_) {
      std::stable_sort(list.begin(), list.end(), [&](uint32_t a, uint32_t b) { return rank(a) < rank(b); });
    }
  }

  void Build() {
    for (const bool survivors : {true, false}) {
      for (const uint32_t f : e_.problem().canonical) {
        if (e_.IsRoot(f) && Survives(f) == survivors) AddFirst(f);
      }
    }
    for (size_t i = 0; i < shown_.size(); ++i) Demote(i);
    // Causes that are only possible, and symptoms that nothing explains, hang on nothing.
    for (const uint32_t f : e_.problem().canonical) {
      if (e_.problem().IsCause(f) && e_.resolution.bounds.finding[f] != resolve::kNo && !e_.Exists(f)) AddFirst(f);
    }
    for (const uint32_t f : e_.problem().canonical) {
      if (e_.problem().IsSymptom(f) && e_.Exists(f) && !e_.Demoted(f)) AddFirst(f);
    }
  }

 private:
  bool Survives(uint32_t f) const { return Explainer::Nominal(e_.resolution.flow.survivor[f]); }

  std::string RoleOf(uint32_t f) const {
    if (e_.problem().IsSymptom(f)) return "symptom";
    if (!e_.Exists(f)) return "possible";
    if (!e_.IsRoot(f)) return e_.Demoted(f) ? "demoted cause" : "closed";
    if (e_.resolution.summary.status == model::VerdictStatus::kNoFailure) return "notable";
    if (Survives(f)) return "cause";
    return e_.resolution.flow.dropped_at[f] != resolve::kNoLevel ? "outranked" : "bystander";
  }

  /// What no step leads to: the first few of each rule.
  void AddFirst(uint32_t f) {
    if (++alike_[{e_.problem().RuleOf(f), RoleOf(f)}] > kMaxAlike) {
      ++out_.steps_more;
    } else {
      Add(f);
    }
  }

  /// Index of the finding's step; SIZE_MAX when there is no room for it.
  size_t Add(uint32_t f) {
    const auto known = step_of_.find(f);
    if (known != step_of_.end()) return known->second;
    if (shown_.size() == kMaxSteps) {
      if (left_out_.insert(f).second) ++out_.steps_more;
      return SIZE_MAX;
    }
    step_of_[f] = shown_.size();
    shown_.push_back(f);
    out_.steps.push_back(StepOf(f));
    return shown_.size() - 1;
  }

  Step StepOf(uint32_t f) const {
    const eval::Finding& finding = e_.evaluation.findings[f];
    const plan::Rule& rule = e_.plan().rules[finding.rule];
    Step out;
    out.rule = e_.RuleName(finding.rule);
    out.title = e_.RuleTitle(finding.rule);
    out.role = RoleOf(f);
    out.truth = (finding.bits & eval::kMustBit) != 0 ? "confirmed" : e_.Exists(f) ? "presumed" : "possible";
    for (size_t k = 0; k < rule.keys.size() && k < e_.problem().key_text[f].size(); ++k) {
      out.keys.push_back({std::string(e_.plan().Str(rule.keys[k].name)), e_.problem().key_text[f][k]});
    }
    out.nodes = resolve::NameTexts(e_.context, finding.place_open ? finding.open_places : finding.nodes);
    out.first = finding.begin;
    out.last = finding.end;
    AddBindings(finding, &out);
    return out;
  }

  void AddBindings(const eval::Finding& finding, Step* out) const {
    const TracedRule traced = TraceRule(e_.context, e_.memberships, finding.rule);
    const plan::Rule& rule = *traced.rule;
    std::vector<std::vector<uint32_t>> only;
    std::vector<bool> lacks(rule.AlternativeCount());  // a positive binding without a row
    for (uint32_t b = 0; b < traced.sides.size(); ++b) {
      const uint32_t stored = plan::StoredAt(rule, b);
      const eval::Members none;
      const eval::Members& members = stored < finding.members.size() ? finding.members[stored] : none;
      only.push_back(members.rows);
      const plan::BindKind kind = rule.bindings[b].kind;
      if (kind == plan::BindKind::kPositive && members.rows.empty()) lacks[rule.bindings[b].alternative] = true;
      const bool elsewhere = stored != b || (rule.AlternativeCount() > 1 && members.may == 0);
      if (plan::IsNegative(kind) || elsewhere) continue;
      AddBound(traced, b, members, out);
    }
    if (std::find(lacks.begin(), lacks.end(), false) == lacks.end()) return;
    Nearest tuple;
    bool found = false;
    for (uint32_t a = 0; a < lacks.size() && !found; ++a) {
      if (lacks[a]) continue;
      tuple = Search(e_.context, traced, a, kTupleBudget).Run(only);
      found = tuple.complete();
    }
    if (!found) return;
    for (uint32_t b = 0; b < traced.sides.size(); ++b) {
      if (rule.bindings[b].kind != plan::BindKind::kPositive || tuple.rows[b] == kNoRow) continue;
      for (const Part& part : PartsOf(e_.plan(), *traced.rule, b)) {
        if (part.kind == Part::Kind::kDiffer) continue;
        out->conditions.push_back(Show(e_.context, traced, part, tuple.rows));
      }
    }
  }

  void AddBound(const TracedRule& traced, uint32_t b, const eval::Members& members, Step* out) const {
    Bound bound;
    bound.binding = traced.names[b].name;
    bound.event = std::string(e_.plan().Str(traced.names[b].event->name));
    bound.events = members.presumed != 0 ? members.presumed : members.may;
    for (const uint32_t row : members.rows) {
      if (bound.observations.size() >= kMaxObservations) break;
      AddObservations(e_.context, *traced.sides[b].table, row, &bound.observations);
    }
    out->bindings.push_back(std::move(bound));
  }

  void Demote(size_t step) {
    std::map<uint32_t, size_t> of_rule;
    for (const uint32_t edge : edges_[shown_[step]]) {
      const eval::Edge& one = e_.evaluation.edges[edge];
      size_t& count = of_rule[e_.problem().RuleOf(one.to)];
      const bool room = out_.steps[step].demotes.size() < kMaxDemotions && count < kMaxOfRule;
      const size_t to = room ? Add(one.to) : SIZE_MAX;
      if (to == SIZE_MAX) {
        ++out_.steps[step].demotes_more;
        continue;
      }
      ++count;
      const plan::Demotion& clause = e_.plan().demotions[one.demotion];
      Demotion shown;
      shown.to = static_cast<uint32_t>(to);
      shown.rule = e_.RuleName(e_.problem().RuleOf(one.to));
      shown.clause = e_.ClauseOf(clause);
      shown.because = std::string(e_.plan().Str(clause.because));
      shown.place = e_.LocationOf(clause.location);
      shown.truth = (e_.EdgeBits(edge) & eval::kMustBit) != 0 ? "confirmed" : "presumed";
      shown.distance = DistanceOf(one);
      out_.steps[step].demotes.push_back(std::move(shown));
    }
  }

  std::string DistanceOf(const eval::Edge& edge) const {
    const eval::Finding& from = e_.evaluation.findings[edge.from];
    const eval::Finding& to = e_.evaluation.findings[edge.to];
    if (!from.begin.IsStamp() || !to.begin.IsStamp() || from.tie != to.tie) return "";
    const int64_t after = to.begin.lo - from.begin.lo;
    if (after == 0) return "begins at the same time";
    return "begins " + model::FormatDuration(after < 0 ? -after : after) + (after < 0 ? " before" : " after");
  }

  const Explainer& e_;
  Explanation& out_;
  std::vector<std::vector<uint32_t>> edges_;  // by origin, targets in canonical order
  std::vector<uint32_t> shown_;               // findings, by step
  std::map<uint32_t, size_t> step_of_;
  std::set<uint32_t> left_out_;
  std::map<std::pair<uint32_t, std::string>, size_t> alike_;  // rule, role
};

void AddOutranked(const Explainer& e, Explanation* out) {
  const resolve::Flow& flow = e.resolution.flow;
  for (const uint32_t f : e.problem().canonical) {
    if (!e.IsRoot(f) || flow.dropped_at[f] == resolve::kNoLevel) continue;
    if (out->outranked.size() == kMaxOutranked) {
      ++out->outranked_more;
      continue;
    }
    Outranked one;
    one.rule = e.RuleName(e.problem().RuleOf(f));
    one.by_rule = e.RuleName(flow.dropped_by[f]);
    one.level = e.LevelOf(f);
    one.clause = e.DroppedBy(f);
    if (flow.dropped_at[f] == resolve::kAmbiguityLevel) {
      one.because = std::string(e.plan().Str(e.plan().ambiguity[flow.dropped_clause[f]].because));
    }
    one.nodes = resolve::NameTexts(e.context, e.evaluation.findings[f].nodes);
    out->outranked.push_back(std::move(one));
  }
}

}  // namespace

void ExplainVerdict(const Explainer& e, Explanation* out) {
  Chain(e, out).Build();
  AddOutranked(e, out);
  for (const resolve::StayTwo& pair : e.resolution.flow.stay_two) {
    const plan::AmbiguityClause& clause = e.plan().ambiguity[pair.clause];
    out->stay_two.push_back({e.RuleName(pair.a), e.RuleName(pair.b), resolve::ClauseText(e.plan(), clause),
                             std::string(e.plan().Str(clause.because))});
  }
}

}  // namespace attr::explain
