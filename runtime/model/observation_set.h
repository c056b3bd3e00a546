// The normalized observations of one workload attempt, with what is known of
// the attempt and what was collected. Built by ingest/, canonical afterwards:
// observations stand in the total order of docs/observation-set.md, whatever
// order or files they came in. Text views point into `arena` or into the
// buffers the set owns; they live as long as the set. Move-only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/base/interner.h"
#include "runtime/plan/plan.h"  // kBeforeAll, kAfterAll

namespace attr::model {

inline constexpr uint32_t kNoId = UINT32_MAX;

/// A moment: lo == hi is a stamp with `precision`, else a range it lies in.
struct Moment {
  int64_t lo = plan::kBeforeAll;  // nanoseconds since the Unix epoch
  int64_t hi = plan::kAfterAll;
  int64_t precision = 0;  // nanoseconds; of a stamp: what its last written digit stands for
  bool IsStamp() const { return lo == hi; }
  bool Unknown() const { return lo <= plan::kBeforeAll && hi >= plan::kAfterAll; }
  bool operator==(const Moment&) const = default;
};

struct Attribute {
  enum class Kind : uint8_t { kNull, kBool, kInt, kFloat, kText };
  std::string_view key;  // dotted path for nested objects
  Kind kind = Kind::kNull;
  int64_t number = 0;  // bool, int; float: bits
  std::string_view text;
};

struct Observation {
  std::string_view id;    // the input's own; empty: derived from content when it is printed
  std::string_view text;  // valid UTF-8
  std::string_view name;
  std::string_view severity;
  std::string_view unit;
  uint32_t source = kNoId;    // Interner ids in ObservationSet::names
  uint32_t node = kNoId;      // what it is about; canonical node names
  uint32_t observer = kNoId;  // who said it; the node when the input names none
  uint32_t gpu = kNoId;
  uint32_t stream = kNoId;
  uint32_t attempt = kNoId;
  uint32_t job = kNoId;
  uint32_t clock = 0;  // index in ObservationSet::clocks
  int32_t rank = -1;
  int64_t position = -1;  // in its stream; -1: none
  Moment time;            // its end; events may move their begin back
  double value = 0;
  bool has_value = false;
  bool input_time_unreadable = false;                 // kept, without a time, and counted
  uint32_t attributes_begin = 0, attributes_end = 0;  // in ObservationSet::attributes
};

/// A clock that stamps were read from. All clocks with `tied` are one time line
/// (UTC) up to skew; an untied clock says nothing about any other.
struct Clock {
  std::string name;  // "utc", "dmesg_wall", "uptime:gpu-05", ...
  bool tied = true;
};

enum class CoverageStatus : uint8_t { kOk, kEmpty, kPartial, kError, kAbsent };
std::string_view Name(CoverageStatus status);

/// One row of what was collected. Unset node, rank, stream: everywhere.
struct Coverage {
  uint32_t source = kNoId;
  std::string metric;  // empty: the whole source
  CoverageStatus status = CoverageStatus::kOk;
  uint32_t node = kNoId;
  int32_t rank = -1;
  uint32_t stream = kNoId;
  int64_t from = plan::kBeforeAll, to = plan::kAfterAll;
  int64_t presumed_to = plan::kBeforeAll;  // absence presumed, not proved, up to here
  std::string reason;                      // why it is partial, an error or absent
};

struct InventoryNode {
  uint32_t node = kNoId;
  std::vector<std::string> aliases;  // FQDN, address, pod
  std::vector<int32_t> ranks;
  std::vector<std::pair<uint32_t, std::vector<std::string>>> gpus;  // canonical name, aliases
  std::map<std::string, std::string> labels;
};

struct Attempt {
  std::string id, job;
  std::optional<std::string> state;  // as the scheduler wrote it
  std::optional<int64_t> exit_code;
  Moment start, end;                 // unknown unless given
  std::vector<InventoryNode> nodes;  // natural order of names; empty: not known
};

struct ReadCounts {
  uint64_t observations = 0;
  uint64_t duplicates_dropped = 0;  // same id and same content, twice
  uint64_t unreadable_times = 0;
  uint64_t invalid_utf8 = 0;  // observations in which bytes were replaced
  uint64_t bytes = 0;
};

struct ObservationSet {
  Interner names;  // sources, nodes, gpus, streams, jobs
  std::vector<Clock> clocks{{"utc", true}};
  Attempt attempt;
  std::vector<Coverage> coverage;  // sorted: source text, metric, node text, rank, from
  std::vector<Observation> observations;
  std::vector<Attribute> attributes;
  std::optional<int64_t> skew;  // the set's own statement, better than the pack's
  ReadCounts counts;
  std::vector<std::string> warnings;  // for standard error and the verdict's scope
  /// Hex SHA-256 of the canonical serialization (docs/observation-set.md).
  std::string sha256;

  ObservationSet() = default;
  ObservationSet(ObservationSet&&) = default;
  ObservationSet& operator=(ObservationSet&&) = default;

  std::string_view NameOf(uint32_t id) const { return id == kNoId ? std::string_view() : names.Text(id); }
  /// Canonical node of a name, alias or FQDN in the inventory; the name itself otherwise.
  uint32_t ResolveNode(std::string_view name);
  /// Canonical GPU of `node` for an alias (index, UUID, PCI address however written); the name itself otherwise.
  uint32_t ResolveGpu(uint32_t node, std::string_view name);
  /// The node that holds `rank`, or kNoId.
  uint32_t NodeOfRank(int32_t rank) const;
  /// The input's id, or 12 hex digits of content with an ordinal among equals ("3f2a...-2").
  std::string IdOf(size_t observation) const;

  // Storage behind the views.
  std::vector<Bytes> inputs;
  std::vector<std::unique_ptr<std::string>> buffers;
  std::unordered_map<std::string, uint32_t> aliases;
  std::unordered_map<int32_t, uint32_t> rank_nodes;
};

}  // namespace attr::model
