// `--pack NAME`: a standard pack, a compiled pack file or a pack folder.
#pragma once

#include <string>

#include "compiler/compile.h"
#include "runtime/pack/pack.h"

namespace attr::cli {

/// Imports are looked for beside the pack's folder, then among the standard packs.
compiler::Importer ImporterFor(const std::string& folder);

/// The folder, or a standard pack by name; prints diagnostics to standard error.
Result<compiler::Compilation> CompileArgument(const std::string& name, const compiler::CompileOptions& options = {});

/// All of them, to standard error.
void ReportDiagnostics(const compiler::Compilation& compilation);

/// A plan ready to run. Diagnostics of a folder go to standard error.
Result<pack::Pack> LoadPackArgument(const std::string& name);

}  // namespace attr::cli
