// `over`: aggregates of the window that ends at each sample, and the runs of
// windows that are true (semantics.md S16). Every window is added afresh, in order.
#pragma once

#include "runtime/eval/tables.h"
#include "runtime/match/fold.h"

namespace attr::match {

class Windows {
 public:
  /// `lines`: the samples, of these observations. Those without a stamp are in no window by time.
  Windows(const eval::Context& context, const plan::Fold& fold, const eval::Table& lines,
          const std::vector<uint32_t>& observation);

  /// Samples in the largest window.
  uint64_t largest() const { return largest_; }
  /// The column of a kWindow field over all lines. `values`: its operand's; of a
  /// condition 0 or 1.
  eval::Column Aggregate(const plan::Field& field, plan::Type operand, const eval::Column& values);
  /// Maximal runs of lines whose window is true, ascending by `first`.
  std::vector<FoldedRow> Runs(const eval::Bitmap& is_true) const;

 private:
  struct Sample {
    uint32_t row = 0;
    int64_t time = 0;           // its stamp; 0 where only the order counts
    uint32_t from = 0, to = 0;  // its window, in its key's samples; `to`: one past
  };
  using Samples = std::vector<Sample>;
  friend class WindowReader;

  void Bound(Samples& samples);
  const std::vector<uint32_t>& Series();
  eval::Column Peers(const eval::Column& own, plan::Type type) const;

  const eval::Context& context_;
  const plan::Fold& fold_;
  const eval::Table& lines_;
  const std::vector<uint32_t>& observation_;
  std::vector<Samples> keys_;
  std::vector<uint32_t> series_;  // by row; empty until somebody asks
  uint64_t largest_ = 0;
};

/// The lower median of what the other keys have: by time of their last window that
/// ended in [t - length, t], by records of the window with the same ordinal.
struct PeerValue {
  uint32_t key = 0, row = 0, ordinal = 0;
  int64_t time = 0;
  bool present = false;
  int64_t slot = 0;
};
/// Appends nothing: writes into `out`, a column over all rows. `length` 0 with `by_ordinal`.
void FillPeers(std::vector<PeerValue> values, bool by_ordinal, int64_t length, plan::Type type, eval::Column* out);

}  // namespace attr::match
