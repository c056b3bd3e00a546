// Slots as text: what keys, explanations and evidence print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/eval/findings.h"

namespace attr::resolve {

/// Numbers plain, durations and sizes in the language's own syntax, times RFC 3339
/// with digits for `precision`.
std::string SlotText(const eval::Context& context, plan::Type type, int64_t slot, int64_t precision);
/// Shortest text that reads back as the same double.
std::string FloatText(double value);
std::string FloatText(int64_t bits);
/// "?" when it is missing.
std::string ValueText(const eval::Context& context, const eval::Value& value);
/// Of a finding, in the order of its rule's keys.
std::vector<std::string> KeyTexts(const eval::Context& context, const eval::Finding& finding);
/// Dictionary ids as text, natural order.
std::vector<std::string> NameTexts(const eval::Context& context, const std::vector<uint32_t>& ids);
/// Cut at a character's border, with "…" where something is missing.
std::string Shortened(std::string_view text, size_t bytes);

}  // namespace attr::resolve
