#include "compiler/syntax/doc_comments.h"

namespace attr::syntax {
namespace {

// A comment behind code on its line speaks of that code, not of the item below.
bool StandsAlone(std::string_view text, uint32_t begin) {
  while (begin > 0 && text[begin - 1] != '\n') {
    const char c = text[--begin];
    if (c != ' ' && c != '\t' && c != '\r') return false;
  }
  return true;
}

std::string_view WithoutMarker(std::string_view line) {
  line.remove_prefix(3);
  if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::string DocComments::Take(size_t token, bool silent, diagnostics::Sink& sink) {
  Finish(token, silent, sink);
  std::string doc;
  bool first = true;
  for (; next_ < lines_.size() && lines_[next_].next == token; ++next_) {
    const DocLine& line = lines_[next_];
    if (!StandsAlone(input_.text, line.begin)) {
      sink.Add(diagnostics::Code::kHangingDocComment, input_.SpanOf(line.begin, line.end),
               "doc comment behind code belongs to nothing");
      continue;
    }
    if (!first) doc += '\n';
    first = false;
    doc += WithoutMarker(input_.text.substr(line.begin, line.end - line.begin));
  }
  return doc;
}

void DocComments::Finish(size_t end, bool silent, diagnostics::Sink& sink) {
  for (; next_ < lines_.size() && lines_[next_].next < end; ++next_) {
    const DocLine& line = lines_[next_];
    if (silent) continue;
    sink.Add(diagnostics::Code::kHangingDocComment, input_.SpanOf(line.begin, line.end),
             "doc comment belongs to no declaration");
  }
}

}  // namespace attr::syntax
