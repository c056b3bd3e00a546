// The scan of one event: a loop over blocks of eight rows that loads each column
// once, evaluates all predicates and stores one byte of each plane. Bytes, so
// that a block is one vector comparison and presence is one load.
#include <cstddef>
#include <map>

#include "runtime/eval/kernel.h"
#include "runtime/jit/emit.h"

namespace attr::jit {
namespace {

class ScanInputs : public Inputs {
 public:
  explicit ScanInputs(Emitter& e) : e_(e) {
    columns_ = e.ArgumentPointer(offsetof(eval::ScanArgs, columns));
    present_ = e.ArgumentPointer(offsetof(eval::ScanArgs, present));
    constants_ = e.ArgumentPointer(offsetof(eval::ScanArgs, constants));
  }
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
  llvm::Value* Constant(uint32_t index) override {
    llvm::Value*& value = constant_[index];
    if (value == nullptr) {
      llvm::Value* address = e_.entry.CreateConstInBoundsGEP1_64(e_.Word(), constants_, index);
      value = e_.entry.CreateAlignedLoad(e_.Word(), address, llvm::Align(8));
    }
    return value;
  }
  llvm::Value* Constants() override { return constants_; }

 private:
  Emitter& e_;
  llvm::Value *columns_, *present_, *constants_;
  llvm::Value *block_ = nullptr, *row_ = nullptr;
  std::map<uint32_t, Slot> loaded_;
  std::map<uint32_t, llvm::Value*> constant_;
};

}  // namespace

void EmitScan(const plan::Plan& plan, const std::vector<plan::ExprId>& roots, const std::vector<size_t>& members,
              llvm::Function* function) {
  Emitter e(function, kScanLanes);
  llvm::LLVMContext& context = function->getContext();
  llvm::BasicBlock* entry = llvm::BasicBlock::Create(context, "entry", function);
  llvm::BasicBlock* loop = llvm::BasicBlock::Create(context, "block", function);
  llvm::BasicBlock* end = llvm::BasicBlock::Create(context, "end", function);

  e.entry.SetInsertPoint(entry);
  llvm::Value* rows = e.ArgumentWord(offsetof(eval::ScanArgs, rows));
  llvm::Value* must = e.ArgumentPointer(offsetof(eval::ScanArgs, must));
  llvm::Value* may = e.ArgumentPointer(offsetof(eval::ScanArgs, may));
  llvm::Value* blocks = e.entry.CreateLShr(rows, 3);
  llvm::Value* none = e.entry.CreateICmpEQ(blocks, e.entry.getInt64(0));
  e.entry.SetInsertPoint(e.entry.CreateCondBr(none, end, loop));
  llvm::IRBuilder<>(end).CreateRetVoid();

  e.body.SetInsertPoint(loop);
  llvm::PHINode* block = e.body.CreatePHI(e.Word(), 2, "i");
  block->addIncoming(e.entry.getInt64(0), entry);
  ScanInputs inputs(e);
  inputs.SetBlock(block);
  ExprEmitter expressions(plan, e, inputs);
  for (const size_t member : members) expressions.Bits(roots[member]);
  // All loads come before the first store: nothing has to be loaded twice.
  const auto store = [&](llvm::Value* planes, size_t member, llvm::Value* byte) {
    llvm::Value* plane = e.PointerAt(planes, member);
    e.body.CreateAlignedStore(byte, e.body.CreateInBoundsGEP(e.body.getInt8Ty(), plane, block), llvm::Align(1));
  };
  for (const size_t member : members) {
    const Planes planes = expressions.Bits(roots[member]);
    store(must, member, planes.must);
    store(may, member, planes.may);
  }
  llvm::Value* next = e.body.CreateAdd(block, e.body.getInt64(1), "next", true, true);
  block->addIncoming(next, e.body.GetInsertBlock());
  e.body.CreateCondBr(e.body.CreateICmpEQ(next, blocks), end, loop);
}

}  // namespace attr::jit
