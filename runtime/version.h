// Versions that documents and caches carry. The engine's goes with the project's.
#pragma once

#include <cstdint>
#include <string_view>

namespace attr {

inline constexpr std::string_view kEngineVersion = "0.1.0";
inline constexpr uint32_t kLanguageVersion = 1;
inline constexpr uint32_t kPackFormat = 1;

}  // namespace attr
