#include "cli/inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/console.h"
#include "compiler/diagnostics/render.h"
#include "runtime/history.h"
#include "runtime/ingest/observation_reader.h"

namespace attr::cli {

namespace {

Result<std::vector<ingest::Input>> ReadInputs(const std::vector<std::string>& paths) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    return Error{ErrorKind::kUsage, "standard input (-) is named twice, and can be read once", "", 0, {}, ""};
  }
  std::vector<ingest::Input> inputs;
  for (const std::string& path : paths) {
    auto input = ingest::ReadInput(path);
    if (!input) return input.error();
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

void Warn(const model::ObservationSet& set) {
  for (const std::string& warning : set.warnings) {
    WriteError("attrc: warning: " + diagnostics::EscapeForTerminal(warning) + "\n");
  }
}

std::string Joined(const std::vector<std::string>& outputs, bool json) {
  if (outputs.size() == 1) return outputs.front();
  std::string out = json ? "[\n" : "";
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (i != 0) out += json ? ",\n" : "\n";
    out += outputs[i];
  }
  return out + (json ? "]\n" : "");
}

}  // namespace

int AnswerAttempts(const std::vector<std::string>& paths, const std::string& attempt, bool json,
                   const AnswerAttempt& answer) {
  auto inputs = ReadInputs(paths);
  if (!inputs) return Fail(inputs.error());
  ingest::AttemptReader reader(std::move(*inputs));
  std::vector<std::string> outputs, ids;
  for (;;) {
    auto set = reader.Next();
    if (!set) return Fail(set.error());
    if (!*set) break;
    Warn(**set);
    auto answered = answer(**set);
    if (!answered) return Fail(answered.error());
    ids.push_back(answered->verdict.attempt);
    if (attempt.empty() || ids.back() == attempt) outputs.push_back(std::move(answered->output));
    if (reader.several()) reader.Add(HistoryOf(answered->verdict));
  }
  if (outputs.empty()) {
    return Fail(Error{ErrorKind::kUsage,
                      fmt::format("no attempt `{}` in the set", attempt),
                      "",
                      0,
                      {},
                      fmt::format("it holds {}", fmt::join(ids, ", "))});
  }
  return WriteOut(Joined(outputs, json));
}

}  // namespace attr::cli
