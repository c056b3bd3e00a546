// The human form of a diagnostic: header, quoted lines with marks, help, page.
#include "compiler/diagnostics/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/diagnostics/cells.h"

namespace attr::diagnostics {
namespace {

constexpr size_t kMaxLabels = 20;   // of one diagnostic; the rest is counted
constexpr size_t kLongLine = 4096;  // bytes; longer lines are cut before they are turned into cells
constexpr size_t kContext = 30;     // cells kept before the marked place of a cropped line

class Painter {
 public:
  explicit Painter(bool on) : on_(on) {}
  std::string Severity(diagnostics::Severity severity, std::string_view text) const {
    return Wrap(severity == diagnostics::Severity::kError     ? "1;31"
                : severity == diagnostics::Severity::kWarning ? "1;33"
                                                              : "1;36",
                text);
  }
  std::string Frame(std::string_view text) const { return Wrap("34", text); }
  std::string Bold(std::string_view text) const { return Wrap("1", text); }
  std::string Mark(bool primary, diagnostics::Severity severity, std::string_view text) const {
    return primary ? Severity(severity, text) : Wrap("1;34", text);
  }

 private:
  std::string Wrap(const char* code, std::string_view text) const {
    return on_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
  bool on_;
};

// The visible part of one source line and where the mark goes.
struct Quote {
  std::string text;
  size_t mark_at = 0;
  size_t mark_width = 1;
};

// `begin` and `end` are byte offsets inside `line`, begin <= end <= line.size().
Quote QuoteLine(std::string_view line, size_t begin, size_t end, size_t width) {
  bool cut_left = false;
  bool cut_right = false;
  if (line.size() > kLongLine) {
    size_t from = begin > kLongLine / 4 ? begin - kLongLine / 4 : 0;
    while (from > 0 && from < line.size() && (static_cast<unsigned char>(line[from]) & 0xc0U) == 0x80U) --from;
    size_t to = std::min(line.size(), from + kLongLine);
    cut_left = from > 0;
    cut_right = to < line.size();
    line = line.substr(from, to - from);
    begin -= from;
    end = std::min(end - from, line.size());
  }
  std::vector<Cell> cells = ToCells(line);
  size_t first = 0;
  size_t last = cells.size();
  size_t total = 0;
  for (const Cell& cell : cells) total += cell.width;
  if (total > width || cut_left || cut_right) {
    size_t mark = 0;
    while (mark < cells.size() && cells[mark].offset < begin) ++mark;
    first = mark > kContext && (total > width || cut_left) ? mark - kContext : 0;
    size_t used = 0;
    last = first;
    while (last < cells.size() && used + cells[last].width <= width) used += cells[last++].width;
    cut_left = cut_left || first > 0;
    cut_right = cut_right || last < cells.size();
  }
  Quote quote;
  size_t column = 0;
  if (cut_left) {
    quote.text += "…";
    column = 1;
  }
  quote.mark_width = 0;
  quote.mark_at = column;
  bool marked = false;
  for (size_t i = first; i < last; ++i) {
    const Cell& cell = cells[i];
    if (cell.offset < begin && !marked) quote.mark_at = column + cell.width;
    if (cell.offset >= begin && cell.offset < end) {
      if (!marked) quote.mark_at = column;
      marked = true;
      quote.mark_width += cell.width;
    }
    quote.text += cell.shown;
    column += cell.width;
  }
  if (cut_right) quote.text += "…";
  quote.mark_width = std::max<size_t>(quote.mark_width, 1);
  return quote;
}

class Renderer {
 public:
  Renderer(const Diagnostic& diagnostic, const SourceMap& sources, const RenderOptions& options)
      : diagnostic_(diagnostic), sources_(sources), options_(options), paint_(options.color) {
    labels_.push_back(&diagnostic.primary);
    for (const Label& label : diagnostic.secondary) {
      if (labels_.size() < kMaxLabels) labels_.push_back(&label);
    }
    for (const Label* label : labels_) {
      if (label->span.file >= sources.size()) continue;
      uint32_t line = sources.file(label->span.file).Locate(label->span.begin).line;
      gutter_ = std::max(gutter_, fmt::formatted_size("{}", line));
    }
  }

