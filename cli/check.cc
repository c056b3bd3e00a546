// attrc check: every diagnostic of a pack, nothing written.
#include <unistd.h>

#include <memory>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/pack_argument.h"
#include "compiler/diagnostics/render.h"

namespace attr::cli {

namespace {

struct Options {
  std::vector<std::string> packs;
  std::string format = "human";
  std::string colour = "auto";
};

int CheckOne(const Options& options, const std::string& name) {
  auto compilation = CompileArgument(name);
  if (!compilation) return Fail(compilation.error());
  auto items = compilation->sink.Sorted();
  if (options.format == "json") {
    int written = WriteOut(diagnostics::RenderJsonLines(items, compilation->sources));
    if (written != kClean) return written;
  } else {
    diagnostics::RenderOptions render;
    render.color = UseColour(options.colour, STDOUT_FILENO);
    int written = WriteOut(diagnostics::RenderAll(items, compilation->sources, render));
    if (written != kClean) return written;
  }
  return compilation->sink.HasErrors() ? kFindings : kClean;
}

}  // namespace

Action AddCheck(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "report every mistake in a rule pack");
  command->add_option("pack", options->packs, "pack folders, or names of standard packs")->required();
  command->add_option("--format", options->format, "human or json (one object a line)")
      ->check(CLI::IsMember({"human", "json"}))
      ->capture_default_str();
  command->add_option("--color", options->colour, "auto, always or never; NO_COLOR is obeyed")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  command->footer("exit codes: 0 no error, 1 errors found, 3 the pack cannot be read");
  return [options] {
    int worst = kClean;
    for (const std::string& name : options->packs) worst = std::max(worst, CheckOne(*options, name));
    return worst;
  };
}

}  // namespace attr::cli
