#include "runtime/model/canonical_order.h"

#include <array>
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
  uint64_t lo;
  uint32_t row;
};

/// By `lo`, rows of one `lo` in their order: few passes, as only the digits in which times differ are looked at.
void SortByTime(std::vector<TimeKey>* keys) {
  constexpr unsigned kBits = 11;
  constexpr uint64_t kMask = (1U << kBits) - 1;
  constexpr size_t kDigits = (64 + kBits - 1) / kBits;
  auto by_time = [](const TimeKey& a, const TimeKey& b) { return a.lo < b.lo; };
  if (keys->size() <= kMask) return std::stable_sort(keys->begin(), keys->end(), by_time);
  std::vector<std::array<uint32_t, kMask + 1>> counts(kDigits);
  for (const TimeKey& key : *keys) {
    for (size_t digit = 0; digit < kDigits; ++digit) ++counts[digit][key.lo >> (digit * kBits) & kMask];
  }
  std::vector<TimeKey> sorted(keys->size());
  for (size_t digit = 0; digit < kDigits; ++digit) {
    std::array<uint32_t, kMask + 1>& place = counts[digit];
    if (place[keys->front().lo >> (digit * kBits) & kMask] == keys->size()) continue;
    uint32_t before = 0;
    for (uint32_t& count : place) before += std::exchange(count, before);
    for (const TimeKey& key : *keys) sorted[place[key.lo >> (digit * kBits) & kMask]++] = key;
    keys->swap(sorted);
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
    // Shifted so that signed times compare, and near each other differ in low digits only.
    keys[i] = {static_cast<uint64_t>(SortLo(rows[i].time)) ^ 1ULL << 63, i};
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
