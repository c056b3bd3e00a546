// Conversions. Everything is exact integer arithmetic with checks, but float
// itself; no locale takes part.
#include "runtime/match/convert.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "runtime/model/time_text.h"

namespace attr::match {

namespace {

using Wide = __int128;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Eight digits at once, the first in the lowest byte; nothing if one is no digit.
std::optional<int64_t> EightDigits(uint64_t bytes) {
  constexpr uint64_t kHigh = 0xF0F0F0F0F0F0F0F0U;
  const uint64_t carried = ((bytes + 0x0606060606060606U) & kHigh) >> 4;
  if (((bytes & kHigh) | carried) != 0x3333333333333333U) return std::nullopt;
  bytes = ((bytes & 0x0F0F0F0F0F0F0F0FU) * 2561) >> 8;              // 10 a + b
  bytes = ((bytes & 0x00FF00FF00FF00FFU) * 6553601) >> 16;          // 100 a + b
  bytes = ((bytes & 0x0000FFFF0000FFFFU) * 42949672960001U) >> 32;  // 10000 a + b
  return static_cast<int64_t>(bytes);
}

/// What nearly every number in a log is: up to 18 digits and nothing else.
std::optional<int64_t> ShortDecimal(std::string_view text) {
  const size_t size = text.size();
  if (std::endian::native == std::endian::little && size >= 4 && size <= 8) {
    uint32_t first = 0, last = 0;  // they overlap, and agree where they do
    std::memcpy(&first, text.data(), 4);
    std::memcpy(&last, text.data() + size - 4, 4);
    const uint64_t bytes = first | uint64_t{last} << (8 * (size - 4));
    if (size == 8) return EightDigits(bytes);
    return EightDigits(bytes << (64 - 8 * size) | 0x3030303030303030U >> (8 * size));
  }
  if (size == 0 || size > 18) return std::nullopt;
  int64_t value = 0;
  for (const char c : text) {
    if (!IsDigit(c)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

/// The same as a number of `unit`s; also nothing when that is too much.
std::optional<int64_t> ShortCount(std::string_view text, int64_t unit) {
  std::optional<int64_t> value = ShortDecimal(text);
  if (value && __builtin_mul_overflow(*value, unit, &*value)) return std::nullopt;
  return value;
}

std::optional<int64_t> Narrow(Wide value) {
  if (value < INT64_MIN || value > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(value);
}

/// Reads digits[.digits] at `i` and gives it times `unit`; parts below one count are dropped.
std::optional<Wide> ReadScaled(std::string_view text, size_t& i, int64_t unit) {
  constexpr Wide kTooMuch = Wide{1} << 62;
  const size_t begin = i;
  Wide whole = 0;
  for (; i < text.size() && IsDigit(text[i]); ++i) {
    whole = whole * 10 + (text[i] - '0');
    if (whole > kTooMuch) return std::nullopt;
  }
  if (i == begin) return std::nullopt;
  Wide value = whole * unit;
  if (i < text.size() && text[i] == '.') {
    const size_t point = ++i;
    Wide part = 0;
    Wide scale = 1;
    for (; i < text.size() && IsDigit(text[i]); ++i) {
      if (scale >= 1'000'000'000'000'000'000) continue;
      part = part * 10 + (text[i] - '0');
      scale *= 10;
    }
    if (i == point) return std::nullopt;
    value += part * unit / scale;
  }
  return value;
}

struct Unit {
  std::string_view name;
  int64_t counts;
};

constexpr int64_t kMilli = 1'000'000;
constexpr Unit kTimeUnits[] = {{"ns", 1},
                               {"us", 1000},
                               {"\xC2\xB5s", 1000},
                               {"ms", kMilli},
                               {"s", 1000 * kMilli},
                               {"m", 60'000 * kMilli},
                               {"h", 3'600'000 * kMilli},
                               {"d", 86'400'000 * kMilli}};
constexpr Unit kSizeUnits[] = {{"B", 1},
                               {"KiB", int64_t{1} << 10},
                               {"MiB", int64_t{1} << 20},
                               {"GiB", int64_t{1} << 30},
                               {"TiB", int64_t{1} << 40},
                               {"KB", 1000},
                               {"kB", 1000},
                               {"MB", 1'000'000},
                               {"GB", 1'000'000'000},
                               {"TB", 1'000'000'000'000}};

template <size_t N>
std::optional<int64_t> UnitOf(const Unit (&units)[N], std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return unit.counts;
  return std::nullopt;
}

std::string_view UnitWord(std::string_view text, size_t& i) {
  const size_t begin = i;
  while (i < text.size() && !IsDigit(text[i]) && text[i] != ' ' && text[i] != '.' && text[i] != '-') ++i;
  return text.substr(begin, i - begin);
}

/// "600s", "1h30m", "2.5ms", "10 s", or a bare number of `unit`s.
std::optional<int64_t> ParseDuration(std::string_view text, int64_t unit) {
  if (const auto count = ShortCount(text, unit)) return count;
  const bool negative = !text.empty() && text[0] == '-';
  size_t i = negative ? 1 : 0;
  Wide total = 0;
  bool bare = false;
  if (i == text.size()) return std::nullopt;
  while (i < text.size()) {
    if (bare) return std::nullopt;
    const size_t begin = i;
    size_t probe = i;
    if (!ReadScaled(text, probe, 1)) return std::nullopt;
    size_t after = probe;
    if (after < text.size() && text[after] == ' ') ++after;
    const std::string_view word = UnitWord(text, after);
    bare = word.empty();
    if (bare && (begin != (negative ? 1U : 0U) || probe != text.size())) return std::nullopt;
    const std::optional<int64_t> counts = bare ? unit : UnitOf(kTimeUnits, word);
    if (!counts) return std::nullopt;
    i = begin;
    const std::optional<Wide> part = ReadScaled(text, i, *counts);
    if (!part) return std::nullopt;
    total += *part;
    if (total > INT64_MAX) return std::nullopt;
    i = after;
  }
  return Narrow(negative ? -total : total);
}

std::optional<int64_t> ParseSize(std::string_view text, int64_t unit) {
  if (const auto count = ShortCount(text, unit)) return count;
  size_t probe = 0;
  if (!ReadScaled(text, probe, 1)) return std::nullopt;
  size_t after = probe;
  if (after < text.size() && text[after] == ' ') ++after;
  const std::string_view word = text.substr(after);
  if (word.empty() && after != probe) return std::nullopt;
  const std::optional<int64_t> counts = word.empty() ? unit : UnitOf(kSizeUnits, word);
  if (!counts) return std::nullopt;
  size_t i = 0;
  const std::optional<Wide> value = ReadScaled(text, i, *counts);
  return value ? Narrow(*value) : std::nullopt;
}

std::optional<int64_t> ParseTime(std::string_view text, int64_t unit) {
  if (const auto moment = model::ParseRfc3339(text)) return moment->lo;
  const bool negative = !text.empty() && text[0] == '-';
  size_t i = negative ? 1 : 0;
  const std::optional<Wide> value = ReadScaled(text, i, unit);
  if (!value || i != text.size()) return std::nullopt;
  return Narrow(negative ? -*value : *value);
}

std::optional<int64_t> ParseBool(std::string_view text) {
  std::string lower;
  for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (lower == "true" || lower == "yes" || lower == "on" || lower == "1") return 1;
  if (lower == "false" || lower == "no" || lower == "off" || lower == "0") return 0;
  return std::nullopt;
}

std::optional<int64_t> FloatSlot(double value) {
  if (std::isnan(value)) return std::nullopt;
  return std::bit_cast<int64_t>(value);
}

std::optional<int64_t> ParseFloat(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return FloatSlot(value);
}

std::optional<int64_t> Rank(std::optional<int64_t> value) { return value && *value >= 0 ? value : std::nullopt; }

}  // namespace

std::optional<int64_t> ParseInt(std::string_view text) {
  if (const auto value = ShortDecimal(text)) return value;
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return Narrow(negative ? -Wide{magnitude} : Wide{magnitude});
}

std::optional<int64_t> ConvertText(plan::Type type, std::string_view text, int64_t unit) {
  switch (type) {
    case plan::Type::kBool:
      return ParseBool(text);
    case plan::Type::kInt:
      return ParseInt(text);
    case plan::Type::kFloat:
      return ParseFloat(text);
    case plan::Type::kTime:
      return ParseTime(text, unit);
    case plan::Type::kDuration:
      return ParseDuration(text, unit);
    case plan::Type::kSize:
      return ParseSize(text, unit);
    case plan::Type::kRank:
      return Rank(ParseInt(text));
    default:
      return std::nullopt;
  }
}

std::optional<int64_t> ConvertInt(plan::Type type, int64_t value, int64_t unit) {
  switch (type) {
    case plan::Type::kBool:
      return value == 0 || value == 1 ? std::optional(value) : std::nullopt;
    case plan::Type::kInt:
      return value;
    case plan::Type::kFloat:
      return FloatSlot(static_cast<double>(value));
    case plan::Type::kTime:
    case plan::Type::kDuration:
      return Narrow(Wide{value} * unit);
    case plan::Type::kSize:
      return value >= 0 ? Narrow(Wide{value} * unit) : std::nullopt;
    case plan::Type::kRank:
      return Rank(value);
    default:
      return std::nullopt;
  }
}

std::optional<int64_t> ConvertFloat(plan::Type type, double value, int64_t unit) {
  if (type == plan::Type::kFloat) return FloatSlot(value);
  constexpr double kEdge = 9223372036854775808.0;  // 2^63
  if (!(value > -kEdge && value < kEdge)) return std::nullopt;
  if (value == std::trunc(value)) return ConvertInt(type, static_cast<int64_t>(value), unit);
  const bool counts = type == plan::Type::kTime || type == plan::Type::kDuration || type == plan::Type::kSize;
  if (!counts || (type == plan::Type::kSize && value < 0)) return std::nullopt;
  const double scaled = value * static_cast<double>(unit);
  if (!(scaled > -kEdge && scaled < kEdge)) return std::nullopt;
  return static_cast<int64_t>(scaled);
}

std::string NumberText(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53: whole numbers below print as such
  if (value == std::trunc(value) && std::abs(value) < kExact) return fmt::format("{}", static_cast<int64_t>(value));
  return fmt::format("{}", value);
}

std::string SlotText(plan::Type type, int64_t slot) {
  switch (type) {
    case plan::Type::kBool:
      return slot != 0 ? "true" : "false";
    case plan::Type::kFloat:
      return NumberText(std::bit_cast<double>(slot));
    case plan::Type::kTime:
      return model::FormatRfc3339(slot, 1);
    case plan::Type::kDuration:
      return model::FormatDuration(slot);
    default:
      return fmt::format("{}", slot);
  }
}

}  // namespace attr::match
