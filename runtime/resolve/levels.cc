// Precedence as sieves: rule pairs, tag pairs, domain pairs, each on what the
// former level left; all drops of one level happen at once. Precedence stands
// between rules, so a level asks about rules that are present, not about pairs of
// findings. Domain pairs speak only between roots that share an explained symptom
// or a node; they are read from these hubs, never pair by pair.
#include <algorithm>
#include <tuple>

#include "runtime/resolve/flow.h"

namespace attr::resolve {

namespace {

// The truth "some remaining root of this rule is here", by rule, in order of rules.
using Present = std::vector<std::pair<uint32_t, Bits>>;

struct Drop {
  Bits bits = kNo;
  uint32_t by = plan::kNone;  // first rule that does it in the nominal reading
};

class Sieve {
 public:
  Sieve(const Problem& p, plan::Level level, Flow* flow) : p_(p), level_(level), flow_(flow) {
    drops_.resize(p.EntityCount());
  }

  Drop DropOf(const Present& present, uint32_t rule) const {
    Drop out;
    for (const auto& [other, bits] : present) {
      if (!p_.order.Above(level_, other, rule)) continue;
      out.bits |= bits;
      if (out.by == plan::kNone && (bits & eval::kPresumedBit) != 0) out.by = other;
    }
    return out;
  }

  void Add(size_t entity, const Drop& drop, Bits shared) {
    Drop& sum = drops_[entity];
    sum.bits |= drop.bits & shared;
    if ((shared & eval::kPresumedBit) != 0 && drop.by < sum.by) sum.by = drop.by;
  }

  void Finish() {
    for (size_t e = 0; e < drops_.size(); ++e) {
      Bits before = flow_->survivor[e];
      flow_->survivor[e] = before & Not(drops_[e].bits);
      if ((before & ~flow_->survivor[e] & eval::kPresumedBit) == 0) continue;
      flow_->dropped_at[e] = static_cast<uint8_t>(level_);
      flow_->dropped_by[e] = drops_[e].by;
    }
  }

  const Problem& problem() const { return p_; }
  const Flow& flow() const { return *flow_; }

