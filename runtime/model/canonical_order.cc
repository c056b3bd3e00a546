#include "runtime/model/canonical_order.h"

#include <cstring>
#include <tuple>
#include <utility>

#include "runtime/model/canonical.h"

namespace attr::model {

namespace {

uint64_t BitsOfValue(const Observation& row) {
  uint64_t bits = 0;
  std::memcpy(&bits, &row.value, sizeof bits);
  return bits;
}

int CompareBytes(std::string_view a, std::string_view b) { return a.compare(b); }

template <class T>
int CompareValues(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

int64_t SortLo(const Moment& time) { return time.lo <= plan::kBeforeAll ? plan::kAfterAll : time.lo; }

int CompareAttribute(const Attribute& a, const Attribute& b) {
  if (int order = CompareBytes(a.key, b.key)) return order;
  if (int order = CompareValues(a.kind, b.kind)) return order;
  if (int order = CompareValues(a.number, b.number)) return order;
  return CompareBytes(a.text, b.text);
}

int CompareAttributes(const ObservationSet& set, const Observation& a, const Observation& b) {
  uint32_t count = std::min(a.attributes_end - a.attributes_begin, b.attributes_end - b.attributes_begin);
  for (uint32_t i = 0; i < count; ++i) {
    int order = CompareAttribute(set.attributes[a.attributes_begin + i], set.attributes[b.attributes_begin + i]);
    if (order != 0) return order;
  }
  return CompareValues(a.attributes_end - a.attributes_begin, b.attributes_end - b.attributes_begin);
}

/// What no place in the order decides: everything else that the row says.
int CompareContent(const ObservationSet& set, const NameOrder* names, const Observation& a, const Observation& b) {
  auto name = [&](uint32_t id) { return names == nullptr ? id : (*names)(id); };
  if (int order = CompareBytes(a.id, b.id)) return order;
  if (int order = CompareBytes(a.text, b.text)) return order;
  if (int order = CompareBytes(a.name, b.name)) return order;
  if (int order = CompareBytes(a.severity, b.severity)) return order;
  if (int order = CompareBytes(a.unit, b.unit)) return order;
  auto key = [&](const Observation& row) {
    return std::tuple(name(row.node), name(row.gpu), row.rank, name(row.attempt), name(row.job), row.clock,
                      row.has_value, BitsOfValue(row), row.input_time_unreadable, row.time.precision);
  };
  auto left = key(a);
  auto right = key(b);
  if (left != right) return left < right ? -1 : 1;
  return CompareAttributes(set, a, b);
}

int CompareRows(const ObservationSet& set, const NameOrder* names, const Observation& a, const Observation& b) {
  auto name = [&](uint32_t id) { return names == nullptr ? id : (*names)(id); };
  auto key = [&](const Observation& row) {
    return std::tuple(SortLo(row.time), row.time.hi, name(row.source), name(row.observer), name(row.stream),
                      row.position);
  };
  auto left = key(a);
  auto right = key(b);
  if (left != right) return left < right ? -1 : 1;
  return CompareContent(set, names, a, b);
}

/// Rows move along the permutation's cycles: a second copy of a million rows would cost as much as the input.
void Permute(std::vector<uint32_t>* order, std::vector<Observation>* rows) {
  for (uint32_t start = 0; start < order->size(); ++start) {
    if ((*order)[start] == start) continue;
    Observation held = (*rows)[start];
    uint32_t at = start;
    while ((*order)[at] != start) {
      uint32_t from = (*order)[at];
      (*rows)[at] = (*rows)[from];
      (*order)[at] = at;
      at = from;
    }
    (*rows)[at] = held;
    (*order)[at] = at;
  }
}

/// A row by when it may have happened first.
struct TimeKey {
  int64_t lo;
  uint32_t row;
};

/// Logs are nearly sorted: what does not ascend is taken out, sorted alone and
/// merged back (drop-merge sort). The cost is that of the disorder.
void SortByTime(std::vector<TimeKey>* sequence) {
  constexpr size_t kPatience = 8;  // after so many low ones in a row it was the ones before that are too high
  std::vector<TimeKey>& keys = *sequence;
  std::vector<TimeKey> dropped;
  size_t kept = 0;  // keys[0, kept) ascend
  size_t in_row = 0;
  for (size_t read = 0; read < keys.size(); ++read) {
    TimeKey key = keys[read];
    if (kept == 0 || keys[kept - 1].lo <= key.lo) {
      keys[kept++] = key;
      in_row = 0;
    } else if (in_row == 0 && kept >= 2 && keys[kept - 2].lo <= key.lo) {
      dropped.push_back(std::exchange(keys[kept - 1], key));  // only the one before was too high
    } else if (in_row < kPatience) {
      dropped.push_back(key);
      ++in_row;
    } else {
      int64_t highest = key.lo;
      for (; in_row > 0; --in_row, --read, dropped.pop_back()) highest = std::max(highest, dropped.back().lo);
      do {
        dropped.push_back(keys[--kept]);
      } while (kept > 0 && keys[kept - 1].lo > highest);
      --read;  // the first of those in the row is read again
    }
  }
  auto earlier = [](const TimeKey& a, const TimeKey& b) { return a.lo < b.lo; };
  std::sort(dropped.begin(), dropped.end(), earlier);
  for (size_t to = keys.size(); !dropped.empty();) {
    bool from_kept = kept > 0 && keys[kept - 1].lo > dropped.back().lo;
    keys[--to] = from_kept ? keys[kept - 1] : dropped.back();
    if (from_kept) {
      --kept;
    } else {
      dropped.pop_back();
    }
  }
}

}  // namespace

void SortClocks(ObservationSet* set) {
  std::vector<uint32_t> order(set->clocks.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin() + 1, order.end(),
            [&](uint32_t a, uint32_t b) { return NaturalLess(set->clocks[a].name, set->clocks[b].name); });
  std::vector<Clock> sorted;
  std::vector<uint32_t> place(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(set->clocks[order[i]]);
  }
  set->clocks = std::move(sorted);
  if (std::is_sorted(place.begin(), place.end())) return;
  for (Observation& row : set->observations) row.clock = place[row.clock];
}

void SortCoverage(ObservationSet* set, const NameOrder& name) {
  auto key = [&](const Coverage& row) {
    return std::tuple(name(row.source), std::string_view(row.metric), name(row.node), row.rank, row.from, row.to,
                      name(row.stream), row.status, row.presumed_to, std::string_view(row.reason));
  };
  std::sort(set->coverage.begin(), set->coverage.end(),
            [&](const Coverage& a, const Coverage& b) { return key(a) < key(b); });
  auto end = std::unique(set->coverage.begin(), set->coverage.end(),
                         [&](const Coverage& a, const Coverage& b) { return key(a) == key(b); });
  set->coverage.erase(end, set->coverage.end());
}

void SortObservations(ObservationSet* set, const NameOrder& names) {
  std::vector<Observation>& rows = set->observations;
  std::vector<TimeKey> keys(rows.size());
  bool sorted = true;
  for (uint32_t i = 0; i < rows.size(); ++i) {
    keys[i] = {SortLo(rows[i].time), i};
    if (i == 0 || !sorted || keys[i - 1].lo < keys[i].lo) continue;
    sorted = keys[i - 1].lo == keys[i].lo && CompareRows(*set, &names, rows[i - 1], rows[i]) <= 0;
  }
  if (sorted) return;
  SortByTime(&keys);
  auto less = [&](const TimeKey& a, const TimeKey& b) {
    return CompareRows(*set, &names, rows[a.row], rows[b.row]) < 0;
  };
  for (auto begin = keys.begin(); begin != keys.end();) {
    auto end = begin + 1;
    while (end != keys.end() && end->lo == begin->lo) ++end;
    if (end - begin > 1 && !std::is_sorted(begin, end, less)) std::sort(begin, end, less);
    begin = end;
  }
  std::vector<uint32_t> order(rows.size());
  for (uint32_t i = 0; i < keys.size(); ++i) order[i] = keys[i].row;
  keys = {};
  Permute(&order, &rows);
}

bool SameContent(const ObservationSet& set, const Observation& a, const Observation& b) {
  return CompareRows(set, nullptr, a, b) == 0;
}

}  // namespace attr::model
