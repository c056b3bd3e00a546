// Verification of events whose rows are no observations: findings, the inventory,
// tables, stalls.
#include <algorithm>

#include "runtime/plan/graph.h"
#include "runtime/plan/verify_internal.h"

namespace attr::plan {

namespace {

class RowEventCheck {
 public:
  RowEventCheck(Verification& v, uint32_t index)
      : v_(v), event_(v.plan.events[index]), where_(At("events", index)), index_(index) {}

  bool Run() {
    if (event_.parent != kNone || !event_.members.empty() || !event_.texts.empty() || !event_.unless.empty() ||
        !event_.sources.empty() || !event_.each.empty() || event_.fold.kind != FoldKind::kUnfolded ||
        event_.scope != EventScope{} || event_.where != kNone || event_.since != kNone) {
      return Fail("", "clauses of observations");
    }
    const bool findings = event_.origin == EventOrigin::kFindings;
    if (!findings && !event_.rules.empty()) return Fail(".rules", "not of findings");
    const bool inventory = event_.origin >= EventOrigin::kNodes && event_.origin <= EventOrigin::kGpus;
    if (inventory ? !v_.Identifier(where_ + ".lacks", event_.lacks) : event_.lacks != 0) {
      return Fail(".lacks", "only the inventory has one");
    }
    switch (event_.origin) {
      case EventOrigin::kTable:
        return Table();
      case EventOrigin::kStalled:
      case EventOrigin::kNotStalled:
        return Stall();
      default:
        if (inventory && !event_.fields.empty()) return Fail(".fields", "an inventory's rows have places only");
        return event_.of == kNone || Fail(".of", "such rows are of nothing else");
    }
  }

 private:
  bool Fail(const std::string& part, std::string what) { return v_.Fail(where_ + part, std::move(what)); }

  bool Table() {
    if (!v_.Index(where_ + ".of", event_.of, v_.plan.tables.size(), "table")) return false;
    const std::vector<TableColumn>& columns = v_.plan.tables[event_.of].columns;
    bool same = event_.fields.size() == columns.size();
    for (size_t c = 0; same && c < columns.size(); ++c) {
      same = event_.fields[c].name == columns[c].name && event_.fields[c].type == columns[c].type;
    }
    return same || Fail(".fields", "not the columns of its table");
  }

  bool Stall() {
    if (event_.of >= index_) return Fail(".of", "the event must stand before it");
    if (v_.plan.events[event_.of].origin != EventOrigin::kObservations) return Fail(".of", "no event of observations");
    if (!event_.fields.empty()) return Fail(".fields", "a stall has none");
    return v_.Duration(where_ + ".duration", event_.duration);
  }

  Verification& v_;
  const Event& event_;
  const std::string where_;
  const uint32_t index_;
};

/// The type of what a rule's findings show under that name; kTypeCount: nothing.
uint8_t TypeOfValue(const Plan& plan, const Rule& rule, StrId name) {
  for (const Key& key : rule.keys) {
    const Event& event = plan.events[rule.bindings[key.column.binding].event];
    if (key.name == name) return static_cast<uint8_t>(event.ColumnType(key.column.column));
  }
  for (const Export& exported : rule.exports) {
    if (exported.name == name) return static_cast<uint8_t>(exported.type);
  }
  const std::string_view text = plan.Str(name);
  if (text == "first" || text == "last") return static_cast<uint8_t>(Type::kTime);
  return text == "count" ? static_cast<uint8_t>(Type::kInt) : kTypeCount;
}

bool FindingRows(Verification& v, uint32_t index) {
  const Event& event = v.plan.events[index];
  const std::string where = At("events", index);
  for (size_t i = 0; i < event.rules.size(); ++i) {
    if (!v.Index(where + ".rules", event.rules[i], v.plan.rules.size(), "rule")) return false;
    if (i != 0 && event.rules[i - 1] >= event.rules[i]) return v.Fail(where + ".rules", "they must ascend");
    const Rule& rule = v.plan.rules[event.rules[i]];
    const Rule& first = v.plan.rules[event.rules[0]];
    if ((rule.kind == RuleKind::kOutcome) != (first.kind == RuleKind::kOutcome) ||
        (rule.kind == RuleKind::kOutcome && rule.state != first.state)) {
      return v.Fail(where + ".rules", "outcomes of one state, or causes and symptoms");
    }
    for (size_t f = 0; f < event.fields.size(); ++f) {
      if (TypeOfValue(v.plan, rule, event.fields[f].name) != static_cast<uint8_t>(event.fields[f].type)) {
        return v.Fail(where + '.' + At("fields", f), "a field that findings of some rule do not have");
      }
    }
  }
  return true;
}

}  // namespace

bool VerifyRowEvent(Verification& v, uint32_t event) { return RowEventCheck(v, event).Run(); }

bool VerifyFindingEvents(Verification& v) {
  for (uint32_t e = 0; e < v.plan.events.size(); ++e) {
    if (v.plan.events[e].origin == EventOrigin::kFindings && !FindingRows(v, e)) return false;
  }
  return v.plan.rules.empty() || !EvaluationOrder(v.plan).empty() ||
         v.Fail("rules", "some rule binds findings that wait for its own");
}

}  // namespace attr::plan
