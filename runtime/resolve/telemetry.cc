#include "runtime/resolve/telemetry.h"

#include <algorithm>
#include <set>

#include "runtime/base/fold_names.h"
#include "runtime/resolve/values.h"

namespace attr::resolve {

namespace {

Telemetry Joined(const std::map<std::string, std::vector<std::string>>& sources) {
  Telemetry out;
  bool everywhere = false;
  for (const auto& [source, places] : sources) {
    out.source += (out.source.empty() ? "" : ", ") + source;
    everywhere = everywhere || places.empty();
    out.places.insert(out.places.end(), places.begin(), places.end());
  }
  if (everywhere) out.places.clear();
  SortNames(&out.places);
  return out;
}

struct Lacks {
  std::set<std::string> time, place, any;  // sources of the records that lack it
};

void AddRow(const Problem& p, const eval::Table& table, uint32_t row, Lacks* out) {
  auto slot = [&](uint32_t column) {
    const eval::Column& c = table.columns[column];
    return row < c.slots.size() ? c.slots[row] : 0;
  };
  std::vector<uint32_t> observations;
  table.AppendEvidence(row, &observations);
  std::string source = "?";
  for (const uint32_t observation : observations) {
    source = std::string(p.context.set->NameOf(p.context.set->observations[observation].source));
    out->any.insert(source);
  }
  if (observations.empty()) out->any.insert(source);
  bool stamp = slot(plan::kBeginLo) == slot(plan::kBeginHi) && slot(plan::kEndLo) == slot(plan::kEndHi);
  if (!stamp) out->time.insert(source);
  const eval::Bitmap& placed = table.columns[plan::kNode].present;
  if (row / 64 < placed.size() && !eval::Test(placed, row)) out->place.insert(source);
}

void AddMembers(const Problem& p, const eval::Finding& f, Lacks* out) {
  const plan::Rule& rule = p.plan.rules[f.rule];
  for (size_t b = 0; b < f.members.size() && b < rule.bindings.size(); ++b) {
    if (rule.bindings[b].kind == plan::BindKind::kWith) continue;  // it decides nothing, so it leaves nothing open
    const eval::Table& table = p.context.events[rule.bindings[b].event];
    for (uint32_t row : f.members[b].rows) {
      if (row < table.first_phantom && !table.timeless) AddRow(p, table, row, out);
    }
  }
}

std::string Words(const char* what, const std::set<std::string>& sources) {
  std::string out = std::string(what) + " of ";
  bool first = true;
  for (const std::string& s : sources) {
    out += (first ? "" : ", ") + s;
    first = false;
  }
  return out + " records";
}

Telemetry OfRecords(const Problem& p, const Lacks& lacks, const std::vector<uint32_t>& nodes, const char* other) {
  Telemetry out;
  out.places = NameTexts(p.context, nodes);
  if (!lacks.time.empty()) {
    out.source = Words("time", lacks.time);
  } else if (!lacks.place.empty()) {
    out.source = Words("place", lacks.place);
  } else {
    out.source = Words(other, lacks.any);
  }
  return out;
}

}  // namespace

std::map<std::string, std::vector<std::string>> GapPlaces(const eval::Context& context,
                                                          const std::vector<uint32_t>& gaps) {
  std::map<std::string, std::vector<std::string>> out;
  std::set<std::string> everywhere;
  for (uint32_t g : gaps) {
    const eval::Gap& gap = context.gaps[g];
    std::string source(context.plan->Str(gap.source));
    std::vector<std::string>& places = out[source];
    if (gap.node == model::kNoId) {
      everywhere.insert(source);
    } else {
      places.emplace_back(context.set->NameOf(gap.node));
    }
  }
  for (auto& [source, places] : out) {
    if (everywhere.count(source) != 0) places.clear();
    SortNames(&places);
  }
  return out;
}

Telemetry NeededBy(const Problem& p, const eval::Finding& finding) {
  if (!finding.gaps.empty()) return Joined(GapPlaces(p.context, finding.gaps));
  Lacks lacks;
  AddMembers(p, finding, &lacks);
  return OfRecords(p, lacks, finding.nodes, "a field");
}

bool LacksTimeOrPlace(const Problem& p, const eval::Finding& finding) {
  Lacks lacks;
  AddMembers(p, finding, &lacks);
  return !lacks.time.empty() || !lacks.place.empty();
}

Telemetry NeededByEdge(const Problem& p, const eval::Edge& edge) {
  const eval::Finding& from = p.evaluation.findings[edge.from];
  const eval::Finding& to = p.evaluation.findings[edge.to];
  Lacks lacks;
  AddMembers(p, to, &lacks);
  if (lacks.time.empty() && lacks.place.empty()) AddMembers(p, from, &lacks);
  return OfRecords(p, lacks, to.nodes, "the order");
}

Telemetry NeededByRule(const Problem& p, uint32_t rule) {
  std::map<std::string, std::vector<std::string>> sources;
  for (const Telemetry& t : LackedBy(p, rule)) sources[t.source] = t.places;
  return Joined(sources);
}

std::vector<Telemetry> LackedBy(const Problem& p, uint32_t rule) {
  std::vector<Telemetry> out;
  for (const auto& [source, places] : GapPlaces(p.context, p.rule_gaps[rule])) out.push_back({source, places});
  for (const eval::Limit& limit : p.evaluation.limits) {
    if (limit.rule == rule) out.push_back({"limit on " + limit.name, {}});
  }
  return out;
}

}  // namespace attr::resolve
