// The version of attrc, as --version, verdicts and cache keys say it.
#pragma once

#include <string_view>

namespace attr {
inline constexpr std::string_view kVersion = "0.1.0";
}  // namespace attr
