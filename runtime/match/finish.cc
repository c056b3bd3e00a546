#include "runtime/match/finish.h"

#include <algorithm>

#include "runtime/eval/expression.h"
#include "runtime/match/expression_columns.h"

namespace attr::match {

namespace {

using plan::FieldFrom;
using plan::kNone;

constexpr size_t kMostDenseRanks = 1 << 20;  // asked for every row: a table is five times as fast as a map

eval::Column Gather(const eval::Column& from, const std::vector<uint32_t>& rows) {
  eval::Column column;
  if (from.slots.empty()) return column;
  column.slots.resize(rows.size());
  column.present.assign(eval::WordsFor(rows.size()), 0);
  for (size_t i = 0; i < rows.size(); ++i) {
    column.slots[i] = from.slots[rows[i]];
    if (eval::Test(from.present, rows[i])) eval::Set(column.present, i);
  }
  return column;
}

}  // namespace

int64_t DefaultSkew(const plan::Plan& plan, const model::ObservationSet& set) {
  if (set.skew) return *set.skew;
  for (const plan::ClockSkew& skew : plan.meta.skews)
    if (skew.clock == 0) return skew.nanos;
  return 5 * plan::kSecond;
}

Finisher::Finisher(eval::Context& context, Places& places, PhantomIndex* phantoms)
    : context_(context), places_(places), phantoms_(phantoms), derived_(context) {
  const model::ObservationSet& set = *context.set;
  for (const model::Clock& clock : set.clocks) {
    int64_t nanos = context.default_skew;
    if (!set.skew)
      for (const plan::ClockSkew& skew : context.plan->meta.skews)
        if (skew.clock != 0 && context.plan->Str(skew.clock) == clock.name) nanos = skew.nanos;
    skews_.push_back(nanos);
  }
  if (skews_.empty()) skews_.push_back(context.default_skew);
  if (set.attempt.nodes.size() == 1) single_node_ = set.attempt.nodes[0].node;
  nodes_of_ranks_.assign(std::min(set.rank_nodes.size(), kMostDenseRanks), model::kNoId);
  for (const auto& [rank, node] : set.rank_nodes)
    if (rank >= 0 && static_cast<size_t>(rank) < nodes_of_ranks_.size())
      nodes_of_ranks_[static_cast<size_t>(rank)] = node;
}

uint32_t Finisher::NodeOfRank(int32_t rank) const {
  if (rank >= 0 && static_cast<size_t>(rank) < nodes_of_ranks_.size())
    return nodes_of_ranks_[static_cast<size_t>(rank)];
  return context_.set->NodeOfRank(rank);
}

void Finisher::Finish(const EventProgram& program, RowSet rows) {
  Work work{&program, std::move(rows), {}, false};
  work.table.rows = work.rows.observation.size();
  work.table.columns.resize(program.event->ColumnCount());
  for (size_t f = 0; f < work.rows.fields.size(); ++f)
    work.table.columns[program.fields[f].column] = std::move(work.rows.fields[f]);
  Inherit(work);
  if (ReadsSystem(work)) FillSystem(work);
  Expressions(work, false);
  if (program.event->where != kNone) Filter(work, program.event->where);
  if (!work.placed) FillSystem(work);
  Since(work);
  // A line by itself, an example, is not folded.
  if (program.event->fold.kind != plan::FoldKind::kUnfolded && phantoms_ != nullptr) Fold(work);
  work.table.observation = work.rows.observation;
  work.table.first_phantom = work.table.rows;
  AddPhantoms(work);
  for (size_t d = 0; d < program.event->derived.size(); ++d) derived_.Fill(*program.event, d, work.table);
  context_.events[program.index] = std::move(work.table);
}

void Finisher::Inherit(Work& work) const {
  const plan::Event& event = *work.program->event;
  if (event.parent == kNone) return;
  for (const FieldProgram& field : work.program->fields)
    if (field.stored && field.field->from == FieldFrom::kInherited)
      work.table.columns[field.column] =
          Gather(context_.LinesOf(event.parent).columns[field.column], work.rows.parent_row);
}

/// GPU names are completed by the row's node, so that comparing them needs it too.
bool Finisher::ReadsSystem(const Work& work) const {
  const plan::Event& event = *work.program->event;
  ExpressionColumns columns(*context_.plan, event);
  columns.Expr(event.where);
  for (const plan::Field& field : event.fields) {
    columns.Expr(field.expr);
    if (field.type == plan::Type::kGpu && event.where != kNone) return true;
  }
  for (uint32_t c = 0; c < plan::kSystemColumns; ++c)
    if (columns[c]) return true;
  return false;
}

void Finisher::DerivedFor(Work& work, plan::ExprId expr) {
  const plan::Event& event = *work.program->event;
  ExpressionColumns columns(*context_.plan, event);
  columns.Expr(expr);
  for (size_t d = 0; d < event.derived.size(); ++d)
    if (columns[event.DerivedColumn(d)]) derived_.Fill(event, d, work.table);
}

/// Computed fields in their order, of lines or of folded rows; a required one without
/// value drops the row.
void Finisher::Expressions(Work& work, bool folded) {
  const plan::Fold& fold = work.program->event->fold;
  eval::Bitmap keep;
  for (size_t f = 0; f < work.program->fields.size(); ++f) {
    const FieldProgram& field = work.program->fields[f];
    if (field.field->from != FieldFrom::kExpr || !field.read()) continue;
    if ((fold.kind != plan::FoldKind::kUnfolded && f >= fold.fields) != folded) continue;
    DerivedFor(work, field.field->expr);
    eval::Column column = eval::EvaluateValue(*context_.plan, field.field->expr, work.table, context_.constants);
    if (!field.field->optional) {
      if (keep.empty()) keep.assign(column.present.size(), UINT64_MAX);
      for (size_t w = 0; w < keep.size(); ++w) keep[w] &= column.present[w];
    }
    work.table.columns[field.column] = std::move(column);
  }
  if (keep.empty()) return;
  const size_t before = work.table.rows;
  Keep(work, keep);
  failed_ += before - work.table.rows;
}

void Finisher::Filter(Work& work, plan::ExprId condition) {
  if (work.table.rows == 0) return;
  DerivedFor(work, condition);
  Keep(work, eval::EvaluateBits(*context_.plan, condition, work.table, context_.constants).must);
}

void Finisher::Keep(Work& work, const eval::Bitmap& keep) const {
  std::vector<uint32_t> kept;
  for (uint32_t row = 0; row < work.table.rows; ++row)
    if (eval::Test(keep, row)) kept.push_back(row);
  if (kept.size() != work.table.rows) KeepRows(work, kept);
}

void Finisher::KeepRows(Work& work, const std::vector<uint32_t>& kept) const {
  for (eval::Column& column : work.table.columns) column = Gather(column, kept);
  for (size_t i = 0; i < kept.size(); ++i) {
    work.rows.observation[i] = work.rows.observation[kept[i]];
    if (!work.rows.parent_row.empty()) work.rows.parent_row[i] = work.rows.parent_row[kept[i]];
  }
  work.rows.observation.resize(kept.size());
  if (!work.rows.parent_row.empty()) work.rows.parent_row.resize(kept.size());
  work.table.rows = kept.size();
}

/// `since` moves the begin. Without a value, or with one after the end, the begin
/// is unknown and the end stays (semantics.md S16).
void Finisher::Since(Work& work) {
  const plan::Event& event = *work.program->event;
  if (event.since == kNone || work.table.rows == 0) return;
  DerivedFor(work, event.since);
  const eval::Column since = eval::EvaluateValue(*context_.plan, event.since, work.table, context_.constants);
  std::vector<eval::Column>& columns = work.table.columns;
  for (size_t row = 0; row < work.table.rows; ++row) {
    const bool known = eval::Test(since.present, row) && since.slots[row] > plan::kBeforeAll &&
                       since.slots[row] <= columns[plan::kEndHi].slots[row];
    columns[plan::kBeginLo].slots[row] = known ? since.slots[row] : plan::kBeforeAll;
    columns[plan::kBeginHi].slots[row] = known ? since.slots[row] : plan::kAfterAll;
    columns[plan::kBegin].slots[row] = known ? since.slots[row] : 0;
    uint64_t& word = columns[plan::kBegin].present[row / 64];
    const uint64_t bit = uint64_t{1} << row % 64;
    word = known ? word | bit : word & ~bit;
  }
}

}  // namespace attr::match
