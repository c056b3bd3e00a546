#include "runtime/eval/aggregates.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <set>
#include <type_traits>

namespace attr::eval {
namespace {

using plan::AggregateKind;
using plan::CountCmp;
using Wide = __int128;  // sums of 64-bit integers, and ends that no sum reaches

template <class T>
constexpr T Unbounded() {
  if constexpr (std::is_same_v<T, double>) {
    return std::numeric_limits<double>::infinity();
  } else {
    return Wide{1} << 120;
  }
}

template <class T>
struct Interval {
  T lo = -Unbounded<T>(), hi = Unbounded<T>();
  std::optional<T> likely;  // absent: some presumed member lacks the value
  static Interval Exactly(T value) { return {value, value, value}; }
};

uint8_t Truth(bool must, bool likely, bool may) {
  return static_cast<uint8_t>((must ? kMustBit : 0) | (likely ? kPresumedBit : 0) | (may ? kMayBit : 0));
}

template <class T>
bool Holds(CountCmp compare, T a, T b) {
  switch (compare) {
    case CountCmp::kEq:
      return a == b;
    case CountCmp::kNe:
      return a != b;
    case CountCmp::kLt:
      return a < b;
    case CountCmp::kLe:
      return a <= b;
    case CountCmp::kGt:
      return a > b;
    case CountCmp::kGe:
      return a >= b;
  }
  return false;
}

template <class T>
uint8_t CompareIntervals(CountCmp compare, const Interval<T>& a, const Interval<T>& b) {
  bool must = false, may = false;
  switch (compare) {
    case CountCmp::kEq:
    case CountCmp::kNe: {
      const bool equal = a.lo == a.hi && b.lo == b.hi && a.lo == b.lo;
      const bool apart = a.hi < b.lo || b.hi < a.lo;
      must = compare == CountCmp::kEq ? equal : apart;
      may = compare == CountCmp::kEq ? !apart : !equal;
      break;
    }
    case CountCmp::kLt:
    case CountCmp::kLe:
      must = Holds(compare, a.hi, b.lo);
      may = Holds(compare, a.lo, b.hi);
      break;
    case CountCmp::kGt:
    case CountCmp::kGe:
      must = Holds(compare, a.lo, b.hi);
      may = Holds(compare, a.hi, b.lo);
      break;
  }
  const bool likely = a.likely && b.likely && Holds(compare, *a.likely, *b.likely);
  return Truth(must, must || (likely && may), may);
}

template <class T>
T ValueOf(int64_t slot) {
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(slot);
  } else {
    return slot;
  }
}

/// A member that was seen, with its value's column (null: an aggregate over none).
struct PartMember {
  const Table* table = nullptr;
  const Column* column = nullptr;
  uint32_t row = 0;
  uint8_t bits = 0;
  bool Has() const { return column->Has(row); }
  int64_t Slot() const { return column->slots[row]; }
};

/// Of all alternatives, in canonical order: a row is where its observation is.
std::vector<PartMember> SeenMembers(const RuleSides& rule, const GroupMembers& group,
                                    const std::vector<plan::ColumnRef>& parts) {
  std::vector<PartMember> out;
  for (const plan::ColumnRef& part : parts) {
    const Side& side = rule.sides[part.binding];
    const Column* column = part.column == plan::kNone ? nullptr : &side.table->columns[part.column];
    for (const Member& member : group.bindings[part.binding]) {
      if (side.real(member.row)) out.push_back({side.table, column, member.row, member.bits});
    }
  }
  if (parts.size() > 1) {
    std::stable_sort(out.begin(), out.end(), [](const PartMember& a, const PartMember& b) {
      return a.table->observation[a.row] < b.table->observation[b.row];
    });
  }
  return out;
}

/// The rows of one aggregate: which bits they have, their value where they have one.
template <class T>
class Aggregation {
 public:
  Aggregation(const Context& context, const RuleSides& rule, const GroupMembers& group,
              const plan::Aggregate& aggregate)
      : context_(context), aggregate_(aggregate), members_(SeenMembers(rule, group, plan::ColumnsOf(aggregate))) {
    for (const plan::ColumnRef& part : plan::ColumnsOf(aggregate)) {
      for (const Member& member : group.bindings[part.binding]) phantom_ |= !rule.sides[part.binding].real(member.row);
    }
    for (const PartMember& member : members_) open_ |= (member.bits & kMustBit) == 0;
  }

