// attrc run: observations to a verdict.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/pack_argument.h"
#include "cli/stats_text.h"
#include "compiler/diagnostics/render.h"
#include "runtime/ingest/observation_reader.h"
#include "runtime/report/report.h"

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

std::string Render(const RunOptions& options, const model::Verdict& verdict) {
  if (options.format == "json") return report::ToJson(verdict);
  report::TextOptions text;
  text.colour = UseColour(options.colour, STDOUT_FILENO);
  text.width = options.width != 0 ? options.width : TerminalWidth(STDOUT_FILENO);
  return report::ToText(verdict, text);
}

}  // namespace

int Run(const RunOptions& options) {
  PhaseClock clock;
  auto pack = LoadPackArgument(options.pack);
  if (!pack) return Fail(pack.error());
  clock.Lap("load pack");
  auto inputs = ReadInputs(options.paths);
  if (!inputs) return Fail(inputs.error());
  auto set = ingest::ReadObservations(std::move(*inputs));
  if (!set) return Fail(set.error());
  clock.Lap("read observations");
  for (const std::string& warning : set->warnings)
    WriteError("attrc: warning: " + diagnostics::EscapeForTerminal(warning) + "\n");
  Stats stats;
  auto verdict = Attribute(pack->plan, *set, ToAttributeOptions(options.engine, pack->sha256), &stats);
  if (!verdict) return Fail(verdict.error());
  clock.Restart();
  int written = WriteOut(Render(options, *verdict));
  clock.Lap("report");
  if (options.stats) WriteError(StatsText(stats, clock.phases()));
  return written;
}

}  // namespace attr::cli
