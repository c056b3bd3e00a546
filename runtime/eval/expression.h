// Expressions of one table, whole columns at a time: what match/ uses for fields,
// `where`, `since` and derived columns. Rules go through an Engine instead.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/eval/tables.h"

namespace attr::eval {

/// A value expression (binding 0) over all rows: slots and presence, missing slots
/// 0. `constants` are Plan::constants as dictionary ids. Columns whose slots are
/// empty read as missing.
Column EvaluateValue(const plan::Plan& plan, plan::ExprId expr, const Table& table,
                     const std::vector<int64_t>& constants);

/// A bits expression over all rows. Within one table presumed equals must, so
/// `presumed` stays empty. Bits past the last row are 0.
Planes EvaluateBits(const plan::Plan& plan, plan::ExprId expr, const Table& table,
                    const std::vector<int64_t>& constants);

/// Pointers to a table's columns, as kernels take them.
struct ColumnPointers {
  std::vector<const int64_t*> slots;  // null: nobody reads it
  std::vector<const uint64_t*> present;
  explicit ColumnPointers(const Table& table);
};

}  // namespace attr::eval
