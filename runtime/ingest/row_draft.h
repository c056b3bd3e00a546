// One row under way: its fields, and its names before they are ids. Internal to this room.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "runtime/ingest/json_cursor.h"
#include "runtime/model/observation_set.h"

namespace attr::ingest {

enum class RowKey : uint8_t {
  kId,
  kSource,
  kTime,
  kTimeRange,
  kObserver,
  kNode,
  kRank,
  kGpu,
  kStream,
  kSeq,
  kClock,
  kName,
  kValue,
  kUnit,
  kSeverity,
  kText,
  kAttrs,
  kAttempt,
  kJob,
  kUnknown,
};
inline constexpr std::array<std::string_view, 19> kRowKeys{
    "id",    "source", "time",  "time_range", "observer", "node", "rank",  "gpu",     "stream", "seq",
    "clock", "name",   "value", "unit",       "severity", "text", "attrs", "attempt", "job"};

struct RowDraft {
  struct Names {
    uint32_t seen = 0;  // bit per RowKey
    std::string_view source, observer, node, gpu, stream, clock, attempt, job;
  };
  model::Observation row;
  Names names;

  void Start(size_t attributes) {
    row = model::Observation{};
    row.attributes_begin = row.attributes_end = static_cast<uint32_t>(attributes);
    // One by one: as a whole it becomes a string instruction, which costs as much as a field.
    names.seen = 0;
    names.source = names.observer = names.node = names.gpu = {};
    names.stream = names.clock = names.attempt = names.job = {};
  }
  /// Where the text of a key goes, or nullptr: its value is none.
  std::string_view* Text(RowKey key) {
    switch (key) {
      case RowKey::kId:
        return &row.id;
      case RowKey::kText:
        return &row.text;
      case RowKey::kName:
        return &row.name;
      case RowKey::kUnit:
        return &row.unit;
      case RowKey::kSeverity:
        return &row.severity;
      case RowKey::kSource:
        return &names.source;
      case RowKey::kObserver:
        return &names.observer;
      case RowKey::kNode:
        return &names.node;
      case RowKey::kGpu:
        return &names.gpu;
      case RowKey::kStream:
        return &names.stream;
      case RowKey::kClock:
        return &names.clock;
      case RowKey::kAttempt:
        return &names.attempt;
      case RowKey::kJob:
        return &names.job;
      default:
        return nullptr;
    }
  }
};

inline constexpr size_t kMaxAttributes = UINT32_MAX - 1;
model::Attribute AttributeOf(std::string_view key, const ScalarValue& scalar);

}  // namespace attr::ingest
