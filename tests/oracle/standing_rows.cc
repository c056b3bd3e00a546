// Rows that stand whatever was observed: of tables, of the attempt's inventory.
#include "tests/oracle/event_scope.h"

namespace attr::oracle {

/// Rows of a table, and of what the attempt runs on.
std::vector<Row> StandingRows(World& world, const Event& event) {
  std::vector<Row> out;
  auto add = [&](Row row, RowKind kind) {
    row.kind = kind;
    row.number = static_cast<uint32_t>(out.size());
    out.push_back(std::move(row));
  };
  if (event.origin == Origin::kTable) {
    const Table& table = world.pack.tables[event.table];
    for (const std::vector<Value>& cells : table.rows) {
      Row row;
      for (size_t c = 0; c < cells.size(); ++c) {
        Value value = cells[c];
        if (value.present && value.type == Type::kNode) value.text = world.NodeNamed(value.text);
        row.fields[table.columns[c]] = std::move(value);
      }
      add(std::move(row), RowKind::kTable);
    }
    return out;
  }
  for (const model::InventoryNode& node : world.set.attempt.nodes) {
    Row row;
    row.node = Text(Type::kNode, world.Name(node.node));
    if (event.inventory == "node") add(row, RowKind::kInventory);
    for (const int32_t rank : node.ranks) {
      row.rank = Number(Type::kRank, rank);
      if (event.inventory == "rank") add(row, RowKind::kInventory);
    }
    row.rank = Missing(Type::kRank);
    for (const auto& [gpu, aliases] : node.gpus) {
      row.gpu = Text(Type::kGpu, world.Name(gpu));
      if (event.inventory == "gpu") add(row, RowKind::kInventory);
    }
  }
  if (!out.empty()) return out;
  Row unknown;  // an inventory that was not given
  unknown.kind = RowKind::kPhantom;
  unknown.bits = kUnknown;
  unknown.gaps = {{"inventory", ""}};
  return {unknown};
}

}  // namespace attr::oracle
