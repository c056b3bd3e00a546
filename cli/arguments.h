// The command line as a whole: every command and option, and --help. The only
// file that includes CLI11, which takes longer to compile than all commands.
#pragma once

namespace attr::cli {

/// Parses, runs the chosen command and returns its exit code.
int Dispatch(int argc, char** argv);

}  // namespace attr::cli
