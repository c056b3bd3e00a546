#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/version.h"
#include "compiler/diagnostics/diagnostic.h"
#include "compiler/diagnostics/render.h"

namespace attr::cli {

namespace {

constexpr const char* kDescription =
    "attrc tells where a distributed training job failed, not where it stopped.\n"
    "It compiles rule packs of the attribution language and evaluates them against\n"
    "the normalized observations of one workload attempt.";
constexpr const char* kFooter =
    "exit codes: 0 clean, 1 findings or failed tests, 2 usage, 3 input, 4 internal error\n"
    "start with:  attrc run --pack std examples/nvlink-signal-integrity/observations.ndjson";

struct Command {
  CLI::App* app;
  std::function<int()> action;
};

void AddEngineOptions(CLI::App& command, EngineOptions& options) {
  command.add_option("--engine", options.engine, "auto, interpreter or native; the verdict is the same")
      ->check(CLI::IsMember({"auto", "interpreter", "native"}))
      ->capture_default_str();
  command.add_option("--threads", options.threads, "threads for matching; the verdict is the same")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  auto* folder = command.add_option("--cache-dir", options.cache_dir,
                                    "folder of compiled code (default: the user's cache folder, below it attrc)");
  command.add_flag("--no-cache", options.no_cache, "compile in memory, read and write no cache")->excludes(folder);
}

void AddPaths(CLI::App& command, std::vector<std::string>& paths) {
  command.add_option("paths", paths, "observation sets, JSON or NDJSON; several are one set; - is standard input")
      ->required();
}

void AddAttempt(CLI::App& command, std::string& attempt) {
  command.add_option("--attempt", attempt, "of a set with several attempts, answer for this one");
}

void AddColour(CLI::App& command, std::string& colour) {
  command.add_option("--color", colour, "auto, always or never; NO_COLOR is obeyed")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
}

void AddReportForm(CLI::App& command, std::string& format, std::string& colour, unsigned& width) {
  command.add_option("--format", format, "text or json")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
  AddColour(command, colour);
  command.add_option("--width", width, "columns of the text form (default: the terminal's, or 80)")
      ->check(CLI::Range(40, 1000));
}

Command AddCheck(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "report every mistake in a rule pack");
  command->add_option("pack", options->packs, "pack folders, or names of standard packs")->required();
  command->add_option("--format", options->format, "human or json (one object a line)")
      ->check(CLI::IsMember({"human", "json"}))
      ->capture_default_str();
  AddColour(*command, options->colour);
  command->add_option("--today", options->today, "day that `allow … until` is compared with (default: today, UTC)");
  command->footer("exit codes: 0 no error, 1 errors found, 3 the pack cannot be read");
  return {command, [options] { return Check(*options); }};
}

Command AddCompile(CLI::App& app) {
  auto options = std::make_shared<CompileOptions>();
  CLI::App* command = app.add_subcommand("compile", "compile a pack folder, with its imports, to one file");
  command->add_option("pack", options->pack, "pack folder, or the name of a standard pack")->required();
  command->add_option("-o,--output", options->output, "file to write (default: the folder's name with .attrpack)");
  command->footer("exit codes: 0 written, 1 errors in the pack, 3 cannot read or write");
  return {command, [options] { return Compile(*options); }};
}

Command AddRun(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "evaluate a pack against observations and print the verdict");
  AddPaths(*command, options->paths);
  AddAttempt(*command, options->attempt);
  command->add_option("--pack", options->pack, "std, a compiled .attrpack file or a pack folder")
      ->capture_default_str();
  AddReportForm(*command, options->format, options->colour, options->width);
  command->add_flag("--stats", options->stats, "say on standard error what was compiled, cached, matched and joined");
  AddEngineOptions(*command, options->engine);
  command->footer("exit codes: 0 a verdict was printed, whatever it says; 2 usage; 3 unreadable or malformed input");
  return {command, [options] { return Run(*options); }};
}

