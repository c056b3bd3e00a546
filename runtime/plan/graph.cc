// The demotion graph and the precedence relation. What a level says between two
// rules is computed when asked; the cycles of the lifted relation are in order_cycle.cc.
#include "runtime/plan/graph.h"

#include <algorithm>
#include <deque>

namespace attr::plan {

namespace {

/// One demotion or preference: its number, and where it leads.
struct Arc {
  uint32_t index = 0;
  std::vector<uint32_t> targets;
};
/// By rule: the arcs that start there. The arcs of a cycle, in its order.
std::vector<uint32_t> FindCycle(const std::vector<std::vector<Arc>>& from) {
  // Depth first without recursion: a frame stands at one target of one demotion of its rule.
  struct Frame {
    uint32_t rule;
    size_t arc, target;
  };
  enum : uint8_t { kNew, kOpen, kDone };
  std::vector<uint8_t> state(from.size(), kNew);
  std::vector<Frame> stack;
  for (uint32_t root = 0; root < from.size(); ++root) {
    if (state[root] != kNew) continue;
    state[root] = kOpen;
    stack.push_back({root, 0, 0});
    while (!stack.empty()) {
      Frame& top = stack.back();
      const std::vector<Arc>& out = from[top.rule];
      if (top.arc == out.size()) {
        state[top.rule] = kDone;
        stack.pop_back();
        if (!stack.empty()) ++stack.back().target;
        continue;
      }
      const std::vector<uint32_t>& targets = out[top.arc].targets;
      if (top.target == targets.size()) {
        ++top.arc;
        top.target = 0;
        continue;
      }
      uint32_t next = targets[top.target];
      if (next >= state.size() || state[next] == kDone) {
        ++top.target;
      } else if (state[next] == kOpen) {
        size_t begin = stack.size() - 1;
        while (stack[begin].rule != next) --begin;
        std::vector<uint32_t> cycle;
        for (size_t i = begin; i < stack.size(); ++i) cycle.push_back(from[stack[i].rule][stack[i].arc].index);
        return cycle;
      } else {
        state[next] = kOpen;
        stack.push_back({next, 0, 0});
      }
    }
  }
  return {};
}

}  // namespace

std::vector<uint32_t> FindDemotionCycle(const Plan& plan) {
  std::vector<std::vector<Arc>> from(plan.rules.size());
  for (uint32_t d = 0; d < plan.demotions.size(); ++d) {
    const Demotion& demotion = plan.demotions[d];
    if (demotion.source < from.size() && !demotion.after) from[demotion.source].push_back({d, demotion.targets});
  }
  return FindCycle(from);
}

std::vector<uint32_t> FindPreferenceCycle(const Plan& plan) {
  std::vector<std::vector<Arc>> from(plan.rules.size());
  for (uint32_t p = 0; p < plan.preferences.size(); ++p) {
    const Preference& preference = plan.preferences[p];
    if (preference.above < from.size()) from[preference.above].push_back({p, {preference.below}});
  }
  return FindCycle(from);
}

namespace {

Level LevelOf(SideKind kind) {
  switch (kind) {
    case SideKind::kRule:
      return Level::kRule;
    case SideKind::kTag:
      return Level::kTag;
    default:
      return Level::kDomain;
  }
}

}  // namespace

Order::Order(const Plan& plan) : plan_(&plan) {
  std::vector<uint32_t> pairs[kLevelCount];
  for (uint32_t i = 0; i < plan.order.size() && i < kMaxOrderPairs; ++i) {
    const OrderPair& pair = plan.order[i];
    const OrderSide& named = pair.above.kind == SideKind::kAll ? pair.below : pair.above;
    bool mixed = pair.below.kind != SideKind::kAll && pair.below.kind != named.kind;
    if (named.kind == SideKind::kAll || mixed) continue;  // refused by the verifier; says nothing
    pairs[static_cast<size_t>(LevelOf(named.kind))].push_back(i);
  }
  for (size_t level = 0; level < kLevelCount; ++level) Close(&levels_[level], pairs[level]);
  depth_.reserve(plan.domains.size());
  for (const Domain& domain : plan.domains) {
    depth_.push_back(domain.parent < depth_.size() ? depth_[domain.parent] + 1 : 1);
  }
}

uint32_t Order::Closure::Find(uint32_t id) const {
  auto it = std::lower_bound(ids.begin(), ids.end(), id);
  return it != ids.end() && *it == id ? static_cast<uint32_t>(it - ids.begin()) : kNone;
}

void Order::Closure::Append(size_t from, size_t to, OrderChain* chain) const {
  // A name that reaches itself is a cycle: its first step is taken before the end is tested.
  if (First(from, to) == kNone) return;
  do {
    chain->push_back(First(from, to));
    from = next[from * size() + to];
  } while (from != to);
}

void Order::Close(Closure* level, const std::vector<uint32_t>& pairs) {
  level->pairs = pairs.size();
  for (uint32_t i : pairs) {
    for (const OrderSide* side : {&plan_->order[i].above, &plan_->order[i].below}) {
      if (side->kind != SideKind::kAll) level->ids.push_back(side->id);
    }
  }
  std::sort(level->ids.begin(), level->ids.end());
  level->ids.erase(std::unique(level->ids.begin(), level->ids.end()), level->ids.end());
  size_t n = level->size();
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> into(n);  // (name above, pair)
  for (uint32_t i : pairs) {
    const OrderPair& pair = plan_->order[i];
    if (pair.above.kind == SideKind::kAll) {
      level->bottoms.emplace_back(level->Find(pair.below.id), i);
    } else if (pair.below.kind == SideKind::kAll) {
      level->tops.emplace_back(level->Find(pair.above.id), i);
    } else {
      into[level->Find(pair.below.id)].emplace_back(level->Find(pair.above.id), i);
    }
  }
  // Backwards from every name, breadth first: the first pair found starts a shortest path.
  level->first.assign(n * n, kNone);
  level->next.assign(n * n, kNone);
  std::deque<uint32_t> queue;
  for (uint32_t to = 0; to < n; ++to) {
    queue.push_back(to);
    while (!queue.empty()) {
      uint32_t at = queue.front();
      queue.pop_front();
      for (auto [above, pair] : into[at]) {
        if (level->First(above, to) != kNone) continue;
        level->first[above * n + to] = pair;
        level->next[above * n + to] = at;
        if (above != to) queue.push_back(above);
      }
    }
  }
}

std::vector<uint32_t> Order::MembersOf(Level level, uint32_t rule) const {
  const Closure& names = Names(level);
  std::vector<uint32_t> members;
  auto add = [&](uint32_t id) {
    if (uint32_t name = names.Find(id); name != kNone) members.push_back(name);
  };
  if (level == Level::kRule) {
    add(rule);
  } else if (level == Level::kTag) {
    for (StrId tag : plan_->rules[rule].tags) add(tag);
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
  }
  return members;
}

void Order::AddNamed(const Closure& names, const std::vector<uint32_t>& x, const std::vector<uint32_t>& y,
                     std::vector<Candidate>* out) const {
  for (uint32_t a : x) {
    for (uint32_t b : y) {
      if (names.First(a, b) != kNone) out->push_back({.above = true, .from = a, .to = b});
      if (names.First(b, a) != kNone) out->push_back({.above = false, .from = b, .to = a});
    }
  }
}

namespace {

bool Holds(const std::vector<uint32_t>& members, uint32_t name) {
  return std::find(members.begin(), members.end(), name) != members.end();
}

}  // namespace

void Order::AddStars(const Closure& names, const std::vector<uint32_t>& x, const std::vector<uint32_t>& y,
                     std::vector<Candidate>* out) const {
  // Who is under `* > name` stands below all that are not the name's own; also by the name's own pairs.
  auto add = [&](const std::vector<uint32_t>& over, const std::vector<uint32_t>& under, bool above) {
    for (auto [name, pair] : names.bottoms) {
      if (Holds(over, name)) continue;
      for (uint32_t member : under) {
        if (names.Reaches(name, member)) out->push_back({above, name, member, pair, false});
      }
    }
    for (auto [name, pair] : names.tops) {
      if (Holds(under, name)) continue;
      for (uint32_t member : over) {
        if (names.Reaches(member, name)) out->push_back({above, member, name, pair, true});
      }
    }
  };
  add(x, y, true);
  add(y, x, false);
}

Order::Answer Order::Decide(const std::vector<Candidate>& candidates, bool deepest) {
  // reach[d]: the greatest y_depth of a candidate with x_depth >= d, plus one.
  std::vector<uint32_t> reach;
  if (deepest) {
    for (const Candidate& c : candidates) {
      if (reach.size() < c.x_depth + 2) reach.resize(c.x_depth + 2, 0);
      for (uint32_t d = 0; d <= c.x_depth; ++d) reach[d] = std::max(reach[d], c.y_depth + 1);
    }
  }
  Answer answer;
  for (const Candidate& c : candidates) {
    if (deepest && (reach[c.x_depth + 1] > c.y_depth || reach[c.x_depth] > c.y_depth + 1)) continue;
    Says says = c.above ? Says::kAbove : Says::kBelow;
    if (answer.says == Says::kNothing) {
      answer.says = says;
      answer.by = c;
    } else if (answer.says != says && answer.says != Says::kConflict) {
      answer.says = Says::kConflict;
      answer.against = c;
    }
  }
  return answer;
}

/// Of several that say the same the shortest way speaks, then the one declared first:
/// which names a pack met earlier must not show.
void Order::Rank(Level level, std::vector<Candidate>* candidates) const {
  if (candidates->size() < 2) return;
  std::vector<std::pair<OrderChain, Candidate>> ranked;
  for (const Candidate& c : *candidates) ranked.emplace_back(ChainOf(level, c), c);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.first.size() != b.first.size() ? a.first.size() < b.first.size() : a.first < b.first;
  });
  for (size_t i = 0; i < ranked.size(); ++i) (*candidates)[i] = ranked[i].second;
}

