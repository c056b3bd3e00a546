// Source files and spans of rule text. A span is three integers, so that every
// tree node can carry one; line, column and text are found when a diagnostic is
// rendered. Files are registered once per compilation and never move.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attr::diagnostics {

/// Half-open byte range [begin, end) in the file with index `file`.
struct Span {
  uint32_t file = 0;
  uint32_t begin = 0;
  uint32_t end = 0;
  auto operator<=>(const Span&) const = default;
};

/// 1-based line and 1-based column; columns count bytes' code points.
struct LineColumn {
  uint32_t line = 1;
  uint32_t column = 1;
};

/// One rule file (or table) as read: `path` is display text, never opened again.
class SourceFile {
 public:
  SourceFile(std::string path, std::string text);
  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  LineColumn Locate(uint32_t offset) const;
  /// The line's text without its end; empty when out of range. `line` is 1-based.
  std::string_view Line(uint32_t line) const;
  uint32_t LineBegin(uint32_t line) const;

 private:
  std::string path_;
  std::string text_;
  std::vector<uint32_t> line_begins_;
};

/// Owns the files of one compilation; indices are stable.
class SourceMap {
 public:
  uint32_t Add(std::string path, std::string text);
  const SourceFile& file(uint32_t index) const { return *files_[index]; }
  size_t size() const { return files_.size(); }
  std::string_view Text(Span span) const;

 private:
  std::vector<std::unique_ptr<SourceFile>> files_;
};

}  // namespace attr::diagnostics
