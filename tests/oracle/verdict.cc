// The verdict's lists, from a finished resolution (language.md section 9,
// docs/verdict.md).
#include <algorithm>

#include "runtime/base/fold_names.h"
#include "runtime/base/interner.h"
#include "tests/oracle/oracle.h"

namespace attr::oracle {

namespace {

struct Natural {
  bool operator()(const std::string& a, const std::string& b) const { return NaturalLess(a, b); }
};

class Builder {
 public:
  Builder(const Resolution& r, model::Verdict* v) : r_(r), v_(*v) {}

  void Build() {
    v_.status = r_.nominal.status;
    v_.domain = r_.nominal.domain;
    v_.terminal_state = r_.terminal.state;
    for (uint32_t rule : r_.terminal.unknown_before) {
      const std::string& state = r_.pack.rules[rule].state;
      auto& list = v_.terminal_state_unknown_before;
      if (state != v_.terminal_state && (list.empty() || list.back() != state)) list.push_back(state);
    }
    v_.settled = r_.IsSettled(r_.bounds);
    Symptoms();
    Causes();
    Candidates();
    Unevaluable();
    if (!v_.settled) v_.would_change = r_.WouldChange(&v_.would_change_more);
  }

 private:
  bool Exists(uint32_t f) const { return r_.bounds.finding[f].presumed; }
  bool IsRoot(uint32_t f) const { return r_.flow.root[f].presumed; }
  bool IsDemoted(uint32_t f) const { return r_.flow.demoted[f].presumed; }
  uint32_t RuleOf(uint32_t f) const { return r_.found.findings[f].rule; }
  const std::string& NameOf(uint32_t rule) const { return r_.pack.rules[rule].qualified; }
  Bits EdgeBits(size_t e) const { return And(r_.bounds.edge[e], r_.bounds.finding[r_.found.edges[e].from]); }
  std::vector<std::string> Paths(const std::vector<uint32_t>& domains) const {
    std::vector<std::string> out;
    for (uint32_t d : domains) out.push_back(r_.pack.domains[d].path);
    return out;
  }

  void Symptoms();
  void Group(uint32_t rule, const std::vector<uint32_t>& findings);
  model::SymptomView SymptomOf(uint32_t f);
  void Causes();
  model::CauseView CauseOf(uint32_t f, bool with_evidence);
  void Candidates();
  std::vector<std::string> NeedsOf(uint32_t domain) const;
  void Unevaluable();

