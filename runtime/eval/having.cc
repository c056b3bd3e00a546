#include <limits>

#include "runtime/eval/finding_builder.h"

namespace attr::eval {
namespace {

uint8_t Bits(bool must, bool presumed, bool may) {
  return static_cast<uint8_t>((must ? kMustBit : 0) | (presumed ? kPresumedBit : 0) | (may ? kMayBit : 0));
}

uint8_t CountBits(const Members& members, plan::CountCmp compare, int64_t bound) {
  using plan::CountCmp;
  constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();
  const auto lo = static_cast<int64_t>(members.must), presumed = static_cast<int64_t>(members.presumed);
  const int64_t hi = members.unbounded ? kUnbounded : static_cast<int64_t>(members.may);
  switch (compare) {
    case CountCmp::kEq:
      return Bits(lo == bound && hi == bound, presumed == bound, lo <= bound && hi >= bound);
    case CountCmp::kNe:
      return Bits(lo > bound || hi < bound, presumed != bound, lo != bound || hi != bound);
    case CountCmp::kLt:
      return Bits(hi < bound, presumed < bound, lo < bound);
    case CountCmp::kLe:
      return Bits(hi <= bound, presumed <= bound, lo <= bound);
    case CountCmp::kGt:
      return Bits(lo > bound, presumed > bound, hi > bound);
    case CountCmp::kGe:
      return Bits(lo >= bound, presumed >= bound, hi >= bound);
  }
  return 0;
}

}  // namespace

uint8_t HavingBits(const plan::Plan& plan, plan::ExprId having, const std::vector<Members>& members) {
  const plan::Expr& e = plan.exprs[having];
  switch (e.op) {
    case plan::Op::kAnd:
      return HavingBits(plan, e.a, members) & HavingBits(plan, e.b, members);
    case plan::Op::kOr:
      return HavingBits(plan, e.a, members) | HavingBits(plan, e.b, members);
    case plan::Op::kTrue:
      return kAllBits;
    case plan::Op::kCountCmp:
      return CountBits(members[e.a], static_cast<plan::CountCmp>(e.b), e.imm);
    default:
      return 0;
  }
}

}  // namespace attr::eval
