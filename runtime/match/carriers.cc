#include "runtime/match/carriers.h"

#include <algorithm>

namespace attr::match {

bool IsOf(const eval::Context& context, const plan::SourceAlternative& source, const model::Observation& observation) {
  return observation.source != model::kNoId &&
         context.set->names.Text(observation.source) == context.plan->Str(source.source) &&
         (source.metric == 0 || observation.name == context.plan->Str(source.metric));
}

std::string KeyOf(const plan::Plan& plan, const plan::SourceAlternative& source) {
  std::string key(plan.Str(source.source));
  key += '\0';
  key += plan.Str(source.metric);
  return key;
}

const CarrierIndex::ByObserver& CarrierIndex::Observers(const plan::SourceAlternative& alternative) {
  const auto [entry, added] = observers_.try_emplace(KeyOf(*context_.plan, alternative));
  if (!added) return entry->second;
  const std::vector<model::Observation>& observations = context_.set->observations;
  for (size_t o = 0; o < observations.size(); ++o) {
    if (!eval::Test(scope_.in, o) || !IsOf(context_, alternative, observations[o])) continue;
    Seen& seen = entry->second[observations[o].observer];
    seen.any = true;
    if (!observations[o].time.IsStamp()) continue;
    seen.hull.from = std::min(seen.hull.from, observations[o].time.lo);
    seen.hull.to = std::max(seen.hull.to, observations[o].time.hi);
  }
  return entry->second;
}

/// A source that coverage never mentions was evidently collected from its first to
/// its last stamp: without this, a line in two logs would count twice wherever
/// coverage is not stated.
bool CarrierIndex::Fills(const plan::SourceAlternative& earlier, uint32_t observer, const Seen& seen, Interval moment) {
  const auto [entry, added] = blind_.try_emplace({KeyOf(*context_.plan, earlier), observer});
  Intervals& blind = entry->second;
  if (added) {
    Place place;
    place.node = observer;
    Intervals covered = coverage_.Covered(earlier, place);
    if (!coverage_.Mentioned(context_.plan->Str(earlier.source))) covered = Normalize({seen.hull});
    blind = Without({{plan::kBeforeAll, plan::kAfterAll}}, covered);
  }
  return Intersects(blind, moment);
}

const eval::Bitmap* CarrierIndex::Admitted(const plan::SourceRef& reference, size_t alternative) {
  if (alternative == 0) return nullptr;
  bool shadowed = false;
  std::string key;
  for (size_t k = 0; k <= alternative; ++k) {
    key += KeyOf(*context_.plan, reference.alternatives[k]) + '\n';
    shadowed = shadowed || (k < alternative && !Observers(reference.alternatives[k]).empty());
  }
  if (!shadowed) return nullptr;
  const auto [entry, added] = admitted_.try_emplace(key);
  eval::Bitmap& bits = entry->second;
  if (!added) return &bits;
  const std::vector<model::Observation>& observations = context_.set->observations;
  bits.assign(scope_.in.size(), 0);
  for (size_t o = 0; o < observations.size(); ++o) {
    const model::Observation& observation = observations[o];
    if (!eval::Test(scope_.in, o) || !IsOf(context_, reference.alternatives[alternative], observation)) continue;
    bool admitted = true;
    for (size_t k = 0; k < alternative && admitted; ++k) {
      const ByObserver& observers = Observers(reference.alternatives[k]);
      const auto seen = observers.find(observation.observer);
      if (seen == observers.end()) continue;
      admitted = Fills(reference.alternatives[k], observation.observer, seen->second,
                       {observation.time.lo, observation.time.hi});
    }
    if (admitted) eval::Set(bits, o);
  }
  return &bits;
}

}  // namespace attr::match
