// Which right rows a left row has to be tried with: rows that agree on the equal
// keys, near enough in time. Right rows are gathered so that candidates lie side
// by side: by keys, clock tie, then begin. Rows with a missing key stand in a list
// that everyone tries. All bounds are conservative; what is tried is also what is
// counted against the limit, so that a count needs no evaluation (semantics.md P3).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "runtime/eval/kernel.h"
#include "runtime/eval/key_map.h"
#include "runtime/eval/membership.h"
#include "runtime/eval/time_relation.h"

namespace attr::eval {

struct RowRange {
  size_t begin = 0, end = 0;  // positions in the gathered order
};

class CandidateIndex {
 public:
  /// `identity`: per row of the table. Rows without membership are left out.
  /// Without `keyed` all rows are one partition (for left rows that lack a key).
  CandidateIndex(const plan::Plan& plan, const plan::Join& join, const Side& right,
                 const std::vector<uint32_t>& identity, bool keyed);

  size_t size() const { return rows_.size(); }
  /// The table's row at a gathered position.
  uint32_t Row(size_t position) const { return rows_[position]; }

  /// Appends the ranges to try for a left row with these key slots (empty when not keyed).
  void Candidates(const Span& left, const int64_t* keys, std::vector<RowRange>* out) const;

  void SetMembership(const std::vector<uint8_t>& membership) {
    for (size_t i = 0; i < rows_.size(); ++i) membership_[i] = membership[rows_[i]];
  }
  /// Fills the right half of the kernel's arguments.
  void Bind(JoinArgs* args) const;

 private:
  struct Segment {  // rows of one partition and one tie: bounded ones by begin, then the rest
    int64_t tie = 0;
    size_t begin = 0, bounded_end = 0, end = 0;
    int64_t precision = 0, skew = 0;  // largest
  };
  void Order(const Side& right);
  void Gather(const plan::Plan& plan, const Side& right, const std::vector<uint32_t>& identity);
  void GatherColumn(const Side& right, uint32_t column);
  void NoteStreams(const Side& right);
  /// Position relates the left row to rows of its stream whatever their clocks say.
  bool OrderedAcrossClocks(const Span& left) const;
  void PartitionCandidates(uint32_t partition, const Span& left, std::vector<RowRange>* out) const;

  const plan::Join* join_;
  bool keyed_;
  KeyMap keys_;
  std::vector<uint32_t> rows_;
  std::vector<Segment> segments_;
  std::unordered_map<int64_t, int64_t> clock_of_stream_;  // kSeveralClocks: more than one
  std::vector<size_t> partition_segments_;      // first segment of each partition, and the end; the last lacks a key
  std::vector<int64_t> begin_lo_, latest_end_;  // per position; the second a running maximum inside its segment
  std::vector<Column> gathered_;                // by plan column
  std::vector<const int64_t*> slots_;
  std::vector<const uint64_t*> present_;
  std::vector<uint8_t> membership_;
  std::vector<uint32_t> identity_;
};

/// Columns of one binding that the join's condition reads.
std::vector<uint32_t> ColumnsRead(const plan::Plan& plan, const plan::Join& join, uint32_t binding);

}  // namespace attr::eval
