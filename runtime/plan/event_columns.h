// Which columns of an event its own expressions read, and from when on they are
// there: a line's, then what a window adds, then what only a folded row has.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/plan/plan.h"

namespace attr::plan {

/// Keeps pointers to the plan and the event. Expressions must refer to earlier nodes only.
class EventColumns {
 public:
  EventColumns(const Plan& plan, const Event& event) : plan_(&plan), event_(&event) {}

  /// Columns that a line has, before it is folded: all below this one.
  uint32_t LineEnd() const;
  /// And what a window adds to it.
  uint32_t WindowEnd() const;

  /// Call once, when the derived columns are known to read earlier ones only.
  void Reach();
  /// The highest column below an expression, plus one; a derived one counts as what it
  /// reads, since an event may read it as soon as that is there. After Reach.
  uint32_t Highest(ExprId root) const { return Highest(root, reach_); }
  /// Does it read the rank of a text, which is there when all events are?
  bool ReadsRank(ExprId root) const;

 private:
  uint32_t Highest(ExprId root, const std::vector<uint32_t>& reach) const;

  const Plan* plan_;
  const Event* event_;
  std::vector<uint32_t> reach_;  // by derived column: Highest of what it reads
};

}  // namespace attr::plan
