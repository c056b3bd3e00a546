// Demotion edges, pair by pair. The truth of either finding is no part of its
// edge (semantics.md S1, S10).
#include <algorithm>
#include <stdexcept>

#include "tests/oracle/findings.h"

namespace attr::oracle {

namespace {

template <class T>
bool Intersect(const std::vector<T>& a, const std::vector<T>& b) {
  return std::any_of(a.begin(), a.end(), [&](const T& x) { return std::find(b.begin(), b.end(), x) != b.end(); });
}

/// They share a place; undecided where one has none, or could not choose its own.
Bits SharePlace(const Finding& a, const Finding& b, Place on) {
  if (on == Place::kAttempt) return kYes;
  if (on == Place::kGpu) {
    if (a.gpus.empty() || b.gpus.empty()) return kUndecided;
    return Known(Intersect(a.gpus, b.gpus));
  }
  auto places = [](const Finding& f) { return f.place_open ? f.open_places : f.nodes; };
  if (places(a).empty() || places(b).empty()) return kUndecided;
  if (!Intersect(places(a), places(b))) return kNo;
  return a.place_open || b.place_open ? kUndecided : kYes;
}

}  // namespace

void DrawEdges(World& world, Findings* all) {
  // A finding over several clocks is on a clock of its own.
  for (size_t f = 0; f < all->findings.size(); ++f) {
    Span& span = all->findings[f].span;
    if (span.clock == "mixed") span.clock += " " + std::to_string(f);
    if (span.tie == "mixed") span.tie += " " + std::to_string(f);
  }
  for (uint32_t d = 0; d < world.pack.demotions.size(); ++d) {
    const Demotion& demotion = world.pack.demotions[d];
    if (demotion.where != nullptr) throw std::runtime_error("`where` of a demotion");
    for (uint32_t a = 0; a < all->findings.size(); ++a) {
      const Finding& from = all->findings[a];
      if (from.rule != demotion.source || !from.event_bound) continue;
      for (uint32_t b = 0; b < all->findings.size(); ++b) {
        const Finding& to = all->findings[b];
        const bool target =
            std::find(demotion.targets.begin(), demotion.targets.end(), to.rule) != demotion.targets.end();
        if (a == b || !target || !to.event_bound) continue;
        const Bits bits =
            And(SharePlace(from, to, demotion.on), DemotesInTime(from.span, to.span, demotion.within, demotion.lead));
        if (bits.may) all->edges.push_back({a, b, d, bits});
      }
    }
  }
}

}  // namespace attr::oracle
