// What the verdict stands on: attempt, coverage, scope, pack.
#include <algorithm>

#include "runtime/base/fold_names.h"
#include "runtime/base/interner.h"
#include "runtime/version.h"
#include "tests/oracle/oracle.h"

namespace attr::oracle {

namespace {

using model::Coverage;
using model::kNoId;

constexpr size_t kMostIntervals = 4;

uint64_t CountOfSource(const World& world, const std::string& source, uint32_t node) {
  uint64_t count = 0;
  for (const model::Observation& o : world.set.observations) {
    const uint32_t observer = o.observer != kNoId ? o.observer : o.node;
    if (world.Name(o.source) == source && (node == kNoId || observer == node)) ++count;
  }
  return count;
}

std::string PlaceOf(const World& world, const Coverage& row) {
  std::string out = world.Name(row.node);
  auto add = [&](const std::string& word) { out += (out.empty() ? "" : " ") + word; };
  if (row.rank >= 0) add("rank " + std::to_string(row.rank));
  if (row.stream != kNoId) add("stream " + world.Name(row.stream));
  return out;
}

/// What rows must agree on to be one line but for their interval.
using Words = std::tuple<std::string, model::CoverageStatus, std::string, bool>;
using Lines = std::map<std::pair<int64_t, int64_t>, model::CoverageView>;

/// Many intervals of one source and status: one line with ranges as its ends.
Lines Merged(const Lines& lines) {
  model::CoverageView sum = lines.begin()->second;
  std::set<std::string> nodes;
  bool first = true;
  for (const auto& [interval, line] : lines) {
    sum.from.lo = std::min(sum.from.lo, line.from.lo);
    sum.from.hi = std::max(sum.from.hi, line.from.hi);
    sum.to.lo = std::min(sum.to.lo, line.to.lo);
    sum.to.hi = std::max(sum.to.hi, line.to.hi);
    bool new_place = false;
    for (const std::string& node : line.nodes) new_place = nodes.insert(node).second || new_place;
    if (new_place && !first) sum.observations += line.observations;
    first = false;
  }
  sum.nodes.assign(nodes.begin(), nodes.end());
  Lines out;
  out[{sum.from.lo, sum.to.hi}] = sum;
  return out;
}

/// Is the source mentioned for the node, or for no place in particular?
bool Mentions(const World& world, const std::string& source, uint32_t node) {
  return std::any_of(world.set.coverage.begin(), world.set.coverage.end(), [&](const Coverage& row) {
    return world.Name(row.source) == source && (row.node == kNoId || row.node == node);
  });
}
bool MentionsAtAll(const World& world, const std::string& source) {
  return std::any_of(world.set.coverage.begin(), world.set.coverage.end(),
                     [&](const Coverage& row) { return world.Name(row.source) == source; });
}

/// Sources that events read and that no row is about, there or at all.
void AddUnmentioned(const World& world, model::Verdict* verdict) {
  std::map<std::string, std::set<uint32_t>> missing;
  for (const Event& event : world.pack.events) {
    if (event.decl == nullptr) continue;
    for (const syntax::SourceRef& ref : event.decl->sources) {
      const auto some = [&](auto&& f) {
        return std::any_of(ref.alternatives.begin(), ref.alternatives.end(),
                           [&](const auto& a) { return f(a.source.text); });
      };
      const bool any = some([&](const std::string& s) { return MentionsAtAll(world, s); });
      std::set<uint32_t> left;
      for (const model::InventoryNode& node : world.set.attempt.nodes) {
        if (!some([&](const std::string& s) { return Mentions(world, s, node.node); })) left.insert(node.node);
      }
      if (any && (left.empty() || some([&](const std::string& s) { return Mentions(world, s, kNoId); }))) continue;
      for (const auto& alternative : ref.alternatives) {
        const std::string& source = alternative.source.text;
        if (any && !MentionsAtAll(world, source)) continue;
        std::set<uint32_t>& nodes = missing[source];
        if (any) nodes.insert(left.begin(), left.end());
      }
    }
  }
  for (const auto& [source, nodes] : missing) {
    model::CoverageView line;
    line.source = source;
    line.status = "absent";
    line.from = {kBeforeAll, kBeforeAll, 1};
    line.to = {kAfterAll, kAfterAll, 1};
    if (nodes.empty()) line.observations = CountOfSource(world, source, kNoId);
    for (const uint32_t node : nodes) {
      line.nodes.push_back(world.Name(node));
      line.observations += CountOfSource(world, source, node);
    }
    SortNames(&line.nodes);
    line.reason = "the observation set does not mention it";
    if (!nodes.empty()) line.reason += " there";
    verdict->coverage.push_back(std::move(line));
  }
}

void AddCoverage(const World& world, model::Verdict* verdict) {
  std::map<std::string, std::map<Words, Lines>> by_source;
  for (const Coverage& row : world.set.coverage) {
    const std::string place = PlaceOf(world, row), source = world.Name(row.source);
    model::CoverageView& line =
        by_source[source][{row.metric, row.status, row.reason, place.empty()}][{row.from, row.to}];
    const bool fresh = line.source.empty();
    if (!fresh && (place.empty() || line.nodes.back() == place)) continue;
    line.source = source + (row.metric.empty() ? "" : " " + row.metric);
    line.status = std::string(model::Name(row.status));
    line.from = {row.from, row.from, 0};
    line.to = {row.to, row.to, 0};
    line.reason = row.reason;
    line.observations += CountOfSource(world, source, row.node);
    if (!place.empty()) line.nodes.push_back(place);
  }
  for (const auto& [source, groups] : by_source) {
    for (const auto& [words, lines] : groups) {
      for (auto [interval, line] : lines.size() > kMostIntervals ? Merged(lines) : lines) {
        SortNames(&line.nodes);
        verdict->coverage.push_back(std::move(line));
      }
    }
  }
  AddUnmentioned(world, verdict);
  std::stable_sort(verdict->coverage.begin(), verdict->coverage.end(),
                   [](const auto& a, const auto& b) { return NaturalLess(a.source, b.source); });
}

}  // namespace

void BuildScope(const Resolution& r, const std::string& pack_sha256, model::Verdict* v) {
  const World& world = r.world;
  v->attempt = world.set.attempt.id;
  v->job = world.set.attempt.job;
  v->start = world.set.attempt.start;
  v->end = world.set.attempt.end;
  AddCoverage(world, v);
  v->observations_in = world.scope.in;
  const std::pair<const char*, uint64_t> out[] = {{"before the attempt", world.scope.before},
                                                  {"after the attempt", world.scope.after},
                                                  {"other node", world.scope.other_node},
                                                  {"other attempt", world.scope.other_attempt}};
  for (const auto& [reason, count] : out) {
    v->observations_out += count;
    if (count != 0) v->out_of_scope.push_back({reason, count});
  }
  v->warnings = world.set.warnings;
  v->warnings.insert(v->warnings.end(), world.warnings.begin(), world.warnings.end());
  v->input_sha256 = world.set.sha256;
  v->pack.name = r.pack.name;
  v->pack.version = r.pack.version;
  v->pack.sha256 = pack_sha256;
  for (const Import& import : r.pack.imports) v->pack.imports.emplace_back(import.name, import.version);
  v->engine = "attrc " + std::string(kEngineVersion);
}

}  // namespace attr::oracle
