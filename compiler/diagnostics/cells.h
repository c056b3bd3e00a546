// Text as terminal cells: what a piece of a source line looks like, escaped, and
// how wide it is. Used by render.cc only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attr::diagnostics {

/// One code point, or one byte where the text is not UTF-8.
struct Cell {
  size_t offset = 0;  // byte in the text
  size_t bytes = 0;
  std::string shown;  // printable text
  size_t width = 0;   // terminal columns of `shown`
};

/// Tabs become four blanks each.
std::vector<Cell> ToCells(std::string_view text);

}  // namespace attr::diagnostics
