// Observation sets from JSON (one document) and NDJSON (a header line, then one
// observation a line). The only room that includes simdjson. Several inputs
// together are one set. docs/observation-set.md describes the format,
// docs/schema/observations.schema.json is its JSON Schema.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/base/result.h"
#include "runtime/model/observation_set.h"

namespace attr::ingest {

struct ReadLimits {
  uint64_t input_bytes = 8ull << 30;
  uint64_t line_bytes = 64ull << 20;
  uint64_t observations = 50'000'000;
  bool plain_rows = true;  // off: every row goes through the JSON parser, for tests that compare
};

/// Room behind the bytes of an input for the parser's wide reads.
constexpr size_t kInputPadding = 64;

/// One input as the user named it ("-" is standard input) with its bytes.
struct Input {
  std::string name;
  Bytes bytes;
};

/// Reads a regular file or standard input whole. Errors: missing, a folder,
/// unreadable, empty, too large.
Result<Input> ReadInput(const std::string& path, const ReadLimits& limits = {});

/// Parses, normalizes and canonicalizes. An error names file, line, byte and the
/// observation's ordinal; nothing is skipped silently. Takes the bytes over.
Result<model::ObservationSet> ReadObservations(std::vector<Input> inputs, const ReadLimits& limits = {});

}  // namespace attr::ingest
