#include "runtime/match/scope.h"

#include <algorithm>

namespace attr::match {

namespace {

enum class Where { kIn, kBefore, kAfter, kOtherNode, kOtherAttempt };

class Test {
 public:
  Test(const plan::Plan& plan, const model::ObservationSet& set, const plan::EventScope& own)
      : attempt_(set.attempt.id.empty() ? model::kNoId : set.names.Find(set.attempt.id)),
        attempt_known_(!set.attempt.id.empty()),
        history_(set.names.Find("history")),
        from_(set.attempt.start.lo - std::max(plan.meta.grace, own.before)),
        to_(set.attempt.end.hi + std::max(plan.meta.grace, own.after)) {
    if (set.attempt.nodes.empty() || own.any_node) return;
    member_.assign(set.names.size(), false);
    for (const model::InventoryNode& node : set.attempt.nodes)
      if (node.node != model::kNoId) member_[node.node] = true;
  }

  Where operator()(const model::Observation& observation) const {
    if (observation.source != history_) {
      const uint32_t attempt = observation.attempt;
      if (attempt_known_ && attempt != model::kNoId && attempt != attempt_) return Where::kOtherAttempt;
      if (observation.time.hi < from_) return Where::kBefore;
      if (observation.time.lo > to_) return Where::kAfter;
    }
    if (!member_.empty() && observation.node != model::kNoId && !member_[observation.node]) return Where::kOtherNode;
    return Where::kIn;
  }

 private:
  uint32_t attempt_;
  bool attempt_known_;
  uint32_t history_;
  int64_t from_, to_;
  std::vector<bool> member_;  // by names id; empty: the attempt's nodes are not known
};

}  // namespace

Scope ScopeOf(const plan::Plan& plan, const model::ObservationSet& set, const plan::EventScope& own) {
  const Test test(plan, set, own);
  Scope scope;
  scope.in.assign(eval::WordsFor(set.observations.size()), 0);
  scope.of_source.assign(set.names.size(), 0);
  for (size_t i = 0; i < set.observations.size(); ++i) {
    const uint32_t source = set.observations[i].source;
    if (source != model::kNoId) ++scope.of_source[source];
    switch (test(set.observations[i])) {
      case Where::kIn:
        eval::Set(scope.in, i);
        ++scope.counts.in;
        break;
      case Where::kBefore:
        ++scope.counts.before;
        break;
      case Where::kAfter:
        ++scope.counts.after;
        break;
      case Where::kOtherNode:
        ++scope.counts.other_node;
        break;
      case Where::kOtherAttempt:
        ++scope.counts.other_attempt;
        break;
    }
  }
  return scope;
}

}  // namespace attr::match
