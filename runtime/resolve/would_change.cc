// would_change: unknowns grouped by rule and missing telemetry, each group
// decided together the other way, then folded by telemetry and resulting verdict.
// Deciding them one at a time would miss what only acts together: those that
// change nothing alone and still keep the verdict open stand last, `jointly`.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "runtime/base/fold_names.h"
#include "runtime/resolve/certainty.h"
#include "runtime/resolve/telemetry.h"

namespace attr::resolve {

namespace {

constexpr size_t kMaxGroups = 64;
// Findings and edges read over all tries; what does not fit is counted, not tried.
constexpr size_t kWork = 10'000'000;
constexpr size_t kMinTries = 16;

struct Unit {
  std::string source;
  std::set<std::string> places;
  bool everywhere = false;
  uint32_t rule = 0;
  std::vector<uint32_t> findings, edges, tried, outcomes;
};

class Units {
 public:
  explicit Units(const Problem& p) : p_(p) {}

  Unit& At(uint32_t rule, const Telemetry& needs) {
    Unit& unit = units_[{rule, needs.source}];
    unit.rule = rule;
    unit.source = needs.source;
    unit.everywhere = unit.everywhere || needs.places.empty();
    unit.places.insert(needs.places.begin(), needs.places.end());
    return unit;
  }

  std::vector<Unit> Take() {
    std::vector<Unit> out;
    for (auto& [key, unit] : units_) out.push_back(std::move(unit));
    return out;
  }

  void AddFindings(const Assignment& bounds) {
    units_of_.assign(p_.FindingCount(), nullptr);
    for (uint32_t f = 0; f < p_.FindingCount(); ++f) {
      if (IsKnown(bounds.finding[f])) continue;
      Unit& unit = At(p_.RuleOf(f), NeededBy(p_, p_.evaluation.findings[f]));
      unit.findings.push_back(f);
      units_of_[f] = &unit;
    }
  }

  // A relation of something possible is decided with it: alone it says nothing.
  void AddEdges(const Assignment& bounds) {
    // Edges stand by target. Where the target itself lacks something, that is the reason of all edges of one rule.
    Unit* last = nullptr;
    uint32_t last_to = 0;
    for (uint32_t e : p_.edges) {
      const eval::Edge& edge = p_.evaluation.edges[e];
      Bits from = bounds.finding[edge.from];
      if (IsKnown(bounds.edge[e]) || from == kNo) continue;
      if ((from & eval::kPresumedBit) == 0) {
        units_of_[edge.from]->edges.push_back(e);
      } else {
        bool same = last != nullptr && last_to == edge.to && last->rule == p_.RuleOf(edge.from);
        Unit& unit = same ? *last : At(p_.RuleOf(edge.from), NeededByEdge(p_, edge));
        unit.edges.push_back(e);
        if (same) continue;
        last = LacksTimeOrPlace(p_, p_.evaluation.findings[edge.to]) ? &unit : nullptr;
        last_to = edge.to;
      }
    }
  }

  void AddRules(const Assignment& bounds) {
    for (uint32_t t = 0; t < p_.tried.size(); ++t) {
      At(p_.tried[t], NeededByRule(p_, p_.tried[t])).tried.push_back(t);
    }
    for (uint32_t r = 0; r < bounds.outcome.size(); ++r) {
      if (!IsKnown(bounds.outcome[r])) At(r, NeededByOutcome(r)).outcomes.push_back(r);
    }
  }

 private:
  Telemetry NeededByOutcome(uint32_t rule) const {
    for (const eval::Finding& f : p_.evaluation.findings) {
      if (f.rule == rule && f.event_bound) return NeededBy(p_, f);
    }
    return NeededByRule(p_, rule);
  }

