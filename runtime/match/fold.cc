#include "runtime/match/fold.h"

#include <algorithm>
#include <map>

namespace attr::match {

namespace {

using plan::kNone;

int64_t SlotAt(const eval::Table& table, uint32_t column, uint32_t row) { return table.columns[column].slots[row]; }

/// The row's place in what one writer wrote, as far as it still tells the order of begins.
struct Written {
  bool known = false;
  int64_t stream = 0, position = 0;
};
Written WrittenOf(const eval::Table& table, uint32_t row) {
  const bool moved = SlotAt(table, plan::kBeginLo, row) != SlotAt(table, plan::kEndLo, row) ||
                     SlotAt(table, plan::kBeginHi, row) != SlotAt(table, plan::kEndHi, row);
  const eval::Column &stream = table.columns[plan::kStream], &position = table.columns[plan::kPosition];
  if (moved || !stream.Has(row) || !position.Has(row)) return {};
  return {true, stream.slots[row], position.slots[row]};
}

/// Recovery lines by what they are the same in, then by time.
class Closings {
 public:
  Closings(const plan::Fold& fold, const eval::Table& lines, const eval::Table* closing)
      : fold_(fold), lines_(lines), closing_(closing) {
    if (closing_ == nullptr || closing_->columns.empty()) return;
    for (uint32_t row = 0; row < closing_->first_phantom; ++row) {
      std::vector<int64_t> key;
      if (!IsTimed(*closing_, row) || !KeyOf(*closing_, row, false, &key)) continue;
      by_key_[key].push_back({SlotAt(*closing_, plan::kBeginLo, row), WrittenOf(*closing_, row), row});
    }
    for (auto& [key, entries] : by_key_) {
      std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.Order() < b.Order(); });
    }
  }

  /// The first recovery at or after the line; kNone: there is none.
  uint32_t FirstAfter(uint32_t line) const {
    std::vector<int64_t> key;
    if (!IsTimed(lines_, line) || !KeyOf(lines_, line, true, &key)) return kNone;
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return kNone;
    const std::vector<Entry>& entries = found->second;
    const int64_t at = SlotAt(lines_, plan::kBeginLo, line);
    const auto earlier = [](const Entry& entry, int64_t time) { return entry.time < time; };
    const auto from = std::lower_bound(entries.begin(), entries.end(), at, earlier);
    const auto to = std::lower_bound(from, entries.end(), at + 1, earlier);
    const auto tied = Tied(from, to, WrittenOf(lines_, line));
    if (tied != to) return tied->row;
    return to == entries.end() ? kNone : to->row;
  }

  /// Does the line follow the recovery?
  bool Follows(uint32_t line, uint32_t closing) const {
    const int64_t line_at = SlotAt(lines_, plan::kBeginLo, line);
    const int64_t closed_at = SlotAt(*closing_, plan::kBeginLo, closing);
    if (line_at != closed_at) return line_at > closed_at;
    const Written a = WrittenOf(lines_, line), b = WrittenOf(*closing_, closing);
    return a.known && b.known && a.stream == b.stream && a.position > b.position;
  }

 private:
  struct Entry {
    int64_t time = 0;
    Written written;
    uint32_t row = 0;
    std::tuple<int64_t, bool, int64_t, int64_t, uint32_t> Order() const {
      return {time, written.known, written.stream, written.position, row};
    }
  };
  using Iterator = std::vector<Entry>::const_iterator;

  /// At the line's own time: in its stream what stands behind it, else any of another stream.
  static Iterator Tied(Iterator from, Iterator to, const Written& line) {
    if (from == to || !line.known) return from;
    const auto before = [](const Entry& entry, const std::pair<int64_t, int64_t>& at) {
      return !entry.written.known || std::pair(entry.written.stream, entry.written.position) < at;
    };
    const auto same = std::lower_bound(from, to, std::pair(line.stream, line.position), before);
    if (same != to && same->written.stream == line.stream) return same;
    const auto elsewhere = [&](Iterator entry) {
      return !entry->written.known || entry->written.stream != line.stream;
    };
    if (elsewhere(from)) return from;
    return same;  // past its own stream: another's, or the end
  }

  bool KeyOf(const eval::Table& table, uint32_t row, bool left, std::vector<int64_t>* key) const {
    key->push_back(SlotAt(table, plan::kTie, row));
    for (const plan::EqualKey& same : fold_.same) {
      const eval::Column& column = table.columns[left ? same.left : same.right];
      if (!column.Has(row)) return false;
      key->push_back(column.slots[row]);
    }
    return true;
  }

  const plan::Fold& fold_;
  const eval::Table& lines_;
  const eval::Table* closing_;
  std::map<std::vector<int64_t>, std::vector<Entry>> by_key_;
};

