// attrc: arguments, files and exit codes; what it does lives in compiler/ and runtime/.
#include <cstdio>
#include <exception>

#include "cli/arguments.h"
#include "cli/commands.h"

int main(int argc, char** argv) {
  try {
    return attr::cli::Dispatch(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "attrc: internal error: %s\nplease report this with the command and its input\n",
                 error.what());
    return attr::cli::kInternal;
  }
}
