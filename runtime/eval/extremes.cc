#include "runtime/eval/extremes.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <tuple>

#include "runtime/eval/time_relation.h"

namespace attr::eval {
namespace {

constexpr int64_t kFar = std::numeric_limits<int64_t>::max();

/// Who could stand before a member, for one of the three readings.
enum Reading { kSure, kLikely, kMaybe, kReadings };
bool In(Reading reading, uint8_t bits) {
  constexpr uint8_t kBit[] = {kMustBit, kPresumedBit, kMayBit};
  return (bits & kBit[reading]) != 0;
}
uint8_t Kept(uint8_t bits, bool surely_first, bool likely_first, bool maybe_first) {
  uint8_t keep = 0;
  if (surely_first) keep |= kMustBit;
  if (likely_first) keep |= kPresumedBit;
  if (maybe_first) keep |= kMayBit;
  return bits & keep;
}

/// A member's begin as an interval that is small when it comes first: for `latest`
/// the axis is turned round.
struct Begin {
  int64_t lo = 0, hi = 0;
  Span span;
  int64_t stream = 0, order = 0;  // position, where position decides; else a negative stream of its own

  int64_t ToleranceTo(const Begin& other) const { return Tolerance(span, other.span); }
};

/// `part`, `parts`: rows of several alternatives' tables are told apart.
Begin BeginAt(const Table& table, size_t row, bool latest, size_t part, size_t parts) {
  Begin begin;
  begin.span = SpanOf(table, row);
  const Span& span = begin.span;
  std::tie(begin.lo, begin.hi) =
      latest ? std::pair(-span.begin_hi, -span.begin_lo) : std::pair(span.begin_lo, span.begin_hi);
  begin.stream = -1 - static_cast<int64_t>(row * parts + part);
  if (span.placed && span.begin_lo == span.end_lo && span.begin_hi == span.end_hi) {
    begin.stream = span.stream;
    begin.order = latest ? -span.position : span.position;
  }
  return begin;
}

/// The smallest begins of one class: of all, and of another stream than that one's.
struct Smallest {
  Begin of_class;
  int64_t hi = kFar;
  int64_t lo = kFar, lo_stream = kFar;
  int64_t other_lo = kFar;

  void Add(const Begin& begin) {
    hi = std::min(hi, begin.hi);
    if (begin.lo < lo) {
      if (begin.stream != lo_stream) other_lo = lo;
      lo = begin.lo;
      lo_stream = begin.stream;
    } else if (begin.stream != lo_stream) {
      other_lo = std::min(other_lo, begin.lo);
    }
  }
};

/// All begins of one reading, ready to be asked who comes before a member.
class Field {
 public:
  void Add(const Begin& begin) {
    auto [at, added] = classes_.try_emplace({begin.span.tie, begin.span.clock, begin.span.precision, begin.span.skew});
    if (added) at->second.of_class = begin;
    at->second.Add(begin);
    if (begin.stream < 0) return;
    auto [first, fresh] = first_in_stream_.try_emplace(begin.stream, begin.order);
    if (!fresh) first->second = std::min(first->second, begin.order);
  }
  bool SomeCertainlyBefore(const Begin& begin) const {
    if (BeforeInStream(begin)) return true;
    return std::any_of(classes_.begin(), classes_.end(), [&](const auto& entry) {
      const Smallest& s = entry.second;
      return s.of_class.span.tie == begin.span.tie && s.hi < begin.lo - s.of_class.ToleranceTo(begin);
    });
  }
  bool SomePossiblyBefore(const Begin& begin) const {
    if (BeforeInStream(begin)) return true;
    return std::any_of(classes_.begin(), classes_.end(), [&](const auto& entry) {
      const Smallest& s = entry.second;
      const int64_t lo = s.lo_stream == begin.stream ? s.other_lo : s.lo;
      if (lo == kFar) return false;
      return s.of_class.span.tie != begin.span.tie || lo < begin.hi - s.of_class.ToleranceTo(begin);
    });
  }

