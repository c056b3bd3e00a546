// Standard output and error: complete writes, colour, width.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace attr::cli {

/// Writes all of it or says on standard error why not (exit code kInput).
int WriteOut(std::string_view text);
void WriteError(std::string_view text);
/// Prints the error and returns its exit code.
int Fail(const Error& error);

/// `choice` is auto, always or never; auto: a terminal and no NO_COLOR.
bool UseColour(const std::string& choice, int descriptor);
/// Columns of the terminal on `descriptor`, 80 when it is none.
unsigned TerminalWidth(int descriptor);
/// $XDG_CACHE_HOME/attrc or ~/.cache/attrc; empty when neither is set.
std::string DefaultCacheDir();

}  // namespace attr::cli
