#include "runtime/eval/finding_table.h"

#include <algorithm>
#include <set>

#include "runtime/eval/row_table.h"

namespace attr::eval {
namespace {

using plan::kNone;

/// Where a field of the event stands in the findings of one rule.
struct FieldSource {
  uint32_t column = 0;
  uint32_t key = kNone, exported = kNone;
  enum class Own : uint8_t { kNo, kFirst, kLast, kCount } own = Own::kNo;
};

class Rows {
 public:
  Rows(const Context& context, const plan::Event& event) : context_(context), event_(event), table_(event) {}

  void Add(const BoundFinding& bound) {
    const Finding& finding = *bound.finding;
    if (fields_of_ != finding.rule) Prepare(finding.rule);
    const size_t row = table_.Add(bound.bits, bound.identity);
    table_.PutSpan(row, finding.begin, finding.end);
    table_.PutClock(row, finding.clock, finding.tie, finding.skew);
    PutPlaces(row, finding);
    table_.AddExtent({finding.nodes, finding.gpus, finding.ranks, finding.begin.precision, finding.end.precision});
    for (const FieldSource& field : fields_) PutField(row, field, finding);
    if ((bound.bits & kMustBit) == 0) table_.Lacks(row) = finding.gaps;
    table_.Evidence(row) = finding.evidence;
  }
  void AddUnknown(const std::vector<uint32_t>& gaps) {
    const size_t row = table_.Add(kMayBit, model::kNoId, true);
    table_.Put(row, plan::kSkew, context_.default_skew);
    table_.Lacks(row) = gaps;
  }
  Table Take() { return table_.Take(context_); }

 private:
  void Prepare(uint32_t index) {
    fields_of_ = index;
    const plan::Plan& plan = *context_.plan;
    const plan::Rule& rule = plan.rules[index];
    fields_.clear();
    for (size_t f = 0; f < event_.fields.size(); ++f) {
      if (event_.fields[f].used) fields_.push_back(SourceOf(rule, event_.fields[f].name, event_.FieldColumn(f)));
    }
    node_key_ = kNone;
    for (uint32_t k = 0; k < rule.keys.size(); ++k) {
      const plan::ColumnRef& key = rule.keys[k].column;
      const plan::Type type = plan.events[rule.bindings[key.binding].event].ColumnType(key.column);
      if (plan.Str(rule.keys[k].name) == "node" && type == plan::Type::kNode) node_key_ = k;
    }
  }

  FieldSource SourceOf(const plan::Rule& rule, plan::StrId name, uint32_t column) const {
    FieldSource source{column};
    for (uint32_t k = 0; k < rule.keys.size() && source.key == kNone; ++k) {
      if (rule.keys[k].name == name) source.key = k;
    }
    for (uint32_t e = 0; e < rule.exports.size() && source.key == kNone; ++e) {
      if (rule.exports[e].name == name) source.exported = e;
    }
    if (source.key != kNone || source.exported != kNone) return source;
    const std::string_view text = context_.plan->Str(name);
    source.own = text == "first"  ? FieldSource::Own::kFirst
                 : text == "last" ? FieldSource::Own::kLast
                                  : FieldSource::Own::kCount;
    return source;
  }

  void PutValue(size_t row, uint32_t column, const Value& value) {
    if (value.present) table_.Put(row, column, value.slot);
  }

  void PutField(size_t row, const FieldSource& field, const Finding& finding) {
    if (field.key != kNone) return PutValue(row, field.column, finding.keys[field.key]);
    if (field.exported != kNone) return PutValue(row, field.column, finding.exports[field.exported]);
    switch (field.own) {
      case FieldSource::Own::kFirst:
        if (finding.begin.IsStamp()) table_.Put(row, field.column, finding.begin.lo);
        return;
      case FieldSource::Own::kLast:
        if (finding.end.IsStamp()) table_.Put(row, field.column, finding.end.lo);
        return;
      default:
        table_.Put(row, field.column, CountOf(finding));
    }
  }

  /// Seen members of the first bindings.
  int64_t CountOf(const Finding& finding) const {
    const plan::Rule& rule = context_.plan->rules[finding.rule];
    uint64_t presumed = 0, may = 0;
    std::set<uint32_t> lists;
    for (uint32_t a = 0; a < rule.AlternativeCount(); ++a) {
      lists.insert(plan::StoredAt(rule, plan::BindingsOf(rule, a).first));
    }
    for (const uint32_t list : lists) {
      presumed += finding.members[list].presumed;
      may += finding.members[list].may;
    }
    return static_cast<int64_t>(presumed != 0 ? presumed : may);
  }

  void PutPlaces(size_t row, const Finding& finding) {
    if (finding.nodes.size() == 1 && !finding.place_open) table_.Put(row, plan::kNode, finding.nodes[0]);
    if (node_key_ != kNone) PutValue(row, plan::kNode, finding.keys[node_key_]);
    if (finding.gpus.size() == 1) table_.Put(row, plan::kGpu, finding.gpus[0]);
    if (finding.ranks.size() == 1) table_.Put(row, plan::kRank, finding.ranks[0]);
  }

  const Context& context_;
  const plan::Event& event_;
  RowTable table_;
  uint32_t fields_of_ = kNone;  // the rule that the two below are of
  std::vector<FieldSource> fields_;
  uint32_t node_key_ = kNone;
};

int64_t BeginOrLast(const Finding& finding) {
  return finding.begin.lo <= plan::kBeforeAll ? plan::kAfterAll : finding.begin.lo;
}

}  // namespace

Table FindingTable(const Context& context, const plan::Event& event, const std::vector<BoundFinding>& findings,
                   bool unknown) {
  std::vector<BoundFinding> bound;
  std::vector<uint32_t> gaps;
  for (const BoundFinding& one : findings) {
    if (one.bits == 0) continue;
    if (one.finding->event_bound) {
      bound.push_back(one);
      continue;
    }
    unknown = true;
    gaps.insert(gaps.end(), one.finding->gaps.begin(), one.finding->gaps.end());
  }
  std::stable_sort(bound.begin(), bound.end(), [](const BoundFinding& a, const BoundFinding& b) {
    if (BeginOrLast(*a.finding) != BeginOrLast(*b.finding)) return BeginOrLast(*a.finding) < BeginOrLast(*b.finding);
    return a.finding->begin.hi < b.finding->begin.hi;
  });
  Rows rows(context, event);
  for (const BoundFinding& one : bound) rows.Add(one);
  std::sort(gaps.begin(), gaps.end());
  gaps.erase(std::unique(gaps.begin(), gaps.end()), gaps.end());
  if (unknown) rows.AddUnknown(gaps);
  return rows.Take();
}

std::vector<uint32_t> ObservationsBehind(const Context& context, const Finding& finding) {
  std::vector<uint32_t> observations;
  const plan::Rule& rule = context.plan->rules[finding.rule];
  for (size_t b = 0; b < finding.members.size() && b < rule.bindings.size(); ++b) {
    const Table& table = context.events[rule.bindings[b].event];
    for (const uint32_t row : finding.members[b].rows) {
      if (row < table.first_phantom) table.AppendEvidence(row, &observations);
    }
  }
  std::sort(observations.begin(), observations.end());
  observations.erase(std::unique(observations.begin(), observations.end()), observations.end());
  return observations;
}

}  // namespace attr::eval
