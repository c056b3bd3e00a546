// The commands of attrc, one file each. A command adds its options to the
// parser and returns what to do when it is chosen; main.cc lists them once.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace attr::cli {

/// docs/exit-codes.md.
enum ExitCode : int { kClean = 0, kFindings = 1, kUsage = 2, kInput = 3, kInternal = 4 };

using Action = std::function<int()>;

Action AddCheck(CLI::App& app);
Action AddCompile(CLI::App& app);
Action AddRun(CLI::App& app);
Action AddTest(CLI::App& app);
Action AddInspect(CLI::App& app);

}  // namespace attr::cli
