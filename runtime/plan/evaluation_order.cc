// Which rules have to be evaluated before which.
#include "runtime/plan/graph.h"

namespace attr::plan {

namespace {

/// Rules whose findings the rule reads, and the outcome before it.
std::vector<uint32_t> WaitsFor(const Plan& plan, uint32_t rule) {
  std::vector<uint32_t> rules;
  if (plan.rules[rule].kind == RuleKind::kOutcome && rule != 0) rules.push_back(rule - 1);
  for (const Binding& binding : plan.rules[rule].bindings) {
    const std::vector<uint32_t>& of = plan.events[binding.event].rules;
    rules.insert(rules.end(), of.begin(), of.end());
  }
  return rules;
}

}  // namespace

std::vector<uint32_t> EvaluationOrder(const Plan& plan) {
  enum : uint8_t { kNew, kOpen, kDone };
  struct Frame {
    uint32_t rule;
    std::vector<uint32_t> waits_for;
    size_t next;
  };
  std::vector<uint8_t> state(plan.rules.size(), kNew);
  std::vector<uint32_t> order;
  std::vector<Frame> stack;
  const auto open = [&](uint32_t rule) {
    state[rule] = kOpen;
    stack.push_back({rule, WaitsFor(plan, rule), 0});
  };
  for (uint32_t root = 0; root < plan.rules.size(); ++root) {
    if (state[root] == kNew) open(root);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == top.waits_for.size()) {
        state[top.rule] = kDone;
        order.push_back(top.rule);
        stack.pop_back();
        continue;
      }
      const uint32_t rule = top.waits_for[top.next++];
      if (state[rule] == kOpen) return {};
      if (state[rule] == kNew) open(rule);
    }
  }
  return order;
}

}  // namespace attr::plan
