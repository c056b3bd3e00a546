#include "tests/oracle/precedence.h"

#include <algorithm>
#include <deque>

namespace attr::oracle {

namespace {

Level LevelOf(const Pair& pair) {
  const Side& named = pair.above.kind == SideKind::kAll ? pair.below : pair.above;
  return named.kind == SideKind::kRule ? Level::kRule : named.kind == SideKind::kTag ? Level::kTag : Level::kDomain;
}

bool Holds(const std::vector<Side>& sides, const Side& side) {
  return std::find(sides.begin(), sides.end(), side) != sides.end();
}

}  // namespace

std::vector<size_t> Precedence::PairsOf(Level level) const {
  std::vector<size_t> out;
  for (size_t i = 0; i < pack_.order.size(); ++i) {
    if (LevelOf(pack_.order[i]) == level) out.push_back(i);
  }
  return out;
}

std::string Precedence::TextOf(const Way& way) const {
  std::string out;
  for (size_t pair : way) out += (out.empty() ? "" : ", ") + pack_.order[pair].text;
  return out;
}

/// A shortest way from one declared name to another.
Precedence::Way Precedence::Chain(Level level, const Side& from, const Side& to) const {
  // Backwards from `to`, in order of declaration.
  std::deque<std::pair<Side, Way>> queue{{to, {}}};
  std::vector<Side> seen;
  while (!queue.empty()) {
    const auto [at, tail] = queue.front();
    queue.pop_front();
    for (size_t i : PairsOf(level)) {
      const Pair& pair = pack_.order[i];
      if (pair.above.kind == SideKind::kAll || pair.below.kind == SideKind::kAll || !(pair.below == at)) continue;
      if (Holds(seen, pair.above)) continue;
      seen.push_back(pair.above);
      Way way{i};
      way.insert(way.end(), tail.begin(), tail.end());
      if (pair.above == from) return way;
      queue.emplace_back(pair.above, way);
    }
  }
  return {};
}

std::vector<Side> Precedence::NamesOf(Level level, uint32_t rule) const {
  std::vector<Side> out;
  if (level == Level::kRule) out.push_back({SideKind::kRule, rule, "", ""});
  if (level == Level::kTag) {
    for (const std::string& tag : pack_.rules[rule].tags) out.push_back({SideKind::kTag, kNone, tag, ""});
  }
  return out;
}

std::vector<Side> Precedence::DomainsAbove(uint32_t domain) const {
  std::vector<Side> out;
  for (; domain != kNone; domain = pack_.domains[domain].parent) out.push_back({SideKind::kDomain, domain, "", ""});
  return out;
}

size_t Precedence::Depth(const Side& side) const {
  return side.kind == SideKind::kDomain ? DomainsAbove(side.index).size() : 0;
}

void Precedence::AddNamed(Level level, const std::vector<Side>& x, const std::vector<Side>& y,
                          std::vector<Step>* out) const {
  for (const Side& a : x) {
    for (const Side& b : y) {
      const Way over = Chain(level, a, b), under = Chain(level, b, a);
      if (!over.empty()) out->push_back({true, a, b, over});
      if (!under.empty()) out->push_back({false, b, a, under});
    }
  }
}

/// Who is under `* > name`, or under what stands below it, stands below all that
/// are not the name's own.
void Precedence::AddStars(Level level, const std::vector<Side>& x, const std::vector<Side>& y,
                          std::vector<Step>* out) const {
  const Side star;
  auto add = [&](const std::vector<Side>& over, const std::vector<Side>& under, bool above) {
    for (size_t i : PairsOf(level)) {
      const Pair& pair = pack_.order[i];
      const bool bottom = pair.above.kind == SideKind::kAll;
      if (!bottom && pair.below.kind != SideKind::kAll) continue;
      const Side& named = bottom ? pair.below : pair.above;
      if (Holds(bottom ? over : under, named)) continue;
      for (const Side& member : bottom ? under : over) {
        Way way;
        if (!(member == named)) way = bottom ? Chain(level, named, member) : Chain(level, member, named);
        if (way.empty() && !(member == named)) continue;
        way.insert(bottom ? way.begin() : way.end(), i);
        out->push_back({above, bottom ? star : member, bottom ? member : star, way});
      }
    }
  };
  add(x, y, true);
  add(y, x, false);
}

/// 1: above, -1: below, 0: nothing or both. Of domains the pair whose two sides are
/// the deepest speaks; of several ways that say the same the shortest, then the
/// one that was declared first.
int Precedence::Decide(std::vector<Step> steps, bool deepest, Way* way) const {
  std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    return a.way.size() != b.way.size() ? a.way.size() < b.way.size() : a.way < b.way;
  });
  int says = 0;
  for (const Step& step : steps) {
    const bool deeper = deepest && std::any_of(steps.begin(), steps.end(), [&](const Step& other) {
                          return other.x_depth >= step.x_depth && other.y_depth >= step.y_depth &&
                                 (other.x_depth > step.x_depth || other.y_depth > step.y_depth);
                        });
    if (deeper) continue;
    const int one = step.above ? 1 : -1;
    if (says != 0 && one != says) return 0;
    if (says == 0) *way = step.way;
    says = one;
  }
  return says;
}

int Precedence::AskDomains(uint32_t x, uint32_t y, Way* way) const {
  std::vector<Step> steps;
  AddNamed(Level::kDomain, DomainsAbove(x), DomainsAbove(y), &steps);
  if (steps.empty()) AddStars(Level::kDomain, DomainsAbove(x), DomainsAbove(y), &steps);
  for (Step& step : steps) {
    step.x_depth = Depth(step.above ? step.over : step.under);
    step.y_depth = Depth(step.above ? step.under : step.over);
  }
  return Decide(std::move(steps), true, way);
}

std::string Precedence::Above(Level level, uint32_t x, uint32_t y) const {
  if (x == y) return "";
  Way way;
  if (level != Level::kDomain) {
    std::vector<Step> steps;
    AddNamed(level, NamesOf(level, x), NamesOf(level, y), &steps);
    if (steps.empty()) AddStars(level, NamesOf(level, x), NamesOf(level, y), &steps);
    return Decide(std::move(steps), false, &way) > 0 ? TextOf(way) : "";
  }
  // A pair speaks for alternatives only when it speaks the same for each.
  std::string first;
  for (uint32_t a : pack_.rules[x].domains) {
    for (uint32_t b : pack_.rules[y].domains) {
      if (AskDomains(a, b, &way) <= 0) return "";
      if (first.empty()) first = TextOf(way);
    }
  }
  return first;
}

}  // namespace attr::oracle
