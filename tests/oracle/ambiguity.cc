// Ambiguity clauses, pair by pair (semantics.md S7).
#include <algorithm>

#include "tests/oracle/resolution.h"

namespace attr::oracle {

namespace {

bool Fits(const Pack& pack, const Side& side, uint32_t rule) {
  const Rule& r = pack.rules[rule];
  if (side.kind == SideKind::kAll) return true;
  if (side.kind == SideKind::kRule) return side.index == rule;
  if (side.kind == SideKind::kTag) return r.tags.count(side.tag) != 0;
  const std::string& top = pack.domains[side.index].path;
  return std::all_of(r.domains.begin(), r.domains.end(), [&](uint32_t d) {
    const std::string& path = pack.domains[d].path;
    return path == top || path.rfind(top + ".", 0) == 0;
  });
}

bool FitPair(const Pack& pack, const Clause& clause, uint32_t x, uint32_t y) {
  const bool left = Fits(pack, clause.left, x), right = Fits(pack, clause.right, y);
  const bool named_left = clause.left.kind != SideKind::kAll || !Fits(pack, clause.right, x);
  const bool named_right = clause.right.kind != SideKind::kAll || !Fits(pack, clause.left, y);
  return left && right && named_left && named_right;
}

}  // namespace

/// Does x begin more than `apart` after y? Possible only where nobody can tell.
Bits Resolution::Later(size_t x, size_t y, int64_t apart) const {
  const size_t findings = found.findings.size();
  if (x >= findings || y >= findings) return {false, false, true};
  const Span &a = found.findings[x].span, &b = found.findings[y].span;
  if (a.tie != b.tie) return {false, false, true};
  const int64_t tolerance = std::max(found.findings[x].begin.precision, found.findings[y].begin.precision) +
                            (a.clock == b.clock ? 0 : std::max(a.skew, b.skew));
  const model::Moment &p = found.findings[x].begin, &q = found.findings[y].begin;
  if (p.lo - q.hi > apart + tolerance) return kYes;
  return {false, false, p.hi - q.lo > apart + tolerance};
}

void Resolution::RunAmbiguity(Flow* out) const {
  const std::vector<Bits> before = out->survivor;
  std::vector<Bits> dropped(Entities(), kNo);
  for (size_t x = 0; x < Entities(); ++x) {
    for (size_t y = 0; y < Entities(); ++y) {
      if (RuleOf(x) >= RuleOf(y) || !before[x].may || !before[y].may) continue;
      for (const Clause& clause : pack.clauses) {
        if (!FitPair(pack, clause, RuleOf(x), RuleOf(y)) && !FitPair(pack, clause, RuleOf(y), RuleOf(x))) continue;
        if (clause.within && (Later(x, y, *clause.within).must || Later(y, x, *clause.within).must)) continue;
        Speak(clause, x, y, before, &dropped, out);
        break;
      }
    }
  }
  for (size_t x = 0; x < Entities(); ++x) {
    out->survivor[x] = And(before[x], Not(dropped[x]));
    if (before[x].presumed && !out->survivor[x].presumed) out->dropped_at[x] = Level::kAmbiguity;
  }
}

void Resolution::Speak(const Clause& clause, size_t x, size_t y, const std::vector<Bits>& before,
                       std::vector<Bits>* dropped, Flow* out) const {
  const bool timeless = !clause.apart && clause.then == Clause::Then::kNothing;
  const Bits x_later = timeless ? kNo : Later(x, y, clause.apart.value_or(0));
  const Bits y_later = timeless ? kNo : Later(y, x, clause.apart.value_or(0));
  out->stay_two[{x, y}] = out->stay_two[{y, x}] = Not(Or(x_later, y_later));
  if (clause.then == Clause::Then::kNothing) return;
  const bool earliest = clause.then == Clause::Then::kEarliest;
  const auto drop = [&](size_t loser, size_t winner, const Bits& bits) {
    const Bits one = And(bits, before[winner]);
    (*dropped)[loser] = Or((*dropped)[loser], one);
    if (!one.presumed || RuleOf(winner) >= out->dropped_by[loser]) return;
    out->dropped_by[loser] = RuleOf(winner);
    out->dropped_clause[loser] = clause.text;
  };
  drop(x, y, earliest ? x_later : y_later);
  drop(y, x, earliest ? y_later : x_later);
}

}  // namespace attr::oracle
