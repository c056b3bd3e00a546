#include "tests/oracle/aggregates.h"
#include "tests/oracle/expression.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace attr::oracle {

namespace {

using syntax::BinaryOp;

Amount Whole(__int128 n) { return {false, n, 0}; }
Amount RealAmount(double d) { return {true, 0, d}; }

/// Floats end at the infinities.
Bounds Anything(Type type) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (type != Type::kFloat) return {};
  return {RealAmount(-kInfinite), RealAmount(kInfinite), {}};
}

/// A real member (no phantom) and its value.
struct Seen {
  const Row* row = nullptr;
  Bits bits;
  Value value;
};

class AggregateReader {
 public:
  AggregateReader(const Asked& of, const syntax::CallExpr& call) : of_(of), name_(call.callee.text) {
    const syntax::Expr& argument = *call.arguments[0];
    const auto* ref = std::get_if<syntax::RefExpr>(&argument.node);
    for (size_t s = 0; s < of.slots.size(); ++s) {
      const bool whole = ref != nullptr && ref->parts.size() == 1 && ref->parts[0].text == of.slots[s].name;
      if (whole) Take({s, Type::kInt, std::vector<Value>(of.members[s].size(), Missing(Type::kInt))});
      if (whole) return;
    }
    Take(ValuesOf(of, argument));
  }

  Bounds Read() const {
    if (name_ == "count") return Count();
    if (name_ == "distinct") return Distinct();
    if (name_ == "min") return Farthest(false);
    if (name_ == "max") return Farthest(true);
    if (name_ == "sum") return Sum();
    if (name_ == "first") return First();
    if (name_ == "last") return Last();
    if (name_ == "span") return Span();
    if (name_ == "share") return Share();
    throw std::runtime_error("aggregate " + name_);
  }

 private:
  void Take(SlotValues values) {
    type_ = values.type;
    const std::vector<Member>& members = of_.members[values.slot];
    for (size_t i = 0; i < members.size(); ++i) {
      if (members[i].row->IsPhantom()) {
        blind_ = true;
      } else {
        seen_.push_back({members[i].row, members[i].bits, values.values[i]});
      }
    }
  }

  std::vector<Seen> With(bool Bits::*bit) const {
    std::vector<Seen> out;
    for (const Seen& one : seen_) {
      if (one.bits.*bit) out.push_back(one);
    }
    return out;
  }
  static bool AllHaveIt(const std::vector<Seen>& seen) {
    return std::all_of(seen.begin(), seen.end(), [](const Seen& one) { return one.value.present; });
  }
  static size_t Lacking(const std::vector<Seen>& seen) {
    return static_cast<size_t>(
        std::count_if(seen.begin(), seen.end(), [](const Seen& one) { return !one.value.present; }));
  }
  /// Values that no earlier one equals.
  static size_t Different(const std::vector<Seen>& seen) {
    size_t count = 0;
    for (size_t i = 0; i < seen.size(); ++i) {
      bool again = !seen[i].value.present;
      for (size_t j = 0; j < i && !again; ++j) {
        again = seen[j].value.present && oracle::Order(seen[j].value, seen[i].value) == 0;
      }
      count += again ? 0 : 1;
    }
    return count;
  }

  Bounds Count() const {
    Bounds out{Whole(static_cast<int64_t>(With(&Bits::must).size())), {}, {}};
    if (!blind_) out.hi = Whole(static_cast<int64_t>(With(&Bits::may).size()));
    out.likely = Whole(static_cast<int64_t>(With(&Bits::presumed).size()));
    return out;
  }

  Bounds Distinct() const {
    const std::vector<Seen> presumed = With(&Bits::presumed), may = With(&Bits::may);
    Bounds out{Whole(static_cast<int64_t>(Different(With(&Bits::must)))), {}, {}};
    if (!blind_) out.hi = Whole(static_cast<int64_t>(Different(may) + Lacking(may)));
    if (AllHaveIt(presumed)) out.likely = Whole(static_cast<int64_t>(Different(presumed)));
    return out;
  }

  static std::optional<Amount> FarthestOf(const std::vector<Seen>& seen, bool largest) {
    std::optional<Amount> out;
    for (const Seen& one : seen) {
      if (!one.value.present) continue;
      const Amount amount = AmountOf(one.value);
      if (!out || (largest ? Order(amount, *out) > 0 : Order(amount, *out) < 0)) out = amount;
    }
    return out;
  }

