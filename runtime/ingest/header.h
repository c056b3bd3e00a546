// The header of one input as it was written, and the merger of several into a
// set's attempt, coverage and clocks. Internal to this room.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/ingest/json_cursor.h"
#include "runtime/model/observation_set.h"

namespace attr::ingest {

inline constexpr std::string_view kSchema = "attribution/observations/v1";

/// A time before its unit is known. Integers wait for the header's `time_unit`.
struct RawTime {
  enum class Kind : uint8_t { kNone, kText, kInteger };
  Kind kind = Kind::kNone;
  std::string text;
  int64_t number = 0;
  Error place;
};

struct RawNode {
  std::string name;
  std::vector<std::string> aliases;
  std::vector<int64_t> ranks;
  std::vector<std::pair<std::string, std::vector<std::string>>> gpus;
  std::map<std::string, std::string> labels;
  std::map<std::string, const char*> label_places;
};

struct RawCoverage {
  std::string source, metric, reason;
  std::optional<std::string> stream;
  model::CoverageStatus status = model::CoverageStatus::kOk;
  std::vector<std::string> nodes;
  std::vector<int64_t> ranks;
  RawTime from, to, presumed_to;
  Error place;
};

struct RawClock {
  model::Clock clock;
  const char* place = nullptr;
};

struct Header {
  std::string file;
  Piece* piece = nullptr;
  std::map<std::string, const char*> places;  // by key, as "attempt.id"
  std::optional<std::string> id, job, state;
  std::optional<int64_t> exit_code;
  RawTime start, end;
  std::vector<RawNode> nodes;
  std::optional<int64_t> time_unit;  // nanoseconds
  std::optional<int64_t> skew;
  std::vector<RawClock> clocks;
  std::vector<RawCoverage> coverage;
  std::vector<Header> attempts;  // several in one set: what stands between each one's braces
  bool has_observations = false;

  Error PlaceOf(const char* at) const { return Cursor(piece, false).PlaceOf(at); }
};

/// Keys that nothing reads, with how often they came. The same for every order of input.
using UnknownKeys = std::map<std::string, uint64_t>;

/// Reads the header's keys; of `observations` only that it is a list.
bool ReadHeader(Cursor* cursor, simdjson::ondemand::object object, Header* header, UnknownKeys* unknown);

/// Nanoseconds of an integer time's unit for each header: its own, else the only one that any header states.
std::vector<std::optional<int64_t>> TimeUnits(const std::vector<Header>& headers);

/// Ids of the attempts that the headers list, in the order of (start, id), unknown
/// starts last; empty when they list none.
Result<std::vector<std::string>> ListedAttempts(const std::vector<Header>& headers);
/// The headers as they would be with this attempt alone.
std::vector<Header> WithAttempt(const std::vector<Header>& headers, const std::string& id);

/// Equal or absent fields become one; a contradiction is an error that names both files.
Status MergeHeaders(const std::vector<Header>& headers, model::ObservationSet* set);

/// nullopt when it cannot be read or lies outside what the engine compares (1896..2043).
std::optional<model::Moment> TimeOf(std::string_view text);
std::optional<model::Moment> TimeOf(int64_t number, int64_t unit);

/// The candidate within two edits of `key`, or empty.
std::string_view NearName(std::string_view key, const std::vector<std::string_view>& candidates);
void AppendUnknownKeyWarnings(const UnknownKeys& unknown, std::string_view where,
                              const std::vector<std::string_view>& known, std::vector<std::string>* warnings);
const std::vector<std::string_view>& HeaderKeys();

}  // namespace attr::ingest
