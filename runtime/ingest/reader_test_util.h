// Shorthands of this room's tests.
#pragma once

#include <string>
#include <vector>

#include "runtime/ingest/observation_reader.h"

namespace attr::ingest {

inline Result<model::ObservationSet> ReadTexts(std::vector<std::string> texts) {
  std::vector<Input> inputs;
  for (size_t i = 0; i < texts.size(); ++i) inputs.push_back({"in" + std::to_string(i), std::move(texts[i])});
  return ReadObservations(std::move(inputs));
}
inline Result<model::ObservationSet> ReadText(std::string text) { return ReadTexts({std::move(text)}); }

inline const std::string kHeaderLine = R"({"schema":"attribution/observations/v1"})"
                                       "\n";

/// The set of NDJSON lines after a bare header; a failure shows as its message in `warnings`.
inline model::ObservationSet Lines(const std::string& lines, const std::string& header = kHeaderLine) {
  auto set = ReadText(header + lines);
  if (set.ok()) return std::move(*set);
  model::ObservationSet failed;
  failed.warnings = {"FAILED: " + set.error().ToString()};
  return failed;
}

/// The error of NDJSON lines after a bare header; empty when they are read.
inline std::string ErrorOf(const std::string& lines, const std::string& header = kHeaderLine) {
  auto set = ReadText(header + lines);
  return set.ok() ? "" : set.error().ToString();
}

}  // namespace attr::ingest