 private:
  const Problem& p_;
  plan::Level level_;
  Flow* flow_;
  std::vector<Drop> drops_;
};

void AddPresent(uint32_t rule, Bits bits, Present* present) {
  auto at = std::lower_bound(present->begin(), present->end(), rule,
                             [](const auto& entry, uint32_t r) { return entry.first < r; });
  if (at == present->end() || at->first != rule) at = present->insert(at, {rule, kNo});
  at->second |= bits;
}

void RunEverywhere(const Problem& p, plan::Level level, Flow* flow) {
  if (p.order.Empty(level)) return;
  std::vector<Bits> by_rule(p.plan.rules.size());
  for (size_t e = 0; e < p.EntityCount(); ++e) by_rule[p.RuleOf(e)] |= flow->survivor[e];
  Present present;
  for (uint32_t r = 0; r < by_rule.size(); ++r) {
    if (by_rule[r] != kNo) present.emplace_back(r, by_rule[r]);
  }
  Sieve sieve(p, level, flow);
  std::vector<Drop> drops(p.plan.rules.size());
  for (const auto& [rule, bits] : present) drops[rule] = sieve.DropOf(present, rule);
  for (size_t e = 0; e < p.EntityCount(); ++e) {
    if (flow->survivor[e] != kNo) sieve.Add(e, drops[p.RuleOf(e)], kYes);
  }
  sieve.Finish();
}

// One root at one hub, and how sure it is that it touches it.
struct Touch {
  uint32_t hub = 0, entity = 0;
  Bits bits = kNo;
};

// `touches` sorted by hub.
void SiftHubs(const std::vector<Touch>& touches, Sieve* sieve) {
  const Problem& p = sieve->problem();
  Present present;
  size_t i = 0;
  while (i < touches.size()) {
    size_t end = i;
    present.clear();
    for (; end < touches.size() && touches[end].hub == touches[i].hub; ++end) {
      uint32_t e = touches[end].entity;
      AddPresent(p.RuleOf(e), sieve->flow().survivor[e] & touches[end].bits, &present);
    }
    if (present.size() > 1) {
      std::vector<std::pair<uint32_t, Drop>> drops;
      for (const auto& [rule, bits] : present) drops.emplace_back(rule, sieve->DropOf(present, rule));
      for (size_t j = i; j < end; ++j) {
        auto at = std::lower_bound(drops.begin(), drops.end(), p.RuleOf(touches[j].entity),
                                   [](const auto& entry, uint32_t r) { return entry.first < r; });
        sieve->Add(touches[j].entity, at->second, touches[j].bits);
      }
    }
    i = end;
  }
}

std::vector<Touch> SymptomTouches(const Problem& p, const Assignment& a, const Flow& flow) {
  std::vector<Touch> out;
  for (uint32_t i : p.edges) {
    const eval::Edge& e = p.evaluation.edges[i];
    if (!p.IsSymptom(e.to)) continue;
    Bits bits = a.edge[i] & a.finding[e.to];
    if (bits != kNo && flow.survivor[e.from] != kNo) out.push_back({e.to, e.from, bits});
  }
  return out;
}

std::vector<Touch> NodeTouches(const Problem& p, const Flow& flow) {
  std::vector<Touch> out;
  for (uint32_t f = 0; f < p.FindingCount(); ++f) {
    if (flow.survivor[f] == kNo) continue;
    const eval::Finding& finding = p.evaluation.findings[f];
    // Of a finding that could not choose its place each is undecided (S2, S6).
    Bits bits = finding.place_open ? eval::kMayBit | eval::kPresumedBit : kYes;
    for (uint32_t node : finding.nodes) out.push_back({node, f, bits});
    for (uint32_t node : finding.open_places) out.push_back({node, f, eval::kMayBit | eval::kPresumedBit});
  }
  std::sort(out.begin(), out.end(), [](const Touch& a, const Touch& b) {
    return std::tie(a.hub, a.entity, a.bits) < std::tie(b.hub, b.entity, b.bits);
  });
  return out;
}

// A tried cause has no place: it may share whatever a root has.
void SiftByTried(const Problem& p, const Flow& flow, Sieve* sieve) {
  Present tried;
  for (size_t e = p.FindingCount(); e < p.EntityCount(); ++e) {
    if (flow.survivor[e] != kNo) tried.emplace_back(p.RuleOf(e), flow.survivor[e]);
  }
  if (tried.empty()) return;
  std::vector<Drop> drops(p.plan.rules.size());
  std::vector<bool> asked(p.plan.rules.size());
  for (size_t e = 0; e < p.FindingCount(); ++e) {
    if (flow.survivor[e] == kNo) continue;
    uint32_t rule = p.RuleOf(e);
    if (!asked[rule]) drops[rule] = sieve->DropOf(tried, rule);
    asked[rule] = true;
    sieve->Add(e, drops[rule], kYes);
  }
}

// Without two remaining rules in order no hub can drop anything.
bool SomeInOrder(const Problem& p, const Flow& flow) {
  Present present;
  for (size_t e = 0; e < p.EntityCount(); ++e) {
    if (flow.survivor[e] != kNo) AddPresent(p.RuleOf(e), flow.survivor[e], &present);
  }
  for (const auto& [x, x_bits] : present) {
    for (const auto& [y, y_bits] : present) {
      if (p.order.Above(plan::Level::kDomain, x, y)) return true;
    }
  }
  return false;
}

void RunDomains(const Problem& p, const Assignment& a, Flow* flow) {
  if (p.order.Empty(plan::Level::kDomain) || !SomeInOrder(p, *flow)) return;
  Sieve sieve(p, plan::Level::kDomain, flow);
  SiftHubs(SymptomTouches(p, a, *flow), &sieve);
  SiftHubs(NodeTouches(p, *flow), &sieve);
  SiftByTried(p, *flow, &sieve);
  sieve.Finish();
}

}  // namespace

void RunLevels(const Problem& p, const Assignment& a, Flow* flow) {
  RunEverywhere(p, plan::Level::kRule, flow);
  RunEverywhere(p, plan::Level::kTag, flow);
  RunDomains(p, a, flow);
}

}  // namespace attr::resolve
