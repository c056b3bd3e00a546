// Demotion edges, pair by pair. The truth of either finding is no part of its
// edge (semantics.md S1, S8, S10, S11).
#include <algorithm>
#include <functional>
#include <stdexcept>

#include "tests/oracle/findings.h"

namespace attr::oracle {

namespace {

template <class T>
bool Intersect(const std::vector<T>& a, const std::vector<T>& b) {
  return std::any_of(a.begin(), a.end(), [&](const T& x) { return std::find(b.begin(), b.end(), x) != b.end(); });
}

const std::vector<std::string>& NodesOf(const Finding& f) { return f.place_open ? f.open_places : f.nodes; }

/// Some node of one carries the label as some node of the other does; unknown where one has none.
Bits ShareLabel(const World& world, const Finding& a, const Finding& b, const std::string& label) {
  auto labels = [&](const Finding& f, bool* complete) {
    std::vector<std::string> out;
    for (const std::string& name : NodesOf(f)) {
      bool found = false;
      for (const model::InventoryNode& node : world.set.attempt.nodes) {
        const auto it = node.labels.find(label);
        if (world.Name(node.node) != name || it == node.labels.end()) continue;
        out.push_back(it->second);
        found = true;
      }
      *complete = *complete && found;
    }
    return out;
  };
  bool complete = true;
  const std::vector<std::string> x = labels(a, &complete), y = labels(b, &complete);
  if (Intersect(x, y)) return a.place_open || b.place_open ? kUndecided : kYes;
  return complete ? kNo : kUnknown;
}

/// They share a place; undecided where one has none, or could not choose its own.
Bits SharePlace(const World& world, const Finding& a, const Finding& b, const Demotion& demotion) {
  if (demotion.on == Place::kAttempt) return kYes;
  if (demotion.on == Place::kGpu) {
    if (a.gpus.empty() || b.gpus.empty()) return kUndecided;
    return Known(Intersect(a.gpus, b.gpus));
  }
  if (NodesOf(a).empty() || NodesOf(b).empty()) return kUndecided;
  if (demotion.on == Place::kLabel) return ShareLabel(world, a, b, demotion.label);
  if (!Intersect(NodesOf(a), NodesOf(b))) return kNo;
  return a.place_open || b.place_open ? kUndecided : kYes;
}

/// `after` edges hold only where the order is certain (S11).
Bits CertainlyAfter(const Finding& a, const Finding& b) {
  const Span &x = a.span, &y = b.span;
  if (x.tie != y.tie) return kNo;
  const int64_t tolerance = std::max(x.precision, y.precision) + (x.clock == y.clock ? 0 : std::max(x.skew, y.skew));
  return Known(y.begin_lo > x.begin_hi + tolerance);
}

/// What a closed finding demotes began before it closed (S8).
Bits BeganBefore(const std::vector<Closing>& closings, const Span& target) {
  Bits closed_before = kNo;
  for (const Closing& closing : closings) {
    closed_before = Or(closed_before, And(closing.bits, Not(Before(closing.span, target))));
  }
  return Not(closed_before);
}

}  // namespace

/// Holds for some members of the finding's bindings, one of each.
Bits OverMembers(World& world, uint32_t pack, const syntax::Expr& condition, const Findings& found, uint32_t finding,
                 std::vector<RuleScope::Bound> bound) {
  const Finding& f = found.findings[finding];
  const std::vector<Slot>& slots = found.slots[f.rule];
  const size_t fixed = bound.size();
  for (const Slot& slot : slots) bound.push_back({slot.name, slot.event, nullptr});
  RuleScope scope(world.pack, std::move(bound), true);
  const uint32_t read = Evaluator(world, pack, scope).ReadBy(condition);
  Bits out = kNo;
  const std::function<void(size_t)> choose = [&](size_t slot) {
    if (slot == slots.size()) {
      out = Or(out, Evaluator(world, pack, scope).Condition(condition));
      return;
    }
    const std::vector<const Row*> seen = SeenOf(f.members[slot]);
    if ((read >> (fixed + slot) & 1U) == 0 || seen.empty()) return choose(slot + 1);
    for (const Row* row : seen) {
      scope.Put(fixed + slot, row);
      choose(slot + 1);
    }
  };
  choose(0);
  return out;
}

void DrawEdges(World& world, Findings* all) {
  for (uint32_t d = 0; d < world.pack.demotions.size(); ++d) {
    const Demotion& demotion = world.pack.demotions[d];
    for (uint32_t a = 0; a < all->findings.size(); ++a) {
      const Finding& from = all->findings[a];
      if (from.rule != demotion.source || !from.event_bound) continue;
      for (uint32_t b = 0; b < all->findings.size(); ++b) {
        const Finding& to = all->findings[b];
        const bool target =
            std::find(demotion.targets.begin(), demotion.targets.end(), to.rule) != demotion.targets.end();
        if (a == b || !target || !to.event_bound) continue;
        Bits bits = And(SharePlace(world, from, to, demotion),
                        DemotesInTime(from.span, to.span, demotion.within, demotion.lead));
        if (demotion.self_after) bits = And(bits, CertainlyAfter(from, to));
        if (demotion.where != nullptr && bits.may) {
          const Row it = RowOfFinding(world, all->slots[to.rule], to, 0);
          bits = And(bits, OverMembers(world, demotion.pack, *demotion.where, *all, a, {{"it", kNone, &it}}));
        }
        bits = And(bits, BeganBefore(all->closings[a], to.span));
        if (bits.may) all->edges.push_back({a, b, d, bits});
      }
    }
  }
}

}  // namespace attr::oracle
