#include "runtime/resolve/certainty.h"

#include <algorithm>

namespace attr::resolve {

std::vector<uint32_t> FindTried(const Problem& p, const Flow& nominal, const Assignment& a) {
  std::vector<bool> asked(p.plan.rules.size());
  bool any_survivor = false;
  for (size_t f = 0; f < p.FindingCount(); ++f) {
    bool survives = (nominal.survivor[f] & eval::kPresumedBit) != 0;
    bool unexplained = p.IsSymptom(f) && (a.finding[f] & Not(nominal.demoted[f]) & eval::kPresumedBit) != 0;
    if (survives || unexplained) asked[p.RuleOf(f)] = true;
    any_survivor = any_survivor || survives;
  }
  std::vector<uint32_t> out;
  for (uint32_t rule : p.unevaluable) {
    if (p.plan.rules[rule].kind != plan::RuleKind::kCause) continue;
    const std::vector<uint32_t>& targets = p.targets[rule];
    if (!any_survivor || std::any_of(targets.begin(), targets.end(), [&](uint32_t t) { return asked[t]; }))
      out.push_back(rule);
  }
  return out;
}

bool IsSettled(const Problem& p, const Flow& flow, const Terminal& terminal) {
  if (terminal.possible.size() != 1) return false;
  return Summarize(p, flow, eval::kMustBit, terminal.state) == Summarize(p, flow, eval::kMayBit, terminal.state);
}

}  // namespace attr::resolve
