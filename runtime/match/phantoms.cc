#include "runtime/match/phantoms.h"

#include <fmt/format.h>

#include <algorithm>

namespace attr::match {

namespace {

constexpr size_t kMostPerPlace = 64;  // further blind times of a place become one

}  // namespace

Intervals ClippedScope(const model::Attempt& attempt, int64_t grace, const plan::EventScope& own) {
  const Interval window{attempt.start.lo, attempt.end.hi};
  if (window.from > window.to) return {{plan::kBeforeAll, plan::kAfterAll}};  // it contradicts itself: not known
  const int64_t before = std::max(grace, own.before), after = std::max(grace, own.after);
  return {{std::max(window.from - before, plan::kBeforeAll), std::min(window.to + after, plan::kAfterAll)}};
}

std::string PhantomIndex::KeyOf(const plan::SourceRef& source, const plan::EventScope& scope) const {
  std::string key = fmt::format("{} {} {}", scope.before, scope.after, scope.any_node);
  for (const plan::SourceAlternative& alternative : source.alternatives) {
    key += context_.plan->Str(alternative.source);
    key += '\0';
    key += context_.plan->Str(alternative.metric);
    key += '\0';
  }
  return key;
}

uint32_t PhantomIndex::GapOf(const plan::SourceRef& source, uint32_t node, Interval time) {
  std::vector<eval::Gap>& gaps = context_.gaps;
  const plan::StrId name = source.alternatives.empty() ? 0 : source.alternatives[0].source;
  // Ranks of one node that lack the same time share a gap; they come one after the other.
  for (size_t back = 1; back <= kMostPerPlace && back <= gaps.size(); ++back) {
    const eval::Gap& gap = gaps[gaps.size() - back];
    if (gap.source != name || gap.node != node) break;
    if (gap.from == time.from && gap.to == time.to) return static_cast<uint32_t>(gaps.size() - back);
  }
  gaps.push_back({name, node, time.from, time.to});
  return static_cast<uint32_t>(gaps.size() - 1);
}

const std::vector<Phantom>& PhantomIndex::Of(const plan::SourceRef& source, const plan::EventScope& scope) {
  const auto [entry, added] = known_.try_emplace(KeyOf(source, scope));
  std::vector<Phantom>& phantoms = entry->second;
  if (!added) return phantoms;
  const Intervals whole = ClippedScope(context_.set->attempt, context_.plan->meta.grace, scope);
  for (const Place& place : coverage_.Places(source, scope.any_node)) {
    Intervals blind = coverage_.Blind(source, place, whole);
    if (blind.size() > kMostPerPlace) {
      blind[kMostPerPlace - 1].to = blind.back().to;
      blind.resize(kMostPerPlace);
    }
    for (const Interval& time : blind) phantoms.push_back({place, time, GapOf(source, place.node, time)});
  }
  return phantoms;
}

}  // namespace attr::match
