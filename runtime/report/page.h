// Lines for a terminal: styled words wrapped to a width, with a prefix on the
// first and another on the following lines. Everything put here is made visible
// first; prefixes are this program's own and are not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/report/report.h"

namespace attr::report {

enum class Style : uint8_t { kPlain, kBold, kDim, kRed, kGreen, kYellow, kCyan };

struct Span {
  std::string text;
  Style style = Style::kPlain;
};
using Spans = std::vector<Span>;

class Page {
 public:
  explicit Page(const TextOptions& options);
  unsigned width() const { return width_; }
  void Blank();
  /// At most `max_lines` lines; what is cut ends in "…".
  void Put(std::string_view first, std::string_view rest, const Spans& spans, size_t max_lines = SIZE_MAX);
  void Put(std::string_view prefix, const Spans& spans) { Put(prefix, prefix, spans); }
  /// "  label     words words": the words align with those of other labels.
  void Field(std::string_view prefix, std::string_view label, const Spans& spans, size_t max_lines = SIZE_MAX);
  /// A blank line and a heading.
  void Section(std::string_view title);
  std::string Take() { return std::move(out_); }

 private:
  struct Piece {
    std::string text;
    Style style = Style::kPlain;
  };
  struct Word {
    size_t blanks = 0;  // before it
    size_t columns = 0;
    std::vector<Piece> pieces;
  };
  static std::vector<Word> WordsOf(const Spans& spans);
  static Word SplitOff(Word* word, size_t columns);
  void Print(const Piece& piece);
  void EndLine();

  std::string out_;
  unsigned width_;
  bool colour_;
};

}  // namespace attr::report
