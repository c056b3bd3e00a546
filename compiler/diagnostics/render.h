// Diagnostics as people read them (a terminal) and as machines do (JSON). Text
// that came from a file is shown with control characters, bidirectional marks
// and broken UTF-8 escaped, so that no rule file can drive a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/diagnostics/source.h"

namespace attr::diagnostics {

struct RenderOptions {
  bool color = false;        // ANSI escapes
  size_t max_per_code = 20;  // further ones of a code are counted, not shown
  size_t width = 120;        // cells of a quoted source line before it is cropped
};

/// One diagnostic, several lines, ending with a newline.
std::string Render(const Diagnostic& diagnostic, const SourceMap& sources, const RenderOptions& options = {});

/// `diagnostics` in the order given, a blank line between two, at most
/// `max_per_code` of each code and then one line that says how many more.
std::string RenderAll(const std::vector<Diagnostic>& diagnostics, const SourceMap& sources,
                      const RenderOptions& options = {});

/// One JSON object without a newline: code, severity, message, file, line,
/// column, end {line, column}, labels[], help, more. Columns count code points.
std::string RenderJson(const Diagnostic& diagnostic, const SourceMap& sources);

/// One object a line.
std::string RenderJsonLines(const std::vector<Diagnostic>& diagnostics, const SourceMap& sources);

/// "docs/diagnostics/A0412.md".
std::string PagePath(Code code);
/// "error", "warning", "style".
std::string_view SeverityText(Severity severity);

/// `text` safe for a terminal: C0, C1, DEL and bidirectional controls as
/// `\x1b` or `\u{202e}`, broken UTF-8 bytes as `\xff`, line ends as `\n`.
std::string EscapeForTerminal(std::string_view text);

}  // namespace attr::diagnostics
