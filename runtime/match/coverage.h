// What was collected: blind time per source and place (semantics.md S4). No
// analysis of any condition takes part.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/eval/tables.h"
#include "runtime/match/intervals.h"
#include "runtime/match/scope.h"

namespace attr::match {

/// Where something can be collected. All unset: no place (scheduler), or not known.
struct Place {
  bool other = false;  // a node that is not the attempt's: what is said of everywhere holds there
  uint32_t node = model::kNoId;
  int32_t rank = -1;
  uint32_t stream = model::kNoId;
  bool operator==(const Place&) const = default;
};

/// Records of scheduler, kubernetes and fabric are not collected per node.
bool HasPlace(std::string_view source);

class CoverageIndex {
 public:
  CoverageIndex(const eval::Context& context, const Scope& scope);

  /// Empty intervals that hold an observation count as partial; one line each.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Their coverage rows, ascending.
  const std::vector<uint32_t>& contradicted() const { return contradicted_; }
  /// Something is said about this source.
  bool Mentioned(std::string_view source) const;
  /// `ok` and `empty` intervals, stretched by skew, less what `partial` and what a
  /// narrower `error` or `absent` takes away.
  Intervals Covered(const plan::SourceAlternative& source, const Place& place) const;
  /// Where all alternatives are blind inside `whole`.
  Intervals Blind(const plan::SourceRef& source, const Place& place, const Intervals& whole) const;
  /// The places of a source: nodes, finer where coverage is finer, or one without place.
  /// `any_node`: and the nodes that nobody names, as one.
  std::vector<Place> Places(const plan::SourceRef& source, bool any_node) const;

 private:
  struct BySource {
    std::vector<uint32_t> everywhere;  // no node known
    std::unordered_map<uint32_t, std::vector<uint32_t>> on_node;
  };
  using Rows = std::vector<uint32_t>;

  uint32_t NodeOf(const model::Coverage& row) const;
  void FindContradictions(const Scope& scope);
  void FindSamples(const Scope& scope);
  Rows RowsAt(uint32_t source, const Place& place) const;
  Rows ForMetric(const Rows& rows, std::string_view metric, const Place& place) const;
  void AddFinePlaces(const plan::SourceRef& source, const model::InventoryNode& node, std::vector<Place>& places) const;

  const eval::Context& context_;
  const model::ObservationSet& set_;
  std::map<uint32_t, BySource> sources_;
  std::vector<model::CoverageStatus> status_;                      // by row, contradictions applied
  std::map<std::pair<std::string_view, uint32_t>, bool> samples_;  // metric, node (kNoId: any)
  std::vector<std::string> warnings_;
  std::vector<uint32_t> contradicted_;
};

}  // namespace attr::match
