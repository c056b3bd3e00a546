#include "runtime/model/drop.h"

#include <algorithm>

namespace attr::model {

namespace {

bool Names(const std::vector<uint32_t>& nodes, uint32_t node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

/// A row for every node becomes one row for each node that is kept.
void SplitRow(const ObservationSet& set, const Coverage& row, const std::vector<uint32_t>& dropped,
              std::vector<Coverage>& out) {
  for (const InventoryNode& node : set.attempt.nodes) {
    if (Names(dropped, node.node)) continue;
    out.push_back(row);
    out.back().node = node.node;
  }
}

}  // namespace

void Drop(ObservationSet& set, const std::string& source, const std::vector<std::string>& nodes) {
  uint32_t id = set.names.Find(source);
  if (id == Interner::kNone) return;
  std::vector<uint32_t> dropped;
  for (const std::string& node : nodes) dropped.push_back(set.ResolveNode(node));
  auto here = [&](uint32_t node) { return dropped.empty() || Names(dropped, node); };
  auto gone = [&](const Observation& o) { return o.source == id && here(o.observer != kNoId ? o.observer : o.node); };
  set.observations.erase(std::remove_if(set.observations.begin(), set.observations.end(), gone),
                         set.observations.end());
  std::vector<Coverage> kept;
  for (const Coverage& row : set.coverage) {
    if (row.source != id || (row.node != kNoId && !here(row.node))) {
      kept.push_back(row);
    } else if (!dropped.empty() && row.node == kNoId) {
      SplitRow(set, row, dropped, kept);
    }
  }
  set.coverage = std::move(kept);
}

}  // namespace attr::model