 private:
  bool BeforeInStream(const Begin& begin) const {
    const auto first = first_in_stream_.find(begin.stream);
    return first != first_in_stream_.end() && first->second < begin.order;
  }
  std::map<std::tuple<int64_t, int64_t, int64_t, int64_t>, Smallest> classes_;
  std::map<int64_t, int64_t> first_in_stream_;
};

/// The members of one name, as one alternative binds it.
struct NamedPart {
  const Table* table = nullptr;
  const Column* column = nullptr;  // least, most
  std::vector<Member>* members = nullptr;
};
using NamedParts = std::vector<NamedPart>;

void ByTime(const NamedParts& parts, bool latest) {
  Field fields[kReadings];
  for (size_t p = 0; p < parts.size(); ++p) {
    for (const Member& member : *parts[p].members) {
      const Begin begin = BeginAt(*parts[p].table, member.row, latest, p, parts.size());
      for (Reading reading : {kSure, kLikely, kMaybe}) {
        if (In(reading, member.bits)) fields[reading].Add(begin);
      }
    }
  }
  for (size_t p = 0; p < parts.size(); ++p) {
    for (Member& member : *parts[p].members) {
      const Begin begin = BeginAt(*parts[p].table, member.row, latest, p, parts.size());
      member.bits = Kept(member.bits, !fields[kMaybe].SomePossiblyBefore(begin),
                         !fields[kLikely].SomeCertainlyBefore(begin), !fields[kSure].SomeCertainlyBefore(begin));
    }
  }
}

/// Values in an order of 64-bit integers; for `most` turned round.
struct Ranked {
  bool known = false;
  int64_t value = 0;
};
Ranked RankOf(const Column& column, plan::Type type, size_t row, bool most) {
  if (!column.Has(row)) return {};
  int64_t value = column.slots[row];
  if (type == plan::Type::kFloat) {
    const double number = std::bit_cast<double>(value);
    value = std::bit_cast<int64_t>(number == 0 ? 0.0 : number);
    if (value < 0) value = std::numeric_limits<int64_t>::min() - value;  // negative floats sort backwards as integers
  }
  return {true, most ? ~value : value};
}

void ByValue(const NamedParts& parts, plan::Type type, bool most) {
  int64_t smallest[kReadings] = {kFar, kFar, kFar};
  size_t missing = 0, count = 0;
  for (const NamedPart& part : parts) {
    for (const Member& member : *part.members) {
      const Ranked rank = RankOf(*part.column, type, member.row, most);
      missing += rank.known ? 0 : 1;
      for (Reading reading : {kSure, kLikely, kMaybe}) {
        if (rank.known && In(reading, member.bits)) smallest[reading] = std::min(smallest[reading], rank.value);
      }
    }
    count += part.members->size();
  }
  for (const NamedPart& part : parts) {
    for (Member& member : *part.members) {
      const Ranked rank = RankOf(*part.column, type, member.row, most);
      const bool surely = count == 1 || (rank.known && missing == 0 && smallest[kMaybe] >= rank.value);
      member.bits = Kept(member.bits, surely, !rank.known || smallest[kLikely] >= rank.value,
                         !rank.known || smallest[kSure] >= rank.value);
    }
  }
}

}  // namespace

void NarrowToExtremes(const RuleSides& rule, GroupMembers* group) {
  using plan::ExtremeKind;
  for (const plan::Extreme& extreme : rule.rule->extremes) {
    NamedParts parts;
    for (const plan::ColumnRef& ref : plan::ColumnsOf(extreme)) {
      const Table& table = *rule.sides[ref.binding].table;
      const Column* column = ref.column == plan::kNone ? nullptr : &table.columns[ref.column];
      parts.push_back({&table, column, &group->bindings[ref.binding]});
    }
    if (extreme.kind == ExtremeKind::kEarliest || extreme.kind == ExtremeKind::kLatest) {
      ByTime(parts, extreme.kind == ExtremeKind::kLatest);
    } else {
      ByValue(parts, extreme.type, extreme.kind == ExtremeKind::kMost);
    }
    uint8_t left = 0;
    for (const NamedPart& part : parts) {
      std::erase_if(*part.members, [](const Member& member) { return member.bits == 0; });
      for (const Member& member : *part.members) left |= member.bits;
    }
    group->bits &= left;
  }
}

}  // namespace attr::eval
