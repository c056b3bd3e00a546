#include "runtime/ingest/finish.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "runtime/model/canonical.h"

namespace attr::ingest {

namespace {

using model::Attribute;
using model::Coverage;
using model::CoverageStatus;
using model::kNoId;
using model::Observation;
using model::ObservationSet;

/// `attempt.state` reads as the record that the scheduler would have written,
/// unless the set holds that record (language.md section 7).
void AddJobEnd(ObservationSet* set) {
  const model::Attempt& attempt = set->attempt;
  if (!attempt.state) return;
  set->buffers.push_back(std::make_unique<std::string>(*attempt.state));
  Observation row;
  row.source = set->names.Intern("scheduler");
  row.name = "job_end";
  row.time = attempt.end;
  if (attempt.nodes.size() == 1) row.node = row.observer = attempt.nodes.front().node;
  row.attributes_begin = static_cast<uint32_t>(set->attributes.size());
  if (attempt.exit_code) set->attributes.push_back({"exit_code", Attribute::Kind::kInt, *attempt.exit_code, {}});
  set->attributes.push_back({"state", Attribute::Kind::kText, 0, *set->buffers.back()});
  row.attributes_end = static_cast<uint32_t>(set->attributes.size());
  set->observations.push_back(row);
}

bool Contradicts(const Coverage& covered, const Observation& row) {
  if (!covered.metric.empty() && covered.metric != row.name) return false;
  if (covered.rank >= 0 && covered.rank != row.rank) return false;
  if (covered.stream != kNoId && covered.stream != row.stream) return false;
  return !row.time.Unknown() && row.time.lo >= covered.from && row.time.hi <= covered.to;
}

/// An observation inside an `empty` interval: the collector was wrong about it,
/// so nothing is proved there (semantics.md S4).
void DistrustEmpty(ObservationSet* set) {
  std::unordered_map<uint64_t, std::vector<uint32_t>> rows;  // source, node -> coverage
  auto key = [](uint32_t source, uint32_t node) { return static_cast<uint64_t>(source) << 32 | node; };
  for (uint32_t i = 0; i < set->coverage.size(); ++i) {
    const Coverage& covered = set->coverage[i];
    if (covered.status == CoverageStatus::kEmpty) rows[key(covered.source, covered.node)].push_back(i);
  }
  if (rows.empty()) return;
  std::map<std::pair<std::string, std::string>, uint64_t> contradicted;  // source, node -> observations
  for (const Observation& row : set->observations) {
    for (uint32_t node : {row.observer, kNoId}) {
      auto it = rows.find(key(row.source, node));
      if (it == rows.end()) continue;
      bool found = false;  // in several rows it is still one observation
      for (uint32_t i : it->second) {
        if (!Contradicts(set->coverage[i], row)) continue;
        set->coverage[i].status = CoverageStatus::kPartial;
        found = true;
      }
      if (found) ++contradicted[{std::string(set->NameOf(row.source)), std::string(set->NameOf(node))}];
      if (node == kNoId) break;
    }
  }
  for (const auto& [place, count] : contradicted) {
    set->warnings.push_back("coverage calls " + place.first + (place.second.empty() ? "" : " on " + place.second) +
                            " empty, yet it has " + std::to_string(count) +
                            (count == 1 ? " observation" : " observations") + " there; it is read as partial");
  }
}

void WarnOfCounts(ObservationSet* set) {
  auto warn = [&](uint64_t count, const char* one, const char* many) {
    if (count == 0) return;
    set->warnings.push_back(count == 1 ? std::string("1 observation ") + one
                                       : std::to_string(count) + " observations " + many);
  };
  const model::ReadCounts& counts = set->counts;
  warn(counts.unreadable_times, "has a time that cannot be read; it is kept without one",
       "have a time that cannot be read; they are kept without one");
  warn(counts.invalid_utf8, "held invalid UTF-8; its bytes were replaced by U+FFFD",
       "held invalid UTF-8; their bytes were replaced by U+FFFD");
  warn(counts.duplicates_dropped, "stood twice with one id and was counted once",
       "stood twice with one id and were counted once");
}

}  // namespace

void Finish(ObservationSet* set, const RowFacts& facts) {
  if (!facts.job_end) AddJobEnd(set);
  DistrustEmpty(set);
  if (facts.positions) model::SettleStreams(set);
  model::Canonicalize(set);
  WarnOfCounts(set);
  std::sort(set->warnings.begin(), set->warnings.end());
}

}  // namespace attr::ingest
