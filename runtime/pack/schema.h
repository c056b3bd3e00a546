// The layout of format version 1 in one number: a build that lays out any
// section otherwise refuses the file instead of misreading it.
#pragma once

#include <cstdint>
#include <string>

namespace attr::pack {

inline constexpr uint32_t kSectionCount = 15;

/// Every section's layout as text, and the sizes of the closed lists.
std::string SchemaText();
/// FNV-1a, 64 bits, of the text.
uint64_t SchemaHash();
std::string HexOf(uint64_t value);

}  // namespace attr::pack
