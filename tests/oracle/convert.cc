// Captures and attributes to typed values (language.md section 3, Fields).
#include <array>
#include <charconv>
#include <cmath>

#include "runtime/model/time_text.h"
#include "tests/oracle/value.h"

namespace attr::oracle {

namespace {

using Wide = __int128;

struct ReadUnit {
  std::string_view name;
  int64_t counts;
};
constexpr int64_t kMs = 1'000'000;
constexpr std::array<ReadUnit, 7> kDurations = {{{"ns", 1},
                                                 {"us", 1000},
                                                 {"ms", kMs},
                                                 {"s", 1000 * kMs},
                                                 {"m", 60'000 * kMs},
                                                 {"h", 3'600'000 * kMs},
                                                 {"d", 86'400'000 * kMs}}};
constexpr std::array<ReadUnit, 9> kSizes = {{{"B", 1},
                                             {"KiB", int64_t{1} << 10},
                                             {"MiB", int64_t{1} << 20},
                                             {"GiB", int64_t{1} << 30},
                                             {"TiB", int64_t{1} << 40},
                                             {"KB", 1000},
                                             {"MB", 1'000'000},
                                             {"GB", 1'000'000'000},
                                             {"TB", 1'000'000'000'000}}};

Value Fit(Type type, Wide value) {
  if (value < INT64_MIN || value > INT64_MAX) return Missing(type);
  return Number(type, static_cast<int64_t>(value));
}

/// A decimal number of at most 18 digits a side, whole and fraction apart.
struct Decimal {
  int64_t whole = 0, part = 0, scale = 1;
  size_t length = 0;  // 0: there is none
};
Decimal ReadDecimal(std::string_view text) {
  Decimal out;
  size_t i = 0;
  while (i < text.size() && text[i] >= '0' && text[i] <= '9' && i < 18) out.whole = out.whole * 10 + (text[i++] - '0');
  if (i == 0) return out;
  if (i < text.size() && text[i] == '.') {
    const size_t point = i++;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9' && out.scale < 1'000'000'000'000'000; ++i) {
      out.part = out.part * 10 + (text[i] - '0');
      out.scale *= 10;
    }
    if (i == point + 1) return {};
  }
  out.length = i;
  return out;
}
Wide Times(const Decimal& d, int64_t unit) { return Wide{d.whole} * unit + Wide{d.part} * unit / d.scale; }

template <size_t N>
int64_t CountsOf(const std::array<ReadUnit, N>& units, std::string_view name) {
  for (const ReadUnit& unit : units) {
    if (unit.name == name) return unit.counts;
  }
  return 0;
}

Value ReadDuration(std::string_view text, int64_t unit) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty()) return Missing(Type::kDuration);
  const Decimal bare = ReadDecimal(text);
  Wide total = 0;
  if (bare.length == text.size()) {
    total = Times(bare, unit);
  } else {
    while (!text.empty()) {
      const Decimal number = ReadDecimal(text);
      if (number.length == 0) return Missing(Type::kDuration);
      text.remove_prefix(number.length);
      if (!text.empty() && text[0] == ' ') text.remove_prefix(1);
      const size_t end = std::min(text.find_first_of("0123456789 .-"), text.size());
      const int64_t counts = CountsOf(kDurations, text.substr(0, end));
      if (counts == 0) return Missing(Type::kDuration);
      total += Times(number, counts);
      text.remove_prefix(end);
    }
  }
  return Fit(Type::kDuration, negative ? -total : total);
}

Value ReadSize(std::string_view text, int64_t unit) {
  const Decimal number = ReadDecimal(text);
  if (number.length == 0) return Missing(Type::kSize);
  text.remove_prefix(number.length);
  if (text.empty()) return Fit(Type::kSize, Times(number, unit));
  if (text[0] == ' ') text.remove_prefix(1);
  const int64_t counts = CountsOf(kSizes, text);
  return counts == 0 ? Missing(Type::kSize) : Fit(Type::kSize, Times(number, counts));
}

Value ReadTime(std::string_view text, int64_t unit) {
  if (const auto moment = model::ParseRfc3339(text)) return Number(Type::kTime, moment->lo);
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  const Decimal number = ReadDecimal(text);
  if (number.length == 0 || number.length != text.size()) return Missing(Type::kTime);
  return Fit(Type::kTime, negative ? -Times(number, unit) : Times(number, unit));
}

Value ReadBool(std::string_view text) {
  std::string lower;
  for (char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  for (const char* yes : {"true", "yes", "on", "1"}) {
    if (lower == yes) return Number(Type::kBool, 1);
  }
  for (const char* no : {"false", "no", "off", "0"}) {
    if (lower == no) return Number(Type::kBool, 0);
  }
  return Missing(Type::kBool);
}

/// Decimal, leading zeros allowed; `0x` is hexadecimal; no octal.
Value ReadInteger(Type type, std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (hex) text.remove_prefix(2);
  Wide value = 0;
  for (char c : text) {
    int digit = c >= '0' && c <= '9' ? c - '0' : 99;
    if (hex && c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    if (hex && c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    if (digit == 99) return Missing(type);
    value = value * (hex ? 16 : 10) + digit;
    if (value > Wide{1} << 70) return Missing(type);
  }
  if (text.empty()) return Missing(type);
  Value out = Fit(type, negative ? -value : value);
  return type == Type::kRank && out.number < 0 ? Missing(type) : out;
}

Value ReadReal(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return Missing(Type::kFloat);
  return Real(value);
}

}  // namespace

Value FromText(Type type, std::string_view text, int64_t unit) {
  switch (type) {
    case Type::kBool:
      return ReadBool(text);
    case Type::kInt:
    case Type::kRank:
      return ReadInteger(type, text);
    case Type::kFloat:
      return ReadReal(text);
    case Type::kTime:
      return ReadTime(text, unit);
    case Type::kDuration:
      return ReadDuration(text, unit);
    case Type::kSize:
      return ReadSize(text, unit);
    case Type::kText:
      return Text(type, std::string(text));
    default:
      return text.empty() ? Missing(type) : Text(type, std::string(text));
  }
}

Value FromInteger(Type type, int64_t number, int64_t unit) {
  switch (type) {
    case Type::kBool:
      return number == 0 || number == 1 ? Number(type, number) : Missing(type);
    case Type::kInt:
      return Number(type, number);
    case Type::kFloat:
      return Real(static_cast<double>(number));
    case Type::kTime:
    case Type::kDuration:
      return Fit(type, Wide{number} * unit);
    case Type::kSize:
      return number < 0 ? Missing(type) : Fit(type, Wide{number} * unit);
    case Type::kRank:
      return number < 0 ? Missing(type) : Number(type, number);
    default:
      return FromText(type, std::to_string(number), unit);
  }
}

Value FromReal(Type type, double real, int64_t unit) {
  if (type == Type::kFloat) return Real(real);
  if (IsTextLike(type)) return FromText(type, NumberAsText(real), unit);
  constexpr double kEdge = 9223372036854775808.0;
  if (!(real > -kEdge && real < kEdge)) return Missing(type);
  if (real == std::trunc(real)) return FromInteger(type, static_cast<int64_t>(real), unit);
  const bool counted = type == Type::kTime || type == Type::kDuration || (type == Type::kSize && real >= 0);
  if (!counted) return Missing(type);
  const double scaled = real * static_cast<double>(unit);
  return scaled > -kEdge && scaled < kEdge ? Number(type, static_cast<int64_t>(scaled)) : Missing(type);
}

}  // namespace attr::oracle
