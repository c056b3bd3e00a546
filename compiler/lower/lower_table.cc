// Tables: cells as slots, rows sorted by key. Ids are constants; those of all
// tables are taken first and in order, so that rows stand in the order of their
// text as well.
#include <algorithm>
#include <numeric>
#include <set>

#include "compiler/lower/lowering.h"

namespace attr::lower {

namespace {

void InternCells(Lowering& lowering) {
  std::set<std::pair<plan::Type, std::string>> ids;
  for (const sema::Table& table : lowering.program.tables) {
    for (const sema::TableColumn& column : table.columns) {
      if (!plan::IsId(column.type)) continue;
      for (const sema::Cell& cell : column.cells) {
        if (cell.present) ids.emplace(column.type, cell.text);
      }
    }
  }
  for (const auto& [type, text] : ids) lowering.builder.Constant(type, text);
}

int64_t Slot(Lowering& lowering, const sema::TableColumn& column, const sema::Cell& cell) {
  if (!cell.present) return 0;
  return plan::IsId(column.type) ? lowering.builder.Constant(column.type, cell.text) : cell.slot;
}

void LowerTable(Lowering& lowering, const sema::Table& table) {
  plan::Table result;
  result.name = lowering.builder.Str(table.qualified);
  result.keys = table.keys;
  const size_t rows = table.columns[0].cells.size();
  result.rows = static_cast<uint32_t>(rows);
  std::vector<std::vector<int64_t>> keys(rows);
  for (uint32_t key : table.keys) {
    for (size_t row = 0; row < rows; ++row) {
      keys[row].push_back(Slot(lowering, table.columns[key], table.columns[key].cells[row]));
    }
  }
  std::vector<size_t> order(rows);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return keys[a] < keys[b]; });
  for (const sema::TableColumn& column : table.columns) {
    plan::TableColumn target;
    target.name = lowering.builder.Str(column.name);
    target.type = column.type;
    target.optional = column.optional;
    for (size_t row : order) {
      target.cells.push_back(Slot(lowering, column, column.cells[row]));
      target.present.push_back(column.cells[row].present ? 1 : 0);
    }
    result.columns.push_back(std::move(target));
  }
  lowering.builder.plan.tables.push_back(std::move(result));
}

}  // namespace

void LowerTables(Lowering& lowering) {
  InternCells(lowering);
  for (const sema::Table& table : lowering.program.tables) LowerTable(lowering, table);
}

}  // namespace attr::lower
