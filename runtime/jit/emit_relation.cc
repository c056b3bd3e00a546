// Time relations in the loop of a join: eval/time_relation.h line by line, with
// branches as masks.
#include "runtime/base/check.h"
#include "runtime/jit/emit.h"

namespace attr::jit {
namespace {

using plan::RelationKind;

/// must and possible as comparisons, before they become masks: LLVM joins vector
/// comparisons much faster than masks. Undecided is possible alone.
struct Truth {
  llvm::Value *must, *possible;
};

class RelationEmitter {
 public:
  RelationEmitter(Emitter& e, const SpanValues& left, const SpanValues& right)
      : e_(e), ir_(e.body), l_(left), r_(right) {
    tied_ = Same(l_.tie, r_.tie);
    llvm::Value* skew = ir_.CreateSelect(Same(l_.clock, r_.clock), e_.Int(0), Max(l_.skew, r_.skew));
    tolerance_ = Plus(Max(l_.precision, r_.precision), skew);
  }

  Truth After() {
    llvm::Value* must = Le(Minus(l_.begin_hi, tolerance_), r_.begin_lo);
    llvm::Value* possible = Le(Minus(l_.begin_lo, tolerance_), r_.begin_hi);
    return InOrder(Le(l_.position, r_.position), Tied({must, possible}));
  }
  Truth Before() {
    llvm::Value* must = Le(r_.begin_hi, Plus(l_.begin_lo, tolerance_));
    llvm::Value* possible = Le(r_.begin_lo, Plus(l_.begin_hi, tolerance_));
    return InOrder(Le(r_.position, l_.position), Tied({must, possible}));
  }
  Truth Overlap(int64_t before, int64_t after) {
    llvm::Value* down = Plus(tolerance_, e_.Int(before));
    llvm::Value* up = Plus(tolerance_, e_.Int(after));
    return Tied({Both(Le(r_.begin_hi, Plus(l_.end_lo, up)), Le(Minus(l_.begin_hi, down), r_.end_lo)),
                 Both(Le(r_.begin_lo, Plus(l_.end_hi, up)), Le(Minus(l_.begin_lo, down), r_.end_hi))});
  }
  Truth Demote(int64_t distance, int64_t lead) {
    llvm::Value* down = Plus(tolerance_, e_.Int(lead));
    llvm::Value* from_lo = Minus(l_.begin_lo, down);
    llvm::Value* from_hi = Minus(l_.begin_hi, down);
    if (distance == plan::kNoWindow) return Tied({Le(from_hi, r_.end_lo), Le(from_lo, r_.end_hi)});
    llvm::Value* up = Plus(tolerance_, e_.Int(distance));
    llvm::Value* to_lo = Plus(l_.end_lo, up);
    llvm::Value* to_hi = Plus(l_.end_hi, up);
    llvm::Value* must = ir_.CreateOr(Both(Le(from_hi, r_.begin_lo), Le(r_.begin_hi, to_lo)),
                                     Both(Le(from_hi, r_.end_lo), Le(r_.end_hi, to_lo)));
    llvm::Value* possible = ir_.CreateOr(Both(Le(from_lo, r_.begin_hi), Le(r_.begin_lo, to_hi)),
                                         Both(Le(from_lo, r_.end_hi), Le(r_.end_lo, to_hi)));
    return Tied({must, possible});
  }
  Truth And(const Truth& a, const Truth& b) { return {Both(a.must, b.must), Both(a.possible, b.possible)}; }

 private:
  llvm::Value* Plus(llvm::Value* a, llvm::Value* b) { return ir_.CreateAdd(a, b); }
  llvm::Value* Minus(llvm::Value* a, llvm::Value* b) { return ir_.CreateSub(a, b); }
  llvm::Value* Le(llvm::Value* a, llvm::Value* b) { return ir_.CreateICmpSLE(a, b); }
  llvm::Value* Same(llvm::Value* a, llvm::Value* b) { return ir_.CreateICmpEQ(a, b); }
  llvm::Value* Both(llvm::Value* a, llvm::Value* b) { return ir_.CreateAnd(a, b); }
  llvm::Value* Max(llvm::Value* a, llvm::Value* b) { return ir_.CreateSelect(ir_.CreateICmpSGT(a, b), a, b); }

  Truth Tied(const Truth& truth) {
    return {Both(truth.must, tied_), ir_.CreateOr(truth.possible, ir_.CreateNot(tied_))};
  }
  /// Position speaks first where both are placed in one stream and neither begin was moved.
  Truth InOrder(llvm::Value* by_position, const Truth& by_stamp) {
    llvm::Value* ordered = Both(Both(l_.orders, r_.orders), Same(l_.stream, r_.stream));
    llvm::Value* position = Both(ordered, by_position);
    llvm::Value* rest = ir_.CreateNot(ordered);
    return {ir_.CreateOr(position, Both(rest, by_stamp.must)), ir_.CreateOr(position, Both(rest, by_stamp.possible))};
  }

  Emitter& e_;
  llvm::IRBuilder<>& ir_;
  const SpanValues &l_, &r_;
  llvm::Value *tied_, *tolerance_;
};

}  // namespace

Planes EmitRelation(Emitter& e, const plan::TimeRelation& relation, const SpanValues& left, const SpanValues& right) {
  RelationEmitter emit(e, left, right);
  Truth truth{};
  switch (relation.kind) {
    case RelationKind::kAfter:
      truth = emit.After();
      break;
    case RelationKind::kBefore:
      truth = emit.Before();
      break;
    case RelationKind::kWithinOf:
      truth = emit.Overlap(relation.distance, relation.distance);
      break;
    case RelationKind::kWithinAfter:
      truth = emit.And(emit.After(), emit.Overlap(0, relation.distance));
      break;
    case RelationKind::kWithinBefore:
      truth = emit.And(emit.Before(), emit.Overlap(relation.distance, 0));
      break;
    case RelationKind::kDemote:
      truth = emit.Demote(relation.distance, relation.lead);
      break;
  }
  ATTR_CHECK(truth.must != nullptr);
  llvm::Value* possible = e.Mask(truth.possible);
  return {e.Mask(truth.must), possible, possible};
}

}  // namespace attr::jit
