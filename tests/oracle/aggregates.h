// Aggregates over a finding's members as the least and the greatest value that the
// unknowns allow, and what the presumed members say (docs/language/groups.md).
#pragma once

#include "tests/oracle/findings.h"

namespace attr::oracle {

/// A whole number that no sum of 64-bit ones leaves, or a float.
struct Amount {
  bool is_real = false;
  __int128 whole = 0;
  double real = 0;
};
int Order(const Amount& a, const Amount& b);
Amount AmountOf(const Value& value);

struct Bounds {
  std::optional<Amount> lo, hi;  // absent: no bound there
  std::optional<Amount> likely;  // absent: the presumed members do not say
};
Bounds Exactly(Amount amount);
Bits Compare(const Bounds& left, syntax::BinaryOp op, const Bounds& right);

/// What a finding is asked about: one list of members for each slot.
struct Asked {
  World& world;
  const Rule& rule;
  const std::vector<Slot>& slots;
  const std::vector<std::vector<Member>>& members;
};
bool IsAggregate(const std::string& name);
Type TypeOfAggregate(const Asked& of, const syntax::CallExpr& call);
/// `count(x)`, `max(x.f)`, …
Bounds Aggregate(const Asked& of, const syntax::CallExpr& call);

/// The value of each member; the slot is the one that the expression reads.
struct SlotValues {
  size_t slot = 0;
  Type type = Type::kInt;
  std::vector<Value> values;  // parallel to the slot's members
};
SlotValues ValuesOf(const Asked& of, const syntax::Expr& expr);

}  // namespace attr::oracle
