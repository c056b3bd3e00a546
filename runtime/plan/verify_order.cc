// Verification of demotions and precedence, with their cycles looked for again.
#include "runtime/plan/graph.h"
#include "runtime/plan/verify_internal.h"

namespace attr::plan {

namespace {

bool VerifyDemotion(Verification& v, const std::string& where, const Demotion& demotion) {
  const std::vector<Rule>& rules = v.plan.rules;
  if (!v.Index(where + ".source", demotion.source, rules.size(), "rule")) return false;
  if (rules[demotion.source].kind == RuleKind::kOutcome) return v.Fail(where, "an outcome demotes nothing");
  for (size_t t = 0; t < demotion.targets.size(); ++t) {
    const std::string target = where + '.' + At("targets", t);
    if (!v.Index(target, demotion.targets[t], rules.size(), "rule")) return false;
    if (rules[demotion.targets[t]].kind == RuleKind::kOutcome) return v.Fail(target, "an outcome cannot be demoted");
    if (t != 0 && demotion.targets[t - 1] >= demotion.targets[t]) return v.Fail(target, "targets must ascend");
  }
  if (static_cast<uint8_t>(demotion.on) >= kDemoteOnCount) return v.Fail(where + ".on", "an unknown place");
  if (demotion.after && demotion.targets != std::vector<uint32_t>{demotion.source}) {
    return v.Fail(where + ".after", "only a rule's own findings are ordered");
  }
  if (!v.Text(where, demotion.target_text) || !v.Text(where, demotion.because) ||
      !v.Text(where, demotion.location.file)) {
    return false;
  }
  if (demotion.join.relations.size() != 1) return v.Fail(where + ".join", "exactly one time relation is needed");
  return VerifyJoin(v, where + ".join", demotion.join, nullptr, nullptr);
}

bool VerifySide(Verification& v, const std::string& where, const OrderSide& side) {
  switch (side.kind) {
    case SideKind::kRule:
      return v.Index(where, side.id, v.plan.rules.size(), "rule") &&
             (v.plan.rules[side.id].kind == RuleKind::kCause || v.Fail(where, "only causes have an order"));
    case SideKind::kTag:
      return v.Identifier(where, side.id);
    case SideKind::kDomain:
      return v.Index(where, side.id, v.plan.domains.size(), "domain");
    case SideKind::kAll:
      return true;
  }
  return v.Fail(where, "an unknown kind");
}

}  // namespace

bool VerifyDemotions(Verification& v) {
  if (!v.Count("demotions", v.plan.demotions.size(), kMaxDemotions)) return false;
  for (size_t d = 0; d < v.plan.demotions.size(); ++d) {
    if (!VerifyDemotion(v, At("demotions", d), v.plan.demotions[d])) return false;
  }
  std::vector<uint32_t> cycle = FindDemotionCycle(v.plan);
  return cycle.empty() || v.Fail(At("demotions", cycle.front()), "it closes a cycle of demotions");
}

bool VerifyAmbiguity(Verification& v) {
  if (!v.Count("ambiguity", v.plan.ambiguity.size(), kMaxOrderPairs)) return false;
  for (size_t i = 0; i < v.plan.ambiguity.size(); ++i) {
    const AmbiguityClause& clause = v.plan.ambiguity[i];
    const std::string where = At("ambiguity", i);
    if (!VerifySide(v, where + ".left", clause.left) || !VerifySide(v, where + ".right", clause.right)) return false;
    if (!v.Text(where, clause.text) || !v.Text(where, clause.because) || !v.Text(where, clause.location.file)) {
      return false;
    }
    if (clause.left.kind == SideKind::kAll && clause.right.kind == SideKind::kAll) return v.Fail(where, "`*` and `*`");
    if (static_cast<uint8_t>(clause.then) > static_cast<uint8_t>(AmbiguityThen::kLatest)) {
      return v.Fail(where + ".then", "unknown");
    }
    for (const int64_t nanos : {clause.within, clause.apart}) {
      if (nanos != kNoWindow && !v.Duration(where, nanos)) return false;
    }
  }
  return true;
}

bool VerifyPreferences(Verification& v) {
  const std::vector<Rule>& rules = v.plan.rules;
  if (!v.Count("preferences", v.plan.preferences.size(), kMaxOrderPairs)) return false;
  for (size_t i = 0; i < v.plan.preferences.size(); ++i) {
    const Preference& preference = v.plan.preferences[i];
    const std::string where = At("preferences", i);
    for (uint32_t rule : {preference.above, preference.below}) {
      if (!v.Index(where, rule, rules.size(), "rule")) return false;
      if (rules[rule].kind != RuleKind::kCause) return v.Fail(where, "only causes have an order");
    }
    if (static_cast<uint8_t>(preference.on) >= kDemoteOnCount) return v.Fail(where + ".on", "an unknown place");
    if (!v.Text(where, preference.text) || !v.Text(where, preference.because) ||
        !v.Text(where, preference.location.file)) {
      return false;
    }
    if (!preference.join.relations.empty()) return v.Fail(where + ".join", "a preference asks for no window");
    if (!VerifyJoin(v, where + ".join", preference.join, nullptr, nullptr)) return false;
  }
  const std::vector<uint32_t> cycle = FindPreferenceCycle(v.plan);
  return cycle.empty() || v.Fail(At("preferences", cycle.front()), "it closes a cycle of preferences");
}

bool VerifyOrder(Verification& v) {
  if (!VerifyAmbiguity(v) || !VerifyPreferences(v)) return false;
  if (!v.Count("order", v.plan.order.size(), kMaxOrderPairs)) return false;
  size_t stars[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < v.plan.order.size(); ++i) {
    const OrderPair& pair = v.plan.order[i];
    const std::string where = At("order", i);
    if (!VerifySide(v, where + ".above", pair.above) || !VerifySide(v, where + ".below", pair.below)) return false;
    if (!v.Text(where, pair.text) || !v.Text(where, pair.location.file)) return false;
    bool star = pair.above.kind == SideKind::kAll || pair.below.kind == SideKind::kAll;
    const OrderSide& named = pair.above.kind == SideKind::kAll ? pair.below : pair.above;
    if (named.kind == SideKind::kAll) return v.Fail(where, "`*` against `*`");
    if (!star && pair.above.kind != pair.below.kind) return v.Fail(where, "sides of different kinds");
    if (star && ++stars[static_cast<size_t>(named.kind)] > kMaxStarPairs) {
      return v.Fail(where, "more than 16 pairs with `*` on one level");
    }
  }
  if (v.plan.order.empty()) return true;
  Order order(v.plan);
  for (Level level : {Level::kRule, Level::kTag, Level::kDomain}) {
    if (!order.Empty(level) && order.Classes(level).size() > kMaxOrderClasses) {
      return v.Fail("order", "more than 1024 kinds of causes that a level tells apart");
    }
  }
  std::vector<uint32_t> cycle = FindOrderCycle(v.plan);
  return cycle.empty() || v.Fail(At("order", cycle.front()), "it closes a cycle of precedence");
}

}  // namespace attr::plan
