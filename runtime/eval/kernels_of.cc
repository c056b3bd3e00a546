// Which kernels a plan needs, in the order that engines number them.
#include <algorithm>
#include <map>

#include "runtime/eval/kernel.h"

namespace attr::eval {

KernelList KernelsOf(const plan::Plan& plan) {
  KernelList list;
  std::map<uint32_t, std::vector<plan::ExprId>> roots;
  for (const plan::Rule& rule : plan.rules) {
    for (const plan::Binding& binding : rule.bindings) {
      if (binding.where != plan::kNone) roots[binding.event].push_back(binding.where);
    }
    for (const plan::Join& join : rule.joins) {
      list.joins.push_back(&join);
      list.join_names.emplace_back(plan.Str(rule.name));
    }
  }
  for (auto& [event, exprs] : roots) {
    std::sort(exprs.begin(), exprs.end());
    exprs.erase(std::unique(exprs.begin(), exprs.end()), exprs.end());
    list.scans.push_back({event, std::move(exprs)});
  }
  for (const plan::Demotion& demotion : plan.demotions) {
    list.joins.push_back(&demotion.join);
    list.join_names.emplace_back(plan.Str(plan.rules[demotion.source].name));
  }
  return list;
}

}  // namespace attr::eval
