// Which columns of an event an expression reads, through computed fields and
// derived columns.
#pragma once

#include <unordered_set>
#include <vector>

#include "runtime/plan/plan.h"

namespace attr::match {

class ExpressionColumns {
 public:
  ExpressionColumns(const plan::Plan& plan, const plan::Event& event)
      : plan_(plan), event_(event), needed_(event.ColumnCount()) {}
  void Column(uint32_t column);
  void Expr(plan::ExprId id);
  bool operator[](uint32_t column) const { return needed_[column]; }

 private:
  const plan::Plan& plan_;
  const plan::Event& event_;
  std::vector<bool> needed_;
  std::unordered_set<plan::ExprId> visited_;  // nodes are shared: a walk without it can be exponential
};

}  // namespace attr::match
