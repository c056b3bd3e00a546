#include "compiler/diagnostics/source.h"

#include <algorithm>

namespace attr::diagnostics {

SourceFile::SourceFile(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  line_begins_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_begins_.push_back(static_cast<uint32_t>(i + 1));
  }
}

LineColumn SourceFile::Locate(uint32_t offset) const {
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(text_.size()));
  auto it = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
  uint32_t line = static_cast<uint32_t>(it - line_begins_.begin());
  uint32_t column = 1;
  for (uint32_t i = line_begins_[line - 1]; i < offset; ++i) {
    if ((static_cast<unsigned char>(text_[i]) & 0xC0U) != 0x80U) ++column;
  }
  return {line, column};
}

std::string_view SourceFile::Line(uint32_t line) const {
  if (line == 0 || line > line_begins_.size()) return {};
  size_t begin = line_begins_[line - 1];
  size_t end = line < line_begins_.size() ? line_begins_[line] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

uint32_t SourceFile::LineBegin(uint32_t line) const {
  return line == 0 || line > line_begins_.size() ? 0 : line_begins_[line - 1];
}

uint32_t SourceMap::Add(std::string path, std::string text) {
  files_.push_back(std::make_unique<SourceFile>(std::move(path), std::move(text)));
  return static_cast<uint32_t>(files_.size() - 1);
}

std::string_view SourceMap::Text(Span span) const {
  if (span.file >= files_.size()) return {};
  std::string_view text = files_[span.file]->text();
  if (span.begin > text.size() || span.end < span.begin) return {};
  return text.substr(span.begin, span.end - span.begin);
}

}  // namespace attr::diagnostics
