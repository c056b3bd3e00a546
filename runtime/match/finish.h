// Matched rows to a finished event table: system columns, expressions, `where`,
// `since`, phantoms, derived columns. Whole columns at a time.
#pragma once

#include <unordered_map>

#include "runtime/match/derived.h"
#include "runtime/match/fold.h"
#include "runtime/match/phantoms.h"
#include "runtime/match/places.h"
#include "runtime/match/record.h"

namespace attr::match {

class Finisher {
 public:
  /// `phantoms` may be null: examples have none.
  Finisher(eval::Context& context, Places& places, PhantomIndex* phantoms);

  /// Makes context.events[program.index]; parents first.
  void Finish(const EventProgram& program, RowSet rows);
  /// The rows of all members, in the order of their observations.
  void FinishUnion(const EventProgram& program);
  /// When all events are there.
  void FillRanks(const EventProgram& program) { derived_.FillRanks(*program.event, context_.events[program.index]); }
  uint64_t failed_conversions() const { return failed_; }
  uint64_t phantoms() const { return phantom_rows_; }
  std::string error() const { return derived_.error(); }

 private:
  struct Work {
    const EventProgram* program = nullptr;
    RowSet rows;
    eval::Table table;
    bool placed = false;  // system columns are filled
  };
  void Inherit(Work& work) const;
  void FillSystem(Work& work);
  /// Columns that say where a row belongs, by the event's own fields; null: none.
  struct Placing {
    const eval::Column* node = nullptr;
    const eval::Column* rank = nullptr;
  };
  class SystemRows;
  void FillRows(Work& work, size_t first, size_t end, const Placing& placing);
  void FillRow(SystemRows& out, size_t row, const model::Observation& observation) const;
  uint32_t NodeOfRank(int32_t rank) const;
  size_t PhantomCount(const Work& work) const;
  void NormalizeGpus(Work& work);
  void InheritBegin(Work& work) const;
  bool ReadsSystem(const Work& work) const;
  void Expressions(Work& work, bool folded);
  void DerivedFor(Work& work, plan::ExprId expr);
  void Filter(Work& work, plan::ExprId condition);
  void Keep(Work& work, const eval::Bitmap& keep) const;
  void Since(Work& work);
  void KeepRows(Work& work, const std::vector<uint32_t>& kept) const;
  void Fold(Work& work);
  std::vector<FoldedRow> FoldWindows(Work& work);
  void FillSpans(Work& work, const std::vector<FoldedRow>& rows, const eval::Table& lines) const;
  void FillCounts(Work& work, const std::vector<FoldedRow>& rows, const eval::Table& lines) const;
  void AddPhantoms(Work& work);
  int64_t SkewOf(uint32_t clock) const { return skews_[clock]; }

  eval::Context& context_;
  Places& places_;
  PhantomIndex* phantoms_;
  DerivedColumns derived_;
  std::vector<int64_t> skews_;  // by clock
  uint32_t single_node_ = model::kNoId;
  std::vector<uint32_t> nodes_of_ranks_;         // by rank, as far as they are dense
  std::unordered_map<uint64_t, uint32_t> gpus_;  // (node, name) to canonical, dictionary ids
  uint64_t failed_ = 0, phantom_rows_ = 0;
};

/// The set's skew, else the pack's for all clocks, else five seconds.
int64_t DefaultSkew(const plan::Plan& plan, const model::ObservationSet& set);

}  // namespace attr::match
