#include "cli/version.h"

#include <fmt/format.h>

#include "runtime/jit/native_engine.h"
#include "runtime/version.h"

namespace attr::cli {

std::string VersionText() {
  return fmt::format("attrc {} (language {}, pack format {}, LLVM {})", kEngineVersion, kLanguageVersion, kPackFormat,
                     jit::LlvmVersion());
}

}  // namespace attr::cli
