#include "runtime/match/given_rows.h"

#include <algorithm>

#include "runtime/eval/row_table.h"

namespace attr::match {

namespace {

using plan::EventOrigin;

/// Names of the set are the dictionary's first, with the same ids.
eval::Table InventoryRows(eval::Context& context, const plan::Event& event) {
  eval::RowTable table(event);
  uint32_t number = 0;
  const auto add = [&](uint32_t node) {
    const size_t row = table.Add(eval::kAllBits, number++);
    table.Put(row, plan::kNode, node);
    return row;
  };
  for (const model::InventoryNode& node : context.set->attempt.nodes) {
    if (event.origin == EventOrigin::kNodes) add(node.node);
    if (event.origin == EventOrigin::kRanks) {
      for (const int32_t rank : node.ranks) table.Put(add(node.node), plan::kRank, rank);
    }
    if (event.origin == EventOrigin::kGpus) {
      for (const auto& [gpu, aliases] : node.gpus) table.Put(add(node.node), plan::kGpu, gpu);
    }
  }
  if (number == 0) {
    const size_t row = table.Add(eval::kMayBit, model::kNoId, true);
    table.Lacks(row).push_back(static_cast<uint32_t>(context.gaps.size()));
    context.gaps.push_back({event.lacks, model::kNoId, plan::kBeforeAll, plan::kAfterAll});
  }
  return table.Take(context);
}

eval::Table TableRows(const eval::Context& context, const plan::Event& event) {
  const plan::Table& from = context.plan->tables[event.of];
  eval::RowTable table(event);
  for (uint32_t r = 0; r < from.rows; ++r) {
    const size_t row = table.Add(eval::kAllBits, r);
    for (size_t c = 0; c < from.columns.size(); ++c) {
      const plan::TableColumn& column = from.columns[c];
      if (!event.fields[c].used || column.present[r] == 0) continue;
      const int64_t cell = column.cells[r];
      table.Put(row, event.FieldColumn(c),
                plan::IsId(column.type) ? context.constants[static_cast<size_t>(cell)] : cell);
    }
  }
  return table.Take(context);
}

uint8_t NotOf(uint8_t bits) {
  return static_cast<uint8_t>(((bits & eval::kMayBit) != 0 ? 0 : eval::kMustBit) |
                              ((bits & eval::kPresumedBit) != 0 ? 0 : eval::kPresumedBit) |
                              ((bits & eval::kMustBit) != 0 ? 0 : eval::kMayBit));
}

/// No event for `duration` after the last one, or after the start, inside the attempt
/// (semantics.md S5): certain when that holds were all of them as late as they can be,
/// those included that may be where nobody looked; presumed when it holds for those
/// that were seen.
class Stall {
 public:
  Stall(const eval::Context& context, const plan::Event& event)
      : event_(event), of_(context.events[event.of]), attempt_(context.set->attempt) {
    if (attempt_.start.Unknown() || attempt_.end.Unknown()) return;
    latest_ = attempt_.start.hi;
    earliest_ = attempt_.start.lo;
    for (uint32_t row = 0; row < of_.rows; ++row) Look(row);
    const bool may = earliest_ + event.duration <= attempt_.end.hi;
    bits_ = may ? eval::kPresumedBit | eval::kMayBit : 0;
    if (latest_ + event.duration <= attempt_.end.lo) bits_ = eval::kAllBits;
  }

  eval::Table Row(const eval::Context& context) {
    eval::RowTable table(event_);
    const uint8_t bits = event_.origin == EventOrigin::kStalled ? bits_ : NotOf(bits_);
    if (bits == 0) return table.Take(context);
    const size_t row = table.Add(bits, 0, (bits & eval::kPresumedBit) == 0);
    if (bits != eval::kAllBits) table.Lacks(row) = gaps_;
    if (last_ == model::kNoId) return table.Take(context);
    table.PutSpan(row, {earliest_, latest_, 0}, attempt_.end);
    of_.AppendEvidence(last_, &table.Evidence(row));
    return table.Take(context);
  }

 private:
  void Look(uint32_t row) {
    const int64_t lo = of_.columns[plan::kEndLo].slots[row], hi = of_.columns[plan::kEndHi].slots[row];
    latest_ = std::max(latest_, std::min(hi, attempt_.end.hi));
    if (row >= of_.first_phantom) {
      if (hi + event_.duration > attempt_.end.lo) of_.AppendGaps(row, &gaps_);
      return;
    }
    if (last_ != model::kNoId && lo < earliest_) return;
    if (lo >= earliest_) last_ = row;
    earliest_ = std::max(earliest_, lo);
  }

  const plan::Event& event_;
  const eval::Table& of_;
  const model::Attempt& attempt_;
  int64_t latest_ = 0, earliest_ = 0;
  uint8_t bits_ = eval::kMayBit;  // an attempt of which nobody said when it began or ended
  uint32_t last_ = model::kNoId;  // seen
  std::vector<uint32_t> gaps_;
};

}  // namespace

void FillGivenRows(eval::Context& context) {
  for (uint32_t e = 0; e < context.plan->events.size(); ++e) {
    const plan::Event& event = context.plan->events[e];
    switch (event.origin) {
      case EventOrigin::kObservations:
      case EventOrigin::kFindings:
        break;
      case EventOrigin::kNodes:
      case EventOrigin::kRanks:
      case EventOrigin::kGpus:
        context.events[e] = InventoryRows(context, event);
        break;
      case EventOrigin::kTable:
        context.events[e] = TableRows(context, event);
        break;
      case EventOrigin::kStalled:
      case EventOrigin::kNotStalled:
        context.events[e] = Stall(context, event).Row(context);
        break;
    }
  }
}

}  // namespace attr::match
