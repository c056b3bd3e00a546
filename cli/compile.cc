// attrc compile: a pack folder to one .attrpack file.
#include <filesystem>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/pack_argument.h"

namespace attr::cli {

namespace {

std::string DefaultOutput(const std::string& folder) {
  std::error_code ignored;
  std::filesystem::path path = std::filesystem::absolute(folder, ignored).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();
  std::string name = path.filename().string();
  return (name.empty() || name == "." || name == ".." ? "pack" : name) + ".attrpack";
}

}  // namespace

int Compile(const CompileOptions& options) {
  auto compilation = CompileArgument(options.pack);
  if (!compilation) return Fail(compilation.error());
  ReportDiagnostics(*compilation);
  if (!compilation->plan) return kFindings;
  std::string output = options.output.empty() ? DefaultOutput(options.pack) : options.output;
  auto saved = pack::Save(*compilation->plan, output);
  return saved ? kClean : Fail(saved.error());
}

}  // namespace attr::cli
