#include "runtime/plan/operands.h"

namespace attr::plan {

unsigned OperandCount(Op op) {
  switch (op) {
    case Op::kColumn:
    case Op::kInt:
    case Op::kFloat:
    case Op::kConstant:
    case Op::kTrue:
    case Op::kFalse:
    case Op::kCountCmp:
    case Op::kAggregateCmp:
      return 0;
    case Op::kNegI:
    case Op::kNegF:
    case Op::kToFloat:
    case Op::kInRange:
    case Op::kInSet:
    case Op::kNotInRange:
    case Op::kNotInSet:
    case Op::kHas:
    case Op::kHasNot:
    case Op::kIsTrue:
    case Op::kIsFalse:
      return 1;
    default:
      return 2;
  }
}

}  // namespace attr::plan
