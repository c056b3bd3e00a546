// attrc run: observations to a verdict.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/inputs.h"
#include "cli/pack_argument.h"
#include "cli/stats_text.h"
#include "runtime/report/report.h"

namespace attr::cli {

namespace {

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
  Stats stats;
  const AttributeOptions attribute = ToAttributeOptions(options.engine, pack->sha256);
  const auto answer = [&](const model::ObservationSet& set) -> Result<AttemptAnswer> {
    clock.Lap("read observations");
    auto verdict = Attribute(pack->plan, set, attribute, &stats);
    if (!verdict) return verdict.error();
    clock.Restart();
    AttemptAnswer out{Render(options, *verdict), std::move(*verdict)};
    clock.Lap("report");
    return out;
  };
  const int written = AnswerAttempts(options.paths, options.attempt, options.format == "json", answer);
  if (options.stats && written == kClean) WriteError(StatsText(stats, clock.phases()));
  return written;
}

}  // namespace attr::cli
