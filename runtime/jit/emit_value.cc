// Value nodes: columns, constants, checked arithmetic. Follows eval/value_ops.h
// operator by operator; a missing operand's slot may hold anything, so what can
// trap is guarded and what cannot is computed regardless.
#include <bit>

#include "runtime/base/check.h"
#include "runtime/jit/emit.h"

namespace attr::jit {
namespace {

using plan::Op;

/// The same scalar code for each lane; `lane` gives a value and whether it is there.
template <class F>
Slot PerLane(Emitter& e, const Slot& a, const Slot& b, llvm::Value* present, F&& lane) {
  if (e.width == 1) {
    const auto [value, ok] = lane(a.value, b.value);
    return {value, e.And(present, ok)};
  }
  llvm::Value* values = llvm::PoisonValue::get(e.SlotType());
  llvm::Value* mask = e.None();
  for (unsigned i = 0; i < e.width; ++i) {
    const auto [value, ok] = lane(e.body.CreateExtractElement(a.value, i), e.body.CreateExtractElement(b.value, i));
    values = e.body.CreateInsertElement(values, value, i);
    mask = e.Or(mask, e.body.CreateShl(e.body.CreateZExt(ok, e.MaskType()), i));
  }
  return {values, e.And(present, mask)};
}

}  // namespace

Slot ExprEmitter::Leaf(const plan::Expr& expr) {
  switch (expr.op) {
    case Op::kColumn:
      return inputs_.Column(expr.a, expr.b);
    case Op::kInt:
      return {e_.Int(expr.imm), e_.All()};
    case Op::kFloat:
      return {e_.Float(std::bit_cast<double>(expr.imm)), e_.All()};
    default:
      return {e_.Splat(inputs_.Constant(expr.a)), e_.All()};
  }
}

Slot ExprEmitter::Value(const plan::Expr& expr) {
  const unsigned operands = plan::OperandCount(expr.op);
  if (operands == 0) return Leaf(expr);
  const Slot a = values_.at(expr.a);
  const Slot b = operands == 2 ? values_.at(expr.b) : a;
  switch (expr.op) {
    case Op::kToFloat:
      return {e_.body.CreateSIToFP(a.value, e_.FloatType()), a.present};
    case Op::kNegF:
      return {e_.body.CreateFNeg(Float(a.value)), a.present};
    case Op::kAddF:
    case Op::kSubF:
    case Op::kMulF:
    case Op::kDivF:
      return FloatArithmetic(expr.op, a, b);
    default:
      return Arithmetic(expr.op, a, b);
  }
}

Slot ExprEmitter::Arithmetic(Op op, const Slot& a, const Slot& b) {
  switch (op) {
    case Op::kAddI:
    case Op::kSubI:
    case Op::kMulI:
      return Checked(op, a, b);
    case Op::kDivI:
    case Op::kModI:
      return Division(op, a, b);
    case Op::kShl:
    case Op::kShr:
      return Shift(op, a, b);
    case Op::kNegI: {
      llvm::Value* ok = e_.Mask(e_.body.CreateICmpNE(a.value, e_.Int(INT64_MIN)));
      return {e_.body.CreateNeg(a.value), e_.And(a.present, ok)};
    }
    case Op::kBitAnd:
      return {e_.body.CreateAnd(a.value, b.value), e_.And(a.present, b.present)};
    case Op::kBitOr:
      return {e_.body.CreateOr(a.value, b.value), e_.And(a.present, b.present)};
    case Op::kBitXor:
      return {e_.body.CreateXor(a.value, b.value), e_.And(a.present, b.present)};
    default:
      ATTR_CHECK(false && "not an integer operator");
      return a;
  }
}

/// Scalar code asks the processor's overflow flag. Vectors have none: sums test
/// signs, products are taken lane by lane (LLVM's own expansion of a vector
/// multiplication with overflow is far larger).
Slot ExprEmitter::Checked(Op op, const Slot& a, const Slot& b) {
  llvm::Value* present = e_.And(a.present, b.present);
  if (e_.width == 1 || op == Op::kMulI) {
    const auto intrinsic = op == Op::kAddI   ? llvm::Intrinsic::sadd_with_overflow
                           : op == Op::kSubI ? llvm::Intrinsic::ssub_with_overflow
                                             : llvm::Intrinsic::smul_with_overflow;
    return PerLane(e_, a, b, present, [&](llvm::Value* x, llvm::Value* y) {
      llvm::Value* both = e_.body.CreateBinaryIntrinsic(intrinsic, x, y);
      return std::pair(e_.body.CreateExtractValue(both, 0), e_.body.CreateNot(e_.body.CreateExtractValue(both, 1)));
    });
  }
  llvm::Value* result = op == Op::kAddI ? e_.body.CreateAdd(a.value, b.value) : e_.body.CreateSub(a.value, b.value);
  llvm::Value* second = op == Op::kAddI ? e_.body.CreateXor(b.value, result) : e_.body.CreateXor(a.value, b.value);
  llvm::Value* signs = e_.body.CreateAnd(e_.body.CreateXor(a.value, result), second);
  llvm::Value* overflow = e_.Mask(e_.body.CreateICmpSLT(signs, e_.Int(0)));
  return {result, e_.And(present, e_.Not(overflow))};
}

Slot ExprEmitter::Division(Op op, const Slot& a, const Slot& b) {
  llvm::Value* present = e_.And(a.present, b.present);
  auto& ir = e_.body;
  return PerLane(e_, a, b, present, [&](llvm::Value* x, llvm::Value* y) {
    llvm::Value* zero = ir.CreateICmpEQ(y, ir.getInt64(0));
    llvm::Value* minus = ir.CreateICmpEQ(y, ir.getInt64(~uint64_t{0}));
    if (op == Op::kModI) {
      llvm::Value* divisor = ir.CreateSelect(ir.CreateOr(zero, minus), ir.getInt64(1), y);
      return std::pair(ir.CreateSRem(x, divisor), ir.CreateNot(zero));
    }
    llvm::Value* least = ir.CreateICmpEQ(x, ir.getInt64(uint64_t{1} << 63));
    llvm::Value* bad = ir.CreateOr(zero, ir.CreateAnd(minus, least));
    llvm::Value* divisor = ir.CreateSelect(bad, ir.getInt64(1), y);
    return std::pair(ir.CreateSDiv(x, divisor), ir.CreateNot(bad));
  });
}

Slot ExprEmitter::Shift(Op op, const Slot& a, const Slot& b) {
  llvm::Value* count = e_.body.CreateAnd(b.value, e_.Int(63));
  llvm::Value* result = op == Op::kShl ? e_.body.CreateShl(a.value, count) : e_.body.CreateAShr(a.value, count);
  llvm::Value* ok = e_.Mask(e_.body.CreateICmpEQ(count, b.value));
  return {result, e_.And(e_.And(a.present, b.present), ok)};
}

/// Plain operations without fast-math or contraction flags (semantics.md S13).
Slot ExprEmitter::FloatArithmetic(Op op, const Slot& a, const Slot& b) {
  llvm::Value* x = Float(a.value);
  llvm::Value* y = Float(b.value);
  llvm::Value* result = op == Op::kAddF   ? e_.body.CreateFAdd(x, y)
                        : op == Op::kSubF ? e_.body.CreateFSub(x, y)
                        : op == Op::kMulF ? e_.body.CreateFMul(x, y)
                                          : e_.body.CreateFDiv(x, y);
  llvm::Value* ok = e_.Mask(e_.body.CreateFCmpORD(result, result));
  return {result, e_.And(e_.And(a.present, b.present), ok)};
}

}  // namespace attr::jit
