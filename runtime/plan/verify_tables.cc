// Verification of tables. Binary search relies on the order of the keys.
#include <cmath>
#include <cstring>
#include <unordered_set>

#include "runtime/plan/verify_internal.h"

namespace attr::plan {

namespace {

bool VerifyCell(Verification& v, const std::string& where, Type type, int64_t cell) {
  switch (ClassOf(type)) {
    case SlotClass::kBool:
      return cell == 0 || cell == 1 || v.Fail(where, "a bool that is neither 0 nor 1");
    case SlotClass::kFloat: {
      double value;
      std::memcpy(&value, &cell, sizeof(value));
      return !std::isnan(value) || v.Fail(where, "not a number");
    }
    case SlotClass::kId: {
      bool known = cell >= 0 && static_cast<uint64_t>(cell) < v.plan.constants.size();
      return (known && v.plan.constants[static_cast<size_t>(cell)].type == type) ||
             v.Fail(where, "no constant " + std::to_string(cell) + " of the column's type");
    }
    default:
      return true;
  }
}

bool VerifyColumn(Verification& v, const std::string& where, const TableColumn& column, uint32_t rows) {
  if (!v.Identifier(where + ".name", column.name)) return false;
  if (static_cast<uint8_t>(column.type) >= kTypeCount) return v.Fail(where, "an unknown type");
  if (IsSet(column.type)) return v.Fail(where, "a cell is no set");
  if (column.cells.size() != rows || column.present.size() != rows) {
    return v.Fail(where, "it has not as many cells as the table has rows");
  }
  for (uint32_t row = 0; row < rows; ++row) {
    const std::string_view list = "cells";
    if (column.present[row] > 1) return v.Fail(where + '.' + At(list, row), "presence must be 0 or 1");
    if (column.present[row] == 0) {
      if (!column.optional) return v.Fail(where + '.' + At(list, row), "missing, but the column is not optional");
      if (column.cells[row] != 0) return v.Fail(where + '.' + At(list, row), "a missing cell must hold 0");
      continue;
    }
    if (!VerifyCell(v, where, column.type, column.cells[row])) return false;
  }
  return true;
}

/// Rows ascend strictly by their keys.
bool VerifyKeys(Verification& v, const std::string& where, const Table& table) {
  if (!v.Count(where + ".keys", table.keys.size(), kMaxAlternatives)) return false;
  std::unordered_set<uint32_t> seen;
  for (uint32_t key : table.keys) {
    if (!v.Index(where + ".keys", key, table.columns.size(), "column")) return false;
    const TableColumn& column = table.columns[key];
    if (!seen.insert(key).second) return v.Fail(where + ".keys", "a column stands twice");
    if (column.optional || column.type == Type::kFloat) {
      return v.Fail(where + ".keys", "a key must be neither optional nor float");
    }
  }
  if (table.keys.empty()) {
    return table.rows <= kMaxUnkeyedRows || v.Fail(where, "a table without key of more than 10000 rows");
  }
  for (uint32_t row = 1; row < table.rows; ++row) {
    bool ascends = false;
    for (uint32_t key : table.keys) {
      int64_t before = table.columns[key].cells[row - 1], here = table.columns[key].cells[row];
      if (before == here) continue;
      ascends = before < here;
      break;
    }
    if (!ascends) return v.Fail(where + '.' + At("rows", row), "keys must ascend and be unique");
  }
  return true;
}

}  // namespace

bool VerifyTables(Verification& v) {
  uint64_t all = 0;
  for (size_t t = 0; t < v.plan.tables.size(); ++t) {
    const Table& table = v.plan.tables[t];
    const std::string where = At("tables", t);
    if (!v.Qualified(where + ".name", table.name)) return false;
    if (table.columns.empty() || table.columns.size() > kMaxColumns) {
      return v.Fail(where, "a table needs 1 to 4096 columns");
    }
    uint64_t cells = uint64_t{table.rows} * table.columns.size();
    if (cells > kMaxCells) return v.Fail(where, "more than 1000000 cells");
    all += cells;
    if (all > kMaxAllCells) return v.Fail(where, "more than 8000000 cells in all tables together");
    std::unordered_set<StrId> names;
    for (size_t c = 0; c < table.columns.size(); ++c) {
      const std::string column = where + '.' + At("columns", c);
      if (!VerifyColumn(v, column, table.columns[c], table.rows)) return false;
      if (!names.insert(table.columns[c].name).second) return v.Fail(column, "its name stands twice");
    }
    if (!VerifyKeys(v, where, table)) return false;
  }
  return true;
}

}  // namespace attr::plan