Command AddTest(CLI::App& app) {
  auto options = std::make_shared<TestOptions>();
  CLI::App* command = app.add_subcommand("test", "run the tests that stand beside a pack's rules");
  command->add_option("pack", options->packs, "pack folders, or names of standard packs")->required();
  command->add_option("--run", options->run, "only tests whose name contains this text");
  auto* list = command->add_flag("--list", options->list, "list the tests, run none");
  command->add_flag("--show-set", options->show_set, "print the observation set of one test for `attrc run`, run none")
      ->excludes(list);
  AddEngineOptions(*command, options->engine);
  command->footer(
      "exit codes: 0 all passed, 1 a test failed or there is none, 2 usage, 3 the pack or an incident cannot be read");
  return {command, [options] { return Test(*options); }};
}

Command AddExplain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand("explain", "say why the verdict is what it is, and why a rule did not speak");
  command->add_option("pack", options->pack, "std, a compiled .attrpack file or a pack folder")->required();
  AddPaths(*command, options->paths);
  command->add_option("--rule", options->rules, "a rule to answer for, by its name; may be given several times")
      ->allow_extra_args(false);
  AddAttempt(*command, options->attempt);
  AddReportForm(*command, options->format, options->colour, options->width);
  command->add_option("--threads", options->threads, "threads for matching; the answer is the same")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->footer("exit codes: 0 explained; 2 usage, no such rule; 3 unreadable or malformed input");
  return {command, [options] { return Explain(*options); }};
}

Command AddInspect(CLI::App& app) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand("inspect", "show what a pack holds, or what became of one rule");
  command->add_option("pack", options->pack, "std, a compiled .attrpack file or a pack folder")->capture_default_str();
  command->add_option("--rule", options->rule, "one rule, by its name");
  command->add_option("--emit", options->emit, "ast (folders and standard packs), plan, llvm or asm")
      ->check(CLI::IsMember({"ast", "plan", "llvm", "asm"}));
  command->footer("exit codes: 0 shown, 2 no such rule, 3 the pack cannot be read or is refused");
  return {command, [options] { return Inspect(*options); }};
}

/// An option nobody knows is the mistake to name, even where an argument is also missing.
bool HasUnknownOption(const CLI::App& app) {
  const std::vector<std::string> rest = app.remaining(/*recurse=*/true);
  return std::any_of(rest.begin(), rest.end(),
                     [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
}

/// `attrc chek x`: the word that is no command, and the command that was meant.
std::string UnknownCommand(const CLI::App& app) {
  if (!app.get_subcommands().empty()) return {};
  const std::vector<std::string> rest = app.remaining();
  const auto word =
      std::find_if(rest.begin(), rest.end(), [](const std::string& w) { return w.empty() || w[0] != '-'; });
  if (word == rest.end()) return {};
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  const std::string_view near = diagnostics::NearestName(*word, {names.begin(), names.end()});
  std::string out = "attrc: there is no command `" + diagnostics::EscapeForTerminal(*word) + "`\n";
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return out + (near.empty() ? "commands: " + all : "did you mean `" + std::string(near) + "`?") + "\n";
}

/// Help and version are output as any other: a full disk is an error.
int Answer(const CLI::App& app, const CLI::ParseError& error) {
  const std::string unknown = error.get_exit_code() == 0 ? "" : UnknownCommand(app);
  if (!unknown.empty()) {
    WriteError(unknown);
    return kUsage;
  }
  std::ostringstream out, err;
  const int code = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && HasUnknownOption(app)
                       ? app.exit(CLI::ExtrasError(app.get_name(), app.remaining(true)), out, err)
                       : app.exit(error, out, err);
  WriteError(err.str());
  const int written = WriteOut(out.str());
  return code != 0 ? kUsage : written;
}

}  // namespace

int Dispatch(int argc, char** argv) {
  CLI::App app(kDescription, "attrc");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", VersionText());
  const std::vector<Command> commands = {AddCheck(app),   AddCompile(app), AddRun(app),
                                         AddExplain(app), AddTest(app),    AddInspect(app)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return Answer(app, error);
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.action();
  }
  return kUsage;
}

}  // namespace attr::cli
