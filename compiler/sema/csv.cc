// See csv.h.
#include "compiler/sema/csv.h"

namespace attr::sema {

namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
  }

  Csv Read() {
    while (at_ < text_.size()) ReadRow();
    return std::move(csv_);
  }

 private:
  void ReadRow() {
    std::vector<CsvCell> row;
    while (true) {
      row.push_back(ReadCell());
      if (at_ < text_.size() && text_[at_] == ',') {
        ++at_;
        continue;
      }
      break;
    }
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    const bool blank = row.size() == 1 && row[0].begin == row[0].end;
    if (!blank) csv_.rows.push_back(std::move(row));
  }

  bool AtEnd() const {
    return at_ >= text_.size() || text_[at_] == '\n' ||
           (text_[at_] == '\r' && (at_ + 1 >= text_.size() || text_[at_ + 1] == '\n'));
  }

  CsvCell ReadCell() {
    CsvCell cell;
    cell.begin = static_cast<uint32_t>(at_);
    if (at_ < text_.size() && text_[at_] == '"') {
      ReadQuoted(&cell);
    } else {
      while (!AtEnd() && text_[at_] != ',') {
        if (text_[at_] == '"') Error(at_, "a quote inside a cell that does not begin with one");
        cell.text += text_[at_++];
      }
    }
    cell.end = static_cast<uint32_t>(at_);
    return cell;
  }

  void ReadQuoted(CsvCell* cell) {
    const size_t open = at_++;
    while (true) {
      if (at_ >= text_.size()) return Error(open, "the quote is never closed");
      if (text_[at_] != '"') {
        cell->text += text_[at_++];
        continue;
      }
      ++at_;
      if (at_ >= text_.size() || text_[at_] != '"') break;
      cell->text += '"';
      ++at_;
    }
    if (AtEnd() || text_[at_] == ',') return;
    Error(at_, "text after the closing quote");
    while (!AtEnd() && text_[at_] != ',') ++at_;
  }

  void Error(size_t at, std::string message) {
    csv_.errors.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(at + 1), std::move(message)});
  }

  std::string_view text_;
  size_t at_ = 0;
  Csv csv_;
};

}  // namespace

Csv ReadCsv(std::string_view text) { return Reader(text).Read(); }

}  // namespace attr::sema