Order::Answer Order::AskNames(Level level, const std::vector<uint32_t>& x, const std::vector<uint32_t>& y) const {
  const Closure& names = Names(level);
  std::vector<Candidate> candidates;
  AddNamed(names, x, y, &candidates);
  if (candidates.empty()) AddStars(names, x, y, &candidates);
  Rank(level, &candidates);
  Answer answer = Decide(candidates, false);
  // Tags both ways are no order (S7); rule pairs both ways are a cycle of names, found there.
  if (answer.says == Says::kConflict) answer.says = Says::kNothing;
  return answer;
}

Order::Answer Order::AskDomains(uint32_t x_domain, uint32_t y_domain) const {
  const Closure& names = Names(Level::kDomain);
  auto holders = [&](uint32_t domain) {
    std::vector<uint32_t> members;
    for (uint32_t d = domain; d < plan_->domains.size(); d = plan_->domains[d].parent) {
      if (uint32_t name = names.Find(d); name != kNone) members.push_back(name);
      if (plan_->domains[d].parent >= d) break;
    }
    return members;
  };
  std::vector<uint32_t> x = holders(x_domain), y = holders(y_domain);
  std::vector<Candidate> candidates;
  AddNamed(names, x, y, &candidates);
  bool named = !candidates.empty();
  if (!named) AddStars(names, x, y, &candidates);
  Rank(Level::kDomain, &candidates);
  for (Candidate& c : candidates) {
    bool from_open = c.star != kNone && !c.top, to_open = c.star != kNone && c.top;  // `*` is above every top domain
    uint32_t from_depth = from_open ? 0 : depth_[names.ids[c.from]], to_depth = to_open ? 0 : depth_[names.ids[c.to]];
    c.x_depth = c.above ? from_depth : to_depth;
    c.y_depth = c.above ? to_depth : from_depth;
  }
  Answer answer = Decide(candidates, true);
  if (answer.says != Says::kConflict) return answer;
  // `hardware.gpu > hardware` between two of hardware.gpu: one pair, both ways. Silent, as `*` against `*`.
  bool same = answer.by.from == answer.against.from && answer.by.to == answer.against.to;
  if (same || !named) answer.says = Says::kNothing;
  return answer;
}

