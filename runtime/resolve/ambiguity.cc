#include "runtime/resolve/ambiguity.h"

#include <algorithm>

#include "runtime/resolve/near_roots.h"

namespace attr::resolve {

namespace {

using plan::AmbiguityClause;
using plan::OrderSide;
using plan::SideKind;

bool Below(const plan::Plan& plan, uint32_t domain, uint32_t top) {
  while (domain != plan::kNone && domain != top) domain = plan.domains[domain].parent;
  return domain == top;
}

/// A domain side fits a rule when every alternative lies in it (S15).
bool SideFits(const plan::Plan& plan, const OrderSide& side, uint32_t rule) {
  const plan::Rule& r = plan.rules[rule];
  switch (side.kind) {
    case SideKind::kRule:
      return side.id == rule;
    case SideKind::kTag:
      return std::find(r.tags.begin(), r.tags.end(), side.id) != r.tags.end();
    case SideKind::kDomain:
      return std::all_of(r.domains.begin(), r.domains.end(), [&](uint32_t d) { return Below(plan, d, side.id); });
    case SideKind::kAll:
      return true;
  }
  return false;
}

/// `*` leaves out what the other side names.
bool PairFits(const plan::Plan& plan, const AmbiguityClause& clause, uint32_t x, uint32_t y) {
  if (!SideFits(plan, clause.left, x) || !SideFits(plan, clause.right, y)) return false;
  if (clause.left.kind == SideKind::kAll) return !SideFits(plan, clause.right, x);
  return clause.right.kind != SideKind::kAll || !SideFits(plan, clause.left, y);
}

bool Timeless(const AmbiguityClause& clause) {
  return clause.within == plan::kNoWindow && clause.apart == plan::kNoWindow &&
         clause.then == plan::AmbiguityThen::kNothing;
}

/// Pairs of roots that the clauses between two rules may compare (docs/limits.md).
constexpr uint64_t kMostPairs = 10'000'000;
constexpr int64_t kAnyTime = INT64_MAX / 4;

class Clauses {
 public:
  Clauses(const Problem& p, Flow* flow) : p_(p), flow_(flow), drops_(p.EntityCount()) {}

  Exemptions Run() {
    std::map<uint32_t, std::vector<uint32_t>> by_rule;  // remaining roots
    for (uint32_t e = 0; e < p_.EntityCount(); ++e) {
      if (flow_->survivor[e] != kNo) by_rule[p_.RuleOf(e)].push_back(e);
    }
    for (auto x = by_rule.begin(); x != by_rule.end(); ++x) {
      for (auto y = std::next(x); y != by_rule.end(); ++y) Ask(x->first, x->second, y->first, y->second);
    }
    Finish();
    return std::move(out_);
  }

 private:
  struct Drop {
    Bits bits = kNo;
    uint32_t by = plan::kNone, clause = plan::kNone;
  };
  struct Root {
    uint32_t entity;
    const Begin& begin;
  };

  void Ask(uint32_t x, const std::vector<uint32_t>& xs, uint32_t y, const std::vector<uint32_t>& ys) {
    std::vector<uint32_t> fitting;
    for (uint32_t c = 0; c < p_.plan.ambiguity.size(); ++c) {
      const AmbiguityClause& clause = p_.plan.ambiguity[c];
      if (PairFits(p_.plan, clause, x, y) || PairFits(p_.plan, clause, y, x)) fitting.push_back(c);
    }
    if (fitting.empty()) return;
    if (Timeless(p_.plan.ambiguity[fitting[0]])) {
      if (Survives(xs) && Survives(ys)) NoteStayTwo(x, y, fitting[0]);
      return out_.AddRules(x, y, kYes);
    }
    AskNear(fitting, xs, ys);
  }

  void AskNear(const std::vector<uint32_t>& fitting, const std::vector<uint32_t>& xs, const std::vector<uint32_t>& ys) {
    std::vector<Begin> begins;
    for (const uint32_t b : ys) begins.push_back(BeginOf(b));
    const NearRoots near(begins, Reach(fitting));
    uint64_t pairs = 0;
    for (const uint32_t a : xs) pairs += near.Count(BeginOf(a));
    if (pairs > kMostPairs) return GiveUp(fitting, xs, ys, pairs);
    for (const uint32_t a : xs) {
      const Begin begin = BeginOf(a);
      near.ForEach(begin, [&](uint32_t y) { AskPair(fitting, {a, begin}, {ys[y], begins[y]}); });
    }
  }

  /// How far apart two roots may begin for one of the clauses to speak.
  int64_t Reach(const std::vector<uint32_t>& fitting) const {
    int64_t reach = 0;
    for (const uint32_t c : fitting) {
      const int64_t within = p_.plan.ambiguity[c].within;
      if (within == plan::kNoWindow) return kAnyTime;
      reach = std::max(reach, within);
    }
    return reach;
  }

