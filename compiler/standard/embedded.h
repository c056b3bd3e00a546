// What build_standard writes: every file below stdlib-rules, and the pack of them.
#pragma once

#include <cstddef>
#include <string_view>

namespace attr::standard {

struct EmbeddedFile {
  std::string_view path;  // "std.gpu/xid.attr"
  std::string_view text;
};
extern const EmbeddedFile kEmbeddedFiles[];
extern const size_t kEmbeddedFileCount;
extern const std::string_view kEmbeddedPack;

}  // namespace attr::standard
