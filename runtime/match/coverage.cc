#include "runtime/match/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace attr::match {

namespace {

using model::CoverageStatus;
using model::kNoId;

bool Covers(CoverageStatus status) { return status == CoverageStatus::kOk || status == CoverageStatus::kEmpty; }

bool IsFine(const model::Coverage& row) { return row.rank >= 0 || row.stream != kNoId; }

/// Narrower statements are meant as exceptions from wider ones.
int Narrowness(const model::Coverage& row) { return (row.node != kNoId ? 1 : 0) + (IsFine(row) ? 2 : 0); }

}  // namespace

bool HasPlace(std::string_view source) { return source != "scheduler" && source != "kubernetes" && source != "fabric"; }

CoverageIndex::CoverageIndex(const eval::Context& context, const Scope& scope) : context_(context), set_(*context.set) {
  for (uint32_t i = 0; i < set_.coverage.size(); ++i) {
    const model::Coverage& row = set_.coverage[i];
    status_.push_back(row.status);
    const uint32_t node = NodeOf(row);
    BySource& source = sources_[row.source];
    (node == kNoId ? source.everywhere : source.on_node[node]).push_back(i);
  }
  FindContradictions(scope);
  FindSamples(scope);
}

uint32_t CoverageIndex::NodeOf(const model::Coverage& row) const {
  if (row.node != kNoId || row.rank < 0) return row.node;
  return set_.NodeOfRank(row.rank);
}

void CoverageIndex::FindContradictions(const Scope& scope) {
  std::vector<uint64_t> inside(set_.coverage.size(), 0);
  std::vector<const BySource*> with_empty(set_.names.size(), nullptr);
  bool any = false;
  for (const auto& [source, rows] : sources_) {
    for (uint32_t i = 0; i < set_.coverage.size(); ++i) {
      if (set_.coverage[i].source != source || status_[i] != CoverageStatus::kEmpty || source == kNoId) continue;
      with_empty[source] = &rows;
      any = true;
      break;
    }
  }
  if (!any) return;
  for (size_t o = 0; o < set_.observations.size(); ++o) {
    const model::Observation& observation = set_.observations[o];
    if (!eval::Test(scope.in, o) || observation.source == kNoId || with_empty[observation.source] == nullptr) continue;
    const uint32_t observer = observation.observer != kNoId ? observation.observer : observation.node;
    const BySource& rows = *with_empty[observation.source];
    const auto count = [&](const Rows& candidates) {
      for (const uint32_t i : candidates) {
        const model::Coverage& row = set_.coverage[i];
        const bool here =
            status_[i] == CoverageStatus::kEmpty && (row.metric.empty() || row.metric == observation.name) &&
            (row.rank < 0 || row.rank == observation.rank) && (row.stream == kNoId || row.stream == observation.stream);
        if (here && observation.time.lo >= row.from && observation.time.hi <= row.to) ++inside[i];
      }
    };
    count(rows.everywhere);
    if (const auto found = rows.on_node.find(observer); found != rows.on_node.end()) count(found->second);
  }
  for (size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] == 0) continue;
    const model::Coverage& row = set_.coverage[i];
    status_[i] = CoverageStatus::kPartial;
    contradicted_.push_back(static_cast<uint32_t>(i));
    std::string what(set_.NameOf(row.source));
    if (!row.metric.empty()) what += ' ' + row.metric;
    if (row.node != kNoId) what += " on " + std::string(set_.NameOf(row.node));
    if (row.rank >= 0) what += fmt::format(" rank {}", row.rank);
    warnings_.push_back(
        fmt::format("coverage calls {} empty, but {} observation{} inside that interval; it counts as partial", what,
                    inside[i], inside[i] == 1 ? " lies" : "s lie"));
  }
}

/// A metric that is not scraped is not covered by its source's row.
void CoverageIndex::FindSamples(const Scope& scope) {
  std::set<uint32_t> metric_sources;
  std::set<std::string_view> metrics;
  for (const plan::Event& event : context_.plan->events) {
    for (const plan::SourceRef& ref : event.sources) {
      for (const plan::SourceAlternative& alternative : ref.alternatives) {
        if (alternative.metric == 0) continue;
        metric_sources.insert(set_.names.Find(context_.plan->Str(alternative.source)));
        metrics.insert(context_.plan->Str(alternative.metric));
      }
    }
  }
  metric_sources.erase(kNoId);
  if (metric_sources.empty()) return;
  for (size_t o = 0; o < set_.observations.size(); ++o) {
    const model::Observation& observation = set_.observations[o];
    if (!metric_sources.contains(observation.source) || !eval::Test(scope.in, o)) continue;
    if (!metrics.contains(observation.name)) continue;
    samples_[{observation.name, kNoId}] = true;
    if (observation.node != kNoId) samples_[{observation.name, observation.node}] = true;
  }
}

bool CoverageIndex::Mentioned(std::string_view source) const {
  const uint32_t id = set_.names.Find(source);
  return id != kNoId && sources_.contains(id);
}

