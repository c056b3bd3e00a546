#include "runtime/eval/program.h"

#include <algorithm>

#include "runtime/base/check.h"
#include "runtime/plan/operands.h"

namespace attr::eval {
namespace {

using plan::Op;

bool ReadsExpr(Op op, unsigned operand) { return operand < plan::OperandCount(op); }

}  // namespace

Program::Scratch& Program::ThreadScratch() {
  static thread_local Scratch scratch;
  return scratch;
}

uint32_t Program::Append(Step step) {
  const bool reads_a = ReadsExpr(step.op, 0), reads_b = ReadsExpr(step.op, 1);
  if (step.op == Op::kColumn) {
    step.uniform = join_ && step.a == 0;
  } else {
    step.uniform = (!reads_a || steps_[step.a].uniform) && (!reads_b || steps_[step.b].uniform);
  }
  if (!step.uniform && reads_a) {
    const bool ua = steps_[step.a].uniform, ub = reads_b && steps_[step.b].uniform;
    if (step.op >= Op::kAddI && step.op <= Op::kToFloat) step.value = ValueKernelOf(step.op, ua, ub);
    if (step.op >= Op::kEqI && step.op <= Op::kPlaceNe) step.compare = CompareKernelOf(step.op, ua, ub);
  }
  steps_.push_back(step);
  return static_cast<uint32_t>(steps_.size() - 1);
}

uint32_t Program::Add(plan::ExprId expr) {
  std::vector<plan::ExprId> order{expr}, stack{expr};
  std::unordered_map<plan::ExprId, bool> seen{{expr, true}};
  while (!stack.empty()) {
    const plan::Expr& node = plan_->exprs[stack.back()];
    stack.pop_back();
    for (int k = 0; k < 2; ++k) {
      if (!ReadsExpr(node.op, k)) continue;
      const plan::ExprId operand = k == 0 ? node.a : node.b;
      if (step_of_.count(operand) != 0 || !seen.emplace(operand, true).second) continue;
      order.push_back(operand);
      stack.push_back(operand);
    }
  }
  std::sort(order.begin(), order.end());  // a node refers to earlier nodes only
  for (plan::ExprId id : order) {
    if (step_of_.count(id) != 0) continue;
    const plan::Expr& node = plan_->exprs[id];
    ATTR_CHECK(node.op != Op::kCountCmp && node.op != Op::kAggregateCmp);
    Step step{node.op, node.a, node.b, node.index, node.imm};
    if (ReadsExpr(node.op, 0)) step.a = step_of_.at(node.a);
    if (node.op != Op::kColumn) step.b = ReadsExpr(node.op, 1) ? step_of_.at(node.b) : plan::kNone;
    step_of_.emplace(id, Append(step));
  }
  return step_of_.at(expr);
}

uint32_t Program::AddColumn(uint32_t binding, uint32_t column) { return Append({Op::kColumn, binding, column}); }

uint32_t Program::AddBinary(Op op, uint32_t a, uint32_t b) { return Append({op, a, b}); }

void Program::Finish(std::vector<uint32_t> roots) {
  // Registers of 8 KB are handed on after the last use, so that a batch stays in
  // the cache; planes are small and keep their place.
  std::vector<uint32_t> last_use(steps_.size(), 0);
  for (uint32_t i = 0; i < steps_.size(); ++i) {
    if (ReadsExpr(steps_[i].op, 0)) last_use[steps_[i].a] = i;
    if (ReadsExpr(steps_[i].op, 1)) last_use[steps_[i].b] = i;
  }
  for (uint32_t root : roots) last_use[root] = UINT32_MAX;
  std::vector<uint32_t> free;
  for (uint32_t i = 0; i < steps_.size(); ++i) {
    Step& step = steps_[i];
    if (!plan::IsBits(step.op)) {
      if (free.empty()) free.push_back(registers_++);
      step.reg = free.back();
      free.pop_back();
    }
    const uint32_t operands[2] = {ReadsExpr(step.op, 0) ? step.a : plan::kNone,
                                  ReadsExpr(step.op, 1) && step.b != step.a ? step.b : plan::kNone};
    for (uint32_t operand : operands) {
      if (operand == plan::kNone || plan::IsBits(steps_[operand].op) || last_use[operand] != i) continue;
      free.push_back(steps_[operand].reg);
    }
  }
  step_of_.clear();
}

}  // namespace attr::eval