  Interval<T> Compute() const {
    switch (aggregate_.kind) {
      case AggregateKind::kCount:
        return Count();
      case AggregateKind::kDistinct:
        return Distinct();
      case AggregateKind::kMin:
        return Smallest(false);
      case AggregateKind::kMax:
        return Smallest(true);
      case AggregateKind::kSum:
        return Sum();
      case AggregateKind::kFirst:
        return Edge(false);
      case AggregateKind::kLast:
        return Edge(true);
      case AggregateKind::kSpan:
        return SpanOfAll();
      case AggregateKind::kShare:
        return Share();
    }
    return {};
  }

 private:
  template <class F>
  void ForEach(uint8_t bit, F&& f) const {
    for (const PartMember& member : members_) {
      if ((member.bits & bit) != 0) f(member);
    }
  }
  static int64_t Time(uint32_t column, const PartMember& member) {
    return member.table->columns[column].slots[member.row];
  }

  size_t CountOf(uint8_t bit) const {
    size_t count = 0;
    ForEach(bit, [&](const PartMember&) { ++count; });
    return count;
  }
  Interval<T> Count() const {
    const T hi = phantom_ ? Unbounded<T>() : static_cast<T>(CountOf(kMayBit));
    return {static_cast<T>(CountOf(kMustBit)), hi, static_cast<T>(CountOf(kPresumedBit))};
  }

  /// Distinct values among rows with the bit; rows without a value apart.
  size_t DistinctOf(uint8_t bit, size_t* missing) const {
    std::set<int64_t> values;
    *missing = 0;
    ForEach(bit, [&](const PartMember& member) {
      if (!member.Has()) {
        ++*missing;
      } else {
        values.insert(Canonical(member.Slot()));
      }
    });
    return values.size();
  }
  int64_t Canonical(int64_t slot) const {
    if (aggregate_.type != plan::Type::kFloat) return slot;
    return std::bit_cast<double>(slot) == 0 ? 0 : slot;  // -0.0 is 0.0
  }
  Interval<T> Distinct() const {
    size_t missing = 0;
    Interval<T> out;
    out.lo = static_cast<T>(DistinctOf(kMustBit, &missing));
    const size_t likely = DistinctOf(kPresumedBit, &missing);
    if (missing == 0) out.likely = static_cast<T>(likely);
    const size_t most = DistinctOf(kMayBit, &missing);
    if (!phantom_) out.hi = static_cast<T>(most + missing);
    return out;
  }

  /// nullopt: no row has a value. `missing`: some row has none.
  std::optional<T> SmallestOf(uint8_t bit, bool largest, bool* missing) const {
    std::optional<T> best;
    *missing = false;
    ForEach(bit, [&](const PartMember& member) {
      if (!member.Has()) {
        *missing = true;
        return;
      }
      const T value = ValueOf<T>(member.Slot());
      if (!best || (largest ? value > *best : value < *best)) best = value;
    });
    return best;
  }
  /// The largest on the same bounds with both ends changed.
  Interval<T> Smallest(bool largest) const {
    bool missing = false;
    Interval<T> out;
    const std::optional<T> sure = SmallestOf(kMustBit, largest, &missing);
    if (sure) (largest ? out.lo : out.hi) = *sure;
    const std::optional<T> likely = SmallestOf(kPresumedBit, largest, &missing);
    if (!missing) out.likely = likely;
    const std::optional<T> most = SmallestOf(kMayBit, largest, &missing);
    if (most && !missing && !phantom_) (largest ? out.hi : out.lo) = *most;
    return out;
  }

