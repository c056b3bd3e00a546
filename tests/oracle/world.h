// What one evaluation works on: the pack, the observation set, and every event
// written out as a list of rows, phantoms included (semantics.md S4).
#pragma once

#include <re2/re2.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/model/observation_set.h"
#include "tests/oracle/pack.h"

namespace attr::oracle {

inline constexpr int64_t kBeforeAll = plan::kBeforeAll;
inline constexpr int64_t kAfterAll = plan::kAfterAll;

/// Telemetry that is missing: a source, on a node or ("") where it has no place.
struct Gap {
  std::string source, node;
  auto operator<=>(const Gap&) const = default;
};

/// What time relations read, of a row or of a finding.
struct Span {
  int64_t begin_lo = kBeforeAll, begin_hi = kAfterAll;
  int64_t end_lo = kBeforeAll, end_hi = kAfterAll;
  int64_t precision = 0;
  std::string clock;  // whose, and which
  std::string tie;    // "": tied to all others that are
  int64_t skew = 0;
  std::string stream;  // "": none
  int64_t position = -1;
};

enum class RowKind : uint8_t { kRecord, kPhantom, kFinding, kTable, kInventory };
struct Row {
  RowKind kind = RowKind::kRecord;
  uint32_t event = kNone;               // of which event it is a row
  uint32_t observation = model::kNoId;  // of a record
  std::set<uint32_t> records;           // observations behind it
  std::set<Gap> gaps;                   // telemetry that leaves its existence open
  Bits bits = kYes;                     // does it exist? (a finding: its truth)
  Span span;
  Value node = Missing(Type::kNode), rank = Missing(Type::kRank), gpu = Missing(Type::kGpu),
        observer = Missing(Type::kNode);
  std::map<std::string, Value> fields;
  std::vector<std::string> nodes, gpus;  // of a finding: all of them
  std::vector<int64_t> ranks;
  std::optional<model::Moment> begin, end;  // of a finding: as it shows them
  uint32_t rule = kNone, number = 0;        // of a finding, of an inventory: which
  bool IsPhantom() const { return kind == RowKind::kPhantom; }
};

/// How large something may be before a rule is unevaluable (docs/limits.md).
struct Limits {
  uint64_t events_per_type = 10'000'000;
  uint64_t candidate_pairs = 100'000'000;
  uint64_t findings_per_rule = 100'000;
};

struct ScopeCounts {
  uint64_t in = 0, before = 0, after = 0, other_node = 0, other_attempt = 0;
};

struct World {
  World(const Pack& p, model::ObservationSet& s, const Limits& l) : pack(p), set(s), limits(l) {}

  const Pack& pack;
  model::ObservationSet& set;
  Limits limits;
  int64_t skew = 0;            // between clocks, unless a clock has its own
  std::vector<bool> in_scope;  // by observation
  ScopeCounts scope;
  std::vector<model::CoverageStatus> status;  // by coverage row; contradicted `empty` rows are partial
  std::vector<std::string> warnings;
  std::vector<std::vector<Row>> rows;         // by event: real ones in canonical order, then phantoms
  std::vector<std::vector<Row>> lines;        // by event: before they are folded; no phantoms
  int64_t reach_before = 0, reach_after = 0;  // of the event that is being looked for
  bool any_node = false;

  std::string Name(uint32_t id) const { return std::string(set.NameOf(id)); }
  std::string NodeNamed(std::string_view name) { return Name(set.ResolveNode(name)); }
  std::string GpuNamed(const std::string& node, std::string_view name);
  const RE2& Regex(const std::string& text);

 private:
  std::map<std::string, std::unique_ptr<RE2>> regexes_;
};

/// Fills everything but findings: scope, coverage, rows.
void Populate(World* world);

// coverage.cc
void JudgeCoverage(World* world);
struct BlindTime {
  std::string node;  // "": no place
  int32_t rank = -1;
  std::string stream;
  int64_t from = 0, to = 0;
  bool another = false;  // on a node that nothing names
};
std::vector<BlindTime> BlindTimes(const World& world, const syntax::SourceRef& source);
/// Does the record count, seen that it comes from the ref's alternative of this index?
bool IsCarried(const World& world, const syntax::SourceRef& ref, size_t alternative, uint32_t observation);
bool IsOf(const World& world, const syntax::SourceRef::Alternative& source, const model::Observation& observation);

}  // namespace attr::oracle
