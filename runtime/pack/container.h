// The outside of a pack file: header, section table, checksums. Knows nothing of
// what the sections hold. Layout: docs/pack-format.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace attr::pack {

inline constexpr char kMagic[8] = {'\x89', 'A', 'T', 'R', '\r', '\n', '\x1a', '\n'};
inline constexpr uint32_t kFormatVersion = 1;
inline constexpr uint64_t kMaxFileBytes = 256ULL << 20;
inline constexpr uint32_t kMaxSections = 64;
inline constexpr uint32_t kRequired = 1;  // section flag: a reader that does not know it refuses the file

// Offsets in the header.
inline constexpr size_t kFormatAt = 8, kHeaderSizeAt = 12, kSchemaAt = 16, kLanguageAt = 24, kCountAt = 28,
                        kFileSizeAt = 32, kNameSizeAt = 40, kVersionSizeAt = 44, kShaAt = 48, kHeaderCrcAt = 80,
                        kReservedAt = 84, kTableAt = 88;
inline constexpr size_t kTableEntry = 32;

struct Section {
  uint32_t id = 0;
  uint32_t flags = kRequired;
  std::string_view bytes;
  size_t offset = 0;  // in the file; set by Open
};

struct Container {
  uint64_t schema = 0;
  uint32_t language = 1;
  std::string_view name, version;  // of the pack
  std::vector<Section> sections;   // ascending ids
};

std::string Seal(const Container& container);
/// Views into `bytes`. Checks everything but what the sections hold.
Result<Container> Open(std::string_view bytes, const std::string& file_name);

/// What every refusal of a damaged file advises.
Error Damaged(const std::string& file_name, std::string message);

}  // namespace attr::pack
