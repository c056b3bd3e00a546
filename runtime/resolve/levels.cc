// Precedence as sieves: rule pairs, ambiguity, tag pairs, domain pairs, each on what the
// former level left; all drops of one level happen at once. Precedence stands
// between rules, so a level asks about rules that are present, not about pairs of
// findings. Domain pairs speak only between roots that share an explained symptom
// or a node; they are read from these hubs, never pair by pair.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "runtime/resolve/ambiguity.h"

namespace attr::resolve {

namespace {

// The truth "some remaining root of this rule is here", by rule, in order of rules.
using Present = std::vector<std::pair<uint32_t, Bits>>;

struct Drop {
  Bits bits = kNo;
  uint32_t by = plan::kNone;  // first rule that does it in the nominal reading
};

// One root at one place where roots meet, and how sure it is that it is there.
struct Touch {
  uint32_t hub = 0, entity = 0;
  Bits bits = kNo;
};

class Sieve {
 public:
  Sieve(const Problem& p, plan::Level level, const Exemptions& exempt, Flow* flow)
      : p_(p), level_(level), exempt_(exempt), flow_(flow) {
    drops_.resize(p.EntityCount());
  }

  /// Roots that meet: each is dropped by what stands above it among them.
  void Meet(const Touch* begin, const Touch* end) {
    Present present;
    for (const Touch* t = begin; t != end; ++t) {
      AddPresent(p_.RuleOf(t->entity), flow_->survivor[t->entity] & t->bits, &present);
    }
    if (present.size() < 2) return;
    std::vector<std::pair<uint32_t, Drop>> drops;
    for (const auto& [rule, bits] : present) drops.emplace_back(rule, DropOf(present, rule));
    std::optional<Crowd> crowd;
    for (const Touch* t = begin; t != end; ++t) {
      if (exempt_.Of(t->entity) != nullptr) {
        if (!crowd) crowd = CrowdOf(begin, end);
        Add(t->entity, DropOne(*crowd, t->entity), t->bits);
        continue;
      }
      const auto at = std::lower_bound(drops.begin(), drops.end(), p_.RuleOf(t->entity),
                                       [](const auto& entry, uint32_t r) { return entry.first < r; });
      Add(t->entity, at->second, t->bits);
    }
  }

