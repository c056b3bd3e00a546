// All findings of one rule, folded where many say one thing: groups that only
// blind spots support become one unevaluable finding, groups between which one
// event without a place cannot choose become one that blames nobody (S6).
#pragma once

#include <vector>

#include "runtime/eval/evaluate.h"
#include "runtime/eval/rule_groups.h"

namespace attr::eval {

struct RuleOutcome {
  std::vector<Finding> findings;  // canonical order
  std::vector<Limit> limits;      // not empty: no findings
  uint64_t pairs = 0;
};
RuleOutcome EvaluateRule(const Context& context, const RuleSides& rule, const Engine& engine, size_t kernel,
                         const Limits& limits);

}  // namespace attr::eval
