// What the seen members of a finding share: span, clock, places.
#pragma once

#include <algorithm>
#include <vector>

#include "runtime/eval/findings.h"
#include "runtime/eval/members.h"

namespace attr::eval {

/// A clock or tie that is no single one; replaced by a number of its own once
/// findings are numbered.
inline constexpr int64_t kMixed = INT64_MIN;

/// Distinct ids. Few ones, or ones in runs, stay few; the rest is sorted and made
/// distinct when it has grown.
class IdSet {
 public:
  void Add(int64_t id) {
    if (!ids_.empty() && ids_.back() == id) return;
    const auto looked_at = ids_.begin() + static_cast<std::ptrdiff_t>(std::min(ids_.size(), kLookedAt));
    if (std::find(ids_.begin(), looked_at, id) != looked_at) return;
    ids_.push_back(id);
    if (ids_.size() >= compact_at_) Compact();
  }
  const std::vector<int64_t>& Finish() {
    Compact();
    return ids_;
  }

 private:
  static constexpr size_t kLookedAt = 8;  // the ranks of a node
  void Compact();
  std::vector<int64_t> ids_;
  size_t compact_at_ = 1024;
};

class Summary {
 public:
  void Add(const Table& table, size_t row) {
    const auto slot = [&](uint32_t column) { return table.columns[column].slots[row]; };
    if (!table.timeless) AddTime(table, row);
    if (row < table.extents.size()) return AddPlaces(table.extents[row]);
    if (table.columns[plan::kNode].Has(row)) nodes_.Add(slot(plan::kNode));
    if (table.columns[plan::kGpu].Has(row)) gpus_.Add(slot(plan::kGpu));
    if (table.columns[plan::kRank].Has(row)) ranks_.Add(slot(plan::kRank));
  }
  void Finish(const Context& context, Finding* finding);

 private:
  void AddPlaces(const FindingExtent& extent) {
    for (const uint32_t node : extent.nodes) nodes_.Add(node);
    for (const uint32_t gpu : extent.gpus) gpus_.Add(gpu);
    for (const int64_t rank : extent.ranks) ranks_.Add(rank);
  }
  void AddTime(const Table& table, size_t row) {
    const auto slot = [&](uint32_t column) { return table.columns[column].slots[row]; };
    int64_t begin_precision = slot(plan::kPrecision), end_precision = begin_precision;
    if (row < table.extents.size()) {
      begin_precision = table.extents[row].begin_precision;
      end_precision = table.extents[row].end_precision;
    }
    Begin({slot(plan::kBeginLo), slot(plan::kBeginHi), begin_precision});
    End({slot(plan::kEndLo), slot(plan::kEndHi), end_precision});
    clock_ = empty_ || clock_ == slot(plan::kClock) ? slot(plan::kClock) : kMixed;
    tie_ = empty_ || tie_ == slot(plan::kTie) ? slot(plan::kTie) : kMixed;
    skew_ = std::max(skew_, slot(plan::kSkew));
    empty_ = false;
  }
  void Begin(const model::Moment& moment);
  void End(const model::Moment& moment);
  bool empty_ = true;
  model::Moment begin_, end_;
  int64_t clock_ = 0, tie_ = 0, skew_ = 0;
  IdSet nodes_, gpus_, ranks_;
};

/// The summaries of all groups of the only binding, in one pass over its rows: group
/// by group each column of each row is a cache line and often a page of its own
/// (2026-11-30: 489,000 rows in 2,563 groups, 85 ms so and 25 ms in the rows' order).
/// Empty where the groups are too many or too small for that to pay.
std::vector<Summary> SummarizeGroups(const Side& side, const Groups& groups);

}  // namespace attr::eval
