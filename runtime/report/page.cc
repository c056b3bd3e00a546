#include "runtime/report/page.h"

#include <algorithm>

#include "runtime/report/visible.h"

namespace attr::report {

namespace {

constexpr unsigned kMinWidth = 40;
constexpr size_t kMinText = 16;  // columns that a prefix must leave
constexpr size_t kLabel = 10;

std::string_view CodeOf(Style style) {
  switch (style) {
    case Style::kBold:
      return "\x1b[1m";
    case Style::kDim:
      return "\x1b[2m";
    case Style::kRed:
      return "\x1b[1;31m";
    case Style::kGreen:
      return "\x1b[1;32m";
    case Style::kYellow:
      return "\x1b[1;33m";
    case Style::kCyan:
      return "\x1b[36m";
    case Style::kPlain:
      break;
  }
  return "";
}

}  // namespace

Page::Page(const TextOptions& options) : width_(std::max(options.width, kMinWidth)), colour_(options.colour) {}

void Page::Blank() {
  if (!out_.empty()) out_ += '\n';
}

std::vector<Page::Word> Page::WordsOf(const Spans& spans) {
  std::vector<Word> words;
  size_t blanks = 0;
  bool inside = false;
  for (const Span& span : spans) {
    std::string text = Visible(span.text);
    size_t i = 0;
    while (i < text.size()) {
      if (text[i] == ' ') {
        ++blanks;
        ++i;
        inside = false;
        continue;
      }
      size_t end = std::min(text.find(' ', i), text.size());
      if (!inside) {
        words.push_back({blanks, 0, {}});
        blanks = 0;
      }
      inside = true;
      Piece piece{text.substr(i, end - i), span.style};
      words.back().columns += ColumnsOf(piece.text);
      words.back().pieces.push_back(std::move(piece));
      i = end;
    }
  }
  return words;
}

// Takes what fits off the front of a word that is wider than a line.
Page::Word Page::SplitOff(Word* word, size_t columns) {
  Word head{word->blanks, 0, {}};
  word->blanks = 0;
  while (!word->pieces.empty()) {
    Piece& piece = word->pieces.front();
    size_t length = FittingPrefix(piece.text, columns - head.columns);
    Piece part{piece.text.substr(0, length), piece.style};
    size_t part_columns = ColumnsOf(part.text);
    if (head.columns + part_columns > columns && head.columns > 0) break;
    head.columns += part_columns;
    word->columns -= std::min(word->columns, part_columns);
    head.pieces.push_back(std::move(part));
    piece.text.erase(0, length);
    if (!piece.text.empty()) break;
    word->pieces.erase(word->pieces.begin());
    if (head.columns >= columns) break;
  }
  return head;
}

void Page::Print(const Piece& piece) {
  std::string_view code = colour_ ? CodeOf(piece.style) : std::string_view();
  out_ += code;
  out_ += piece.text;
  if (!code.empty()) out_ += "\x1b[0m";
}

void Page::EndLine() {
  while (!out_.empty() && out_.back() == ' ') out_.pop_back();
  out_ += '\n';
}

void Page::Put(std::string_view first, std::string_view rest, const Spans& spans, size_t max_lines) {
  std::vector<Word> words = WordsOf(spans);
  size_t lines = 1;
  out_ += first;
  size_t room = std::max(kMinText, width_ - std::min<size_t>(width_, ColumnsOf(first)));
  size_t used = 0;
  for (size_t i = 0; i < words.size();) {
    Word& word = words[i];
    size_t blanks = used == 0 ? 0 : word.blanks;
    bool last_line = lines >= max_lines;
    size_t kept = last_line ? 2 : 0;  // for " …"
    bool fits = used + blanks + word.columns + (i + 1 < words.size() ? kept : 0) <= room;
    if (fits) {
      out_.append(blanks, ' ');
      for (const Piece& piece : word.pieces) Print(piece);
      used += blanks + word.columns;
      ++i;
      continue;
    }
    bool too_wide = used == 0 || (word.columns > room && room > used + blanks + kMinText / 2);
    if (too_wide && room > used + blanks + kept) {
      Word head = SplitOff(&word, room - used - blanks - kept);
      out_.append(blanks, ' ');
      for (const Piece& piece : head.pieces) Print(piece);
      used += blanks + head.columns;
    }
    if (last_line) {
      out_ += used < room ? " …" : "…";
      break;
    }
    EndLine();
    out_ += rest;
    room = std::max(kMinText, width_ - std::min<size_t>(width_, ColumnsOf(rest)));
    used = 0;
    ++lines;
  }
  EndLine();
}

void Page::Field(std::string_view prefix, std::string_view label, const Spans& spans, size_t max_lines) {
  std::string first = std::string(prefix) + std::string(label);
  std::string rest = std::string(prefix) + std::string(kLabel, ' ');
  first.append(label.size() < kLabel ? kLabel - label.size() : 1, ' ');
  Put(first, rest, spans, max_lines);
}

void Page::Section(std::string_view title) {
  Blank();
  Put("", {{std::string(title), Style::kBold}});
}

}  // namespace attr::report