  const Resolution& r_;
  model::Verdict& v_;
  std::map<uint32_t, uint32_t> shown_;  // finding: index in symptoms
};

void Builder::Symptoms() {
  std::vector<uint32_t> rules;
  std::map<uint32_t, std::vector<uint32_t>> of;
  for (uint32_t f : r_.canonical) {
    if (!Exists(f) || !(r_.Is(f, Kind::kSymptom) || (r_.Is(f, Kind::kCause) && IsDemoted(f)))) continue;
    if (of[RuleOf(f)].empty()) rules.push_back(RuleOf(f));
    of[RuleOf(f)].push_back(f);
  }
  std::vector<uint32_t> sample;
  for (uint32_t rule : rules) {
    Group(rule, of[rule]);
    // The first eight and the last; the first unexplained one is among them.
    std::vector<uint32_t> mine = of[rule];
    if (mine.size() > 8) {
      const uint32_t last = mine.back();
      mine.resize(8);
      mine.push_back(last);
      auto open = [&](uint32_t f) { return !IsDemoted(f); };
      const auto first = std::find_if(of[rule].begin(), of[rule].end(), open);
      if (first != of[rule].end() && std::none_of(mine.begin(), mine.end(), open)) mine[7] = *first;
    }
    sample.insert(sample.end(), mine.begin(), mine.end());
  }
  std::sort(sample.begin(), sample.end(), [&](uint32_t a, uint32_t b) { return r_.rank[a] < r_.rank[b]; });
  for (uint32_t f : sample) shown_.emplace(f, static_cast<uint32_t>(shown_.size()));
  for (uint32_t f : sample) v_.symptoms.push_back(SymptomOf(f));
}

void Builder::Group(uint32_t rule, const std::vector<uint32_t>& findings) {
  model::SymptomGroup group;
  group.rule = NameOf(rule);
  group.title = r_.pack.rules[rule].title;
  for (uint32_t f : findings) {
    const Finding& finding = r_.found.findings[f];
    if (group.findings == 0) {
      group.first = finding.begin;
      group.last = finding.end;
    } else if (!finding.end.Unknown() && (group.last.Unknown() || finding.end.hi > group.last.hi)) {
      group.last = finding.end;
    }
    ++group.findings;
    for (const Member& member : FirstOf(r_.found.slots[finding.rule], finding.members))
      group.events += member.bits.presumed ? 1 : 0;
    group.unexplained += IsDemoted(f) ? 0 : 1;
    group.nodes.insert(group.nodes.end(), finding.nodes.begin(), finding.nodes.end());
  }
  SortNames(&group.nodes);
  v_.symptom_groups.push_back(std::move(group));
}

model::SymptomView Builder::SymptomOf(uint32_t f) {
  const Finding& finding = r_.found.findings[f];
  model::SymptomView out;
  out.finding = ViewOf(r_, f, true);
  out.is_cause = r_.Is(f, Kind::kCause);
  out.suggests = Paths(r_.pack.rules[finding.rule].suggests);
  if (!finding.place_open) out.blamed_nodes = finding.blamed_nodes;
  std::vector<size_t> into;
  for (size_t e = 0; e < r_.found.edges.size(); ++e) {
    if (r_.found.edges[e].to == f && EdgeBits(e).presumed) into.push_back(e);
  }
  std::stable_sort(into.begin(), into.end(), [&](size_t a, size_t b) {
    const Edge& x = r_.found.edges[a];
    const Edge& y = r_.found.edges[b];
    return r_.rank[x.from] != r_.rank[y.from] ? r_.rank[x.from] < r_.rank[y.from] : x.demotion < y.demotion;
  });
  bool parent_known = false;
  std::set<uint32_t> seen;
  for (size_t e : into) {
    const Edge& edge = r_.found.edges[e];
    // The first parent that is printed; a root has its own place.
    if (!parent_known && (IsRoot(edge.from) || shown_.count(edge.from) != 0)) {
      if (!IsRoot(edge.from)) out.parent = shown_.at(edge.from);
      parent_known = true;
    }
    if (!seen.insert(RuleOf(edge.from)).second) continue;
    out.demoted_by.push_back({NameOf(RuleOf(edge.from)), r_.pack.demotions[edge.demotion].because,
                              EdgeBits(e).must ? model::Truth::kConfirmed : model::Truth::kPresumed});
  }
  return out;
}

model::CauseView Builder::CauseOf(uint32_t f, bool with_evidence) {
  const Finding& finding = r_.found.findings[f];
  const Rule& rule = r_.pack.rules[finding.rule];
  model::CauseView out;
  out.finding = ViewOf(r_, f, with_evidence);
  out.domains = Paths(rule.domains);
  out.advise = rule.advise;
  if (!finding.place_open) {
    out.blamed_nodes = finding.blamed_nodes;
    out.blamed_gpus = finding.blamed_gpus;
  }
  std::set<uint32_t> explained;
  for (size_t e = 0; e < r_.found.edges.size(); ++e) {
    const Edge& edge = r_.found.edges[e];
    if (edge.from == f && EdgeBits(e).presumed && Exists(edge.to)) explained.insert(edge.to);
  }
  std::map<uint32_t, uint64_t> totals;
  for (uint32_t to : explained) {
    ++totals[RuleOf(to)];
    if (shown_.count(to) != 0) out.explains.push_back(shown_.at(to));
  }
  std::sort(out.explains.begin(), out.explains.end());
  for (const auto& [r, count] : totals) out.explains_total.emplace_back(NameOf(r), count);
  return out;
}

void Builder::Causes() {
  std::map<uint32_t, size_t> total, seen;
  for (uint32_t f : r_.canonical) total[RuleOf(f)] += IsRoot(f) ? 1 : 0;
  for (uint32_t f : r_.canonical) {
    if (!IsRoot(f)) continue;
    const size_t nth = seen[RuleOf(f)]++;
    model::CauseView view = CauseOf(f, nth < 8 || nth + 1 == total[RuleOf(f)]);
    if (r_.nominal.status == model::VerdictStatus::kNoFailure) {
      v_.notable.push_back(std::move(view));
    } else if (r_.flow.bystander[f].presumed) {
      v_.bystanders.push_back(std::move(view));
    } else if (r_.flow.dropped_at[f]) {
      const uint32_t by = r_.flow.dropped_by[f];
      const Level level = *r_.flow.dropped_at[f];
      const std::string pair = level == Level::kAmbiguity || level == Level::kPrefer
                                   ? r_.flow.dropped_clause[f]
                                   : r_.precedence.Above(level, by, RuleOf(f));
      v_.outranked.push_back({std::move(view), NameOf(by), pair});
    } else {
      v_.causes.push_back(std::move(view));
    }
  }
  std::map<std::string, std::vector<std::string>, Natural> affected;
  for (const model::CauseView& cause : v_.causes) {
    for (const std::string& node : cause.blamed_nodes) {
      auto& rules = affected[node];
      if (std::find(rules.begin(), rules.end(), cause.finding.rule) == rules.end()) rules.push_back(cause.finding.rule);
    }
  }
  v_.affected_nodes.assign(affected.begin(), affected.end());
}

/// Telemetry that causes of the domain, above it or below, lack.
std::vector<std::string> Builder::NeedsOf(uint32_t domain) const {
  auto concerns = [&](uint32_t rule) {
    const auto& own = r_.pack.rules[rule].domains;
    return r_.pack.rules[rule].kind == Kind::kCause && std::any_of(own.begin(), own.end(), [&](uint32_t d) {
             return r_.pack.IsWithin(d, domain) || r_.pack.IsWithin(domain, d);
           });
  };
  std::vector<Telemetry> needs;
  for (uint32_t rule : r_.unevaluable) {
    if (!concerns(rule)) continue;
    for (Telemetry& t : r_.LackedBy(rule)) needs.push_back(std::move(t));
  }
  for (uint32_t f = 0; f < r_.found.findings.size(); ++f) {
    const Bits bits = r_.bounds.finding[f];
    if (bits.may && !bits.presumed && concerns(RuleOf(f))) needs.push_back(r_.NeededBy(r_.found.findings[f]));
  }
  std::map<std::string, std::vector<std::string>> places;
  std::set<std::string> everywhere;
  for (const Telemetry& t : needs) {
    places[t.source].insert(places[t.source].end(), t.places.begin(), t.places.end());
    if (t.places.empty()) everywhere.insert(t.source);
  }
  std::vector<std::string> out;
  for (auto& [source, list] : places) {
    SortNames(&list);
    const bool all = everywhere.count(source) != 0 || list.empty();
    out.push_back(all ? source : source + " on " + FoldNames(list, 12));
  }
  return out;
}

void Builder::Candidates() {
  if (r_.nominal.status != model::VerdictStatus::kUnattributed) return;
  std::map<std::string, std::pair<uint32_t, std::set<uint32_t>>> suggested;
  for (uint32_t f : r_.canonical) {
    if (!Exists(f) || !r_.Is(f, Kind::kSymptom) || IsDemoted(f)) continue;
    const Finding& finding = r_.found.findings[f];
    const Rule& rule = r_.pack.rules[finding.rule];
    if (!v_.first_failure) {
      const bool blames = !finding.place_open && !finding.blamed_nodes.empty();
      v_.first_failure = {rule.qualified, rule.title, finding.begin, blames ? finding.blamed_nodes : finding.nodes};
    }
    for (uint32_t domain : rule.suggests) {
      auto& entry = suggested[r_.pack.domains[domain].path];
      entry.first = domain;
      entry.second.insert(finding.rule);
    }
  }
  for (const auto& [path, entry] : suggested) {
    model::Candidate candidate;
    candidate.domain = path;
    for (uint32_t rule : entry.second) candidate.suggested_by.push_back(NameOf(rule));
    candidate.needs = NeedsOf(entry.first);
    v_.candidates.push_back(std::move(candidate));
  }
}

void Builder::Unevaluable() {
  for (uint32_t rule : r_.unevaluable) {
    model::Unevaluable view;
    view.rule = NameOf(rule);
    view.title = r_.pack.rules[rule].title;
    for (const std::string& path : Paths(r_.pack.rules[rule].domains))
      view.domain += (view.domain.empty() ? "" : " | ") + path;
    for (const Telemetry& t : r_.LackedBy(rule)) view.lacked.emplace_back(t.source, t.places);
    v_.unevaluable.push_back(std::move(view));
  }
  for (const LimitHit& limit : r_.found.limits) {
    v_.limits.push_back({NameOf(limit.rule), limit.name, limit.value, limit.bound});
  }
}

}  // namespace

void BuildVerdict(const Resolution& resolution, model::Verdict* verdict) { Builder(resolution, verdict).Build(); }

}  // namespace attr::oracle