  /// Too many to compare: whether they stay two, and which is dropped, is left open.
  void GiveUp(const std::vector<uint32_t>& fitting, const std::vector<uint32_t>& xs, const std::vector<uint32_t>& ys,
              uint64_t pairs) {
    const uint32_t x = p_.RuleOf(xs[0]), y = p_.RuleOf(ys[0]);
    out_.AddRules(x, y, eval::kPresumedBit | eval::kMayBit);
    flow_->ambiguity_limits.push_back({x, "pairs of an ambiguity clause", pairs, kMostPairs});
    const bool drops = std::any_of(fitting.begin(), fitting.end(), [&](uint32_t c) {
      return p_.plan.ambiguity[c].then != plan::AmbiguityThen::kNothing;
    });
    if (!drops) return;
    for (const auto* side : {&xs, &ys}) {
      for (const uint32_t e : *side) drops_[e].bits |= eval::kMayBit;
    }
  }

  bool Survives(const std::vector<uint32_t>& entities) const {
    return std::any_of(entities.begin(), entities.end(),
                       [&](uint32_t e) { return (flow_->survivor[e] & eval::kPresumedBit) != 0; });
  }
  void NoteStayTwo(uint32_t x, uint32_t y, uint32_t clause) {
    const StayTwo pair{std::min(x, y), std::max(x, y), clause};
    if (std::find(flow_->stay_two.begin(), flow_->stay_two.end(), pair) == flow_->stay_two.end()) {
      flow_->stay_two.push_back(pair);
    }
  }

  Begin BeginOf(uint32_t entity) const {
    if (p_.IsTried(entity)) return std::nullopt;
    const eval::Finding& f = p_.evaluation.findings[entity];
    eval::Span span;
    span.begin_lo = f.begin.lo;
    span.begin_hi = f.begin.hi;
    span.precision = f.begin.precision;
    span.clock = f.clock;
    span.tie = f.tie;
    span.skew = f.skew;
    return span;
  }
  /// Does x begin more than `apart` after y? What nobody can tell is only possible.
  static Bits Later(const Begin& x, const Begin& y, int64_t apart) {
    if (!x || !y || x->tie != y->tie) return eval::kMayBit;
    const int64_t bound = apart + eval::Tolerance(*x, *y);
    if (x->begin_lo - y->begin_hi > bound) return kYes;
    return x->begin_hi - y->begin_lo > bound ? Bits{eval::kMayBit} : kNo;
  }

  void AskPair(const std::vector<uint32_t>& fitting, const Root& a, const Root& b) {
    for (uint32_t c : fitting) {
      const AmbiguityClause& clause = p_.plan.ambiguity[c];
      if (clause.within != plan::kNoWindow) {
        const Bits outside = Later(a.begin, b.begin, clause.within) | Later(b.begin, a.begin, clause.within);
        if (outside == kYes) continue;
      }
      return Speak(c, a.entity, b.entity, a.begin, b.begin);
    }
  }

  void Speak(uint32_t c, uint32_t a, uint32_t b, const Begin& x, const Begin& y) {
    using plan::AmbiguityThen;
    const AmbiguityClause& clause = p_.plan.ambiguity[c];
    const auto stay = [&](Bits bits) {
      out_.AddEntities(a, b, bits);
      const Bits both = bits & flow_->survivor[a] & flow_->survivor[b];
      if ((both & eval::kPresumedBit) != 0) NoteStayTwo(p_.RuleOf(a), p_.RuleOf(b), c);
    };
    if (clause.apart == plan::kNoWindow && clause.then == AmbiguityThen::kNothing) return stay(kYes);
    const int64_t apart = std::max<int64_t>(clause.apart, 0);
    const Bits a_later = Later(x, y, apart), b_later = Later(y, x, apart);
    stay(Not(a_later | b_later));
    if (clause.then == AmbiguityThen::kNothing) return;
    const bool earliest = clause.then == AmbiguityThen::kEarliest;
    Note(a, b, c, earliest ? a_later : b_later);
    Note(b, a, c, earliest ? b_later : a_later);
  }

  void Note(uint32_t dropped, uint32_t by, uint32_t clause, Bits bits) {
    Drop& drop = drops_[dropped];
    bits &= flow_->survivor[by];
    drop.bits |= bits;
    if ((bits & eval::kPresumedBit) == 0 || p_.RuleOf(by) >= drop.by) return;
    drop.by = p_.RuleOf(by);
    drop.clause = clause;
  }

  /// All drops at once.
  void Finish() {
    for (uint32_t e = 0; e < drops_.size(); ++e) {
      const Bits before = flow_->survivor[e];
      flow_->survivor[e] = before & Not(drops_[e].bits);
      if ((before & ~flow_->survivor[e] & eval::kPresumedBit) == 0) continue;
      flow_->dropped_at[e] = kAmbiguityLevel;
      flow_->dropped_by[e] = drops_[e].by;
      flow_->dropped_clause[e] = drops_[e].clause;
    }
  }

  const Problem& p_;
  Flow* flow_;
  std::vector<Drop> drops_;
  Exemptions out_;
};

}  // namespace

Exemptions RunAmbiguity(const Problem& p, Flow* flow) {
  return p.plan.ambiguity.empty() ? Exemptions{} : Clauses(p, flow).Run();
}

}  // namespace attr::resolve
