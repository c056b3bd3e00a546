// Blind times, moment by moment: what is said of a moment is looked up among all
// coverage rows; intervals are found by asking at every end (semantics.md S4).
#include <fmt/format.h>

#include <algorithm>

#include "tests/oracle/world.h"

namespace attr::oracle {

namespace {

using model::Coverage;
using model::CoverageStatus;
using model::kNoId;

/// Stands for all nodes that nothing names.
const std::string kAnotherNode = "\x01";
constexpr size_t kMostBlindTimes = 64;  // of one place; further ones are one (docs/limits.md)

struct At {
  std::string node;
  int32_t rank = -1;
  std::string stream;
};

std::string NodeOf(const World& world, const Coverage& row) {
  if (row.node != kNoId || row.rank < 0) return world.Name(row.node);
  return world.Name(world.set.NodeOfRank(row.rank));
}

bool Covers(CoverageStatus status) { return status == CoverageStatus::kOk || status == CoverageStatus::kEmpty; }

int Narrowness(const Coverage& row) {
  return (row.node != kNoId ? 1 : 0) + (row.rank >= 0 || row.stream != kNoId ? 2 : 0);
}

/// The metric has samples there, so its source's row speaks for it.
bool HasSamples(const World& world, const std::string& source, const std::string& metric, const std::string& node) {
  for (size_t o = 0; o < world.set.observations.size(); ++o) {
    const model::Observation& observation = world.set.observations[o];
    if (!world.in_scope[o] || world.Name(observation.source) != source || observation.name != metric) continue;
    if (node.empty() || world.Name(observation.node) == node) return true;
  }
  return false;
}

/// The rows that speak of this source or metric at this place.
std::vector<size_t> RowsFor(const World& world, const std::string& source, const std::string& metric, const At& at) {
  std::vector<size_t> whole, named;
  for (size_t i = 0; i < world.set.coverage.size(); ++i) {
    const Coverage& row = world.set.coverage[i];
    if (world.Name(row.source) != source) continue;
    const std::string node = NodeOf(world, row);
    if (!node.empty() && !at.node.empty() && node != at.node) continue;
    if (row.metric.empty()) whole.push_back(i);
    if (!metric.empty() && row.metric == metric) named.push_back(i);
  }
  if (metric.empty()) return whole;
  if (!named.empty()) return named;
  return HasSamples(world, source, metric, at.node) ? whole : std::vector<size_t>{};
}

/// Wider rows first; a narrower one takes back or gives. `partial` takes last.
bool IsCoveredAt(const World& world, const std::vector<size_t>& rows, const At& at, int64_t moment) {
  bool covered = false, partial = false;
  for (int narrowness = 0; narrowness <= 3; ++narrowness) {
    bool taken = false, given = false;
    for (size_t i : rows) {
      const Coverage& row = world.set.coverage[i];
      if (Narrowness(row) != narrowness) continue;
      const std::string node = NodeOf(world, row), stream = world.Name(row.stream);
      if (Covers(world.status[i])) {
        const bool here = (node.empty() ? row.rank < 0 : node == at.node) && (row.rank < 0 || row.rank == at.rank) &&
                          (stream.empty() || stream == at.stream);
        given = given || (here && moment >= row.from - world.skew && moment <= row.to + world.skew);
      } else {
        const bool elsewhere = (row.rank >= 0 && at.rank >= 0 && row.rank != at.rank) ||
                               (!stream.empty() && !at.stream.empty() && stream != at.stream);
        if (elsewhere || moment < row.from || moment > row.to) continue;
        (world.status[i] == CoverageStatus::kPartial ? partial : taken) = true;
      }
    }
    covered = (covered && !taken) || given;
  }
  return covered && !partial;
}

/// Moments at which the answer may change.
void AddEnds(const World& world, const std::vector<size_t>& rows, std::vector<int64_t>* ends) {
  for (size_t i : rows) {
    const Coverage& row = world.set.coverage[i];
    const int64_t skew = Covers(world.status[i]) ? world.skew : 0;
    ends->push_back(row.from - skew);
    ends->push_back(row.to + skew + 1);
  }
}

std::vector<std::pair<int64_t, int64_t>> BlindIntervals(const World& world, const syntax::SourceRef& source,
                                                        const At& at, int64_t from, int64_t to) {
  std::vector<std::vector<size_t>> rows;
  std::vector<int64_t> starts{from};
  for (const auto& alternative : source.alternatives) {
    rows.push_back(RowsFor(world, alternative.source.text, alternative.metric ? alternative.metric->value : "", at));
    AddEnds(world, rows.back(), &starts);
  }
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  std::vector<std::pair<int64_t, int64_t>> out;
  for (size_t i = 0; i < starts.size(); ++i) {
    if (starts[i] < from || starts[i] > to) continue;
    const int64_t last = i + 1 < starts.size() ? std::min(starts[i + 1] - 1, to) : to;
    const bool covered =
        std::any_of(rows.begin(), rows.end(), [&](const auto& of) { return IsCoveredAt(world, of, at, starts[i]); });
    if (covered) continue;
    if (!out.empty() && out.back().second + 1 == starts[i]) {
      out.back().second = last;
    } else {
      out.emplace_back(starts[i], last);
    }
  }
  return out;
}

bool IsCollectedByNode(const std::string& source) {
  return source != "scheduler" && source != "kubernetes" && source != "fabric";
}

/// A node, or its ranks and streams where coverage is that fine.
std::vector<At> PlacesOn(const World& world, const syntax::SourceRef& source, const model::InventoryNode& node) {
  const std::string name = world.Name(node.node);
  std::vector<At> fine;
  auto add = [&](int32_t rank, const std::string& stream) {
    for (const At& at : fine) {
      if (at.rank == rank && at.stream == stream) return;
    }
    fine.push_back({name, rank, stream});
  };
  bool by_rank = false;
  for (const auto& alternative : source.alternatives) {
    for (const Coverage& row : world.set.coverage) {
      if (world.Name(row.source) != alternative.source.text || NodeOf(world, row) != name) continue;
      if (row.rank < 0 && row.stream == kNoId) continue;
      add(row.rank, world.Name(row.stream));
      by_rank = by_rank || row.rank >= 0;
    }
  }
  if (by_rank) {
    for (int32_t rank : node.ranks) add(rank, "");
  }
  if (fine.empty()) return {{name, -1, ""}};
  std::vector<At> out;
  for (const At& at : fine) {
    const bool finer = at.stream.empty() && std::any_of(fine.begin(), fine.end(), [&](const At& other) {
                         return other.rank == at.rank && !other.stream.empty();
                       });
    if (!finer) out.push_back(at);
  }
  return out;
}

/// Nodes that coverage of the source names and the attempt does not hold.
std::set<std::string> NodesNamed(const World& world, const syntax::SourceRef& source) {
  std::set<std::string> out;
  for (const auto& alternative : source.alternatives) {
    for (const Coverage& row : world.set.coverage) {
      if (world.Name(row.source) == alternative.source.text && row.node != kNoId) out.insert(world.Name(row.node));
    }
  }
  for (const model::InventoryNode& node : world.set.attempt.nodes) out.erase(world.Name(node.node));
  return out;
}

}  // namespace

bool IsOf(const World& world, const syntax::SourceRef::Alternative& source, const model::Observation& observation) {
  return world.Name(observation.source) == source.source.text &&
         (!source.metric || source.metric->value.empty() || observation.name == source.metric->value);
}

std::vector<BlindTime> BlindTimes(const World& world, const syntax::SourceRef& source) {
  int64_t from = world.set.attempt.start.lo, to = world.set.attempt.end.hi;
  if (from > to) {
    from = kBeforeAll;
    to = kAfterAll;
  } else {  // what may count reaches as far as the scope does
    from = std::max(from - world.reach_before, kBeforeAll);
    to = std::min(to + world.reach_after, kAfterAll);
  }
  std::vector<At> places;
  const bool by_node = std::any_of(source.alternatives.begin(), source.alternatives.end(),
                                   [](const auto& a) { return IsCollectedByNode(a.source.text); });
  if (by_node) {
    for (const model::InventoryNode& node : world.set.attempt.nodes) {
      for (const At& at : PlacesOn(world, source, node)) places.push_back(at);
    }
  }
  if (by_node && world.any_node && !places.empty()) {
    for (const std::string& node : NodesNamed(world, source)) places.push_back({node, -1, ""});
    places.push_back({kAnotherNode, -1, ""});
  }
  if (places.empty()) places.push_back({});
  std::vector<BlindTime> out;
  for (const At& at : places) {
    auto blind = BlindIntervals(world, source, at, from, to);
    if (blind.size() > kMostBlindTimes) {
      blind[kMostBlindTimes - 1].second = blind.back().second;
      blind.resize(kMostBlindTimes);
    }
    for (const auto& [begin, end] : blind) {
      const bool another = at.node == kAnotherNode;
      out.push_back({another ? "" : at.node, at.rank, at.stream, begin, end, another});
    }
  }
  return out;
}

bool IsCarried(const World& world, const syntax::SourceRef& ref, size_t alternative, uint32_t observation) {
  const model::Observation& record = world.set.observations[observation];
  for (size_t k = 0; k < alternative; ++k) {
    const auto& earlier = ref.alternatives[k];
    bool any = false;
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t o = 0; o < world.set.observations.size(); ++o) {
      const model::Observation& other = world.set.observations[o];
      if (!world.in_scope[o] || !IsOf(world, earlier, other) || other.observer != record.observer) continue;
      any = true;
      if (!other.time.IsStamp()) continue;
      first = std::min(first, other.time.lo);
      last = std::max(last, other.time.hi);
    }
    if (!any) continue;
    const bool mentioned = std::any_of(world.set.coverage.begin(), world.set.coverage.end(), [&](const Coverage& row) {
      return world.Name(row.source) == earlier.source.text;
    });
    if (!mentioned) {  // evidently collected from its first to its last stamp
      if (record.time.lo >= first && record.time.hi <= last) return false;
      continue;
    }
    syntax::SourceRef alone;
    alone.alternatives.push_back(earlier);
    if (BlindIntervals(world, alone, {world.Name(record.observer), -1, ""}, record.time.lo, record.time.hi).empty())
      return false;
  }
  return true;
}

