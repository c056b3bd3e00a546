// The scan of one event: a loop over blocks of eight rows that loads each column
// once, evaluates all predicates and stores one byte of each plane. Bytes, so
// that a block is one vector comparison and presence is one load.
#include <cstddef>
#include <map>

#include "runtime/eval/kernel.h"
#include "runtime/jit/emit_rows.h"

namespace attr::jit {
namespace {

using eval::ScanArgs;

class ScanInputs : public Inputs {
 public:
  explicit ScanInputs(Emitter& e)
      : e_(e),
        columns_(e.ArgumentPointer(offsetof(ScanArgs, columns))),
        present_(e.ArgumentPointer(offsetof(ScanArgs, present))),
        constants_(e, e.ArgumentPointer(offsetof(ScanArgs, constants))) {}
  void SetBlock(llvm::Value* block) {
    block_ = block;
    row_ = e_.body.CreateShl(block, 3, "row", /*HasNUW=*/true, /*HasNSW=*/true);
  }

  Slot Column(uint32_t, uint32_t column) override {
    const auto [at, fresh] = loaded_.try_emplace(column);
    if (!fresh) return at->second;
    llvm::Value* slots = e_.PointerAt(columns_, column);
    llvm::Value* address = e_.body.CreateInBoundsGEP(e_.Word(), slots, row_);
    llvm::Value* value = e_.body.CreateAlignedLoad(e_.SlotType(), address, llvm::Align(8));
    const Emitter::Presence presence = e_.PresenceOf(e_.PointerAt(present_, column));
    llvm::Value* index = e_.body.CreateAnd(block_, presence.index_mask);
    llvm::Value* byte = e_.body.CreateInBoundsGEP(e_.body.getInt8Ty(), presence.base, index);
    at->second = {value, e_.body.CreateAlignedLoad(e_.MaskType(), byte, llvm::Align(1))};
    return at->second;
  }
  llvm::Value* Constant(uint32_t index) override { return constants_.At(index); }
  llvm::Value* Constants() override { return constants_.base(); }

 private:
  Emitter& e_;
  llvm::Value *columns_, *present_;
  ConstantTable constants_;
  llvm::Value *block_ = nullptr, *row_ = nullptr;
  std::map<uint32_t, Slot> loaded_;
};

/// The loop over blocks of rows; the emitter's builders stand in the entry block and
/// in the body afterwards.
struct Loop {
  llvm::BasicBlock* end = nullptr;
  llvm::PHINode* index = nullptr;
  llvm::Value* count = nullptr;

  explicit Loop(Emitter& e) {
    llvm::LLVMContext& context = e.function->getContext();
    llvm::BasicBlock* entry = llvm::BasicBlock::Create(context, "entry", e.function);
    llvm::BasicBlock* body = llvm::BasicBlock::Create(context, "body", e.function);
    end = llvm::BasicBlock::Create(context, "end", e.function);
    e.entry.SetInsertPoint(entry);
    count = e.entry.CreateLShr(e.ArgumentWord(offsetof(ScanArgs, rows)), 3);
    llvm::Value* none = e.entry.CreateICmpEQ(count, e.entry.getInt64(0));
    e.entry.SetInsertPoint(e.entry.CreateCondBr(none, end, body));
    llvm::IRBuilder<>(end).CreateRetVoid();
    e.body.SetInsertPoint(body);
    index = e.body.CreatePHI(e.body.getInt64Ty(), 2, "i");
    index->addIncoming(e.entry.getInt64(0), entry);
  }
  void Close(Emitter& e) {
    llvm::Value* next = e.body.CreateAdd(index, e.body.getInt64(1), "next", /*HasNUW=*/true, /*HasNSW=*/true);
    index->addIncoming(next, e.body.GetInsertBlock());
    e.body.CreateCondBr(e.body.CreateICmpEQ(next, count), end, index->getParent());
  }
};

void StoreByte(Emitter& e, llvm::Value* plane, llvm::Value* index, llvm::Value* byte) {
  e.body.CreateAlignedStore(byte, e.body.CreateInBoundsGEP(e.body.getInt8Ty(), plane, index), llvm::Align(1));
}

}  // namespace

void EmitScan(const plan::Plan& plan, const std::vector<plan::ExprId>& roots, const std::vector<size_t>& members,
              llvm::Function* function) {
  Emitter e(function, kLanes);
  Loop loop(e);
  llvm::Value* must = e.ArgumentPointer(offsetof(ScanArgs, must));
  llvm::Value* may = e.ArgumentPointer(offsetof(ScanArgs, may));
  ScanInputs inputs(e);
  inputs.SetBlock(loop.index);
  ExprEmitter expressions(plan, e, inputs);
  // All loads come before the first store: nothing has to be loaded twice.
  for (const size_t member : members) expressions.Bits(roots[member]);
  for (const size_t member : members) {
    const Planes planes = expressions.Bits(roots[member]);
    StoreByte(e, e.PointerAt(must, member), loop.index, planes.must);
    StoreByte(e, e.PointerAt(may, member), loop.index, planes.may);
  }
  loop.Close(e);
}

}  // namespace attr::jit
