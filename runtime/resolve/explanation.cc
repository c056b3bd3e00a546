// `explain` templates: text and placeholders. Of several members a placeholder
// prints the first in canonical order; what has no value prints `?`.
#include "runtime/base/fold_names.h"
#include "runtime/eval/member_value.h"
#include "runtime/model/time_text.h"
#include "runtime/resolve/values.h"
#include "runtime/resolve/verdict_builder.h"

namespace attr::resolve {

namespace {

constexpr size_t kPlaceholderBytes = 500;
constexpr size_t kPlaceholderRuns = 8;

/// The first member in canonical order, whichever alternative found it.
const plan::ColumnRef* FirstOf(const Problem& p, const eval::Finding& f, const std::vector<plan::ColumnRef>& parts) {
  const plan::ColumnRef* first = nullptr;
  uint32_t at = model::kNoId;
  for (const plan::ColumnRef& part : parts) {
    if (part.binding >= f.members.size() || f.members[part.binding].rows.empty()) continue;
    const eval::Table& table = p.context.events[p.plan.rules[f.rule].bindings[part.binding].event];
    const uint32_t row = f.members[part.binding].rows.front();
    const uint32_t observation = row < table.observation.size() ? table.observation[row] : model::kNoId;
    if (first != nullptr && observation >= at) continue;
    first = &part;
    at = observation;
  }
  return first;
}

std::string ColumnText(const Problem& p, const eval::Finding& f, const plan::Segment& segment) {
  const plan::Rule& rule = p.plan.rules[f.rule];
  const std::vector<plan::ColumnRef> parts = plan::ColumnsOf(segment);
  const plan::ColumnRef* found = FirstOf(p, f, parts);
  if (found == nullptr) return "?";
  const plan::ColumnRef& ref = *found;
  const plan::Event& event = p.plan.events[rule.bindings[ref.binding].event];
  const eval::Table& table = p.context.events[rule.bindings[ref.binding].event];
  uint32_t row = f.members[ref.binding].rows.front();
  const eval::Column& column = table.columns[ref.column];
  bool present = row < column.slots.size() && row / 64 < column.present.size() && eval::Test(column.present, row);
  if (!present) return "?";
  const eval::Column& precisions = table.columns[plan::kPrecision];
  int64_t precision = row < precisions.slots.size() ? precisions.slots[row] : 1;
  return Shortened(SlotText(p.context, event.ColumnType(ref.column), column.slots[row], precision), kPlaceholderBytes);
}

std::string ExprText(const Problem& p, const eval::Finding& f, const std::vector<plan::ExprId>& exprs) {
  const std::optional<int64_t> slot = eval::MemberValue(p.context, f, exprs);
  if (!slot) return "?";
  return Shortened(SlotText(p.context, p.plan.exprs[exprs[0]].type, *slot, 1), kPlaceholderBytes);
}

std::string CountText(const eval::Finding& f, const plan::Segment& segment) {
  uint64_t presumed = 0, seen = 0;
  for (const plan::ColumnRef& part : plan::ColumnsOf(segment)) {
    if (part.binding >= f.members.size()) return "?";
    presumed += f.members[part.binding].presumed;
    seen += f.members[part.binding].rows.size();
  }
  return std::to_string(presumed != 0 ? presumed : seen);
}

std::string NamesText(const std::vector<std::string>& names) {
  return names.empty() ? "?" : FoldNames(names, kPlaceholderRuns);
}

std::string SegmentText(const Problem& p, const eval::Finding& f, const plan::Segment& segment) {
  switch (segment.kind) {
    case plan::SegmentKind::kText:
      return std::string(p.plan.Str(segment.text));
    case plan::SegmentKind::kColumn:
      return ColumnText(p, f, segment);
    case plan::SegmentKind::kExpr:
      return ExprText(p, f, segment.exprs);
    case plan::SegmentKind::kExport:
      return Shortened(ValueText(p.context, f.exports[segment.exported]), kPlaceholderBytes);
    case plan::SegmentKind::kCount:
      return CountText(f, segment);
    case plan::SegmentKind::kFirst:
      return f.begin.Unknown() ? "?" : model::FormatMoment(f.begin);
    case plan::SegmentKind::kLast:
      return f.end.Unknown() ? "?" : model::FormatMoment(f.end);
    case plan::SegmentKind::kNodes:
      return NamesText(NameTexts(p.context, f.nodes));
    case plan::SegmentKind::kGpus:
      return NamesText(NameTexts(p.context, f.gpus));
    case plan::SegmentKind::kRanks: {
      std::vector<std::string> ranks;
      for (int64_t rank : f.ranks) ranks.push_back(std::to_string(rank));
      return NamesText(ranks);
    }
  }
  return "?";
}

}  // namespace

std::string Explain(const Problem& p, const eval::Finding& finding) {
  std::string out;
  for (const plan::Segment& segment : p.plan.rules[finding.rule].explain) out += SegmentText(p, finding, segment);
  return out;
}

}  // namespace attr::resolve