Order::Answer Order::Ask(Level level, uint32_t x, uint32_t y) const {
  if (x == y || Empty(level)) return {};
  if (level != Level::kDomain) return AskNames(level, MembersOf(level, x), MembersOf(level, y));
  Answer all;
  bool first = true;
  for (uint32_t a : plan_->rules[x].domains) {
    for (uint32_t b : plan_->rules[y].domains) {
      Answer one = AskDomains(a, b);
      if (one.says == Says::kConflict) return one;
      if (first) all = one;
      if (one.says != all.says) all.says = Says::kNothing;
      first = false;
    }
  }
  return all;
}

OrderChain Order::ChainOf(Level level, const Candidate& by) const {
  const Closure& names = Names(level);
  OrderChain chain;
  if (by.star == kNone) {
    names.Append(by.from, by.to, &chain);
  } else if (by.top) {
    if (by.from != by.to) names.Append(by.from, by.to, &chain);
    chain.push_back(by.star);
  } else {
    chain.push_back(by.star);
    if (by.from != by.to) names.Append(by.from, by.to, &chain);
  }
  return chain;
}

OrderChain Order::Chain(Level level, uint32_t x, uint32_t y) const {
  Answer answer = Ask(level, x, y);
  return answer.says == Says::kAbove ? ChainOf(level, answer.by) : OrderChain{};
}

uint32_t Order::Above(Level level, uint32_t x, uint32_t y) const {
  OrderChain chain = Chain(level, x, y);
  return chain.empty() ? kNone : chain.front();
}

}  // namespace attr::plan