CoverageIndex::Rows CoverageIndex::RowsAt(uint32_t source, const Place& place) const {
  const auto found = sources_.find(source);
  if (source == kNoId || found == sources_.end()) return {};
  Rows rows = found->second.everywhere;
  if (place.other) return rows;
  if (place.node == kNoId) {  // no place, or an unknown one: whatever is missing somewhere may be missing here
    for (uint32_t i = 0; i < set_.coverage.size(); ++i)
      if (set_.coverage[i].source == source && NodeOf(set_.coverage[i]) != kNoId) rows.push_back(i);
  } else if (const auto here = found->second.on_node.find(place.node); here != found->second.on_node.end()) {
    rows.insert(rows.end(), here->second.begin(), here->second.end());
  }
  return rows;
}

/// A row that names the metric, else the source's when the series has samples there.
CoverageIndex::Rows CoverageIndex::ForMetric(const Rows& rows, std::string_view metric, const Place& place) const {
  Rows named;
  Rows whole;
  for (const uint32_t i : rows) {
    const std::string& of = set_.coverage[i].metric;
    if (of.empty()) whole.push_back(i);
    if (!metric.empty() && of == metric) named.push_back(i);
  }
  if (metric.empty()) return whole;
  if (!named.empty()) return named;
  return samples_.contains({metric, place.node}) ? whole : Rows{};
}

Intervals CoverageIndex::Covered(const plan::SourceAlternative& source, const Place& place) const {
  const uint32_t id = set_.names.Find(context_.plan->Str(source.source));
  const Rows rows = ForMetric(RowsAt(id, place), context_.plan->Str(source.metric), place);
  const int64_t skew = context_.default_skew;
  Intervals covered;
  Intervals partial;
  for (int narrowness = 0; narrowness <= 3; ++narrowness) {
    Intervals added;
    Intervals removed;
    for (const uint32_t i : rows) {
      const model::Coverage& row = set_.coverage[i];
      if (Narrowness(row) != narrowness) continue;
      const uint32_t node = NodeOf(row);
      const bool holds_place = (node == kNoId ? row.rank < 0 : node == place.node) &&
                               (row.rank < 0 || row.rank == place.rank) &&
                               (row.stream == kNoId || row.stream == place.stream);
      const bool other_part = (row.rank >= 0 && place.rank >= 0 && row.rank != place.rank) ||
                              (row.stream != kNoId && place.stream != kNoId && row.stream != place.stream);
      if (Covers(status_[i])) {
        if (holds_place) added.push_back({row.from - skew, row.to + skew});
      } else if (!other_part) {
        (status_[i] == CoverageStatus::kPartial ? partial : removed).push_back({row.from, row.to});
      }
    }
    covered = Union(Without(covered, Normalize(std::move(removed))), Normalize(std::move(added)));
  }
  return Without(covered, Normalize(std::move(partial)));
}

Intervals CoverageIndex::Blind(const plan::SourceRef& source, const Place& place, const Intervals& whole) const {
  Intervals covered;
  for (const plan::SourceAlternative& alternative : source.alternatives)
    covered = Union(covered, Covered(alternative, place));
  return Without(whole, covered);
}

void CoverageIndex::AddFinePlaces(const plan::SourceRef& source, const model::InventoryNode& node,
                                  std::vector<Place>& places) const {
  std::set<std::pair<int32_t, uint32_t>> fine;  // rank, stream
  std::set<int32_t> with_stream;
  bool by_rank = false;
  for (const plan::SourceAlternative& alternative : source.alternatives) {
    const auto found = sources_.find(set_.names.Find(context_.plan->Str(alternative.source)));
    if (found == sources_.end()) continue;
    const auto here = found->second.on_node.find(node.node);
    if (here == found->second.on_node.end()) continue;
    for (const uint32_t i : here->second) {
      const model::Coverage& row = set_.coverage[i];
      if (!IsFine(row)) continue;
      fine.emplace(row.rank, row.stream);
      by_rank = by_rank || row.rank >= 0;
      if (row.stream != kNoId) with_stream.insert(row.rank);
    }
  }
  if (by_rank)
    for (const int32_t rank : node.ranks) fine.emplace(rank, kNoId);
  if (fine.empty()) places.push_back({.node = node.node});
  std::vector<Place> sorted;
  for (const auto& [rank, stream] : fine)
    if (stream != kNoId || !with_stream.contains(rank)) sorted.push_back({false, node.node, rank, stream});
  std::sort(sorted.begin(), sorted.end(), [&](const Place& a, const Place& b) {
    if (a.rank != b.rank) return a.rank < b.rank;
    return set_.NameOf(a.stream) < set_.NameOf(b.stream);
  });
  places.insert(places.end(), sorted.begin(), sorted.end());
}

std::vector<Place> CoverageIndex::Places(const plan::SourceRef& source, bool any_node) const {
  const bool placed = std::any_of(source.alternatives.begin(), source.alternatives.end(), [&](const auto& alternative) {
    return HasPlace(context_.plan->Str(alternative.source));
  });
  std::vector<Place> places;
  if (placed)
    for (const model::InventoryNode& node : set_.attempt.nodes) AddFinePlaces(source, node, places);
  if (places.empty()) {
    places.push_back({});
  } else if (any_node) {
    places.push_back({.other = true});
  }
  return places;
}

}  // namespace attr::match
