#include "runtime/report/visible.h"

#include <fmt/format.h>

#include <cstdint>

#include "runtime/base/json_text.h"

namespace attr::report {

namespace {

struct Interval {
  uint32_t first, last;
};

// Controls, line separators, bidi controls and marks, zero width, byte order mark, tags.
constexpr Interval kHidden[] = {{0x7F, 0x9F},     {0xAD, 0xAD},     {0x61C, 0x61C},    {0x115F, 0x1160},
                                {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x200B, 0x200F},  {0x2028, 0x202E},
                                {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFE00, 0xFE0F},  {0xFEFF, 0xFEFF},
                                {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF}};
constexpr Interval kCombining[] = {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x64B, 0x65F},
                                   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE20, 0xFE2F}};
constexpr Interval kWide[] = {{0x1100, 0x115E},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xAC00, 0xD7A3},
                              {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},
                              {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

template <size_t N>
bool In(const Interval (&list)[N], uint32_t c) {
  for (const Interval& i : list) {
    if (c >= i.first && c <= i.last) return true;
  }
  return false;
}

uint32_t Decode(std::string_view text, size_t i, size_t length) {
  auto byte = [&](size_t k) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i + k])); };
  if (length == 1) return byte(0);
  uint32_t c = byte(0) & (0xFFU >> (length + 1));
  for (size_t k = 1; k < length; ++k) c = c << 6U | (byte(k) & 0x3FU);
  return c;
}

size_t Columns(uint32_t c) { return In(kCombining, c) ? 0 : In(kWide, c) ? 2 : 1; }

}  // namespace

std::string Visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    size_t length = Utf8SequenceLength(text, i);
    if (length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i++]));
      continue;
    }
    uint32_t c = Decode(text, i, length);
    if (c == '\t') {
      out += ' ';
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c < 0x20) {
      out += fmt::format("\\x{:02x}", c);
    } else if (In(kHidden, c)) {
      out += fmt::format("\\u{{{:x}}}", c);
    } else {
      out += text.substr(i, length);
    }
    i += length;
  }
  return out;
}

size_t ColumnsOf(std::string_view text) {
  size_t columns = 0;
  for (size_t i = 0; i < text.size();) {
    size_t length = Utf8SequenceLength(text, i);
    if (length == 0) length = 1;
    columns += Columns(Decode(text, i, length));
    i += length;
  }
  return columns;
}

size_t FittingPrefix(std::string_view text, size_t columns) {
  size_t i = 0;
  size_t used = 0;
  while (i < text.size()) {
    size_t length = Utf8SequenceLength(text, i);
    if (length == 0) length = 1;
    used += Columns(Decode(text, i, length));
    if (used > columns && i > 0) break;
    i += length;
  }
  return i;
}

}  // namespace attr::report