  /// In row order, which is canonical: float addition is not associative.
  T SumOf(uint8_t bit, bool* missing) const {
    T sum = 0;
    *missing = false;
    ForEach(bit, [&](const PartMember& member) {
      if (member.Has()) {
        sum += ValueOf<T>(member.Slot());
      } else {
        *missing = true;
      }
    });
    return sum;
  }
  /// A sum that no 64-bit integer holds is missing (S13).
  static bool Representable(T sum) {
    if constexpr (std::is_same_v<T, double>) {
      return sum == sum;
    } else {
      return sum >= std::numeric_limits<int64_t>::min() && sum <= std::numeric_limits<int64_t>::max();
    }
  }
  Interval<T> Sum() const {
    bool missing_sure = false, missing = false;
    const T sure = SumOf(kMustBit, &missing_sure);
    const bool never_negative = aggregate_.type == plan::Type::kSize || aggregate_.type == plan::Type::kDuration;
    Interval<T> out;
    const T likely = SumOf(kPresumedBit, &missing);
    if (!missing && Representable(likely)) out.likely = likely;
    const T most = SumOf(kMayBit, &missing);
    if (!Representable(sure) || !Representable(most)) return out;
    if (never_negative || (!phantom_ && !open_ && !missing_sure)) out.lo = sure;
    if (!phantom_ && !missing && (never_negative || !open_)) out.hi = most;
    return out;
  }

  /// First begin, or last end: where rows with the bit put it.
  Interval<T> EdgeOf(uint8_t bit, bool last) const {
    Interval<T> out;
    bool any = false;
    ForEach(bit, [&](const PartMember& member) {
      const T lo = Time(last ? plan::kEndLo : plan::kBeginLo, member),
              hi = Time(last ? plan::kEndHi : plan::kBeginHi, member);
      out.lo = !any ? lo : last ? std::max(out.lo, lo) : std::min(out.lo, lo);
      out.hi = !any ? hi : last ? std::max(out.hi, hi) : std::min(out.hi, hi);
      any = true;
    });
    if (any && out.lo == out.hi) out.likely = out.lo;
    return out;
  }
  Interval<T> Edge(bool last) const {
    const Interval<T> sure = EdgeOf(kMustBit, last), most = EdgeOf(kMayBit, last);
    Interval<T> out;
    out.likely = EdgeOf(kPresumedBit, last).likely;
    if (last) {
      out.lo = sure.lo;
      if (!phantom_) out.hi = most.hi;
    } else {
      out.hi = sure.hi;
      if (!phantom_) out.lo = most.lo;
    }
    return out;
  }
  Interval<T> SpanOfAll() const {
    const Interval<T> first = Edge(false), last = Edge(true);
    Interval<T> out;
    out.lo = std::max<T>(0, CountOf(kMustBit) == 0 ? 0 : last.lo - first.hi);
    if (!phantom_) out.hi = last.hi - first.lo;
    if (first.likely && last.likely) out.likely = *last.likely - *first.likely;
    return out;
  }

  /// The attempt's nodes, as columns name them.
  std::set<int64_t> Inventory() const {
    std::set<int64_t> nodes;
    if (context_.set == nullptr) return nodes;
    for (const model::InventoryNode& node : context_.set->attempt.nodes) {
      const uint32_t id = context_.dictionary.Find(context_.set->NameOf(node.node));
      nodes.insert(id == Interner::kNone ? -1 - static_cast<int64_t>(nodes.size()) : id);
    }
    return nodes;
  }
  /// Those of them that rows with the bit stand on; rows without a node apart.
  size_t StoodOn(uint8_t bit, const std::set<int64_t>& inventory, size_t* missing) const {
    std::set<int64_t> found;
    *missing = 0;
    ForEach(bit, [&](const PartMember& member) {
      const Column& node = member.table->columns[plan::kNode];
      if (!node.Has(member.row)) {
        ++*missing;
      } else if (inventory.count(node.slots[member.row]) != 0) {
        found.insert(node.slots[member.row]);
      }
    });
    return found.size();
  }
  /// Of the attempt's nodes, how many the members are on. Needs the inventory.
  Interval<T> Share() const {
    const std::set<int64_t> nodes = Inventory();
    if (nodes.empty()) return {0, 1, std::nullopt};
    const auto share = [&](size_t count) {
      return std::min<T>(1, static_cast<T>(count) / static_cast<T>(nodes.size()));
    };
    size_t missing = 0;
    Interval<T> out;
    out.lo = share(StoodOn(kMustBit, nodes, &missing));
    const size_t likely = StoodOn(kPresumedBit, nodes, &missing);
    if (missing == 0) out.likely = share(likely);
    const size_t most = StoodOn(kMayBit, nodes, &missing);
    out.hi = phantom_ ? 1 : share(most + missing);
    return out;
  }

