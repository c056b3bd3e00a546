// See cells.h. The forms are those of semantics.md S13: decimal with leading
// zeros, `0x` hex, no octal; quantities as the language writes them, or as a
// bare number in the column's unit.
#include "compiler/sema/cells.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "runtime/model/time_text.h"

namespace attr::sema {

namespace {

using plan::Type;

std::optional<int64_t> ParseInt(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  const uint64_t limit = static_cast<uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  if (magnitude > limit) return std::nullopt;
  return static_cast<int64_t>(negative ? ~magnitude + 1 : magnitude);
}

std::optional<double> ParseFloat(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<int64_t> Scaled(std::string_view number, int64_t unit) {
  int64_t result = 0;
  if (const auto integer = ParseInt(number)) {
    if (__builtin_mul_overflow(*integer, unit, &result)) return std::nullopt;
    return result;
  }
  const auto real = ParseFloat(number);
  if (!real) return std::nullopt;
  const double scaled = *real * static_cast<double>(unit);
  if (!(std::fabs(scaled) < 9.2e18)) return std::nullopt;
  return static_cast<int64_t>(scaled);
}

struct Suffix {
  std::string_view name;
  int64_t value;
};
constexpr std::array<Suffix, 7> kDurations = {{{"ns", 1},
                                               {"us", 1'000},
                                               {"ms", 1'000'000},
                                               {"s", plan::kSecond},
                                               {"m", 60 * plan::kSecond},
                                               {"h", 3600 * plan::kSecond},
                                               {"d", 86'400 * plan::kSecond}}};
constexpr std::array<Suffix, 9> kSizes = {{{"KiB", int64_t{1} << 10},
                                           {"MiB", int64_t{1} << 20},
                                           {"GiB", int64_t{1} << 30},
                                           {"TiB", int64_t{1} << 40},
                                           {"KB", 1'000},
                                           {"MB", 1'000'000},
                                           {"GB", 1'000'000'000},
                                           {"TB", 1'000'000'000'000},
                                           {"B", 1}}};

/// `1h30m`: numbers with units, one after the other.
std::optional<int64_t> ParseDuration(std::string_view text, int64_t unit) {
  if (const auto bare = Scaled(text, unit)) return bare;
  int64_t total = 0;
  while (!text.empty()) {
    const size_t digits = text.find_first_not_of("0123456789.");
    if (digits == 0 || digits == std::string_view::npos) return std::nullopt;
    const size_t next = std::min(text.find_first_of("0123456789", digits), text.size());
    const std::string_view suffix = text.substr(digits, next - digits);
    std::optional<int64_t> part;
    for (const Suffix& known : kDurations) {
      if (known.name == suffix) part = Scaled(text.substr(0, digits), known.value);
    }
    if (!part || __builtin_add_overflow(total, *part, &total)) return std::nullopt;
    text.remove_prefix(next);
  }
  return total;
}

std::optional<int64_t> ParseSize(std::string_view text, int64_t unit) {
  if (const auto bare = Scaled(text, unit)) return bare;
  for (const Suffix& known : kSizes) {
    if (text.size() > known.name.size() && text.substr(text.size() - known.name.size()) == known.name) {
      return Scaled(text.substr(0, text.size() - known.name.size()), known.value);
    }
  }
  return std::nullopt;
}

std::optional<int64_t> ParseSlot(Type type, int64_t unit, std::string_view text) {
  switch (type) {
    case Type::kBool:
      if (text == "true") return 1;
      if (text == "false") return 0;
      return std::nullopt;
    case Type::kInt:
      return ParseInt(text);
    case Type::kRank: {
      const auto rank = ParseInt(text);
      return rank && *rank >= 0 ? rank : std::nullopt;
    }
    case Type::kFloat: {
      const auto value = ParseFloat(text);
      return value ? std::optional(std::bit_cast<int64_t>(*value)) : std::nullopt;
    }
    case Type::kDuration:
      return ParseDuration(text, unit);
    case Type::kSize:
      return ParseSize(text, unit);
    default: {
      if (const auto stamp = model::ParseRfc3339(text)) return stamp->lo;
      return Scaled(text, unit);
    }
  }
}

}  // namespace

std::optional<Cell> ParseCell(Type type, int64_t unit, std::string_view text) {
  Cell cell;
  cell.present = true;
  if (plan::IsId(type)) {
    cell.text = std::string(text);
    return cell;
  }
  const std::optional<int64_t> slot = ParseSlot(type, unit, text);
  if (!slot) return std::nullopt;
  cell.slot = *slot;
  return cell;
}

}  // namespace attr::sema