  const Problem& p_;
  std::map<std::pair<uint32_t, std::string>, Unit> units_;  // its nodes never move
  std::vector<Unit*> units_of_;                             // per finding
};

// The nominal reading with one unit decided the other way, and back again.
void Flip(const Unit& unit, const Assignment& bounds, Assignment* a) {
  auto flip = [](Bits bound) { return (bound & eval::kPresumedBit) != 0 ? kNo : kYes; };
  for (uint32_t f : unit.findings) a->finding[f] = flip(bounds.finding[f]);
  for (uint32_t e : unit.edges) a->edge[e] = flip(bounds.edge[e]);
  for (uint32_t t : unit.tried) a->tried[t] = kYes;
  for (uint32_t r : unit.outcomes) a->outcome[r] = flip(bounds.outcome[r]);
}

void Decide(const Unit& unit, const Assignment& nominal, Assignment* a) {
  for (uint32_t f : unit.findings) a->finding[f] = nominal.finding[f];
  for (uint32_t e : unit.edges) a->edge[e] = nominal.edge[e];
  for (uint32_t t : unit.tried) a->tried[t] = nominal.tried[t];
  for (uint32_t r : unit.outcomes) a->outcome[r] = nominal.outcome[r];
}

Summary NominalSummary(const Problem& p, const Assignment& a) {
  return Summarize(p, Run(p, a), eval::kPresumedBit, FindTerminal(p, a.outcome).state);
}

// What a rule points at when the verdict that it alone leads to says nothing.
std::string Subject(const plan::Plan& plan, uint32_t rule) {
  if (plan.rules[rule].kind == plan::RuleKind::kOutcome) return "terminal state";
  if (plan.rules[rule].kind == plan::RuleKind::kSymptom) return "symptom";
  std::string out;
  for (uint32_t d : plan.rules[rule].domains) {
    out += (out.empty() ? "" : " | ") + std::string(plan.Str(plan.domains[d].path));
  }
  return out;
}

std::string LeadsTo(const Problem& p, const Summary& before, const Summary& after) {
  bool same_causes = before.rules == after.rules && before.blamed == after.blamed;
  if (same_causes && before.state != after.state) return "terminal state " + std::string(plan::Name(after.state));
  if (after.domain != plan::kNone) return std::string(p.plan.Str(p.plan.domains[after.domain].path));
  return std::string(model::Name(after.status));
}

struct Fold {
  std::set<std::string> places;
  bool everywhere = false;
  std::map<std::string, std::set<uint32_t>> leads_to;
  std::set<uint32_t> rules;
};

using Folds = std::map<std::tuple<bool, std::string, std::string>, Fold>;  // jointly, source, verdict

void AddTo(Folds* folds, const Unit& unit, bool jointly, const std::string& verdict, const std::string& leads_to) {
  Fold& fold = (*folds)[{jointly, unit.source, verdict}];
  fold.everywhere = fold.everywhere || unit.everywhere;
  fold.places.insert(unit.places.begin(), unit.places.end());
  fold.leads_to[leads_to].insert(unit.rule);
  fold.rules.insert(unit.rule);
}

std::vector<model::WouldChange> Views(const Problem& p, Folds* folds, uint64_t* more) {
  std::vector<model::WouldChange> out;
  for (auto& [key, fold] : *folds) {
    if (out.size() == kMaxGroups) {
      ++*more;
      continue;
    }
    model::WouldChange view;
    view.source = std::get<1>(key);
    view.verdict = std::get<2>(key);
    if (!fold.everywhere) view.places.assign(fold.places.begin(), fold.places.end());
    SortNames(&view.places);
    for (const auto& [where, rules] : fold.leads_to) view.leads_to.emplace_back(where, rules.size());
    std::stable_sort(view.leads_to.begin(), view.leads_to.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    for (uint32_t rule : fold.rules) view.rules.emplace_back(p.plan.Str(p.plan.rules[rule].name));
    out.push_back(std::move(view));
  }
  return out;
}

struct Answer {
  bool changes = false;
  std::string verdict, leads_to;
};

// Tries units. Unevaluable causes that demote, belong and carry the same, and that
// no pair names, lead to the same: a pack has hundreds of them and dozens of kinds.
class Trial {
 public:
  Trial(const Problem& p, const Assignment& bounds)
      : p_(p), bounds_(bounds), nominal_(Decided(bounds)), work_(nominal_), before_(NominalSummary(p, nominal_)) {
    left_ = std::max(kMinTries, kWork / (p.EntityCount() + p.edges.size() + 1));
    for (const plan::OrderPair& pair : p.plan.order) {
      for (const plan::OrderSide& side : {pair.above, pair.below}) {
        if (side.kind == plan::SideKind::kRule) named_.insert(side.id);
      }
    }
  }

  const Assignment& nominal() const { return nominal_; }

  /// nullptr: too many were tried before.
  const Answer* Try(const Unit& unit) {
    auto [at, added] = answers_.try_emplace(KindOf(unit));
    if (!added) return at->second ? &*at->second : nullptr;
    if (left_ == 0) return nullptr;
    --left_;
    Flip(unit, bounds_, &work_);
    Summary after = NominalSummary(p_, work_);
    Decide(unit, nominal_, &work_);
    at->second = Answer{after != before_, std::string(model::Name(after.status)), LeadsTo(p_, before_, after)};
    return &*at->second;
  }

 private:
  // Domains, tags, targets, and what tells the unit from all others where that is not enough.
  using Kind = std::tuple<std::vector<uint32_t>, std::vector<uint32_t>, std::vector<uint32_t>, uint32_t, std::string>;

  Kind KindOf(const Unit& unit) const {
    bool only_tried = unit.findings.empty() && unit.edges.empty() && unit.outcomes.empty();
    if (!only_tried || named_.count(unit.rule) != 0) return {{}, {}, {}, unit.rule, unit.source};
    const plan::Rule& rule = p_.plan.rules[unit.rule];
    return {rule.domains, rule.tags, p_.targets[unit.rule], plan::kNone, ""};
  }

  const Problem& p_;
  const Assignment& bounds_;
  const Assignment nominal_;
  Assignment work_;
  const Summary before_;
  std::set<uint32_t> named_;  // rules that some precedence pair names
  std::map<Kind, std::optional<Answer>> answers_;
  size_t left_ = 0;
};

}  // namespace

std::vector<model::WouldChange> FindWouldChange(const Problem& p, const Assignment& bounds, uint64_t* more) {
  Units collected(p);
  collected.AddFindings(bounds);
  collected.AddEdges(bounds);
  collected.AddRules(bounds);
  const std::vector<Unit> units = collected.Take();
  Trial trial(p, bounds);
  Folds folds;
  Assignment rest = bounds;
  std::vector<const Unit*> silent;
  for (const Unit& unit : units) {
    const Answer* answer = trial.Try(unit);
    if (answer == nullptr) {
      ++*more;
    } else if (!answer->changes) {
      silent.push_back(&unit);
    } else {
      Decide(unit, trial.nominal(), &rest);
      AddTo(&folds, unit, false, answer->verdict, answer->leads_to);
    }
  }
  bool open = !silent.empty() && !IsSettled(p, Run(p, rest), FindTerminal(p, rest.outcome));
  for (const Unit* unit : silent) {
    if (open) AddTo(&folds, *unit, true, "jointly", Subject(p.plan, unit->rule));
  }
  return Views(p, &folds, more);
}

}  // namespace attr::resolve
