// The roots of one rule that begin near another root: an ambiguity clause with
// `within` asks about these, not about every pair.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "runtime/eval/time_relation.h"

namespace attr::resolve {

/// When a root began; absent: it has no time.
using Begin = std::optional<eval::Span>;

class NearRoots {
 public:
  /// `begins`: by position. Of two begins whose distance surely exceeds `window` none is near.
  NearRoots(const std::vector<Begin>& begins, int64_t window) : window_(window) {
    for (uint32_t i = 0; i < begins.size(); ++i) {
      // Times of unknown bounds would undo the search by time.
      if (!begins[i] || begins[i]->begin_lo <= plan::kBeforeAll || begins[i]->begin_hi >= plan::kAfterAll) {
        timeless_.push_back(i);
        continue;
      }
      Tie& tie = ties_[begins[i]->tie];
      tie.rows.push_back({begins[i]->begin_lo, begins[i]->begin_hi, i});
      precision_ = std::max(precision_, begins[i]->precision);
      skew_ = std::max(skew_, begins[i]->skew);
    }
    for (auto& [id, tie] : ties_) {
      std::sort(tie.rows.begin(), tie.rows.end(), [](const Row& a, const Row& b) { return a.lo < b.lo; });
      for (size_t i = 1; i < tie.rows.size(); ++i) tie.rows[i].hi = std::max(tie.rows[i].hi, tie.rows[i - 1].hi);
    }
  }

  /// How many `ForEach` would visit.
  uint64_t Count(const Begin& from) const {
    uint64_t count = 0;
    Ranges(from, [&](const Row* begin, const Row* end) { count += static_cast<uint64_t>(end - begin); });
    return count + timeless_.size();
  }
  /// Calls `visit(position)`: near ones, and those of which nobody knows.
  template <class Visit>
  void ForEach(const Begin& from, const Visit& visit) const {
    Ranges(from, [&](const Row* begin, const Row* end) {
      for (const Row* row = begin; row != end; ++row) visit(row->position);
    });
    for (const uint32_t position : timeless_) visit(position);
  }

 private:
  struct Row {
    int64_t lo, hi;  // of the begin; the second a running maximum
    uint32_t position;
  };
  struct Tie {
    std::vector<Row> rows;
  };
  template <class Take>
  void Ranges(const Begin& from, const Take& take) const {
    for (const auto& [id, tie] : ties_) {
      const Row* begin = tie.rows.data();
      const Row* end = begin + tie.rows.size();
      if (from && id == from->tie) {
        const int64_t reach = window_ + std::max(precision_, from->precision) + std::max(skew_, from->skew);
        const int64_t first = from->begin_lo - reach, last = from->begin_hi + reach;
        begin = std::partition_point(begin, end, [&](const Row& row) { return row.hi < first; });
        end = std::partition_point(begin, end, [&](const Row& row) { return row.lo <= last; });
      }
      take(begin, end);
    }
  }

  int64_t window_, precision_ = 0, skew_ = 0;
  std::map<int64_t, Tie> ties_;  // by clock tie
  std::vector<uint32_t> timeless_;
};

}  // namespace attr::resolve
