// attrc run: observations to a verdict.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/engine_options.h"
#include "cli/pack_argument.h"
#include "cli/stats_text.h"
#include "runtime/ingest/observation_reader.h"
#include "runtime/report/report.h"

namespace attr::cli {

namespace {

struct Options {
  std::string pack = "std";
  std::vector<std::string> paths;
  std::string format = "text";
  std::string colour = "auto";
  unsigned width = 0;
  bool stats = false;
  EngineOptions engine;
};

Result<std::vector<ingest::Input>> ReadInputs(const std::vector<std::string>& paths) {
  std::vector<ingest::Input> inputs;
  for (const std::string& path : paths) {
    auto input = ingest::ReadInput(path);
    if (!input) return input.error();
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

std::string Render(const Options& options, const model::Verdict& verdict) {
  if (options.format == "json") return report::ToJson(verdict);
  report::TextOptions text;
  text.colour = UseColour(options.colour, STDOUT_FILENO);
  text.width = options.width != 0 ? options.width : TerminalWidth(STDOUT_FILENO);
  return report::ToText(verdict, text);
}

int Run(const Options& options) {
  PhaseClock clock;
  auto pack = LoadPackArgument(options.pack);
  if (!pack) return Fail(pack.error());
  clock.Lap("load pack");
  auto inputs = ReadInputs(options.paths);
  if (!inputs) return Fail(inputs.error());
  auto set = ingest::ReadObservations(std::move(*inputs));
  if (!set) return Fail(set.error());
  clock.Lap("read observations");
  for (const std::string& warning : set->warnings) WriteError("attrc: warning: " + warning + "\n");
  Stats stats;
  auto verdict = Attribute(pack->plan, *set, ToAttributeOptions(options.engine, pack->sha256), &stats);
  if (!verdict) return Fail(verdict.error());
  clock.Restart();
  int written = WriteOut(Render(options, *verdict));
  clock.Lap("report");
  if (options.stats) WriteError(StatsText(stats, clock.phases()));
  return written;
}

}  // namespace

Action AddRun(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "evaluate a pack against observations and print the verdict");
  command
      ->add_option("paths", options->paths,
                   "observation sets, JSON or NDJSON; several are one set; - is standard input")
      ->required();
  command->add_option("--pack", options->pack, "std, a compiled .attrpack file or a pack folder")
      ->capture_default_str();
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_option("--color", options->colour, "auto, always or never; NO_COLOR is obeyed")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  command->add_option("--width", options->width, "columns of the text form (default: the terminal's, or 80)")
      ->check(CLI::Range(40, 1000));
  command->add_flag("--stats", options->stats, "say on standard error what was compiled, cached, matched and joined");
  AddEngineOptions(*command, options->engine);
  command->footer("exit codes: 0 a verdict was printed, whatever it says; 2 usage; 3 unreadable or malformed input");
  return [options] { return Run(*options); };
}

}  // namespace attr::cli