  /// Between the possible and the sure members, open on the far side.
  Bounds Farthest(bool largest) const {
    const std::vector<Seen> presumed = With(&Bits::presumed), may = With(&Bits::may);
    Bounds out = Anything(type_);
    const std::optional<Amount> near = FarthestOf(With(&Bits::must), largest), far = FarthestOf(may, largest);
    if (near) (largest ? out.lo : out.hi) = near;
    if (far && AllHaveIt(may) && !blind_) (largest ? out.hi : out.lo) = far;
    if (AllHaveIt(presumed)) out.likely = FarthestOf(presumed, largest);
    return out;
  }

  /// What is there; absent when the total is no value of the type.
  std::optional<Amount> Total(const std::vector<Seen>& seen) const {
    double real = 0;
    __int128 whole = 0;
    for (const Seen& one : seen) {
      if (!one.value.present) continue;
      real += one.value.real;
      whole += one.value.number;
    }
    if (type_ == Type::kFloat) return real == real ? std::optional(RealAmount(real)) : std::nullopt;
    const bool fits = whole >= std::numeric_limits<int64_t>::min() && whole <= std::numeric_limits<int64_t>::max();
    return fits ? std::optional(Whole(whole)) : std::nullopt;
  }

  Bounds Sum() const {
    const std::vector<Seen> must = With(&Bits::must), presumed = With(&Bits::presumed), may = With(&Bits::may);
    const bool grows = type_ == Type::kSize || type_ == Type::kDuration;
    const bool in_doubt = blind_ || must.size() != may.size() || !AllHaveIt(may);
    Bounds out = Anything(type_);
    if (AllHaveIt(presumed)) out.likely = Total(presumed);
    const std::optional<Amount> least = Total(must), most = Total(may);
    if (!least || !most) return out;
    if (grows || !in_doubt) out.lo = least;
    if (!in_doubt || (grows && !blind_ && AllHaveIt(may))) out.hi = most;
    return out;
  }

  /// The first begin lies between these, were the members exactly these.
  static std::optional<std::pair<int64_t, int64_t>> FirstOf(const std::vector<Seen>& seen) {
    std::optional<std::pair<int64_t, int64_t>> out;
    for (const Seen& one : seen) {
      if (!out) out = {kAfterAll, kAfterAll};
      out->first = std::min(out->first, one.row->span.begin_lo);
      out->second = std::min(out->second, one.row->span.begin_hi);
    }
    return out;
  }
  static std::optional<std::pair<int64_t, int64_t>> LastOf(const std::vector<Seen>& seen) {
    std::optional<std::pair<int64_t, int64_t>> out;
    for (const Seen& one : seen) {
      if (!out) out = {kBeforeAll, kBeforeAll};
      out->first = std::max(out->first, one.row->span.end_lo);
      out->second = std::max(out->second, one.row->span.end_hi);
    }
    return out;
  }

  Bounds First() const {
    Bounds out;
    const auto must = FirstOf(With(&Bits::must)), presumed = FirstOf(With(&Bits::presumed)),
               may = FirstOf(With(&Bits::may));
    if (may && !blind_) out.lo = Whole(may->first);
    if (must) out.hi = Whole(must->second);
    if (presumed && presumed->first == presumed->second) out.likely = Whole(presumed->first);
    return out;
  }
  Bounds Last() const {
    Bounds out;
    const auto must = LastOf(With(&Bits::must)), presumed = LastOf(With(&Bits::presumed)),
               may = LastOf(With(&Bits::may));
    if (must) out.lo = Whole(must->first);
    if (may && !blind_) out.hi = Whole(may->second);
    if (presumed && presumed->first == presumed->second) out.likely = Whole(presumed->first);
    return out;
  }
  Bounds Span() const {
    const Bounds first = First(), last = Last();
    Bounds out{Whole(0), {}, {}};
    if (last.lo && first.hi && Order(*last.lo, *first.hi) > 0) out.lo = Whole(last.lo->whole - first.hi->whole);
    if (last.hi && first.lo) out.hi = Whole(last.hi->whole - first.lo->whole);
    if (last.likely && first.likely) out.likely = Whole(last.likely->whole - first.likely->whole);
    return out;
  }

