// Roots: causes with no edge into them; bystanders: roots that explain nothing
// beside one that explains something. An edge counts when its origin exists;
// whether its target exists is not part of it, but explaining needs a target.
#include <array>

#include "runtime/resolve/flow.h"

namespace attr::resolve {

namespace {

void AddEdges(const Problem& p, const Assignment& a, Flow* flow) {
  for (size_t i = 0; i < p.evaluation.edges.size(); ++i) {
    const eval::Edge& e = p.evaluation.edges[i];
    flow->demoted[e.to] |= a.edge[i] & a.finding[e.from];
    flow->explains[e.from] |= a.edge[i] & a.finding[e.to];
  }
}

void AddTried(const Problem& p, const Assignment& a, Flow* flow) {
  if (p.tried.empty()) return;
  std::vector<Bits> exists(p.plan.rules.size());
  for (size_t f = 0; f < p.FindingCount(); ++f) exists[p.RuleOf(f)] |= a.finding[f];
  std::vector<Bits> demotes(p.plan.rules.size());
  for (size_t t = 0; t < p.tried.size(); ++t) {
    for (uint32_t target : p.targets[p.tried[t]]) {
      demotes[target] |= a.tried[t];
      flow->explains[p.FindingCount() + t] |= exists[target];
    }
  }
  for (size_t f = 0; f < p.FindingCount(); ++f) flow->demoted[f] |= demotes[p.RuleOf(f)];
}

// How many roots explain something, on each reading; one of them may be asked about itself.
struct Counts {
  std::array<size_t, 3> of{};
  void Add(Bits b) {
    for (size_t i = 0; i < of.size(); ++i) of[i] += (b >> i) & 1U;
  }
  Bits Without(Bits b) const {
    Bits out = 0;
    for (size_t i = 0; i < of.size(); ++i) {
      if (of[i] > ((b >> i) & 1U)) out |= static_cast<Bits>(1U << i);
    }
    return out;
  }
};

}  // namespace

void FindRoots(const Problem& p, const Assignment& a, Flow* flow) {
  size_t count = p.EntityCount();
  for (auto* list : {&flow->demoted, &flow->root, &flow->explains, &flow->bystander, &flow->survivor}) {
    list->assign(count, kNo);
  }
  flow->dropped_at.assign(count, kNoLevel);
  flow->dropped_by.assign(count, plan::kNone);
  flow->dropped_clause.assign(count, plan::kNone);
  AddEdges(p, a, flow);
  AddTried(p, a, flow);
  Counts explaining;
  for (size_t e = 0; e < count; ++e) {
    Bits exists = p.IsTried(e) ? a.tried[e - p.FindingCount()] : p.IsCause(e) ? a.finding[e] : kNo;
    flow->root[e] = exists & Not(flow->demoted[e]);
    explaining.Add(flow->root[e] & flow->explains[e]);
  }
  for (size_t e = 0; e < count; ++e) {
    Bits other = explaining.Without(flow->root[e] & flow->explains[e]);
    Bits idle = Not(flow->explains[e]) & other;
    flow->bystander[e] = flow->root[e] & idle;
    flow->survivor[e] = flow->root[e] & Not(idle);
  }
}

Flow Run(const Problem& p, const Assignment& a) {
  Flow flow;
  FindRoots(p, a, &flow);
  RunLevels(p, a, &flow);
  return flow;
}

}  // namespace attr::resolve
