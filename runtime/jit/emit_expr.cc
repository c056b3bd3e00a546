// Bit nodes: comparisons, sets, presence, logic; and the walk that emits every
// node once, operands first, without recursion.
#include <algorithm>

#include "runtime/base/check.h"
#include "runtime/jit/emit.h"

namespace attr::jit {
namespace {

using plan::Op;

/// Sets up to here are compared member by member in straight code.
constexpr size_t kUnrolledSet = 16;

}  // namespace

std::vector<plan::ExprId> NodesOf(const plan::Plan& plan, plan::ExprId root) {
  std::vector<plan::ExprId> nodes, open{root};
  std::vector<bool> seen(root + 1);
  while (!open.empty()) {
    const plan::ExprId id = open.back();
    open.pop_back();
    if (seen[id]) continue;
    seen[id] = true;
    nodes.push_back(id);
    const plan::Expr& expr = plan.exprs[id];
    const unsigned operands = plan::OperandCount(expr.op);
    if (operands > 0) open.push_back(expr.a);
    if (operands > 1) open.push_back(expr.b);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

ExprEmitter::ExprEmitter(const plan::Plan& plan, Emitter& emitter, Inputs& inputs)
    : plan_(plan), e_(emitter), inputs_(inputs) {}

llvm::Value* ExprEmitter::Float(llvm::Value* slot) {
  return slot->getType() == e_.FloatType() ? slot : e_.AsFloat(slot);
}

Planes ExprEmitter::Bits(plan::ExprId root) {
  if (const auto found = bits_.find(root); found != bits_.end()) return found->second;
  for (const plan::ExprId id : NodesOf(plan_, root)) {
    const plan::Expr& expr = plan_.exprs[id];
    if (plan::IsBits(expr.op)) {
      if (!bits_.contains(id)) bits_.emplace(id, Condition(expr));
    } else if (!values_.contains(id)) {
      values_.emplace(id, Value(expr));
    }
  }
  return bits_.at(root);
}

Planes ExprEmitter::Known(llvm::Value* condition, llvm::Value* present) {
  llvm::Value* must = e_.And(condition, present);
  return {must, must, e_.Or(condition, e_.Not(present))};
}

Planes ExprEmitter::Condition(const plan::Expr& expr) {
  switch (expr.op) {
    case Op::kTrue:
      return {e_.All(), e_.All(), e_.All()};
    case Op::kFalse:
    case Op::kCountCmp:
    case Op::kAggregateCmp:
      return {e_.None(), e_.None(), e_.None()};
    case Op::kHas:
    case Op::kHasNot: {
      llvm::Value* present = values_.at(expr.a).present;
      llvm::Value* bit = expr.op == Op::kHas ? present : e_.Not(present);
      return {bit, bit, bit};
    }
    case Op::kAnd:
    case Op::kOr: {
      const Planes a = bits_.at(expr.a);
      const Planes b = bits_.at(expr.b);
      const auto both = [&](llvm::Value* x, llvm::Value* y) {
        return expr.op == Op::kAnd ? e_.And(x, y) : e_.Or(x, y);
      };
      llvm::Value* must = both(a.must, b.must);
      const bool same = a.must == a.presumed && b.must == b.presumed;
      return {must, same ? must : both(a.presumed, b.presumed), both(a.may, b.may)};
    }
    default:
      return Compare(expr);
  }
}

Planes ExprEmitter::Compare(const plan::Expr& expr) {
  const Slot a = values_.at(expr.a);
  auto& ir = e_.body;
  switch (expr.op) {
    case Op::kInRange:
      return Known(InRange(plan_.ranges[expr.index], a.value), a.present);
    case Op::kNotInRange:
      return Known(e_.Not(InRange(plan_.ranges[expr.index], a.value)), a.present);
    case Op::kInSet:
      return Known(InSet(plan_.sets[expr.index], a.value), a.present);
    case Op::kNotInSet:
      return Known(e_.Not(InSet(plan_.sets[expr.index], a.value)), a.present);
    case Op::kIsTrue:
      return Known(e_.Mask(ir.CreateICmpNE(a.value, e_.Int(0))), a.present);
    case Op::kIsFalse:
      return Known(e_.Mask(ir.CreateICmpEQ(a.value, e_.Int(0))), a.present);
    default:
      break;
  }
  const Slot b = values_.at(expr.b);
  Planes planes = Known(Compared(expr.op, a.value, b.value), e_.And(a.present, b.present));
  if (expr.op == Op::kPlaceEq || expr.op == Op::kPlaceNe) planes.presumed = planes.may;
  return planes;
}

llvm::Value* ExprEmitter::Compared(Op op, llvm::Value* a, llvm::Value* b) {
  auto& ir = e_.body;
  switch (op) {
    case Op::kEqI:
    case Op::kPlaceEq:
      return e_.Mask(ir.CreateICmpEQ(a, b));
    case Op::kNeI:
    case Op::kPlaceNe:
      return e_.Mask(ir.CreateICmpNE(a, b));
    case Op::kLtI:
      return e_.Mask(ir.CreateICmpSLT(a, b));
    case Op::kLeI:
      return e_.Mask(ir.CreateICmpSLE(a, b));
    case Op::kEqF:
      return e_.Mask(ir.CreateFCmpOEQ(Float(a), Float(b)));
    case Op::kNeF:
      return e_.Mask(ir.CreateFCmpUNE(Float(a), Float(b)));
    case Op::kLtF:
      return e_.Mask(ir.CreateFCmpOLT(Float(a), Float(b)));
    case Op::kLeF:
      return e_.Mask(ir.CreateFCmpOLE(Float(a), Float(b)));
    case Op::kLtFI:
    case Op::kLeFI:
      return IntAgainstFloat(op, b, Float(a));
    default:
      return IntAgainstFloat(op, a, Float(b));
  }
}

/// Exact, as eval/value_ops.h: against the double truncated to an integer, where
/// it is in range, and against what truncation took away.
llvm::Value* ExprEmitter::IntAgainstFloat(Op op, llvm::Value* i, llvm::Value* f) {
  auto& ir = e_.body;
  constexpr double kTwo63 = 9223372036854775808.0;
  llvm::Value* above_least = ir.CreateFCmpOGE(f, e_.Float(-kTwo63));
  llvm::Value* below_most = ir.CreateFCmpOLT(f, e_.Float(kTwo63));
  llvm::Value* in_range = ir.CreateAnd(above_least, below_most);
  llvm::Value* t = ir.CreateFPToSI(ir.CreateSelect(in_range, f, e_.Float(0)), e_.SlotType());
  llvm::Value* back = ir.CreateSIToFP(t, e_.FloatType());
  llvm::Value* equal = ir.CreateICmpEQ(i, t);
  switch (op) {
    case Op::kEqIF:
    case Op::kNeIF: {
      llvm::Value* mask = e_.Mask(ir.CreateAnd(ir.CreateAnd(in_range, equal), ir.CreateFCmpOEQ(back, f)));
      return op == Op::kEqIF ? mask : e_.Not(mask);
    }
    case Op::kLtIF:
    case Op::kLeFI: {  // f <= i is not (i < f)
      llvm::Value* less = ir.CreateOr(ir.CreateICmpSLT(i, t), ir.CreateAnd(equal, ir.CreateFCmpOLT(back, f)));
      llvm::Value* mask = e_.Mask(ir.CreateOr(ir.CreateFCmpOGE(f, e_.Float(kTwo63)), ir.CreateAnd(above_least, less)));
      return op == Op::kLtIF ? mask : e_.Not(mask);
    }
    default: {  // f < i, and i <= f is not (f < i)
      llvm::Value* less = ir.CreateOr(ir.CreateICmpSLT(t, i), ir.CreateAnd(equal, ir.CreateFCmpOLT(f, back)));
      llvm::Value* mask = e_.Mask(ir.CreateOr(ir.CreateFCmpOLT(f, e_.Float(-kTwo63)), ir.CreateAnd(below_most, less)));
      return op == Op::kLtFI ? mask : e_.Not(mask);
    }
  }
}

llvm::Value* ExprEmitter::InRange(const plan::Range& range, llvm::Value* value) {
  llvm::Value* from = e_.Mask(e_.body.CreateICmpSGE(value, e_.Int(range.lo)));
  llvm::Value* to = e_.Mask(e_.body.CreateICmpSLE(value, e_.Int(range.hi)));
  return e_.And(from, to);
}

llvm::Value* ExprEmitter::InSet(const plan::Set& set, llvm::Value* value) {
  if (set.values.size() > kUnrolledSet) return InLargeSet(set, value);
  llvm::Value* any = nullptr;
  for (const int64_t member : set.values) {
    llvm::Value* other =
        set.ids ? e_.Splat(inputs_.Constant(static_cast<uint32_t>(member))) : static_cast<llvm::Value*>(e_.Int(member));
    llvm::Value* equal = e_.body.CreateICmpEQ(value, other);
    any = any == nullptr ? equal : e_.Or(any, equal);
  }
  return any == nullptr ? e_.None() : e_.Mask(any);
}

/// A loop over the members; ids are looked up among the constants on the way.
llvm::Value* ExprEmitter::InLargeSet(const plan::Set& set, llvm::Value* value) {
  auto& ir = e_.body;
  llvm::Value* members = e_.Data(set.values);
  llvm::BasicBlock* before = ir.GetInsertBlock();
  llvm::BasicBlock* loop = llvm::BasicBlock::Create(ir.getContext(), "set", e_.function);
  llvm::BasicBlock* after = llvm::BasicBlock::Create(ir.getContext(), "set_end", e_.function);
  ir.CreateBr(loop);
  ir.SetInsertPoint(loop);
  llvm::PHINode* index = ir.CreatePHI(ir.getInt64Ty(), 2);
  llvm::PHINode* found = ir.CreatePHI(e_.MaskType(), 2);
  index->addIncoming(ir.getInt64(0), before);
  found->addIncoming(e_.None(), before);
  const auto word = [&](llvm::Value* base, llvm::Value* at) {
    return ir.CreateAlignedLoad(ir.getInt64Ty(), ir.CreateGEP(ir.getInt64Ty(), base, at), llvm::Align(8));
  };
  llvm::Value* member = word(members, index);
  if (set.ids) member = word(inputs_.Constants(), member);
  if (e_.width > 1) member = ir.CreateVectorSplat(e_.width, member);
  llvm::Value* any = ir.CreateOr(found, e_.Mask(ir.CreateICmpEQ(value, member)));
  llvm::Value* next = ir.CreateAdd(index, ir.getInt64(1));
  index->addIncoming(next, loop);
  found->addIncoming(any, loop);
  ir.CreateCondBr(ir.CreateICmpEQ(next, ir.getInt64(set.values.size())), after, loop);
  ir.SetInsertPoint(after);
  return any;
}

}  // namespace attr::jit
