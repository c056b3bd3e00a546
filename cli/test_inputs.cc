#include "cli/test_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "runtime/ingest/observation_reader.h"
#include "runtime/model/drop.h"

namespace attr::cli {

namespace fs = std::filesystem;

namespace {

/// The file itself, or every .json and .ndjson of the folder in byte order.
Result<std::vector<std::string>> StoredFiles(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector<std::string>{path.string()};
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    std::string extension = entry.path().extension().string();
    if (extension == ".json" || extension == ".ndjson") out.push_back(entry.path().string());
  }
  if (error) return Error{ErrorKind::kInput, "cannot list the folder: " + error.message(), path.string(), 0, {}, ""};
  if (out.empty()) {
    return Error{ErrorKind::kInput,
                 "no .json or .ndjson file in the stored incident",
                 path.string(),
                 0,
                 {},
                 "a stored incident is an observation set, or a folder of them"};
  }
  std::sort(out.begin(), out.end());
  return out;
}

Result<std::vector<ingest::Input>> InputsOf(const testing::TestCase& test, const std::string& folder) {
  std::vector<ingest::Input> inputs;
  if (test.from.empty()) {
    inputs.push_back({fmt::format("{}:{}", test.file, test.line), test.observations});
    return inputs;
  }
  auto files = StoredFiles(fs::path(folder) / test.from);
  if (!files) return files.error();
  for (const std::string& file : *files) {
    auto input = ingest::ReadInput(file);
    if (!input) return input.error();
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

}  // namespace

Result<model::ObservationSet> SetOf(const testing::TestCase& test, const std::string& folder) {
  auto inputs = InputsOf(test, folder);
  if (!inputs) return inputs.error();
  auto set = ingest::ReadObservations(std::move(*inputs));
  if (!set) return set;
  for (const auto& [source, nodes] : test.dropping) model::Drop(*set, source, nodes);
  return set;
}

}  // namespace attr::cli
