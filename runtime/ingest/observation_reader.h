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
/// observation's ordinal; nothing is skipped silently. Takes the bytes over. Inputs that
/// list several attempts are read one attempt at a time (AttemptReader).
Result<model::ObservationSet> ReadObservations(std::vector<Input> inputs, const ReadLimits& limits = {});

/// The sets of inputs that may list several attempts, one after the other, in the order
/// of their (start, id). Inputs that list none are one set.
class AttemptReader {
 public:
  explicit AttemptReader(std::vector<Input> inputs, const ReadLimits& limits = {})
      : inputs_(std::move(inputs)), limits_(limits) {}

  /// nullopt after the last.
  Result<std::optional<model::ObservationSet>> Next();
  /// Read with the attempts that follow: what is known of the ones before.
  void Add(Input input) { inputs_.push_back(std::move(input)); }
  /// Whether the inputs list attempts; known after the first Next.
  bool several() const { return ids_.size() > 1; }

 private:
  std::vector<Input> inputs_;
  ReadLimits limits_;
  std::vector<std::string> ids_;
  size_t next_ = 0;
};

}  // namespace attr::ingest
