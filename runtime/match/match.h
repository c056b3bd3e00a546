// Observations to typed events: literal prefilter, RE2, captures, conversions,
// scope, phantoms. The only room that includes RE2 and Vectorscan. Fills
// Context::dictionary, constants, events and gaps. Rows stand in canonical
// observation order whatever the number of threads; phantoms after them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/eval/tables.h"

namespace attr {
struct Stats;
}

namespace attr::match {

struct ScopeCounts {
  uint64_t in = 0;
  uint64_t before = 0, after = 0, other_node = 0, other_attempt = 0;
};

struct MatchOptions {
  unsigned threads = 1;
  size_t record_bytes = 64 * 1024;  // longer records are matched up to here and counted
};

/// Of one event: values that were there and did not convert.
struct ConversionCounts {
  uint64_t failed = 0;        // of a required field: no event
  uint64_t left_missing = 0;  // of an optional one
};

struct MatchResult {
  ScopeCounts scope;
  uint64_t long_records = 0;
  uint64_t failed_conversions = 0;            // required field did not convert: no event
  uint64_t left_missing = 0;                  // optional field was given, did not convert and is missing
  std::vector<ConversionCounts> conversions;  // the same by plan event, up to the last that has any
  uint64_t cut_records = 0;                   // with more matches of an `each` than count
  std::vector<uint32_t>
      contradicted;  // `empty` rows of ObservationSet::coverage that hold observations: they count as partial
  std::vector<std::string> warnings;  // coverage contradicted by observations; canonical order
};

/// Fails only when a pattern of a verified pack does not compile. `stats` (may be
/// null) gets the counts; the caller times the phase.
Result<MatchResult> Match(eval::Context& context, const MatchOptions& options, Stats* stats);

/// `attrc check`'s example lines and `attrc explain`: what events one record
/// gives, by the same code. Field values as text, in field order.
struct ExampleMatch {
  uint32_t event = 0;
  std::vector<std::pair<std::string, std::string>> fields;  // missing fields are left out
};
Result<std::vector<ExampleMatch>> MatchText(const plan::Plan& plan, uint32_t event, std::string_view text);

/// Regex services for the compiler: no other room includes RE2.
struct RegexInfo {
  bool ok = false;
  std::string error;                // RE2's words
  size_t error_offset = 0;          // byte offset of the character that completes the shortest failing prefix
  std::vector<std::string> groups;  // named groups in order
  int program_size = 0;
  int reverse_program_size = 0;
  int group_count = 0;
  bool matches_empty = false;
  bool has_literal = false;  // a prefilter exists
};
RegexInfo InspectRegex(std::string_view pattern);

}  // namespace attr::match
