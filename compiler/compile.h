// The compiler's front door: a pack folder (or the embedded standard packs) to a
// linked plan and test cases. All errors of all files in one run.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/syntax/ast.h"
#include "compiler/testing/test_case.h"
#include "runtime/base/result.h"
#include "runtime/plan/plan.h"

namespace attr::compiler {

/// One file of a pack as read from a folder or from the binary itself.
struct PackFile {
  std::string path;  // display path
  std::string text;
};
struct PackSource {
  std::string name;                        // folder or pack name, for messages
  std::vector<PackFile> rules;             // `.attr`, byte order of path
  std::map<std::string, PackFile> tables;  // by file name relative to the pack
  std::string root;                        // folder on disk; empty for embedded packs
};

/// Finds an imported pack ("std.gpu"); nullopt: unknown. `Names` lists what exists.
struct Importer {
  std::function<std::optional<PackSource>(const std::string&)> load;
  std::vector<std::string> names;
};

struct Compilation {
  diagnostics::SourceMap sources;
  diagnostics::Sink sink;
  std::vector<syntax::File> files;       // of the root pack, then of imports
  size_t root_files = 0;                 // files[0 .. root_files) are the root pack's
  std::optional<plan::Plan> plan;        // absent after an error
  std::vector<testing::TestCase> tests;  // of the root pack, in file order
  Compilation() = default;
  Compilation(Compilation&&) = default;
};

struct CompileOptions {
  /// Nanoseconds since the Unix epoch: an `allow … until` of an earlier day is over. Without
  /// it none ends: what a pack compiles to depends on no clock, and only `attrc check` asks.
  std::optional<int64_t> today;
};

Compilation Compile(const PackSource& pack, const Importer& importer, const CompileOptions& options = {});

/// Reads a pack folder from disk. Errors go to the result, not to a sink.
Result<PackSource> ReadPackFolder(const std::string& path);

}  // namespace attr::compiler