  const Context& context_;
  const plan::Aggregate& aggregate_;
  const std::vector<PartMember> members_;
  bool phantom_ = false, open_ = false;  // some member is a phantom, is not sure
};

class Having {
 public:
  Having(const Context& context, const RuleSides& rule, const GroupMembers& group, const std::vector<Members>& counts)
      : context_(context), rule_(rule), group_(group), counts_(counts) {}

  uint8_t Bits(plan::ExprId id) const {
    const plan::Expr& e = context_.plan->exprs[id];
    switch (e.op) {
      case plan::Op::kAnd:
        return Bits(e.a) & Bits(e.b);
      case plan::Op::kOr:
        return Bits(e.a) | Bits(e.b);
      case plan::Op::kTrue:
        return kAllBits;
      case plan::Op::kCountCmp:
        return CountBits(e);
      case plan::Op::kAggregateCmp:
        return e.type == plan::Type::kFloat ? Compare<double>(e) : Compare<Wide>(e);
      default:
        return 0;
    }
  }

 private:
  uint8_t CountBits(const plan::Expr& e) const {
    const Members& m = counts_[e.a];
    const Interval<Wide> count{m.must, m.unbounded ? Unbounded<Wide>() : Wide{m.may}, Wide{m.presumed}};
    return CompareIntervals(static_cast<CountCmp>(e.b), count, Interval<Wide>::Exactly(e.imm));
  }
  template <class T>
  Interval<T> Of(uint32_t index) const {
    const plan::Aggregate& aggregate = rule_.rule->aggregates[index];
    return Aggregation<T>(context_, rule_, group_, aggregate).Compute();
  }
  template <class T>
  uint8_t Compare(const plan::Expr& e) const {
    const Interval<T> right = e.index == plan::kNone ? Interval<T>::Exactly(ValueOf<T>(e.imm)) : Of<T>(e.index);
    return CompareIntervals(static_cast<CountCmp>(e.b), Of<T>(e.a), right);
  }

  const Context& context_;
  const RuleSides& rule_;
  const GroupMembers& group_;
  const std::vector<Members>& counts_;
};

template <class T>
Interval<T> IntervalOf(const Context& context, const RuleSides& rule, const GroupMembers& group, uint32_t index) {
  return Aggregation<T>(context, rule, group, rule.rule->aggregates[index]).Compute();
}

}  // namespace

std::optional<int64_t> AggregateValue(const Context& context, const RuleSides& rule, const GroupMembers& group,
                                      uint32_t index) {
  if (plan::ResultType(rule.rule->aggregates[index]) == plan::Type::kFloat) {
    const Interval<double> value = IntervalOf<double>(context, rule, group, index);
    if (value.lo != value.hi || value.hi == Unbounded<double>() || value.lo == -Unbounded<double>()) return {};
    return std::bit_cast<int64_t>(value.lo);
  }
  const Interval<Wide> value = IntervalOf<Wide>(context, rule, group, index);
  const bool fits = value.lo >= std::numeric_limits<int64_t>::min() && value.lo <= std::numeric_limits<int64_t>::max();
  if (value.lo != value.hi || !fits) return {};
  return static_cast<int64_t>(value.lo);
}

uint8_t HavingBits(const Context& context, const RuleSides& rule, const GroupMembers& group,
                   const std::vector<Members>& counts) {
  return Having(context, rule, group, counts).Bits(rule.rule->having);
}

}  // namespace attr::eval
