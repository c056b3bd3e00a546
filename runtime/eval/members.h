// The members of one group: per binding the distinct rows that stand in some
// satisfying tuple (semantics.md S9), and who produces them. No product is built.
#pragma once

#include <memory>
#include <vector>

#include "runtime/eval/open_rows.h"

namespace attr::eval {

struct Member {
  uint32_t row = 0;
  uint8_t bits = 0;  // OR over the tuples it stands in
};
struct GroupMembers {
  uint8_t bits = 0;                           // OR over tuples
  std::vector<std::vector<Member>> bindings;  // ascending rows; empty for negative bindings
  std::vector<uint32_t> absence_gaps;         // blind spots in which what a negative binding stands for may be
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
  /// Sums of `weights`, one a right row, over a left row's candidates. Saturates.
  void SetWeights(const std::vector<uint64_t>& weights);
  uint64_t Weigh(uint32_t left_row) const;
  /// Other bits for the same rows; rows that had none stay out.
  void RefreshRight(const std::vector<uint8_t>& membership);
  void SetLeftMembership(const std::vector<uint8_t>& membership) { args_.left_membership = membership.data(); }
  /// The OR of the bits of a left row's pairs; looks no further than it must.
  uint8_t Exists(uint32_t left_row);
  /// Gives the right rows what this left row gives them; they gather until Harvest.
  void Reach(uint32_t left_row);
  /// Both: the left row's bits, and the right rows' where there are any.
  uint8_t Run(uint32_t left_row) {
    const uint8_t bits = Exists(left_row);
    if (bits != 0) Reach(left_row);
    return bits;
  }
  /// Right members since the last Harvest, ascending; clears them.
  void Harvest(std::vector<Member>* out);

 private:
  struct Half {  // one index with the right rows' bits
    CandidateIndex index;
    OpenRows open;
    std::vector<uint8_t> scratch;  // bits of pairs that only ask whether there is one
    std::vector<RowRange> touched;
    std::vector<uint64_t> weight_before;  // running sums, saturated
    size_t coalesce_at = 4096;            // touched ranges, doubled when they stay apart
  };
  /// The half that serves a left row, bound to the kernel's arguments; its candidates are `ranges_`.
  Half* Candidates(uint32_t left_row);
  /// The half that serves a left row, and its candidates there.
  const CandidateIndex& Lookup(uint32_t left_row, std::vector<RowRange>* ranges) const;
  static void HarvestHalf(Half& half, std::vector<Member>* out);
  template <class F>
  void ForEachHalf(F&& f) {
    f(*keyed_);
    if (whole_ != nullptr) f(*whole_);
  }

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
