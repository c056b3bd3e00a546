#include "compiler/syntax/literals.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace attr::syntax {
namespace {

using diagnostics::Code;

constexpr int64_t kSecond = 1'000'000'000;

struct Unit {
  std::string_view name;
  int64_t factor;
};
constexpr std::array kDurationUnits = {
    Unit{"ns", 1},           Unit{"us", 1'000},         Unit{"ms", 1'000'000},          Unit{"s", kSecond},
    Unit{"m", 60 * kSecond}, Unit{"h", 3600 * kSecond}, Unit{"d", 24 * 3600 * kSecond},
};
constexpr std::array kSizeUnits = {
    Unit{"B", 1},
    Unit{"KiB", int64_t{1} << 10},
    Unit{"MiB", int64_t{1} << 20},
    Unit{"GiB", int64_t{1} << 30},
    Unit{"TiB", int64_t{1} << 40},
    Unit{"KB", 1'000},
    Unit{"MB", 1'000'000},
    Unit{"GB", 1'000'000'000},
    Unit{"TB", 1'000'000'000'000},
};

template <size_t N>
int64_t Factor(const std::array<Unit, N>& units, std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return unit.factor;
  }
  return 0;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view TakeDigits(std::string_view& text) {
  size_t n = 0;
  while (n < text.size() && IsDigit(text[n])) ++n;
  std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

bool ToUnsigned(std::string_view digits, uint64_t& value, int base = 10) {
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return error == std::errc() && end == digits.data() + digits.size();
}

// Two-digit fields of a time that has passed the lexer.
int64_t Number(std::string_view digits) {
  uint64_t value = 0;
  ToUnsigned(digits, value);
  return static_cast<int64_t>(value);
}

// Nanoseconds of the digits behind a point, and what the last one stands for; digits beyond nine are dropped.
void Fraction(std::string_view digits, int64_t& nanos, int64_t& precision) {
  nanos = 0;
  precision = kSecond;
  for (char c : digits.substr(0, 9)) {
    precision /= 10;
    nanos += (c - '0') * precision;
  }
}

// Howard Hinnant's days_from_civil, http://howardhinnant.github.io/date_algorithms.html
int64_t DaysFromCivil(int64_t y, int64_t m, int64_t d) {
  y -= m <= 2 ? 1 : 0;
  const int64_t era = y / 400;  // years are not negative here
  const int64_t yoe = y - era * 400;
  const int64_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
  const int64_t doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
  return era * 146097 + doe - 719468;
}

int64_t DaysInMonth(int64_t y, int64_t m) {
  constexpr std::array<int64_t, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
  return m == 2 && leap ? 29 : kDays[static_cast<size_t>(m - 1)];
}

void AppendUtf8(std::string& out, uint32_t point) {
  auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xc0U | point >> 6U);
    put(0x80U | (point & 0x3fU));
  } else if (point < 0x10000) {
    put(0xe0U | point >> 12U);
    put(0x80U | (point >> 6U & 0x3fU));
    put(0x80U | (point & 0x3fU));
  } else {
    put(0xf0U | point >> 18U);
    put(0x80U | (point >> 12U & 0x3fU));
    put(0x80U | (point >> 6U & 0x3fU));
    put(0x80U | (point & 0x3fU));
  }
}

}  // namespace

std::nullopt_t Literals::Fail(Code code, Span span, std::string message) {
  sink_.Add(code, span, std::move(message));
  return std::nullopt;
}

std::optional<int64_t> Literals::Integer(std::string_view text, Span span, bool negative) {
  const bool hex = text.size() > 2 && text[1] == 'x';
  uint64_t value = 0;
  const uint64_t limit = static_cast<uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  if (!ToUnsigned(hex ? text.substr(2) : text, value, hex ? 16 : 10) || value > limit) {
    return Fail(Code::kIntegerOutOfRange, span, fmt::format("`{}` does not fit in a signed 64-bit integer", text));
  }
  return static_cast<int64_t>(negative ? 0 - value : value);
}

std::optional<double> Literals::Float(std::string_view text, Span span, bool negative) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Fail(Code::kFloatOutOfRange, span, fmt::format("`{}` is not in the range of a double", text));
  }
  return negative ? -value : value;
}

std::optional<int64_t> Literals::Duration(std::string_view text, Span span, bool negative) {
  std::string_view rest = text;
  __int128 total = 0;
  while (!rest.empty()) {
    uint64_t value = 0;
    const bool fits = ToUnsigned(TakeDigits(rest), value);
    size_t n = 0;
    while (n < rest.size() && !IsDigit(rest[n])) ++n;
    const int64_t factor = Factor(kDurationUnits, rest.substr(0, n));
    rest.remove_prefix(n);
    total += static_cast<__int128>(value) * factor;
    if (!fits || total > INT64_MAX) {
      return Fail(Code::kDurationOverflow, span, fmt::format("`{}` is longer than a duration can be", text));
    }
  }
  return static_cast<int64_t>(negative ? -total : total);
}

std::optional<int64_t> Literals::Size(std::string_view text, Span span, bool negative) {
  std::string_view rest = text;
  uint64_t whole = 0;
  const bool fits = ToUnsigned(TakeDigits(rest), whole);
  std::string_view fraction;
  if (!rest.empty() && rest[0] == '.') {
    rest.remove_prefix(1);
    fraction = TakeDigits(rest);
  }
  const int64_t factor = Factor(kSizeUnits, rest);
  __int128 total = static_cast<__int128>(whole) * factor;
  __int128 scaled = 0;
  __int128 scale = 1;
  for (char c : fraction.substr(0, 18)) {
    scaled = scaled * 10 + (c - '0');
    scale *= 10;
  }
  total += scaled * factor / scale;
  if (!fits || total > INT64_MAX) {
    return Fail(Code::kSizeOverflow, span, fmt::format("`{}` is more than a size can hold", text));
  }
  return static_cast<int64_t>(negative ? -total : total);
}

