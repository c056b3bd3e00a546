// Finished lines to folded rows: what Fold says, then the fields and the condition
// that only folded rows have.
#include "runtime/eval/expression.h"
#include "runtime/match/finish.h"
#include "runtime/match/windows.h"

namespace attr::match {

namespace {

using plan::FieldFrom;
using plan::kNone;

constexpr int64_t kMixedClocks = INT64_MIN / 2;  // less a row: no observation's, and no other row's

void PutAt(eval::Column& column, size_t row, int64_t slot) {
  column.slots[row] = slot;
  eval::Set(column.present, row);
}

eval::Column BitsAsBools(const eval::Planes& planes, size_t rows) {
  eval::Column column;
  column.slots.assign(rows, 0);
  column.present.assign(eval::WordsFor(rows), 0);
  for (size_t row = 0; row < rows; ++row) {
    const bool is_true = eval::Test(planes.must, row);
    column.slots[row] = is_true ? 1 : 0;
    if (is_true || !eval::Test(planes.may, row)) eval::Set(column.present, row);
  }
  return column;
}

}  // namespace

/// Runs of windows that are true; none at all when a window is larger than the limit,
/// which makes every rule that reads the event unevaluable.
std::vector<FoldedRow> Finisher::FoldWindows(Work& work) {
  const plan::Event& event = *work.program->event;
  Windows windows(context_, event.fold, work.table, work.rows.observation);
  work.table.window_samples = windows.largest();
  if (windows.largest() > plan::kMaxWindowSamples || work.table.rows == 0) return {};
  for (const FieldProgram& field : work.program->fields) {
    if (field.field->from != FieldFrom::kWindow || !field.read()) continue;
    const plan::ExprId value = field.field->expr;
    DerivedFor(work, value);
    const eval::Column values =
        plan::IsBits(context_.plan->exprs[value].op)
            ? BitsAsBools(eval::EvaluateBits(*context_.plan, value, work.table, context_.constants), work.table.rows)
            : eval::EvaluateValue(*context_.plan, value, work.table, context_.constants);
    work.table.columns[field.column] = windows.Aggregate(*field.field, context_.plan->exprs[value].type, values);
  }
  DerivedFor(work, event.fold.where);
  return windows.Runs(eval::EvaluateBits(*context_.plan, event.fold.where, work.table, context_.constants).must);
}

void Finisher::Fold(Work& work) {
  const plan::Event& event = *work.program->event;
  if (work.program->extended) {
    work.table.observation = work.rows.observation;
    work.table.first_phantom = work.table.rows;
    context_.lines.resize(context_.plan->events.size());
    context_.lines[work.program->index] = work.table;
  }
  std::vector<FoldedRow> rows;
  if (event.fold.kind == plan::FoldKind::kWindows) {
    rows = FoldWindows(work);
  } else {
    const bool closes = event.fold.closed_by != kNone;
    rows = FoldLines(event.fold, work.table, closes ? &context_.events[event.fold.closed_by] : nullptr);
  }
  const eval::Table lines = work.table;
  std::vector<uint32_t> kept;
  for (const FoldedRow& row : rows) kept.push_back(row.first);
  KeepRows(work, kept);
  FillSpans(work, rows, lines);
  FillCounts(work, rows, lines);
  Expressions(work, true);
  if (event.fold.having != kNone) Filter(work, event.fold.having);
}

/// From the first line's begin to the last line's end, or to the recovery.
void Finisher::FillSpans(Work& work, const std::vector<FoldedRow>& rows, const eval::Table& lines) const {
  std::vector<eval::Column>& columns = work.table.columns;
  const plan::Fold& fold = work.program->event->fold;
  for (size_t i = 0; i < rows.size(); ++i) {
    const FoldedRow& row = rows[i];
    const bool closed = row.closing != kNone;
    const eval::Table& last = closed ? context_.events[fold.closed_by] : lines;
    const uint32_t last_row = closed ? row.closing : row.span_last;
    const auto span = [&](uint32_t lo, uint32_t hi, uint32_t stamp, int64_t from, int64_t to) {
      columns[lo].slots[i] = from;
      columns[hi].slots[i] = to;
      columns[stamp].slots[i] = from == to ? from : 0;
      uint64_t& word = columns[stamp].present[i / 64];
      const uint64_t bit = uint64_t{1} << i % 64;
      word = from == to ? word | bit : word & ~bit;
    };
    const auto at = [](const eval::Table& table, uint32_t column, uint32_t r) {
      return table.columns[column].slots[r];
    };
    span(plan::kBeginLo, plan::kBeginHi, plan::kBegin, at(lines, plan::kBeginLo, row.span_first),
         at(lines, plan::kBeginHi, row.span_first));
    span(plan::kEndLo, plan::kEndHi, plan::kEnd, at(last, plan::kEndLo, last_row), at(last, plan::kEndHi, last_row));
    columns[plan::kPrecision].slots[i] =
        std::max(at(lines, plan::kPrecision, row.span_first), at(last, plan::kPrecision, last_row));
    const int64_t clock = at(lines, plan::kClock, row.first);
    const bool one = row.one_clock && at(last, plan::kClock, last_row) == clock;
    columns[plan::kClock].slots[i] = one ? clock : kMixedClocks - static_cast<int64_t>(row.first);
    columns[plan::kSkew].slots[i] = std::max(row.skew, at(last, plan::kSkew, last_row));
  }
}

void Finisher::FillCounts(Work& work, const std::vector<FoldedRow>& rows, const eval::Table& lines) const {
  for (const FieldProgram& field : work.program->fields) {
    const FieldFrom from = field.field->from;
    if (!field.read() || from < FieldFrom::kFirst) continue;
    eval::Column column;
    column.slots.assign(rows.size(), 0);
    column.present.assign(eval::WordsFor(rows.size()), 0);
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint32_t line = from == FieldFrom::kFirst ? rows[i].first : rows[i].last;
      const eval::Column& stamps = lines.columns[from == FieldFrom::kFirst ? plan::kBegin : plan::kEnd];
      if (from == FieldFrom::kCount) {
        PutAt(column, i, rows[i].count);
      } else if (stamps.Has(line)) {
        PutAt(column, i, stamps.slots[line]);
      }
    }
    work.table.columns[field.column] = std::move(column);
  }
}

}  // namespace attr::match
