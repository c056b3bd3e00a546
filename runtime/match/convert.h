// Text and numbers of an observation to typed slots (language.md section 3,
// Fields). A conversion that fails says so; nothing becomes 0 or "".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/plan/plan.h"

namespace attr::match {

/// bool, int, float, time, duration, size and rank; not the types that are ids.
/// `unit`: what a bare number counts (time, duration, size), in nanoseconds or bytes.
std::optional<int64_t> ConvertText(plan::Type type, std::string_view text, int64_t unit);
/// The same from a number that the input gave as one. Ids: see NumberText.
std::optional<int64_t> ConvertInt(plan::Type type, int64_t value, int64_t unit);
std::optional<int64_t> ConvertFloat(plan::Type type, double value, int64_t unit);

/// Decimal, or 0x and hex digits; leading zeros are no octal; overflow fails.
std::optional<int64_t> ParseInt(std::string_view text);

/// A number as text: shortest that reads back the same.
std::string NumberText(double value);

/// A slot as text, for examples: as the language writes it. Not for ids.
std::string SlotText(plan::Type type, int64_t slot);

}  // namespace attr::match
