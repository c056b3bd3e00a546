// attrc: arguments, files and exit codes; what it does lives in compiler/ and runtime/.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/version.h"

namespace attr::cli {
namespace {

constexpr const char* kDescription =
    "attrc tells where a distributed training job failed, not where it stopped.\n"
    "It compiles rule packs of the attribution language and evaluates them against\n"
    "the normalized observations of one workload attempt.";
constexpr const char* kFooter =
    "exit codes: 0 clean, 1 findings or failed tests, 2 usage, 3 input, 4 internal error\n"
    "start with:  attrc run --pack std examples/nvlink-signal-integrity/observations.ndjson";

struct Registered {
  CLI::App* app;
  Action action;
};

int Dispatch(int argc, char** argv) {
  CLI::App app(kDescription, "attrc");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", VersionText());
  using Add = Action (*)(CLI::App&);
  std::vector<Registered> commands;
  for (Add add : {AddCheck, AddCompile, AddRun, AddTest, AddInspect}) {
    size_t before = app.get_subcommands([](CLI::App*) { return true; }).size();
    Action action = add(app);
    commands.push_back({app.get_subcommands([](CLI::App*) { return true; })[before], std::move(action)});
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kClean : kUsage;
  }
  for (const Registered& command : commands) {
    if (command.app->parsed()) return command.action();
  }
  return kUsage;
}

}  // namespace
}  // namespace attr::cli

int main(int argc, char** argv) {
  try {
    return attr::cli::Dispatch(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "attrc: internal error: %s\nplease report this with the command and its input\n",
                 error.what());
    return attr::cli::kInternal;
  }
}
