#include "runtime/plan/event_columns.h"

#include <algorithm>
#include <unordered_set>

#include "runtime/plan/operands.h"

namespace attr::plan {

uint32_t EventColumns::LineEnd() const {
  return event_->fold.kind == FoldKind::kUnfolded ? event_->DerivedColumn(0) : event_->FieldColumn(event_->fold.fields);
}

uint32_t EventColumns::WindowEnd() const {
  uint32_t end = LineEnd();
  while (end < event_->DerivedColumn(0) && event_->fields[end - kSystemColumns].from == FieldFrom::kWindow) ++end;
  return end;
}

uint32_t EventColumns::Highest(ExprId root, const std::vector<uint32_t>& reach) const {
  uint32_t highest = 0;
  std::unordered_set<ExprId> seen{root};
  std::vector<ExprId> open{root};
  while (!open.empty()) {
    const Expr& e = plan_->exprs[open.back()];
    open.pop_back();
    if (e.op == Op::kColumn) {
      highest = std::max(highest, e.b < event_->DerivedColumn(0) ? e.b + 1 : reach[e.b - event_->DerivedColumn(0)]);
    }
    const unsigned operands = OperandCount(e.op);
    for (unsigned k = 0; k < operands; ++k) {
      const ExprId operand = k == 0 ? e.a : e.b;
      if (seen.insert(operand).second) open.push_back(operand);
    }
  }
  return highest;
}

void EventColumns::Reach() {
  for (const Derived& derived : event_->derived) {
    uint32_t highest = derived.kind == DerivedKind::kTextRank ? UINT32_MAX : 0;
    for (const ExprId key : derived.keys) highest = std::max(highest, Highest(key, reach_));
    if (derived.kind == DerivedKind::kRegex) {
      const uint32_t column = derived.column;
      highest = column < event_->DerivedColumn(0) ? column + 1 : reach_[column - event_->DerivedColumn(0)];
    }
    reach_.push_back(highest);
  }
}

bool EventColumns::ReadsRank(ExprId root) const {
  std::vector<uint32_t> late;
  for (const Derived& derived : event_->derived)
    late.push_back(derived.kind == DerivedKind::kTextRank ? UINT32_MAX : 0);
  return Highest(root, late) == UINT32_MAX;
}

}  // namespace attr::plan
