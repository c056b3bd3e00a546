// Text from logs and packs made safe to print on a terminal: control characters,
// line and bidi controls and invisible characters appear as escapes, malformed
// bytes as \xNN. And how many columns a terminal gives to a character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attr::report {

/// One line, printable, valid UTF-8. Tabs become blanks.
std::string Visible(std::string_view text);
/// Columns of text that Visible() gave.
size_t ColumnsOf(std::string_view text);
/// Length in bytes of as many whole characters as fit into `columns`; at least one character.
size_t FittingPrefix(std::string_view text, size_t columns);

}  // namespace attr::report
