#include "cli/pack_argument.h"

#include <unistd.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/console.h"
#include "compiler/diagnostics/render.h"
#include "compiler/standard/standard_packs.h"

namespace attr::cli {

namespace fs = std::filesystem;

namespace {

std::string ParentOf(const std::string& folder) {
  std::error_code ignored;
  fs::path path = fs::absolute(folder, ignored).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();
  return path.parent_path().string();
}

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

}  // namespace

compiler::Importer ImporterFor(const std::string& folder) {
  compiler::Importer standard = standard::StandardImporter();
  if (folder.empty()) return standard;
  compiler::Importer importer;
  importer.names = standard.names;
  importer.load = [standard,
                   parent = ParentOf(folder)](const std::string& name) -> std::optional<compiler::PackSource> {
    std::string beside = parent + "/" + name;
    if (IsFolder(beside)) {
      auto pack = compiler::ReadPackFolder(beside);
      if (pack) return std::move(*pack);
    }
    return standard.load(name);
  };
  return importer;
}

Result<compiler::Compilation> CompileArgument(const std::string& name, const compiler::CompileOptions& options) {
  if (IsFolder(name)) {
    auto pack = compiler::ReadPackFolder(name);
    if (!pack) return pack.error();
    return compiler::Compile(*pack, ImporterFor(name), options);
  }
  compiler::Importer importer = standard::StandardImporter();
  if (auto pack = importer.load(name)) return compiler::Compile(*pack, importer, options);
  std::error_code ignored;
  if (fs::exists(name, ignored)) {
    return Error{ErrorKind::kInput,
                 "a pack is a folder with a `pack.attr`, not a file",
                 name,
                 0,
                 {},
                 "name the folder that holds the rule files"};
  }
  return Error{ErrorKind::kInput, "no such pack folder or standard pack", name, 0, {}, "standard packs: " + [&] {
                 std::string list;
                 for (const std::string& known : importer.names) list += (list.empty() ? "" : ", ") + known;
                 return list;
               }()};
}

void ReportDiagnostics(const compiler::Compilation& compilation) {
  diagnostics::RenderOptions options;
  options.color = UseColour("auto", STDERR_FILENO);
  WriteError(diagnostics::RenderAll(compilation.sink.Sorted(), compilation.sources, options));
}

Result<pack::Pack> LoadPackArgument(const std::string& name) {
  if (name == "std") return pack::Decode(standard::StandardPack(), "std");
  std::error_code ignored;
  if (fs::is_regular_file(name, ignored)) return pack::Load(name);
  auto compilation = CompileArgument(name);
  if (!compilation) return compilation.error();
  ReportDiagnostics(*compilation);
  if (!compilation->plan) {
    return Error{ErrorKind::kInput, "the pack has errors", name, 0, {}, "run `attrc check " + name + "`"};
  }
  return pack::Decode(pack::Encode(*compilation->plan), name);
}

}  // namespace attr::cli
