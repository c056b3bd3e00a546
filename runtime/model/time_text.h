// Times and durations as text: RFC 3339 in and out, durations as the language
// writes them. No locale, no time zone database, no clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/model/observation_set.h"

namespace attr::model {

/// RFC 3339 (`T`, `t` or a blank between; any offset; up to nine digits of
/// fraction, more are truncated). nullopt when it is none; leap second
/// 23:59:60 UTC is read as 59.999999999. Precision follows the digits written.
std::optional<Moment> ParseRfc3339(std::string_view text);

/// "2026-03-02T12:10:02Z", with as many fraction digits as `precision` needs.
std::string FormatRfc3339(int64_t nanos, int64_t precision);
/// A stamp as above, a range as "[a, b]", unknown ends as "unknown".
std::string FormatMoment(const Moment& moment);
/// "600.031s", "2m", "1h30m": shortest exact form in the language's own syntax.
std::string FormatDuration(int64_t nanos);
/// The inverse: units d h m s ms us ns, each at most once and falling, decimals
/// allowed when they are whole nanoseconds. No sign. nullopt when it is none.
std::optional<int64_t> ParseDuration(std::string_view text);

}  // namespace attr::model