std::optional<DateTimeValue> Literals::DateTime(std::string_view text, Span span) {
  auto bad = [&] { return Fail(Code::kBadDateTime, span, fmt::format("there is no such moment as `{}`", text)); };
  auto field = [&](size_t at, size_t n) { return Number(text.substr(at, n)); };
  const int64_t y = field(0, 4);
  const int64_t mo = field(5, 2);
  const int64_t d = field(8, 2);
  const int64_t h = field(11, 2);
  const int64_t mi = field(14, 2);
  const int64_t s = field(17, 2);
  if (mo < 1 || mo > 12 || d < 1 || d > DaysInMonth(y, mo) || h > 23 || mi > 59 || s > 59) return bad();
  DateTimeValue value;
  std::string_view rest = text.substr(19);
  int64_t fraction = 0;
  value.precision = kSecond;
  if (rest[0] == '.') {
    rest.remove_prefix(1);
    Fraction(TakeDigits(rest), fraction, value.precision);
  }
  int64_t offset = 0;  // minutes
  if (rest[0] != 'Z') {
    const int64_t oh = Number(rest.substr(1, 2));
    const int64_t om = Number(rest.substr(4, 2));
    if (oh > 23 || om > 59) return bad();
    offset = (oh * 60 + om) * (rest[0] == '-' ? -1 : 1);
  }
  __int128 seconds = DaysFromCivil(y, mo, d) * 86400 + h * 3600 + (mi - offset) * 60 + s;
  __int128 nanos = seconds * kSecond + fraction;
  if (nanos > INT64_MAX || nanos < INT64_MIN) return bad();  // the years 1678 to 2261 are held
  value.nanos = static_cast<int64_t>(nanos);
  value.text = std::string(text);
  return value;
}

std::optional<TestMoment> Literals::TimeOfDay(std::string_view text, Span span) {
  std::string_view rest = text;
  const int64_t h = Number(TakeDigits(rest));
  rest.remove_prefix(1);
  const int64_t m = Number(TakeDigits(rest));
  TestMoment moment;
  int64_t s = 0;
  int64_t fraction = 0;
  moment.precision = 60 * kSecond;
  if (!rest.empty()) {
    rest.remove_prefix(1);
    s = Number(TakeDigits(rest));
    moment.precision = kSecond;
    if (!rest.empty()) Fraction(rest.substr(1), fraction, moment.precision);
  }
  if (h > 23 || m > 59 || s > 59) {
    return Fail(Code::kBadDateTime, span, fmt::format("there is no such time of day as `{}`", text));
  }
  moment.nanos = (h * 3600 + m * 60 + s) * kSecond + fraction;
  moment.text = std::string(text);
  moment.span = span;
  return moment;
}

void Literals::BadEscape(std::string_view text, size_t begin, size_t end, Span span) {
  end = std::min(end, text.size() - 1);
  while (end < text.size() - 1 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) ++end;
  const auto base = static_cast<uint32_t>(span.begin + begin);
  sink_.Add(Code::kBadEscape, {span.file, base, static_cast<uint32_t>(span.begin + end)},
            fmt::format("`{}` is no escape", text.substr(begin, end - begin)));
}

// `at` stands on the backslash and moves behind the escape.
bool Literals::Escape(std::string_view text, size_t& at, Span span, std::string& out) {
  const size_t begin = at;
  const char c = text[at + 1];
  at += 2;
  switch (c) {
    case 'n':
      out += '\n';
      return true;
    case 't':
      out += '\t';
      return true;
    case 'r':
      out += '\r';
      return true;
    case '"':
    case '\\':
      out += c;
      return true;
    case 'x': {
      uint64_t value = 0;
      // Above 0x7f a byte alone would not be UTF-8; `\u{…}` says it better. No text holds a NUL.
      if (at + 2 < text.size() && ToUnsigned(text.substr(at, 2), value, 16) && value > 0 && value < 0x80) {
        out += static_cast<char>(value);
        at += 2;
        return true;
      }
      BadEscape(text, begin, begin + 4, span);
      return false;
    }
    case 'u': {
      const size_t close = text.find('}', at);
      uint64_t value = 0;
      if (text[at] == '{' && close != std::string_view::npos && close <= at + 7 &&
          ToUnsigned(text.substr(at + 1, close - at - 1), value, 16) && value > 0 && value <= 0x10ffff &&
          (value < 0xd800 || value > 0xdfff)) {
        AppendUtf8(out, static_cast<uint32_t>(value));
        at = close + 1;
        return true;
      }
      BadEscape(text, begin, close == std::string_view::npos || close > at + 7 ? begin + 2 : close + 1, span);
      return false;
    }
    default:
      BadEscape(text, begin, begin + 2, span);
      return false;
  }
}

std::optional<std::string> Literals::String(std::string_view text, Span span) {
  if (text[0] == '`') return std::string(text.substr(1, text.size() - 2));
  std::string out;
  bool ok = true;
  for (size_t at = 1; at + 1 < text.size();) {
    if (text[at] != '\\') {
      out += text[at++];
    } else if (!Escape(text, at, span, out)) {
      ok = false;
    }
  }
  if (!ok) return std::nullopt;
  return out;
}

std::string Literals::Regex(std::string_view text) {
  std::string out;
  text = text.substr(1, text.size() - 2);
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      if (text[at + 1] != '/') out += '\\';
      ++at;
    }
    out += text[at];
  }
  return out;
}

}  // namespace attr::syntax
