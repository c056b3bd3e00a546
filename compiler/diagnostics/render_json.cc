// The machine form of a diagnostic: JSON with a fixed key order.
#include <fmt/format.h>

#include <iterator>

#include "compiler/diagnostics/cells.h"
#include "compiler/diagnostics/render.h"
#include "runtime/base/json_text.h"

namespace attr::diagnostics {
namespace {

// Bytes that are not UTF-8 become U+FFFD: a JSON text has no other choice.
void AppendString(std::string& out, std::string_view text) {
  out += '"';
  for (size_t at = 0; at < text.size();) {
    const size_t length = Utf8SequenceLength(text, at);
    const auto c = static_cast<unsigned char>(text[at]);
    if (length == 0) {
      out += "\xef\xbf\xbd";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += text[at];
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c < 0x20 || c == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
    } else {
      out += text.substr(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  out += '"';
}

void AppendMember(std::string& out, std::string_view key, std::string_view value) {
  out += '"';
  out += key;
  out += "\":";
  AppendString(out, value);
}

// `"file":…,"line":…,"column":…,"end":{…}`
void AppendPlace(std::string& out, const SourceMap& sources, Span span) {
  LineColumn begin{0, 0};
  LineColumn end{0, 0};
  std::string_view path;
  if (span.file < sources.size()) {
    const SourceFile& file = sources.file(span.file);
    path = file.path();
    begin = file.Locate(span.begin);
    end = file.Locate(span.end);
  }
  AppendMember(out, "file", path);
  fmt::format_to(std::back_inserter(out), ",\"line\":{},\"column\":{},\"end\":{{\"line\":{},\"column\":{}}}",
                 begin.line, begin.column, end.line, end.column);
}

void AppendLabel(std::string& out, const SourceMap& sources, const Label& label, bool primary) {
  out += '{';
  AppendPlace(out, sources, label.span);
  fmt::format_to(std::back_inserter(out), ",\"primary\":{},", primary);
  AppendMember(out, "text", label.text);
  out += '}';
}

}  // namespace

std::string RenderJson(const Diagnostic& diagnostic, const SourceMap& sources) {
  const CodeInfo& info = Info(diagnostic.code);
  std::string out = "{";
  AppendMember(out, "code", CodeText(info.code));
  out += ',';
  AppendMember(out, "severity", SeverityText(info.severity));
  out += ',';
  AppendMember(out, "message", diagnostic.message);
  out += ',';
  AppendPlace(out, sources, diagnostic.primary.span);
  out += ",\"labels\":[";
  AppendLabel(out, sources, diagnostic.primary, true);
  for (const Label& label : diagnostic.secondary) {
    out += ',';
    AppendLabel(out, sources, label, false);
  }
  out += "],";
  AppendMember(out, "help", diagnostic.help.empty() ? info.help : std::string_view(diagnostic.help));
  out += ',';
  AppendMember(out, "more", PagePath(info.code));
  out += '}';
  return out;
}

std::string RenderJsonLines(const std::vector<Diagnostic>& diagnostics, const SourceMap& sources) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    out += RenderJson(diagnostic, sources);
    out += '\n';
  }
  return out;
}

}  // namespace attr::diagnostics