  /// Roots against others, each of which may meet each.
  void MeetAll(const std::vector<Touch>& roots, const std::vector<Touch>& others) {
    Present present;
    for (const Touch& other : others) AddPresent(p_.RuleOf(other.entity), flow_->survivor[other.entity], &present);
    std::map<uint32_t, Drop> drops;  // by rule
    std::optional<Crowd> crowd;
    for (const Touch& root : roots) {
      const uint32_t rule = p_.RuleOf(root.entity);
      if (exempt_.Of(root.entity) != nullptr) {
        if (!crowd) crowd = CrowdOf(others.data(), others.data() + others.size());
        Add(root.entity, DropOne(*crowd, root.entity), kYes);
      } else {
        const auto [drop, asked] = drops.try_emplace(rule);
        if (asked) drop->second = DropOf(present, rule);
        Add(root.entity, drop->second, kYes);
      }
    }
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

 private:
  void AddPresent(uint32_t rule, Bits bits, Present* present) const {
    auto at = std::lower_bound(present->begin(), present->end(), rule,
                               [](const auto& entry, uint32_t r) { return entry.first < r; });
    if (at == present->end() || at->first != rule) at = present->insert(at, {rule, kNo});
    at->second |= bits;
  }
  static void Include(uint32_t by, Bits bits, Drop* drop) {
    drop->bits |= bits;
    if (by < drop->by && (bits & eval::kPresumedBit) != 0) drop->by = by;
  }
  /// What drops every root of a rule: one question a rule, not one a root.
  Drop DropOf(const Present& present, uint32_t rule) const {
    Drop out;
    for (const auto& [other, bits] : present) {
      if (p_.order.Above(level_, other, rule)) Include(other, bits & Not(exempt_.OfRules(other, rule)), &out);
    }
    return out;
  }
  /// Roots that meet, counted: without some of them the others' bits still follow.
  struct Crowd {
    std::map<uint32_t, std::array<int64_t, 3>> by_rule;  // roots that are here: must, presumed, may
    std::unordered_map<uint32_t, Bits> by_entity;
  };
  static void Count(Bits bits, int64_t sign, std::array<int64_t, 3>* counts) {
    (*counts)[0] += (bits & eval::kMustBit) != 0 ? sign : 0;
    (*counts)[1] += (bits & eval::kPresumedBit) != 0 ? sign : 0;
    (*counts)[2] += (bits & eval::kMayBit) != 0 ? sign : 0;
  }
  static Bits BitsOf(const std::array<int64_t, 3>& counts) {
    return static_cast<Bits>((counts[0] > 0 ? eval::kMustBit : 0) | (counts[1] > 0 ? eval::kPresumedBit : 0) |
                             (counts[2] > 0 ? eval::kMayBit : 0));
  }
  Crowd CrowdOf(const Touch* begin, const Touch* end) const {
    Crowd crowd;
    for (const Touch* t = begin; t != end; ++t) crowd.by_entity[t->entity] |= flow_->survivor[t->entity] & t->bits;
    for (const auto& [entity, bits] : crowd.by_entity) Count(bits, 1, &crowd.by_rule[p_.RuleOf(entity)]);
    return crowd;
  }
  /// A root with pairs of its own that stay two: these are taken out of the crowd.
  Drop DropOne(const Crowd& crowd, uint32_t entity) const {
    const uint32_t rule = p_.RuleOf(entity);
    std::map<uint32_t, std::array<int64_t, 3>> changed;
    for (const Exemptions::Pair& pair : *exempt_.Of(entity)) {
      const auto other = crowd.by_entity.find(pair.with);
      if (other == crowd.by_entity.end()) continue;
      std::array<int64_t, 3>& change = changed[p_.RuleOf(pair.with)];
      Count(other->second, -1, &change);
      Count(other->second & Not(pair.bits), 1, &change);
    }
    Drop out;
    for (auto [other, counts] : crowd.by_rule) {
      if (!p_.order.Above(level_, other, rule)) continue;
      const auto change = changed.find(other);
      for (size_t i = 0; change != changed.end() && i < counts.size(); ++i) counts[i] += change->second[i];
      Include(other, BitsOf(counts) & Not(exempt_.OfRules(other, rule)), &out);
    }
    return out;
  }
  void Add(size_t entity, const Drop& drop, Bits shared) {
    Drop& sum = drops_[entity];
    sum.bits |= drop.bits & shared;
    if ((shared & eval::kPresumedBit) != 0 && drop.by < sum.by) sum.by = drop.by;
  }

  const Problem& p_;
  plan::Level level_;
  const Exemptions& exempt_;
  Flow* flow_;
  std::vector<Drop> drops_;
};

std::vector<Touch> Remaining(const Problem& p, const Flow& flow) {
  std::vector<Touch> out;
  for (uint32_t e = 0; e < p.EntityCount(); ++e) {
    if (flow.survivor[e] != kNo) out.push_back({0, e, kYes});
  }
  return out;
}

void RunEverywhere(const Problem& p, plan::Level level, const Exemptions& exempt, Flow* flow) {
  if (p.order.Empty(level)) return;
  const std::vector<Touch> all = Remaining(p, *flow);
  Sieve sieve(p, level, exempt, flow);
  sieve.Meet(all.data(), all.data() + all.size());
  sieve.Finish();
}

// `touches` sorted by hub.
void SiftHubs(const std::vector<Touch>& touches, Sieve* sieve) {
  size_t i = 0;
  while (i < touches.size()) {
    size_t end = i;
    while (end < touches.size() && touches[end].hub == touches[i].hub) ++end;
    sieve->Meet(touches.data() + i, touches.data() + end);
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
  std::vector<Touch> roots, tried;
  for (const Touch& touch : Remaining(p, flow)) (p.IsTried(touch.entity) ? tried : roots).push_back(touch);
  if (!tried.empty()) sieve->MeetAll(roots, tried);
}

// Without two remaining rules in order no hub can drop anything.
bool SomeInOrder(const Problem& p, const Flow& flow) {
  std::set<uint32_t> present;
  for (const Touch& touch : Remaining(p, flow)) present.insert(p.RuleOf(touch.entity));
  for (const uint32_t x : present) {
    for (const uint32_t y : present) {
      if (p.order.Above(plan::Level::kDomain, x, y)) return true;
    }
  }
  return false;
}

void RunDomains(const Problem& p, const Assignment& a, const Exemptions& exempt, Flow* flow) {
  if (p.order.Empty(plan::Level::kDomain) || !SomeInOrder(p, *flow)) return;
  Sieve sieve(p, plan::Level::kDomain, exempt, flow);
  SiftHubs(SymptomTouches(p, a, *flow), &sieve);
  SiftHubs(NodeTouches(p, *flow), &sieve);
  SiftByTried(p, *flow, &sieve);
  sieve.Finish();
}

}  // namespace

void RunLevels(const Problem& p, const Assignment& a, Flow* flow) {
  RunEverywhere(p, plan::Level::kRule, {}, flow);
  const Exemptions exempt = RunAmbiguity(p, flow);
  RunEverywhere(p, plan::Level::kTag, exempt, flow);
  RunDomains(p, a, exempt, flow);
}

}  // namespace attr::resolve
