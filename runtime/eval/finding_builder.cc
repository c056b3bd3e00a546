#include "runtime/eval/finding_builder.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "runtime/eval/aggregates.h"
#include "runtime/eval/member_value.h"

namespace attr::eval {
namespace {

/// Counts of one binding; phantoms give no count but the missing upper bound.
Members CountMembers(const Side& side, const std::vector<Member>& rows, std::vector<uint32_t>* gaps) {
  Members members;
  for (const Member& member : rows) {
    if (!side.real(member.row)) {
      members.unbounded = true;
      if (gaps != nullptr) side.table->AppendGaps(member.row, gaps);
      continue;
    }
    ++members.may;
    members.presumed += (member.bits & kPresumedBit) != 0 ? 1 : 0;
    members.must += (member.bits & kMustBit) != 0 ? 1 : 0;
  }
  return members;
}

/// Presumed members when there are any, else those that may be; never phantoms.
template <class F>
void ForEachSeen(const Side& side, const std::vector<Member>& rows, bool presumed, F&& f) {
  for (const Member& member : rows) {
    if (side.real(member.row) && (!presumed || (member.bits & kPresumedBit) != 0)) f(member.row);
  }
}

/// What leaves bound findings less than certain.
void UncertainRows(const Side& side, const std::vector<Member>& rows, std::vector<uint32_t>* gaps) {
  if (side.table->lacks.empty()) return;
  for (const Member& member : rows) side.table->AppendGaps(member.row, gaps);
}

std::vector<Value> ExportsOf(const Context& context, const RuleSides& rule, const GroupMembers& group,
                             const Finding& finding) {
  std::vector<Value> values;
  for (const plan::Export& exported : rule.rule->exports) {
    const std::optional<int64_t> value = !exported.exprs.empty()
                                             ? MemberValue(context, finding, exported.exprs)
                                             : AggregateValue(context, rule, group, exported.aggregate);
    values.push_back({exported.type, value.has_value(), value.value_or(0)});
  }
  return values;
}

}  // namespace

RuleSides SidesOf(const plan::Rule& rule, uint32_t index, std::vector<Side> sides) {
  RuleSides out{&rule, index, std::move(sides), rule.keys.empty() ? 0 : rule.keys[0].column.binding, {}, {}, false};
  for (uint32_t b = 0; b < rule.bindings.size(); ++b) {
    out.named_at.push_back(plan::NamedAt(rule, b));
    out.stored_at.push_back(plan::StoredAt(rule, b));
  }
  return out;
}

namespace {

/// Per binding: is some member of its name, in whatever alternative, presumed? Then
/// those that only may be are not seen.
std::vector<uint8_t> PresumedNames(const RuleSides& rule, Finding* finding) {
  std::vector<uint8_t> presumed(rule.sides.size());
  for (size_t b = 0; b < rule.sides.size(); ++b)
    presumed[rule.named_at[b]] |= finding->members[b].presumed != 0 ? 1 : 0;
  for (size_t b = 0; b < rule.sides.size(); ++b) {
    presumed[b] = presumed[rule.named_at[b]];
    if (presumed[b] != 0 && finding->members[b].presumed == 0) finding->members[b].may = 0;
  }
  return presumed;
}

/// One record may be a member of several bindings, and several members of one.
void MakeDistinct(std::vector<uint32_t>* records) {
  if (!std::is_sorted(records->begin(), records->end())) std::sort(records->begin(), records->end());
  records->erase(std::unique(records->begin(), records->end()), records->end());
}

/// What the seen members share: name by name, of one name in canonical order.
Summary Summarize(const RuleSides& rule, const GroupMembers& group, const std::vector<uint8_t>& presumed) {
  Summary summary;
  const bool alternatives = rule.rule->AlternativeCount() > 1;
  std::vector<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>> rows;  // name, observation, binding, row
  for (uint32_t b = 0; b < rule.sides.size(); ++b) {
    if (rule.rule->bindings[b].kind != plan::BindKind::kPositive) continue;
    const Table& table = *rule.sides[b].table;
    ForEachSeen(rule.sides[b], group.bindings[b], presumed[b] != 0, [&](uint32_t row) {
      if (alternatives) {
        rows.emplace_back(rule.named_at[b], table.observation[row], b, row);
      } else {
        summary.Add(table, row);
      }
    });
  }
  std::sort(rows.begin(), rows.end());
  for (const auto& [name, observation, b, row] : rows) summary.Add(*rule.sides[b].table, row);
  return summary;
}

}  // namespace

std::optional<Finding> MakeFinding(const Context& context, const RuleSides& rule, const GroupMembers& group,
                                   size_t members_kept, Summary* ready) {
  if (group.bits == 0) return std::nullopt;
  Finding finding;
  finding.rule = rule.index;
  finding.bits = group.bits;
  for (size_t b = 0; b < rule.sides.size(); ++b) {
    const bool supports = rule.rule->bindings[b].kind == plan::BindKind::kPositive;
    finding.members.push_back(CountMembers(rule.sides[b], group.bindings[b], supports ? &finding.gaps : nullptr));
    const plan::Event& event = context.plan->events[rule.rule->bindings[b].event];
    const bool happened = supports && event.origin != plan::EventOrigin::kTable;
    finding.event_bound = finding.event_bound || (happened && finding.members.back().may != 0);
  }
  if (rule.rule->having != plan::kNone) {
    finding.bits &= HavingBits(context, rule, group, finding.members);
  }
  if (finding.bits == 0) return std::nullopt;
  if ((finding.bits & kPresumedBit) != 0) finding.gaps.clear();
  if ((finding.bits & kMustBit) == 0) {
    for (size_t b = 0; b < rule.sides.size(); ++b) UncertainRows(rule.sides[b], group.bindings[b], &finding.gaps);
    finding.gaps.insert(finding.gaps.end(), group.absence_gaps.begin(), group.absence_gaps.end());
  }
  std::sort(finding.gaps.begin(), finding.gaps.end());
  finding.gaps.erase(std::unique(finding.gaps.begin(), finding.gaps.end()), finding.gaps.end());
  std::vector<uint32_t> records;
  const std::vector<uint8_t> presumed = PresumedNames(rule, &finding);
  for (size_t b = 0; b < rule.sides.size(); ++b) {
    Members& members = finding.members[b];
    const uint64_t seen = presumed[b] != 0 ? members.presumed : members.may;
    uint64_t at = 0;
    ForEachSeen(rule.sides[b], group.bindings[b], presumed[b] != 0, [&](uint32_t row) {
      rule.sides[b].table->AppendEvidence(row, &records);
      if (seen <= members_kept || at + 1 < members_kept || at + 1 == seen) members.rows.push_back(row);
      ++at;
    });
  }
  MakeDistinct(&records);
  finding.records = records.size();
  if (rule.bound) finding.evidence = std::move(records);
  if (ready != nullptr) {
    ready->Finish(context, &finding);
  } else {
    Summarize(rule, group, presumed).Finish(context, &finding);
  }
  finding.exports = ExportsOf(context, rule, group, finding);
  return finding;
}

namespace {

void BlameOne(const Context& context, plan::BlameKind kind, int64_t slot, Finding* finding) {
  if (kind == plan::BlameKind::kNode) finding->blamed_nodes.push_back(static_cast<uint32_t>(slot));
  if (kind == plan::BlameKind::kGpu) finding->blamed_gpus.push_back(static_cast<uint32_t>(slot));
  if (kind != plan::BlameKind::kRank || context.set == nullptr || slot < 0 || slot > INT32_MAX) return;
  const uint32_t node = context.set->NodeOfRank(static_cast<int32_t>(slot));
  if (node == model::kNoId) return;
  const uint32_t id = context.dictionary.Find(context.set->NameOf(node));
  if (id != Interner::kNone) finding->blamed_nodes.push_back(id);
}

}  // namespace

void Blame(const Context& context, const RuleSides& rule, const GroupMembers& group, Finding* finding) {
  for (const Value& key : finding->keys) {
    if (!key.present) return;
  }
  for (const plan::Blame& blame : rule.rule->blame) {
    const std::vector<plan::ColumnRef> parts = plan::ColumnsOf(blame);
    const bool presumed = std::any_of(parts.begin(), parts.end(), [&](const plan::ColumnRef& part) {
      return finding->members[part.binding].presumed != 0;
    });
    for (const plan::ColumnRef& part : parts) {
      const Column& column = rule.sides[part.binding].table->columns[part.column];
      ForEachSeen(rule.sides[part.binding], group.bindings[part.binding], presumed, [&](uint32_t row) {
        if (column.Has(row)) BlameOne(context, blame.kind, column.slots[row], finding);
      });
    }
  }
  SortNatural(context, &finding->blamed_nodes);
  SortNatural(context, &finding->blamed_gpus);
}

void SortNatural(const Context& context, std::vector<uint32_t>* ids) {
  std::sort(ids->begin(), ids->end());
  ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
  std::sort(ids->begin(), ids->end(), [&](uint32_t a, uint32_t b) {
    return NaturalLess(context.dictionary.Text(a), context.dictionary.Text(b));
  });
}

int CompareValues(const Context& context, const Value& a, const Value& b) {
  if (a.present != b.present) return a.present ? -1 : 1;
  if (!a.present || a.slot == b.slot) return 0;
  if (plan::IsId(a.type)) {
    const std::string_view x = context.dictionary.Text(static_cast<uint32_t>(a.slot));
    const std::string_view y = context.dictionary.Text(static_cast<uint32_t>(b.slot));
    return NaturalLess(x, y) ? -1 : NaturalLess(y, x) ? 1 : 0;
  }
  if (a.type == plan::Type::kFloat) {
    const double x = std::bit_cast<double>(a.slot), y = std::bit_cast<double>(b.slot);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  return a.slot < b.slot ? -1 : 1;
}

}  // namespace attr::eval
