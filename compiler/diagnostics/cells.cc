#include "compiler/diagnostics/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "runtime/base/json_text.h"

namespace attr::diagnostics {
namespace {

struct Range {
  uint32_t first, last;
};

// Unicode 15 East Asian Width W and F, and emoji shown wide, in coarse blocks.
constexpr std::array kWide = {
    Range{0x1100, 0x115f},   Range{0x231a, 0x231b},   Range{0x2e80, 0x303e},   Range{0x3041, 0x33ff},
    Range{0x3400, 0x4dbf},   Range{0x4e00, 0x9fff},   Range{0xa000, 0xa4cf},   Range{0xa960, 0xa97f},
    Range{0xac00, 0xd7a3},   Range{0xf900, 0xfaff},   Range{0xfe30, 0xfe6f},   Range{0xff00, 0xff60},
    Range{0xffe0, 0xffe6},   Range{0x1f300, 0x1f64f}, Range{0x1f680, 0x1f6ff}, Range{0x1f900, 0x1f9ff},
    Range{0x20000, 0x3fffd},
};
constexpr std::array kZeroWidth = {
    Range{0x0300, 0x036f}, Range{0x0483, 0x0489}, Range{0x0591, 0x05bd}, Range{0x064b, 0x065f}, Range{0x1ab0, 0x1aff},
    Range{0x1dc0, 0x1dff}, Range{0x20d0, 0x20ff}, Range{0xfe00, 0xfe0f}, Range{0xfe20, 0xfe2f},
};
// Invisible or order-changing: a reader must see that they are there.
constexpr std::array kEscaped = {
    Range{0x0000, 0x001f}, Range{0x007f, 0x009f}, Range{0x00ad, 0x00ad}, Range{0x061c, 0x061c},   Range{0x200b, 0x200f},
    Range{0x2028, 0x202e}, Range{0x2060, 0x206f}, Range{0xfeff, 0xfeff}, Range{0xe0000, 0xe007f},
};

template <size_t N>
bool In(const std::array<Range, N>& ranges, uint32_t point) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& r) { return point >= r.first && point <= r.last; });
}

uint32_t Decode(std::string_view s) {
  auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(s[i])); };
  switch (s.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1fU) << 6U | (byte(1) & 0x3fU);
    case 3:
      return (byte(0) & 0x0fU) << 12U | (byte(1) & 0x3fU) << 6U | (byte(2) & 0x3fU);
    default:
      return (byte(0) & 0x07U) << 18U | (byte(1) & 0x3fU) << 12U | (byte(2) & 0x3fU) << 6U | (byte(3) & 0x3fU);
  }
}

}  // namespace

std::vector<Cell> ToCells(std::string_view text) {
  std::vector<Cell> cells;
  for (size_t at = 0; at < text.size();) {
    const size_t length = Utf8SequenceLength(text, at);
    Cell cell;
    cell.offset = at;
    cell.bytes = std::max<size_t>(length, 1);
    if (length == 0) {
      cell.shown = fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
    } else {
      std::string_view piece = text.substr(at, length);
      const uint32_t point = Decode(piece);
      if (point == '\t') {
        cell.shown = "    ";
      } else if (point == '\n') {
        cell.shown = "\\n";
      } else if (point == '\r') {
        cell.shown = "\\r";
      } else if (In(kEscaped, point)) {
        cell.shown = point < 0x100 ? fmt::format("\\x{:02x}", point) : fmt::format("\\u{{{:x}}}", point);
      } else {
        cell.shown = std::string(piece);
        cell.width = In(kWide, point) ? 2 : In(kZeroWidth, point) ? 0 : 1;
        at += cell.bytes;
        cells.push_back(std::move(cell));
        continue;
      }
    }
    cell.width = cell.shown.size();  // escapes are ASCII
    at += cell.bytes;
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace attr::diagnostics
