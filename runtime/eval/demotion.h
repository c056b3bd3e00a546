// Demotion edges: findings joined with findings by place and time. The truth of
// either finding is no part of its edge (semantics.md S1).
#pragma once

#include <vector>

#include "runtime/eval/evaluate.h"
#include "runtime/eval/members.h"

namespace attr::eval {

/// Findings as rows: one a place that it shares by (`on`), one without a place when it
/// has none. `observation` holds the finding's index. Findings that nothing real
/// supports have no row: the resolver tries them by rule.
struct FindingRows {
  Table table;
  std::vector<uint8_t> membership;
};
FindingRows ExplodeFindings(const std::vector<Finding>& findings, const std::vector<uint32_t>& which,
                            plan::DemoteOn on);

class DemotionJoin {
 public:
  /// `of_rule[r]`: indices of rule r's findings. `kernel`: of the demotion's join.
  DemotionJoin(const Context& context, const Engine& engine, size_t kernel, uint32_t demotion,
               const std::vector<Finding>& findings, const std::vector<std::vector<uint32_t>>& of_rule);
  uint64_t pairs() const { return join_.CountPairs(); }
  /// Appends edges by (from, to).
  void Run(std::vector<Edge>* edges);

 private:
  uint32_t demotion_;
  FindingRows sources_, targets_;
  RowJoin join_;
};

/// Orders edges by (to, from, demotion) in linear time.
void SortEdges(size_t findings, std::vector<Edge>* edges);

}  // namespace attr::eval
