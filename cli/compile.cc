// attrc compile: a pack folder to one .attrpack file.
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/pack_argument.h"

namespace attr::cli {

namespace {

struct Options {
  std::string pack;
  std::string output;
};

std::string DefaultOutput(const std::string& folder) {
  std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();
  std::string name = path.filename().string();
  return (name.empty() || name == "." || name == ".." ? "pack" : name) + ".attrpack";
}

int Compile(const Options& options) {
  auto compilation = CompileArgument(options.pack);
  if (!compilation) return Fail(compilation.error());
  ReportDiagnostics(*compilation);
  if (!compilation->plan) return kFindings;
  std::string output = options.output.empty() ? DefaultOutput(options.pack) : options.output;
  auto saved = pack::Save(*compilation->plan, output);
  return saved ? kClean : Fail(saved.error());
}

}  // namespace

Action AddCompile(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compile", "compile a pack folder, with its imports, to one file");
  command->add_option("pack", options->pack, "pack folder, or the name of a standard pack")->required();
  command->add_option("-o,--output", options->output, "file to write (default: the folder's name with .attrpack)");
  command->footer("exit codes: 0 written, 1 errors in the pack, 3 cannot read or write");
  return [options] { return Compile(*options); };
}

}  // namespace attr::cli
