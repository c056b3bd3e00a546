// The members of one group: per binding the distinct rows that stand in some
// satisfying tuple (semantics.md S9), and who produces them. No product is built.
#pragma once

#include <memory>
#include <vector>

#include "runtime/eval/candidates.h"

namespace attr::eval {

struct Member {
  uint32_t row = 0;
  uint8_t bits = 0;  // OR over the tuples it stands in
};
struct GroupMembers {
  uint8_t bits = 0;                           // OR over tuples
  std::vector<std::vector<Member>> bindings;  // ascending rows
};

/// Rows of one side by group of their key values; a missing key is a value.
struct Groups {
  std::vector<uint32_t> group_of;  // per row; KeyMap::kNone: no member
  std::vector<uint32_t> rows;      // members, group by group, ascending inside
  std::vector<size_t> first;       // per group, and the end
  size_t size() const { return first.empty() ? 0 : first.size() - 1; }
};
Groups GroupRows(const Side& side, const std::vector<uint32_t>& key_columns);

/// One rule's join, or a demotion's, ready to run left row by left row.
class RowJoin {
 public:
  RowJoin(const Context& context, const plan::Join& join, const Engine& engine, size_t kernel, Side left, Side right);

  /// Candidate pairs over all left rows with membership: searches, evaluates nothing.
  uint64_t CountPairs() const;
  /// Evaluates one left row against its candidates; returns the OR of the pairs' bits.
  /// The right rows' bits gather until Harvest.
  uint8_t Run(uint32_t left_row);
  /// Right members since the last Harvest, ascending; clears them.
  void Harvest(std::vector<Member>* out);

 private:
  struct Half {  // one index with the right rows' bits
    CandidateIndex index;
    std::vector<uint8_t> bits;
    std::vector<RowRange> touched;
    size_t coalesce_at = 4096;  // touched ranges, doubled when they stay apart
  };
  /// The half that serves a left row, and its candidates there.
  const CandidateIndex& Lookup(uint32_t left_row, std::vector<RowRange>* ranges) const;
  static void HarvestHalf(Half& half, std::vector<Member>* out);

  const plan::Join& join_;
  const Engine& engine_;
  size_t kernel_;
  Side left_;
  std::vector<const int64_t*> left_slots_;
  std::vector<const uint64_t*> left_present_;
  std::vector<uint32_t> left_identity_, right_identity_;
  std::unique_ptr<Half> keyed_, whole_;  // `whole_` serves left rows that lack a key
  JoinArgs args_{};
  std::vector<RowRange> ranges_;
};

}  // namespace attr::eval
