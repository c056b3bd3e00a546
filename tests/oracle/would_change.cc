// Telemetry behind an unknown, and what deciding it the other way leads to
// (semantics.md S1, S18; docs/verdict.md).
#include <algorithm>

#include "runtime/base/fold_names.h"
#include "tests/oracle/resolution.h"

namespace attr::oracle {

namespace {

constexpr size_t kMostGroups = 64;

std::map<std::string, std::vector<std::string>> BySource(const std::set<Gap>& gaps) {
  std::map<std::string, std::vector<std::string>> out;
  std::set<std::string> everywhere;
  for (const Gap& gap : gaps) {
    out[gap.source].push_back(gap.node);
    if (gap.node.empty()) everywhere.insert(gap.source);
  }
  for (auto& [source, nodes] : out) {
    if (everywhere.count(source) != 0) nodes.clear();
    SortNames(&nodes);
  }
  return out;
}

/// What is needed together is one: "fabric, kernel".
Telemetry Together(const std::vector<Telemetry>& parts) {
  Telemetry out;
  bool everywhere = false;
  for (const Telemetry& part : parts) {
    out.source += (out.source.empty() ? "" : ", ") + part.source;
    everywhere = everywhere || part.places.empty();
    out.places.insert(out.places.end(), part.places.begin(), part.places.end());
  }
  if (everywhere) out.places.clear();
  SortNames(&out.places);
  return out;
}

struct Lack {
  std::set<std::string> time, place, any;  // sources of the records
};

void AddRecords(const Resolution& r, const Finding& finding, Lack* out) {
  const World& world = r.world;
  for (size_t slot = 0; slot < finding.members.size(); ++slot) {
    if (r.found.slots[finding.rule][slot].optional) continue;
    std::vector<const Row*> rows = SeenOf(finding.members[slot]);
    if (rows.size() > 9) {
      rows[8] = rows.back();
      rows.resize(9);
    }
    for (const Row* row : rows) {
      if (row->observation == model::kNoId) continue;  // a finding, the inventory, a table: no record lacks anything
      const std::string source = world.Name(world.set.observations[row->observation].source);
      out->any.insert(source);
      const Span& s = row->span;
      if (s.begin_lo != s.begin_hi || s.end_lo != s.end_hi) out->time.insert(source);
      if (!row->node.present) out->place.insert(source);
    }
  }
}

Telemetry OfRecords(const Lack& lack, const Finding& at, const std::string& other) {
  const bool time = !lack.time.empty(), place = !time && !lack.place.empty();
  std::string sources;
  for (const std::string& source : time ? lack.time : place ? lack.place : lack.any)
    sources += (sources.empty() ? "" : ", ") + source;
  return {(time ? "time" : place ? "place" : other) + " of " + sources + " records", at.nodes};
}

/// Unknowns of one rule that one piece of telemetry decides.
struct Unit {
  uint32_t rule = 0;
  std::string source;
  std::set<std::string> places;
  bool everywhere = false;
  std::vector<size_t> findings, edges, tried, outcomes;
};
using Units = std::map<std::pair<uint32_t, std::string>, Unit>;

Unit& UnitOf(Units* units, uint32_t rule, const Telemetry& needs) {
  Unit& unit = (*units)[{rule, needs.source}];
  unit.rule = rule;
  unit.source = needs.source;
  unit.everywhere = unit.everywhere || needs.places.empty();
  unit.places.insert(needs.places.begin(), needs.places.end());
  return unit;
}

Units Collect(const Resolution& r) {
  Units units;
  const auto& findings = r.found.findings;
  for (size_t f = 0; f < findings.size(); ++f) {
    if (!IsKnown(r.bounds.finding[f])) UnitOf(&units, findings[f].rule, r.NeededBy(findings[f])).findings.push_back(f);
  }
  for (size_t e = 0; e < r.found.edges.size(); ++e) {
    const Edge& edge = r.found.edges[e];
    const Bits from = r.bounds.finding[edge.from];
    if (IsKnown(r.bounds.edge[e]) || !from.may) continue;
    // A relation of something possible is decided with it.
    const Telemetry needs = from.presumed ? r.NeededByEdge(edge) : r.NeededBy(findings[edge.from]);
    UnitOf(&units, findings[edge.from].rule, needs).edges.push_back(e);
  }
  for (size_t t = 0; t < r.tried.size(); ++t) {
    UnitOf(&units, r.tried[t], Together(r.LackedBy(r.tried[t]))).tried.push_back(t);
  }
  for (uint32_t rule = 0; rule < r.bounds.outcome.size(); ++rule) {
    if (IsKnown(r.bounds.outcome[rule])) continue;
    Telemetry needs = Together(r.LackedBy(rule));
    for (const Finding& finding : findings) {
      if (finding.rule != rule || !finding.event_bound) continue;
      needs = r.NeededBy(finding);
      break;
    }
    UnitOf(&units, rule, needs).outcomes.push_back(rule);
  }
  return units;
}

Bits Nominal(Bits b) { return Known(b.presumed); }
Bits Flipped(Bits b) { return Known(!b.presumed); }

/// Puts `f` of the bounds in place of everything that the unit decides.
template <class F>
void Apply(const Unit& unit, const Reading& bounds, F&& f, Reading* out) {
  for (size_t i : unit.findings) out->finding[i] = f(bounds.finding[i]);
  for (size_t i : unit.edges) out->edge[i] = f(bounds.edge[i]);
  for (size_t i : unit.tried) out->tried[i] = f(bounds.tried[i]);
  for (size_t i : unit.outcomes) out->outcome[i] = f(bounds.outcome[i]);
}

Reading NominalOf(const Reading& bounds) {
  Reading out = bounds;
  for (auto* list : {&out.finding, &out.edge, &out.tried, &out.outcome, &out.closed}) {
    for (Bits& b : *list) b = Nominal(b);
  }
  return out;
}

std::string Subject(const Pack& pack, uint32_t rule) {
  if (pack.rules[rule].kind == Kind::kOutcome) return "terminal state";
  if (pack.rules[rule].kind == Kind::kSymptom) return "symptom";
  std::string out;
  for (uint32_t d : pack.rules[rule].domains) out += (out.empty() ? "" : " | ") + pack.domains[d].path;
  return out;
}

struct Line {
  std::set<std::string> places;
  bool everywhere = false;
  std::map<std::string, std::set<uint32_t>> leads_to;
  std::set<uint32_t> rules;
};

}  // namespace

std::vector<Telemetry> Resolution::LackedBy(uint32_t rule) const {
  std::vector<Telemetry> out;
  if (auto it = lacking.find(rule); it != lacking.end()) {
    for (const auto& [source, nodes] : BySource(it->second)) out.push_back({source, nodes});
  }
  for (const LimitHit& limit : found.limits) {
    if (limit.rule == rule) out.push_back({"limit on " + limit.name, {}});
  }
  return out;
}

Telemetry Resolution::NeededBy(const Finding& finding) const {
  if (!finding.gaps.empty()) {
    std::vector<Telemetry> parts;
    for (const auto& [source, nodes] : BySource(finding.gaps)) parts.push_back({source, nodes});
    return Together(parts);
  }
  Lack lack;
  AddRecords(*this, finding, &lack);
  return OfRecords(lack, finding, "a field");
}

Telemetry Resolution::NeededByEdge(const Edge& edge) const {
  Lack lack;
  AddRecords(*this, found.findings[edge.to], &lack);
  if (lack.time.empty() && lack.place.empty()) AddRecords(*this, found.findings[edge.from], &lack);
  return OfRecords(lack, found.findings[edge.to], "the order");
}

std::vector<model::WouldChange> Resolution::WouldChange(uint64_t* more) const {
  const Reading base = NominalOf(bounds);
  const Answer before = Summarize(Run(base), 1, TerminalOf(base).state);
  std::map<std::tuple<bool, std::string, std::string>, Line> lines;  // jointly, source, verdict
  auto add = [&](const Unit& unit, bool jointly, const std::string& verdict, const std::string& leads_to) {
    Line& line = lines[{jointly, unit.source, verdict}];
    line.everywhere = line.everywhere || unit.everywhere;
    line.places.insert(unit.places.begin(), unit.places.end());
    line.leads_to[leads_to].insert(unit.rule);
    line.rules.insert(unit.rule);
  };
  Reading rest = bounds;
  std::vector<Unit> silent;
  for (const auto& [key, unit] : Collect(*this)) {
    Reading other = base;
    Apply(unit, bounds, Flipped, &other);
    const Answer after = Summarize(Run(other), 1, TerminalOf(other).state);
    if (after == before) {
      silent.push_back(unit);
      continue;
    }
    Apply(unit, bounds, Nominal, &rest);
    const bool same_causes = after.rules == before.rules && after.blamed == before.blamed;
    const std::string status(model::Name(after.status));
    add(unit, false, status,
        same_causes && after.state != before.state ? "terminal state " + after.state
        : !after.domain.empty()                    ? after.domain
                                                   : status);
  }
  if (!silent.empty() && !IsSettled(rest)) {
    for (const Unit& unit : silent) add(unit, true, "jointly", Subject(pack, unit.rule));
  }
  std::vector<model::WouldChange> out;
  for (const auto& [key, line] : lines) {
    if (out.size() == kMostGroups) {
      ++*more;
      continue;
    }
    model::WouldChange view;
    view.source = std::get<1>(key);
    view.verdict = std::get<2>(key);
    if (!line.everywhere) view.places.assign(line.places.begin(), line.places.end());
    SortNames(&view.places);
    for (const auto& [where, rules] : line.leads_to) view.leads_to.emplace_back(where, rules.size());
    std::stable_sort(view.leads_to.begin(), view.leads_to.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    for (uint32_t rule : line.rules) view.rules.push_back(pack.rules[rule].qualified);
    out.push_back(std::move(view));
  }
  return out;
}

}  // namespace attr::oracle