void JudgeCoverage(World* world) {
  for (const Coverage& row : world->set.coverage) {
    world->status.push_back(row.status);
    if (row.status != CoverageStatus::kEmpty) continue;
    uint64_t inside = 0;
    const std::string node = NodeOf(*world, row);
    for (size_t o = 0; o < world->set.observations.size(); ++o) {
      const model::Observation& observation = world->set.observations[o];
      const uint32_t observer = observation.observer != kNoId ? observation.observer : observation.node;
      const bool here =
          world->in_scope[o] && observation.source == row.source && (node.empty() || world->Name(observer) == node) &&
          (row.metric.empty() || row.metric == observation.name) && (row.rank < 0 || row.rank == observation.rank) &&
          (row.stream == kNoId || row.stream == observation.stream);
      if (here && observation.time.lo >= row.from && observation.time.hi <= row.to) ++inside;
    }
    if (inside == 0) continue;
    world->status.back() = CoverageStatus::kPartial;
    std::string what = world->Name(row.source);
    if (!row.metric.empty()) what += ' ' + row.metric;
    if (row.node != kNoId) what += " on " + world->Name(row.node);
    if (row.rank >= 0) what += fmt::format(" rank {}", row.rank);
    world->warnings.push_back(
        fmt::format("coverage calls {} empty, but {} observation{} inside that interval; it counts as partial", what,
                    inside, inside == 1 ? " lies" : "s lie"));
  }
}

}  // namespace attr::oracle
