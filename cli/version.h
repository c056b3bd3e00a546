#pragma once

#include <string>

namespace attr::cli {

/// "attrc 0.1.0 (language 1, pack format 1, LLVM 19.1.7)".
std::string VersionText();

}  // namespace attr::cli
