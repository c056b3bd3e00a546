// A union's table: its members' rows as they are, with the fields that all have.
#include <algorithm>

#include "runtime/match/finish.h"

namespace attr::match {

namespace {

struct MemberRow {
  uint32_t observation = 0, member = 0, row = 0;
};

/// One record is one event of the union, however many members it matches: the first's,
/// with all rows that it makes of the record.
std::vector<MemberRow> RowsOf(const eval::Context& context, const plan::Event& event) {
  std::vector<MemberRow> rows;
  for (uint32_t m = 0; m < event.members.size(); ++m) {
    const eval::Table& table = context.events[event.members[m]];
    for (uint32_t row = 0; row < table.first_phantom; ++row) rows.push_back({table.observation[row], m, row});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const MemberRow& a, const MemberRow& b) {
    return a.observation != b.observation ? a.observation < b.observation : a.member < b.member;
  });
  size_t kept = 0;
  for (const MemberRow& row : rows) {
    const bool again = kept != 0 && rows[kept - 1].observation == row.observation;
    if (!again || rows[kept - 1].member == row.member) rows[kept++] = row;
  }
  rows.resize(kept);
  return rows;
}

/// `columns`: that of each member.
eval::Column GatherRows(const eval::Context& context, const plan::Event& event, const std::vector<MemberRow>& rows,
                        const std::vector<uint32_t>& columns) {
  eval::Column out;
  out.slots.resize(rows.size());
  out.present.resize(eval::WordsFor(rows.size()));
  for (size_t i = 0; i < rows.size(); ++i) {
    const eval::Column& from = context.events[event.members[rows[i].member]].columns[columns[rows[i].member]];
    if (!from.Has(rows[i].row)) continue;
    out.slots[i] = from.slots[rows[i].row];
    eval::Set(out.present, i);
  }
  return out;
}

}  // namespace

void Finisher::FinishUnion(const EventProgram& program) {
  const plan::Event& event = *program.event;
  const std::vector<MemberRow> rows = RowsOf(context_, event);
  Work work{&program, {}, {}, true};
  for (const uint32_t member : event.members)
    work.table.window_samples = std::max(work.table.window_samples, context_.events[member].window_samples);
  work.table.rows = rows.size();
  work.table.columns.resize(event.ColumnCount());
  for (uint32_t c = 0; c < plan::kSystemColumns; ++c) {
    work.table.columns[c] = GatherRows(context_, event, rows, std::vector<uint32_t>(event.members.size(), c));
  }
  for (const FieldProgram& field : program.fields) {
    if (!field.stored) continue;
    std::vector<uint32_t> columns;
    for (const uint32_t member : event.members) {
      columns.push_back(context_.plan->events[member].FindColumn(field.field->name));
    }
    work.table.columns[field.column] = GatherRows(context_, event, rows, columns);
  }
  for (const MemberRow& row : rows) work.table.observation.push_back(row.observation);
  work.table.first_phantom = work.table.rows;
  AddPhantoms(work);
  for (size_t d = 0; d < event.derived.size(); ++d) derived_.Fill(event, d, work.table);
  context_.events[program.index] = std::move(work.table);
}

}  // namespace attr::match
