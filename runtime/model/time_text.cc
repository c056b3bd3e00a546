#include "runtime/model/time_text.h"

#include <fmt/format.h>

#include <array>

namespace attr::model {

namespace {

constexpr int64_t kDay = 86'400;

/// Days since 1970-01-01 of a proleptic Gregorian date (Hinnant's algorithm).
int64_t DaysFromCivil(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2 ? 1 : 0;
  int64_t era = (year >= 0 ? year : year - 399) / 400;
  int64_t of_era = year - era * 400;
  int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146'097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719'468;
}

struct Civil {
  int64_t year, month, day;
};

Civil CivilFromDays(int64_t days) {
  days += 719'468;
  int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  int64_t of_era = days - era * 146'097;
  int64_t years = (of_era - of_era / 1460 + of_era / 36'524 - of_era / 146'096) / 365;
  int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
  int64_t shifted = (5 * of_year + 2) / 153;
  int64_t month = shifted + (shifted < 10 ? 3 : -9);
  return {years + era * 400 + (month <= 2 ? 1 : 0), month, of_year - (153 * shifted + 2) / 5 + 1};
}

int64_t DaysInMonth(int64_t year, int64_t month) {
  static constexpr std::array<int64_t, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[static_cast<size_t>(month - 1)];
}

/// `count` digits at `at`, or -1.
int64_t Digits(std::string_view text, size_t at, size_t count) {
  int64_t value = 0;
  for (size_t i = at; i < at + count; ++i) {
    unsigned digit = static_cast<unsigned char>(text[i]) - '0';
    if (digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/// Seconds east of UTC of "Z" or "+hh:mm", the whole of `text`.
std::optional<int64_t> Offset(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  int64_t hours = Digits(text, 1, 2);
  int64_t minutes = Digits(text, 4, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  int64_t seconds = hours * 3600 + minutes * 60;
  return text[0] == '-' ? -seconds : seconds;
}

/// Seconds since the epoch of "2026-03-02T12:10:02" without fraction and offset.
std::optional<int64_t> DateAndTime(std::string_view text, bool* leap_second) {
  if (text[4] != '-' || text[7] != '-' || text[13] != ':' || text[16] != ':') return std::nullopt;
  if (text[10] != 'T' && text[10] != 't' && text[10] != ' ') return std::nullopt;
  int64_t year = Digits(text, 0, 4);
  int64_t month = Digits(text, 5, 2);
  int64_t day = Digits(text, 8, 2);
  int64_t hour = Digits(text, 11, 2);
  int64_t minute = Digits(text, 14, 2);
  int64_t second = Digits(text, 17, 2);
  if (year < 1677 || year > 2262 || month < 1 || month > 12 || day < 1 || day > DaysInMonth(year, month)) {
    return std::nullopt;
  }
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return std::nullopt;
  *leap_second = second == 60;
  if (*leap_second) second = 59;
  return DaysFromCivil(year, month, day) * kDay + hour * 3600 + minute * 60 + second;
}

int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

void AppendPadded(std::string* out, int64_t value, size_t width) {
  std::string digits = std::to_string(value);
  if (digits.size() < width) out->append(width - digits.size(), '0');
  *out += digits;
}

/// `nanos` (below one of `unit`'s next unit) as a decimal of `unit`.
std::string Decimal(int64_t nanos, int64_t unit, std::string_view suffix) {
  std::string out = std::to_string(nanos / unit);
  int64_t rest = nanos % unit;
  if (rest != 0) {
    std::string fraction = std::to_string(unit + rest).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    out += '.';
    out += fraction;
  }
  return out.append(suffix);
}

struct Unit {
  std::string_view name;
  int64_t nanos;
};
constexpr std::array<Unit, 7> kUnits{{{"d", kDay* plan::kSecond},
                                      {"h", 3600 * plan::kSecond},
                                      {"m", 60 * plan::kSecond},
                                      {"s", plan::kSecond},
                                      {"ms", 1'000'000},
                                      {"us", 1'000},
                                      {"ns", 1}}};

}  // namespace

std::optional<Moment> ParseRfc3339(std::string_view text) {
  if (text.size() < 20) return std::nullopt;
  bool leap_second = false;
  std::optional<int64_t> seconds = DateAndTime(text, &leap_second);
  if (!seconds) return std::nullopt;
  size_t at = 19;
  int64_t fraction = 0;
  int64_t precision = plan::kSecond;
  if (text[at] == '.') {
    size_t begin = ++at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      if (precision == 1) continue;  // beyond nanoseconds: truncated
      precision /= 10;
      fraction += (text[at] - '0') * precision;
    }
    if (at == begin) return std::nullopt;
  }
  std::optional<int64_t> offset = Offset(text.substr(at));
  if (!offset) return std::nullopt;
  if (leap_second) {
    // Leap seconds end a day of UTC, wherever it was written.
    if ((*seconds - *offset + 1) % kDay != 0) return std::nullopt;
    fraction = plan::kSecond - 1;
  }
  __int128 nanos = static_cast<__int128>(*seconds - *offset) * plan::kSecond + fraction;
  if (nanos < INT64_MIN || nanos > INT64_MAX) return std::nullopt;
  auto value = static_cast<int64_t>(nanos);
  return Moment{value, value, precision};
}

std::string FormatRfc3339(int64_t nanos, int64_t precision) {
  int64_t seconds = FloorDiv(nanos, plan::kSecond);
  int64_t fraction = nanos - seconds * plan::kSecond;
  int64_t days = FloorDiv(seconds, kDay);
  int64_t of_day = seconds - days * kDay;
  Civil date = CivilFromDays(days);
  std::string out;
  AppendPadded(&out, date.year, 4);
  out += '-';
  AppendPadded(&out, date.month, 2);
  out += '-';
  AppendPadded(&out, date.day, 2);
  out += 'T';
  AppendPadded(&out, of_day / 3600, 2);
  out += ':';
  AppendPadded(&out, of_day / 60 % 60, 2);
  out += ':';
  AppendPadded(&out, of_day % 60, 2);
  size_t digits = 0;
  if (precision > 0) {
    for (int64_t unit = plan::kSecond; unit > precision; unit /= 10) ++digits;
  } else {
    for (int64_t rest = fraction; rest != 0; rest = rest * 10 % plan::kSecond) ++digits;
  }
  if (digits > 0) {
    out += '.';
    out.append(std::to_string(plan::kSecond + fraction), 1, digits);
  }
  out += 'Z';
  return out;
}

std::string FormatMoment(const Moment& moment) {
  if (moment.Unknown()) return "unknown";
  if (moment.IsStamp()) return FormatRfc3339(moment.lo, moment.precision);
  std::string lo = moment.lo <= plan::kBeforeAll ? "unknown" : FormatRfc3339(moment.lo, moment.precision);
  std::string hi = moment.hi >= plan::kAfterAll ? "unknown" : FormatRfc3339(moment.hi, moment.precision);
  return fmt::format("[{}, {}]", lo, hi);
}

std::string FormatDuration(int64_t nanos) {
  if (nanos == 0) return "0s";
  if (nanos == INT64_MIN) return "-9223372036.854775808s";
  std::string sign = nanos < 0 ? "-" : "";
  nanos = nanos < 0 ? -nanos : nanos;
  if (nanos % plan::kSecond != 0) {
    for (const Unit& unit : kUnits) {
      if (unit.nanos <= plan::kSecond && nanos >= unit.nanos) return sign + Decimal(nanos, unit.nanos, unit.name);
    }
  }
  std::string out = sign;
  for (const Unit& unit : kUnits) {
    if (nanos < unit.nanos || unit.nanos < plan::kSecond) continue;
    out += std::to_string(nanos / unit.nanos);
    out += unit.name;
    nanos %= unit.nanos;
  }
  return out;
}

std::optional<int64_t> ParseDuration(std::string_view text) {
  __int128 total = 0;
  int64_t previous = INT64_MAX;
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    size_t digits = 0;
    __int128 number = 0;
    __int128 scale = 1;
    bool point = false;
    for (; digits < text.size(); ++digits) {
      char c = text[digits];
      if (c == '.' && !point && digits > 0) {
        point = true;
        continue;
      }
      if (c < '0' || c > '9') break;
      number = number * 10 + (c - '0');
      if (point) scale *= 10;
      if (number > INT64_MAX || scale > plan::kSecond) return std::nullopt;
    }
    if (digits == 0 || text[digits - 1] == '.') return std::nullopt;
    size_t letters = digits;
    while (letters < text.size() && text[letters] >= 'a' && text[letters] <= 'z') ++letters;
    std::string_view name = text.substr(digits, letters - digits);
    const Unit* found = nullptr;
    for (const Unit& unit : kUnits) found = unit.name == name ? &unit : found;
    if (found == nullptr || found->nanos >= previous) return std::nullopt;  // units fall: 1h30m, not 30m1h
    previous = found->nanos;
    __int128 nanos = number * found->nanos;
    if (nanos % scale != 0) return std::nullopt;
    total += nanos / scale;
    if (total > INT64_MAX) return std::nullopt;
    text.remove_prefix(letters);
  }
  return static_cast<int64_t>(total);
}

}  // namespace attr::model
