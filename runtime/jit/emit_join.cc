// The loop of a join: one left row against candidates [begin, end). Scalar code
// without branches on data; what belongs to the left row is loaded before the loop.
#include <cstddef>

#include "runtime/eval/kernel.h"
#include "runtime/eval/tables.h"
#include "runtime/jit/emit_rows.h"

namespace attr::jit {
namespace {

using eval::JoinArgs;

class JoinInputs : public Inputs {
 public:
  explicit JoinInputs(Emitter& e)
      : left(e, e.entry, e.ArgumentPointer(offsetof(JoinArgs, left_columns)),
             e.ArgumentPointer(offsetof(JoinArgs, left_present))),
        right(e, e.body, e.ArgumentPointer(offsetof(JoinArgs, right_columns)),
              e.ArgumentPointer(offsetof(JoinArgs, right_present))),
        constants_(e, e.ArgumentPointer(offsetof(JoinArgs, constants))) {
    left.SetRow(e.ArgumentWord(offsetof(JoinArgs, left_row)));
  }
  Slot Column(uint32_t binding, uint32_t column) override { return (binding == 0 ? left : right).Column(column); }
  llvm::Value* Constant(uint32_t index) override { return constants_.At(index); }
  llvm::Value* Constants() override { return constants_.base(); }

  RowColumns left, right;