  std::string Run() {
    const CodeInfo& info = Info(diagnostic_.code);
    out_ += paint_.Severity(info.severity, fmt::format("{}[{}]", SeverityText(info.severity), CodeText(info.code)));
    out_ += paint_.Bold(": " + EscapeForTerminal(diagnostic_.message));
    out_ += '\n';
    for (size_t i = 0; i < labels_.size(); ++i) AddLabel(i);
    const size_t hidden = diagnostic_.secondary.size() + 1 - labels_.size();
    if (hidden > 0) AddNote(fmt::format("and {} more places", hidden), "");
    AddNote("help", diagnostic_.help.empty() ? std::string(info.help) : diagnostic_.help);
    AddNote("more", PagePath(info.code));
    return std::move(out_);
  }

 private:
  void AddNote(std::string_view head, std::string_view text) {
    out_ += std::string(gutter_, ' ') + paint_.Frame("=") + " " + paint_.Bold(head);
    if (!text.empty()) out_ += ": " + EscapeForTerminal(text);
    out_ += '\n';
  }

  void AddLabel(size_t index) {
    const Label& label = *labels_[index];
    if (label.span.file >= sources_.size()) return;
    const SourceFile& file = sources_.file(label.span.file);
    const LineColumn at = file.Locate(label.span.begin);
    const bool same_line = index > 0 && labels_[index - 1]->span.file == label.span.file && at.line == line_;
    line_ = at.line;
    const std::string_view line = file.Line(at.line);
    const size_t line_begin = file.LineBegin(at.line);
    const size_t begin =
        std::min<size_t>(label.span.begin - std::min<size_t>(label.span.begin, line_begin), line.size());
    const size_t end =
        std::clamp<size_t>(label.span.end > line_begin ? label.span.end - line_begin : 0, begin, line.size());
    const Quote quote = QuoteLine(line, begin, end, options_.width);
    const std::string margin(gutter_, ' ');
    // A cropped line is quoted again for each label: another part of it is shown.
    if (!same_line || quote.text != quoted_) {
      if (!same_line) {
        out_ += margin + paint_.Frame("┌─") +
                fmt::format(" {}:{}:{}\n", EscapeForTerminal(file.path()), at.line, at.column);
      }
      out_ += paint_.Frame(fmt::format("{:>{}}│", at.line, gutter_));
      if (!quote.text.empty()) out_ += " " + quote.text;
      out_ += '\n';
    }
    quoted_ = quote.text;
    const bool primary = index == 0;
    std::string mark(quote.mark_width, primary ? '^' : '-');
    if (!label.text.empty()) mark += " " + EscapeForTerminal(label.text);
    out_ += margin + paint_.Frame("│") + " " + std::string(quote.mark_at, ' ') +
            paint_.Mark(primary, Info(diagnostic_.code).severity, mark) + "\n";
  }

  const Diagnostic& diagnostic_;
  const SourceMap& sources_;
  const RenderOptions& options_;
  Painter paint_;
  std::vector<const Label*> labels_;
  size_t gutter_ = 2;
  uint32_t line_ = 0;
  std::string quoted_;
  std::string out_;
};

}  // namespace

std::string_view SeverityText(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kStyle:
      return "style";
  }
  return "error";
}

std::string PagePath(Code code) { return "docs/diagnostics/" + CodeText(code) + ".md"; }

std::string EscapeForTerminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const Cell& cell : ToCells(text)) out += cell.shown;
  return out;
}

std::string Render(const Diagnostic& diagnostic, const SourceMap& sources, const RenderOptions& options) {
  return Renderer(diagnostic, sources, options).Run();
}

std::string RenderAll(const std::vector<Diagnostic>& diagnostics, const SourceMap& sources,
                      const RenderOptions& options) {
  std::map<Code, size_t> seen;
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (seen[diagnostic.code]++ >= options.max_per_code) continue;
    if (!out.empty()) out += '\n';
    out += Render(diagnostic, sources, options);
  }
  for (const auto& [code, count] : seen) {
    if (count <= options.max_per_code) continue;
    if (!out.empty()) out += '\n';
    const CodeInfo& info = Info(code);
    out += fmt::format("{}[{}]: {}: and {} more\n", SeverityText(info.severity), CodeText(code), info.title,
                       count - options.max_per_code);
  }
  return out;
}

}  // namespace attr::diagnostics