class Folding {
 public:
  Folding(const plan::Fold& fold, const eval::Table& lines, const eval::Table* closing)
      : fold_(fold), lines_(lines), closings_(fold, lines, closing) {}

  std::vector<FoldedRow> Run() {
    for (const std::vector<uint32_t>& key : KeyedLines(lines_, fold_.keys)) {
      if (fold_.kind == plan::FoldKind::kLines) {
        for (const uint32_t row : key) Start(row), End(true);
      } else {
        Episodes(key);
      }
    }
    std::sort(rows_.begin(), rows_.end(), [](const FoldedRow& a, const FoldedRow& b) { return a.first < b.first; });
    return std::move(rows_);
  }

 private:
  void Episodes(const std::vector<uint32_t>& key) {
    for (const uint32_t row : key) {
      if (!IsTimed(lines_, row)) continue;
      const bool closed = open_ && current_.closing != kNone && closings_.Follows(row, current_.closing);
      // Written so that no difference overflows: both lie far inside.
      const bool silence = open_ && SlotAt(lines_, plan::kBeginLo, row) - ended_ > fold_.span;
      if (closed || silence) End(closed);
      if (open_) {
        Add(row);
      } else {
        Start(row);
      }
    }
    if (open_) End(true);
    for (const uint32_t row : key) {
      if (IsTimed(lines_, row)) continue;
      if (open_) {
        Add(row);
      } else {
        Start(row);
      }
    }
    if (open_) End(true);
  }

  void Start(uint32_t row) {
    open_ = true;
    current_ = {row, row, row, row, 1, closings_.FirstAfter(row), true, SlotAt(lines_, plan::kSkew, row)};
    ended_ = SlotAt(lines_, plan::kEndHi, row);
  }

  void Add(uint32_t row) {
    ++current_.count;
    current_.last = row;
    if (SlotAt(lines_, plan::kClock, row) != SlotAt(lines_, plan::kClock, current_.first)) current_.one_clock = false;
    current_.skew = std::max(current_.skew, SlotAt(lines_, plan::kSkew, row));
    if (SlotAt(lines_, plan::kEndHi, row) < ended_) return;
    ended_ = SlotAt(lines_, plan::kEndHi, row);
    current_.span_last = row;
  }

  /// A silence ends an episode before its recovery line, which is then a later one's.
  void End(bool may_close) {
    if (!may_close) current_.closing = kNone;
    rows_.push_back(current_);
    open_ = false;
  }

  const plan::Fold& fold_;
  const eval::Table& lines_;
  const Closings closings_;
  std::vector<FoldedRow> rows_;
  FoldedRow current_;
  int64_t ended_ = 0;
  bool open_ = false;
};

}  // namespace

bool IsTimed(const eval::Table& lines, uint32_t row) {
  return SlotAt(lines, plan::kBeginLo, row) > plan::kBeforeAll && SlotAt(lines, plan::kEndHi, row) < plan::kAfterAll;
}

std::vector<std::vector<uint32_t>> KeyedLines(const eval::Table& lines, const std::vector<uint32_t>& keys) {
  std::vector<uint32_t> order(lines.rows);
  for (uint32_t row = 0; row < lines.rows; ++row) order[row] = row;
  // Names ids depend on the input, but only equality of keys matters here.
  const auto compare = [&](uint32_t a, uint32_t b) {
    for (const uint32_t key : keys) {
      const eval::Column& column = lines.columns[key];
      const bool has_a = column.Has(a), has_b = column.Has(b);
      if (has_a != has_b) return has_a ? 1 : -1;
      if (has_a && column.slots[a] != column.slots[b]) return column.slots[a] < column.slots[b] ? -1 : 1;
    }
    const int64_t tie_a = SlotAt(lines, plan::kTie, a), tie_b = SlotAt(lines, plan::kTie, b);
    return tie_a == tie_b ? 0 : tie_a < tie_b ? -1 : 1;
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    if (const int order_of_keys = compare(a, b); order_of_keys != 0) return order_of_keys < 0;
    const int64_t begin_a = SlotAt(lines, plan::kBeginLo, a), begin_b = SlotAt(lines, plan::kBeginLo, b);
    return begin_a != begin_b ? begin_a < begin_b : a < b;
  });
  std::vector<std::vector<uint32_t>> groups;
  for (const uint32_t row : order) {
    if (groups.empty() || compare(groups.back().back(), row) != 0) groups.emplace_back();
    groups.back().push_back(row);
  }
  return groups;
}

std::vector<FoldedRow> FoldLines(const plan::Fold& fold, const eval::Table& lines, const eval::Table* closing) {
  return Folding(fold, lines, closing).Run();
}

}  // namespace attr::match
