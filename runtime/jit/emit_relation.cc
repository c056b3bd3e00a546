// Time relations: eval/time_relation.h line by line, with branches as masks. One
// function of the module per kind and width, called by the loops of joins.
#include <cstddef>

#include "runtime/base/check.h"
#include "runtime/jit/emit_rows.h"
#include "runtime/jit/relation_frame.h"

namespace attr::jit {
namespace {

using plan::RelationKind;

/// must and possible as comparisons; undecided is possible alone.
struct Truth {
  llvm::Value *must, *possible;
};

/// The time columns of one row, as eval::Span.
struct SpanValues {
  llvm::Value *begin_lo, *begin_hi, *end_lo, *end_hi;
  llvm::Value *precision, *clock, *tie, *skew;
  llvm::Value *stream, *position;
  llvm::Value* orders;  // comparison: placed in a stream, and its begin is where it was reported
};

template <class F>
SpanValues SpanOf(F&& column) {
  return {column(plan::kBeginLo),
          column(plan::kBeginHi),
          column(plan::kEndLo),
          column(plan::kEndHi),
          column(plan::kPrecision),
          column(plan::kClock),
          column(plan::kTie),
          column(plan::kSkew),
          column(plan::kStream),
          column(plan::kPosition),
          nullptr};
}

/// i16(const RelationFrame*, candidate, distance, lead): must in the low byte, possible in the high one.
class RelationEmitter {
 public:
  RelationEmitter(llvm::Function* function, unsigned width) : e_(function, width), ir_(e_.body) {
    llvm::BasicBlock* block = llvm::BasicBlock::Create(function->getContext(), "entry", function);
    llvm::BasicBlock* body = llvm::BasicBlock::Create(function->getContext(), "body", function);
    e_.entry.SetInsertPoint(block);
    e_.entry.SetInsertPoint(e_.entry.CreateBr(body));
    ir_.SetInsertPoint(body);
    candidate_ = function->getArg(1);
    distance_ = e_.Splat(function->getArg(2));
    lead_ = e_.Splat(function->getArg(3));
    LoadLeft();
    LoadRight();
    tied_ = Same(l_.tie, r_.tie);
    llvm::Value* skew = ir_.CreateSelect(Same(l_.clock, r_.clock), e_.Int(0), Max(l_.skew, r_.skew));
    tolerance_ = Plus(Max(l_.precision, r_.precision), skew);
  }

  void Emit(RelationKind kind, bool window) {
    Truth truth{};
    switch (kind) {
      case RelationKind::kAfter:
        truth = After();
        break;
      case RelationKind::kBefore:
        truth = Before();
        break;
      case RelationKind::kWithinOf:
        truth = Overlap(distance_, distance_);
        break;
      case RelationKind::kWithinAfter:
        truth = And(After(), Overlap(e_.Int(0), distance_));
        break;
      case RelationKind::kWithinBefore:
        truth = And(Before(), Overlap(distance_, e_.Int(0)));
        break;
      case RelationKind::kDemote:
        truth = window ? DemoteWithin() : DemoteAlways();
        break;
    }
    ATTR_CHECK(truth.must != nullptr);
    llvm::Type* result = ir_.getInt16Ty();
    llvm::Value* must = ir_.CreateZExt(e_.Mask(truth.must), result);
    llvm::Value* possible = ir_.CreateZExt(e_.Mask(truth.possible), result);
    ir_.CreateRet(ir_.CreateOr(must, ir_.CreateShl(possible, 8)));
  }

 private:
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
  Truth Overlap(llvm::Value* before, llvm::Value* after) {
    llvm::Value* down = Plus(before, tolerance_);
    llvm::Value* up = Plus(after, tolerance_);
    return Tied({Both(Le(r_.begin_hi, Plus(l_.end_lo, up)), Le(Minus(l_.begin_hi, down), r_.end_lo)),
                 Both(Le(r_.begin_lo, Plus(l_.end_hi, up)), Le(Minus(l_.begin_lo, down), r_.end_hi))});
  }
  Truth DemoteAlways() {
    llvm::Value* down = Plus(lead_, tolerance_);
    return Tied({Le(Minus(l_.begin_hi, down), r_.end_lo), Le(Minus(l_.begin_lo, down), r_.end_hi)});
  }
  Truth DemoteWithin() {
    llvm::Value* down = Plus(lead_, tolerance_);
    llvm::Value* up = Plus(distance_, tolerance_);
    llvm::Value *from_lo = Minus(l_.begin_lo, down), *from_hi = Minus(l_.begin_hi, down);
    llvm::Value *to_lo = Plus(l_.end_lo, up), *to_hi = Plus(l_.end_hi, up);
    llvm::Value* must = ir_.CreateOr(Both(Le(from_hi, r_.begin_lo), Le(r_.begin_hi, to_lo)),
                                     Both(Le(from_hi, r_.end_lo), Le(r_.end_hi, to_lo)));
    llvm::Value* possible = ir_.CreateOr(Both(Le(from_lo, r_.begin_hi), Le(r_.begin_lo, to_hi)),
                                         Both(Le(from_lo, r_.end_hi), Le(r_.end_lo, to_hi)));
    return Tied({must, possible});
  }
  Truth And(const Truth& a, const Truth& b) { return {Both(a.must, b.must), Both(a.possible, b.possible)}; }

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