 private:
  ConstantTable constants_;
};

SpanValues SpanOf(RowColumns& row) {
  const auto always = [&](uint32_t column) { return row.Always(column); };
  SpanValues span{};
  span.begin_lo = always(plan::kBeginLo);
  span.begin_hi = always(plan::kBeginHi);
  span.end_lo = always(plan::kEndLo);
  span.end_hi = always(plan::kEndHi);
  span.precision = always(plan::kPrecision);
  span.clock = always(plan::kClock);
  span.tie = always(plan::kTie);
  span.skew = always(plan::kSkew);
  const Slot stream = row.Optional(plan::kStream);
  const Slot position = row.Optional(plan::kPosition);
  span.stream = stream.value;
  span.position = position.value;
  span.placed = row.at().CreateAnd(stream.present, position.present);
  return span;
}

void And(Emitter& e, Planes& all, const Planes& one) {
  all.must = e.body.CreateAnd(all.must, one.must);
  all.presumed = e.body.CreateAnd(all.presumed, one.presumed);
  all.may = e.body.CreateAnd(all.may, one.may);
}

Planes EmitKey(Emitter& e, JoinInputs& inputs, const plan::EqualKey& key) {
  const Slot left = inputs.Column(0, key.left);
  const Slot right = inputs.Column(1, key.right);
  llvm::Value* equal = e.body.CreateICmpEQ(left.value, right.value);
  llvm::Value* present = e.body.CreateAnd(left.present, right.present);
  llvm::Value* must = e.body.CreateAnd(equal, present);
  llvm::Value* may = e.body.CreateOr(equal, e.Not(present));
  return {must, key.place ? may : must, may};
}

Planes EmitCondition(const plan::Plan& plan, const plan::Join& join, Emitter& e, JoinInputs& inputs) {
  Planes all{e.All(), e.All(), e.All()};
  for (const plan::EqualKey& key : join.keys) And(e, all, EmitKey(e, inputs, key));
  if (!join.relations.empty()) {
    const SpanValues left = SpanOf(inputs.left);
    const SpanValues right = SpanOf(inputs.right);
    for (const plan::TimeRelation& relation : join.relations) And(e, all, EmitRelation(e, relation, left, right));
  }
  if (join.residual != plan::kNone) {
    ExprEmitter expressions(plan, e, inputs);
    And(e, all, expressions.Bits(join.residual));
  }
  return all;
}

/// The three bits of one candidate as eval::TruthBits.
llvm::Value* Pack(Emitter& e, const Planes& planes) {
  auto& ir = e.body;
  const auto bit = [&](llvm::Value* mask, uint8_t value) {
    return ir.CreateSelect(mask, ir.getInt8(value), ir.getInt8(0));
  };
  return ir.CreateOr(ir.CreateOr(bit(planes.must, eval::kMustBit), bit(planes.presumed, eval::kPresumedBit)),
                     bit(planes.may, eval::kMayBit));
}

}  // namespace

void EmitJoin(const plan::Plan& plan, const plan::Join& join, llvm::Function* function) {
  Emitter e(function, 1);
  llvm::LLVMContext& context = function->getContext();
  llvm::BasicBlock* entry = llvm::BasicBlock::Create(context, "entry", function);
  llvm::BasicBlock* loop = llvm::BasicBlock::Create(context, "candidate", function);
  llvm::BasicBlock* end = llvm::BasicBlock::Create(context, "end", function);

  e.entry.SetInsertPoint(entry);
  llvm::Value* first = e.ArgumentWord(offsetof(JoinArgs, begin));
  llvm::Value* last = e.ArgumentWord(offsetof(JoinArgs, end));
  llvm::Value* none = e.entry.CreateICmpUGE(first, last);
  e.entry.SetInsertPoint(e.entry.CreateCondBr(none, end, loop));
  JoinInputs inputs(e);
  llvm::Value* left_membership = e.ArgumentPointer(offsetof(JoinArgs, left_membership));
  llvm::Value* right_membership = e.ArgumentPointer(offsetof(JoinArgs, right_membership));
  llvm::Value* right_bits = e.ArgumentPointer(offsetof(JoinArgs, right_bits));
  llvm::Type* byte = e.entry.getInt8Ty();
  llvm::Value* left_bits = e.entry.CreateAlignedLoad(
      byte, e.entry.CreateInBoundsGEP(byte, left_membership, inputs.left.row()), llvm::Align(1));

  e.body.SetInsertPoint(loop);
  llvm::PHINode* candidate = e.body.CreatePHI(e.Word(), 2, "j");
  llvm::PHINode* any = e.body.CreatePHI(byte, 2, "any");
  candidate->addIncoming(first, entry);
  any->addIncoming(e.body.getInt8(0), entry);
  inputs.right.SetRow(candidate);
  const Planes planes = EmitCondition(plan, join, e, inputs);
  llvm::Value* membership =
      e.body.CreateAlignedLoad(byte, e.body.CreateInBoundsGEP(byte, right_membership, candidate), llvm::Align(1));
  llvm::Value* bits = e.body.CreateAnd(Pack(e, planes), e.body.CreateAnd(membership, left_bits));
  if (join.different_observations) {
    llvm::Type* id = e.entry.getInt32Ty();
    llvm::Value* left_ids = e.ArgumentPointer(offsetof(JoinArgs, left_identity));
    llvm::Value* right_ids = e.ArgumentPointer(offsetof(JoinArgs, right_identity));
    llvm::Value* left =
        e.entry.CreateAlignedLoad(id, e.entry.CreateInBoundsGEP(id, left_ids, inputs.left.row()), llvm::Align(4));
    llvm::Value* right =
        e.body.CreateAlignedLoad(id, e.body.CreateInBoundsGEP(id, right_ids, candidate), llvm::Align(4));
    bits = e.body.CreateSelect(e.body.CreateICmpEQ(left, right), e.body.getInt8(0), bits);
  }
  llvm::Value* address = e.body.CreateInBoundsGEP(byte, right_bits, candidate);
  llvm::Value* merged = e.body.CreateOr(e.body.CreateAlignedLoad(byte, address, llvm::Align(1)), bits);
  e.body.CreateAlignedStore(merged, address, llvm::Align(1));
  llvm::Value* seen = e.body.CreateOr(any, bits);
  llvm::Value* next = e.body.CreateAdd(candidate, e.body.getInt64(1), "next", true, true);
  candidate->addIncoming(next, e.body.GetInsertBlock());
  any->addIncoming(seen, e.body.GetInsertBlock());
  e.body.CreateCondBr(e.body.CreateICmpEQ(next, last), end, loop);

  llvm::IRBuilder<> out(end);
  llvm::PHINode* result = out.CreatePHI(byte, 2);
  result->addIncoming(out.getInt8(0), entry);
  result->addIncoming(seen, e.body.GetInsertBlock());
  out.CreateRet(out.CreateZExt(result, out.getInt32Ty()));
}

}  // namespace attr::jit
