// Demotion edges: findings joined with findings by place and time. Of `self after`
// only edges in certain order are left (semantics.md S11). The truth of
// either finding is no part of its edge (semantics.md S1).
#pragma once

#include <string_view>
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
FindingRows ExplodeFindings(const Context& context, const std::vector<Finding>& findings,
                            const std::vector<uint32_t>& which, plan::DemoteOn on);
/// The label that a place of several nodes is: "rack"; empty for node and gpu.
std::string_view LabelOf(plan::DemoteOn on);

class DemotionJoin {
 public:
  /// `of_rule[r]`: indices of rule r's findings. `kernel`: of the demotion's join.
  DemotionJoin(const Context& context, const Engine& engine, size_t kernel, uint32_t demotion,
               const std::vector<Finding>& findings, const std::vector<std::vector<uint32_t>>& of_rule);
  uint64_t pairs() const { return join_.CountPairs(); }
  /// Appends edges by (from, to).
  void Run(std::vector<Edge>* edges);

 private:
  bool CertainlyAfter(uint32_t from, uint32_t to) const;

  uint32_t demotion_;
  const std::vector<Finding>& findings_;
  bool after_;
  FindingRows sources_, targets_;
  RowJoin join_;
};

/// Orders edges by (to, from, demotion) in linear time.
void SortEdges(size_t findings, std::vector<Edge>* edges);

}  // namespace attr::eval