  llvm::Value* FrameWord(size_t offset) { return e_.ArgumentWord(offset); }
  void LoadLeft() {
    l_ = SpanOf([&](uint32_t column) { return e_.Splat(FrameWord(offsetof(RelationFrame, left) + 8 * column)); });
    llvm::Value* orders = FrameWord(offsetof(RelationFrame, left_orders));
    l_.orders = e_.Splat(e_.entry.CreateICmpNE(orders, e_.entry.getInt64(0)));
  }
  void LoadRight() {
    r_ = SpanOf([&](uint32_t column) -> llvm::Value* {
      llvm::Value* row = candidate_;
      if (column >= plan::kStream) {
        const size_t mask = offsetof(RelationFrame, right_index_mask) + 8 * (column - plan::kStream);
        row = ir_.CreateAnd(row, FrameWord(mask));
      }
      llvm::Value* slots = e_.ArgumentPointer(offsetof(RelationFrame, right) + 8 * column);
      return ir_.CreateAlignedLoad(e_.SlotType(), ir_.CreateInBoundsGEP(e_.Word(), slots, row), llvm::Align(8));
    });
    llvm::Value* placed = ir_.CreateTrunc(FrameWord(offsetof(RelationFrame, right_placed)), e_.MaskType());
    for (size_t i = 0; i < 2; ++i) {
      const Emitter::Presence presence{e_.ArgumentPointer(offsetof(RelationFrame, present) + 8 * i),
                                       FrameWord(offsetof(RelationFrame, present_index_mask) + 8 * i)};
      placed = ir_.CreateAnd(placed, LoadPresence(e_, presence, candidate_));
    }
    llvm::Value* still = Both(Same(r_.begin_lo, r_.end_lo), Same(r_.begin_hi, r_.end_hi));
    r_.orders = Both(still, e_.width == 1 ? placed : ir_.CreateBitCast(placed, still->getType()));
  }

  Emitter e_;
  llvm::IRBuilder<>& ir_;
  SpanValues l_, r_;
  llvm::Value *candidate_, *distance_, *lead_, *tied_, *tolerance_;
};

/// The module's function for a kind, emitted when first asked for.
llvm::Function* RelationFunction(llvm::Module& module, const plan::TimeRelation& relation, unsigned width) {
  const bool window = relation.kind != RelationKind::kDemote || relation.distance != plan::kNoWindow;
  const std::string name = "relation_" + std::to_string(static_cast<unsigned>(relation.kind)) +
                           (window ? "_" : "_always_") + std::to_string(width);
  if (llvm::Function* known = module.getFunction(name)) return known;
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* word = llvm::Type::getInt64Ty(context);
  auto* type = llvm::FunctionType::get(llvm::Type::getInt16Ty(context),
                                       {llvm::PointerType::getUnqual(context), word, word, word}, false);
  llvm::Function* function = llvm::Function::Create(type, llvm::Function::PrivateLinkage, name, module);
  function->setDoesNotThrow();
  function->addFnAttr("no-builtins");
  function->addFnAttr(llvm::Attribute::NoInline);
  RelationEmitter(function, width).Emit(relation.kind, window);
  return function;
}

}  // namespace

Planes EmitRelation(Emitter& e, const plan::TimeRelation& relation, size_t index, llvm::Value* candidate) {
  auto& ir = e.body;
  llvm::Function* function = RelationFunction(*e.function->getParent(), relation, e.width);
  const auto window = [&](size_t offset) {
    llvm::Value* address = e.entry.CreateConstInBoundsGEP1_64(e.entry.getInt8Ty(), e.function->getArg(2),
                                                              index * sizeof(JoinWindow) + offset);
    return e.entry.CreateAlignedLoad(e.entry.getInt64Ty(), address, llvm::Align(8));
  };
  llvm::Value* both = ir.CreateCall(function, {e.function->getArg(1), candidate, window(offsetof(JoinWindow, distance)),
                                               window(offsetof(JoinWindow, lead))});
  llvm::Value* possible = ir.CreateTrunc(ir.CreateLShr(both, 8), e.MaskType());
  return {ir.CreateTrunc(both, e.MaskType()), possible, possible};
}

}  // namespace attr::jit