  /// Nodes of the attempt that the members stand on, of all that it has; `unknown`
  /// members may each stand on one more.
  Amount Part(const std::vector<Seen>& members, bool unknown) const {
    size_t stood_on = 0, all = 0;
    for (const model::InventoryNode& node : of_.world.set.attempt.nodes) {
      const std::string name = of_.world.Name(node.node);
      const bool here = std::any_of(members.begin(), members.end(), [&](const Seen& one) {
        return one.row->node.present && one.row->node.text == name;
      });
      stood_on += here ? 1 : 0;
      ++all;
    }
    for (const Seen& one : members) stood_on += unknown && !one.row->node.present ? 1 : 0;
    return RealAmount(static_cast<double>(std::min(stood_on, all)) / static_cast<double>(all));
  }

  Bounds Share() const {
    Bounds out{RealAmount(0), RealAmount(1), {}};
    if (of_.world.set.attempt.nodes.empty()) return out;
    const std::vector<Seen> presumed = With(&Bits::presumed);
    out.lo = Part(With(&Bits::must), false);
    if (!blind_) out.hi = Part(With(&Bits::may), true);
    const bool placed =
        std::all_of(presumed.begin(), presumed.end(), [](const Seen& one) { return one.row->node.present; });
    if (placed) out.likely = Part(presumed, false);
    return out;
  }

  const Asked& of_;
  std::string name_;
  Type type_ = Type::kInt;
  std::vector<Seen> seen_;
  bool blind_ = false;  // one may be where nobody looked
};

}  // namespace

int Order(const Amount& a, const Amount& b) {
  if (a.is_real) return a.real < b.real ? -1 : a.real > b.real ? 1 : 0;
  return a.whole < b.whole ? -1 : a.whole > b.whole ? 1 : 0;
}

Amount AmountOf(const Value& value) {
  return value.type == Type::kFloat ? RealAmount(value.real) : Whole(value.number);
}

Bounds Exactly(Amount amount) { return {amount, amount, amount}; }

/// Of each side the end that makes the comparison hardest, and the one that makes it easiest.
Bits Compare(const Bounds& left, BinaryOp op, const Bounds& right) {
  const auto holds = [](const std::optional<Amount>& a, BinaryOp how, const std::optional<Amount>& b, bool open) {
    return a && b ? Holds(how, Order(*a, *b)) : open;
  };
  const bool below = op == BinaryOp::kLt || op == BinaryOp::kLe;
  bool always = false, ever = false;
  if (op == BinaryOp::kEq || op == BinaryOp::kNe) {
    const bool apart = holds(left.hi, BinaryOp::kLt, right.lo, false) || holds(right.hi, BinaryOp::kLt, left.lo, false);
    const bool one_value =
        holds(left.lo, BinaryOp::kGe, right.hi, false) && holds(left.hi, BinaryOp::kLe, right.lo, false);
    always = op == BinaryOp::kEq ? one_value : apart;
    ever = op == BinaryOp::kEq ? !apart : !one_value;
  } else {
    always = below ? holds(left.hi, op, right.lo, false) : holds(left.lo, op, right.hi, false);
    ever = below ? holds(left.lo, op, right.hi, true) : holds(left.hi, op, right.lo, true);
  }
  const bool likely = holds(left.likely, op, right.likely, false);
  return {always, always || (ever && likely), ever};
}

SlotValues ValuesOf(const Asked& of, const syntax::Expr& expr) {
  RuleScope scope(of.world.pack, {}, true);
  for (const Slot& slot : of.slots) scope.Add({slot.name, slot.event, nullptr});
  const Operand blank = Evaluator(of.world, of.rule.pack, scope).Eval(expr);
  SlotValues out;
  out.type = blank.value.type;
  while ((blank.bindings >> out.slot & 1U) == 0) ++out.slot;
  for (const Member& member : of.members[out.slot]) {
    scope.Put(out.slot, member.row);
    out.values.push_back(Evaluator(of.world, of.rule.pack, scope).Eval(expr).value);
  }
  return out;
}

bool IsAggregate(const std::string& name) {
  static const std::set<std::string> names = {"count", "distinct", "min",  "max",  "sum",
                                              "first", "last",     "span", "share"};
  return names.count(name) != 0;
}

Type TypeOfAggregate(const Asked& of, const syntax::CallExpr& call) {
  const std::string& name = call.callee.text;
  if (name == "first" || name == "last") return Type::kTime;
  if (name == "span") return Type::kDuration;
  if (name == "share") return Type::kFloat;
  if (name == "min" || name == "max" || name == "sum") return ValuesOf(of, *call.arguments[0]).type;
  return Type::kInt;
}

Bounds Aggregate(const Asked& of, const syntax::CallExpr& call) { return AggregateReader(of, call).Read(); }

}  // namespace attr::oracle
