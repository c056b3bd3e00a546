// Rows that are no observations: findings, the inventory, tables, stalls. One row
// after the other, every system column there, so that joins may read any.
#pragma once

#include "runtime/eval/tables.h"

namespace attr::eval {

class RowTable {
 public:
  explicit RowTable(const plan::Event& event);

  /// A row of which nothing is known but how true it is. `identity`: what tells it from
  /// the rows of related events. Phantoms come last.
  size_t Add(uint8_t bits, uint32_t identity, bool phantom = false);
  void Put(size_t row, uint32_t column, int64_t slot) {
    table_.columns[column].slots[row] = slot;
    Set(table_.columns[column].present, row);
  }
  void PutSpan(size_t row, const model::Moment& begin, const model::Moment& end);
  void PutClock(size_t row, int64_t clock, int64_t tie, int64_t skew);
  std::vector<uint32_t>& Lacks(size_t row) { return table_.lacks[row]; }
  std::vector<uint32_t>& Evidence(size_t row) { return table_.evidence[row]; }
  void AddExtent(FindingExtent extent) { table_.extents.push_back(std::move(extent)); }
  /// With its derived columns.
  Table Take(const Context& context);

 private:
  const plan::Event& event_;
  Table table_;
};

}  // namespace attr::eval
