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

std::vector<const Pair*> Precedence::PairsOf(Level level) const {
  std::vector<const Pair*> out;
  for (const Pair& pair : pack_.order) {
    if (LevelOf(pair) == level) out.push_back(&pair);
  }
  return out;
}

/// Pairs, as written, of a shortest way from one declared name to another.
std::string Precedence::Chain(Level level, const Side& from, const Side& to) const {
  struct Way {
    Side at;
    std::string text;
  };
  // Backwards from `to`, in order of declaration.
  std::deque<Way> queue{{to, ""}};
  std::vector<Side> seen;
  while (!queue.empty()) {
    const Way way = queue.front();
    queue.pop_front();
    for (const Pair* pair : PairsOf(level)) {
      if (pair->above.kind == SideKind::kAll || pair->below.kind == SideKind::kAll || !(pair->below == way.at))
        continue;
      if (Holds(seen, pair->above)) continue;
      seen.push_back(pair->above);
      const std::string text = pair->text + (way.text.empty() ? "" : ", " + way.text);
      if (pair->above == from) return text;
      queue.push_back({pair->above, text});
    }
  }
  return "";
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
      const std::string over = Chain(level, a, b), under = Chain(level, b, a);
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
    for (const Pair* pair : PairsOf(level)) {
      if (pair->above.kind != SideKind::kAll || Holds(over, pair->below)) continue;
      for (const Side& member : under) {
        const std::string way = member == pair->below ? "" : Chain(level, pair->below, member);
        if (member == pair->below || !way.empty())
          out->push_back({above, star, member, pair->text + (way.empty() ? "" : ", " + way)});
      }
    }
    for (const Pair* pair : PairsOf(level)) {
      if (pair->below.kind != SideKind::kAll || Holds(under, pair->above)) continue;
      for (const Side& member : over) {
        const std::string way = member == pair->above ? "" : Chain(level, member, pair->above);
        if (member == pair->above || !way.empty())
          out->push_back({above, member, star, (way.empty() ? "" : way + ", ") + pair->text});
      }
    }
  };
  add(x, y, true);
  add(y, x, false);
}

/// 1: above, -1: below, 0: nothing or both. Of domains the pair whose two sides
/// are the deepest speaks.
int Precedence::Decide(std::vector<Step> steps, bool deepest, std::string* text) const {
  int says = 0;
  bool any = false;
  for (const Step& step : steps) {
    const bool deeper = deepest && std::any_of(steps.begin(), steps.end(), [&](const Step& other) {
                          return other.x_depth >= step.x_depth && other.y_depth >= step.y_depth &&
                                 (other.x_depth > step.x_depth || other.y_depth > step.y_depth);
                        });
    if (deeper) continue;
    const int one = step.above ? 1 : -1;
    if (any && one != says) return 0;
    if (!any) *text = step.text;
    says = one;
    any = true;
  }
  return says;
}

int Precedence::AskDomains(uint32_t x, uint32_t y, std::string* text) const {
  std::vector<Step> steps;
  AddNamed(Level::kDomain, DomainsAbove(x), DomainsAbove(y), &steps);
  if (steps.empty()) AddStars(Level::kDomain, DomainsAbove(x), DomainsAbove(y), &steps);
  for (Step& step : steps) {
    step.x_depth = Depth(step.above ? step.over : step.under);
    step.y_depth = Depth(step.above ? step.under : step.over);
  }
  return Decide(std::move(steps), true, text);
}

std::string Precedence::Above(Level level, uint32_t x, uint32_t y) const {
  if (x == y) return "";
  std::string text;
  if (level != Level::kDomain) {
    std::vector<Step> steps;
    AddNamed(level, NamesOf(level, x), NamesOf(level, y), &steps);
    if (steps.empty()) AddStars(level, NamesOf(level, x), NamesOf(level, y), &steps);
    return Decide(std::move(steps), false, &text) > 0 ? text : "";
  }
  // A pair speaks for alternatives only when it speaks the same for each.
  std::string first;
  for (uint32_t a : pack_.rules[x].domains) {
    for (uint32_t b : pack_.rules[y].domains) {
      if (AskDomains(a, b, &text) <= 0) return "";
      if (first.empty()) first = text;
    }
  }
  return first;
}

}  // namespace attr::oracle
