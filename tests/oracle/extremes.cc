// `earliest`, `latest`, `least`, `most`: each member against each other one
// (docs/language/groups.md, semantics.md S9).
#include "tests/oracle/aggregates.h"

namespace attr::oracle {

namespace {

using Which = syntax::Extreme::Kind;

/// May other stand before one, in the direction of the extreme?
Bits Precedes(Which kind, const Span& other, const Span& one) {
  return Not(kind == Which::kEarliest ? After(one, other) : Before(one, other));
}
Bits Exceeds(Which kind, const Value& other, const Value& one) {
  if (!other.present || !one.present) return kUnknown;
  return Known(kind == Which::kLeast ? Order(other, one) < 0 : Order(other, one) > 0);
}

/// Sure when nothing that may be there could stand before, presumed when nothing
/// presumed certainly does, possible when nothing sure certainly does.
std::vector<Member> Narrow(const Asked& of, const syntax::Extreme& extreme, size_t* slot) {
  SlotValues by;
  if (extreme.by) {
    by = ValuesOf(of, *extreme.by);
  } else {
    while (of.slots[by.slot].name != extreme.binding.text) ++by.slot;
  }
  *slot = by.slot;
  const std::vector<Member>& members = of.members[by.slot];
  std::vector<Member> out;
  for (size_t i = 0; i < members.size(); ++i) {
    Bits stays = kYes;
    for (size_t j = 0; j < members.size(); ++j) {
      if (i == j) continue;
      const Bits before = extreme.by ? Exceeds(extreme.kind, by.values[j], by.values[i])
                                     : Precedes(extreme.kind, members[j].row->span, members[i].row->span);
      if (members[j].bits.may && before.may) stays.must = false;
      if (members[j].bits.presumed && before.must) stays.presumed = false;
      if (members[j].bits.must && before.must) stays.may = false;
    }
    const Bits bits = And(members[i].bits, stays);
    if (bits.may) out.push_back({members[i].row, bits});
  }
  return out;
}

}  // namespace

Bits NarrowToExtremes(World& world, const Rule& rule, const std::vector<Slot>& slots,
                      std::vector<std::vector<Member>>* members) {
  Bits all = kYes;
  if (rule.decl == nullptr) return all;
  for (const syntax::Extreme& extreme : rule.decl->extremes) {
    size_t slot = 0;
    std::vector<Member> left = Narrow({world, rule, slots, *members}, extreme, &slot);
    (*members)[slot] = std::move(left);
    Bits some = kNo;
    for (const Member& member : (*members)[slot]) some = Or(some, member.bits);
    all = And(all, some);
  }
  return all;
}

}  // namespace attr::oracle
