// Loads of slots, presence bits and constants.
#include "runtime/jit/emit_rows.h"

namespace attr::jit {

llvm::Value* ConstantTable::At(uint32_t index) {
  llvm::Value*& value = loaded_[index];
  if (value == nullptr) {
    llvm::Value* address = e_.entry.CreateConstInBoundsGEP1_64(e_.entry.getInt64Ty(), base_, index);
    value = e_.entry.CreateAlignedLoad(e_.entry.getInt64Ty(), address, llvm::Align(8));
  }
  return value;
}

llvm::Value* RowColumns::Load(llvm::Value* base, llvm::Value* index) {
  llvm::Type* type = lanes_ == 1 ? at_.getInt64Ty() : e_.SlotType();
  return at_.CreateAlignedLoad(type, at_.CreateInBoundsGEP(at_.getInt64Ty(), base, index), llvm::Align(8));
}

namespace {

llvm::Value* LoadBit(llvm::IRBuilder<>& ir, const Emitter::Presence& presence, llvm::Value* row) {
  llvm::Value* index = ir.CreateAnd(ir.CreateLShr(row, 6), presence.index_mask);
  llvm::Value* address = ir.CreateInBoundsGEP(ir.getInt64Ty(), presence.base, index);
  llvm::Value* word = ir.CreateAlignedLoad(ir.getInt64Ty(), address, llvm::Align(8));
  return ir.CreateTrunc(ir.CreateLShr(word, ir.CreateAnd(row, ir.getInt64(63))), ir.getInt1Ty());
}

}  // namespace

/// The bits may lie in two bytes; the second is never past the last row's byte.
llvm::Value* LoadPresence(Emitter& e, const Emitter::Presence& presence, llvm::Value* row) {
  auto& ir = e.body;
  if (e.width == 1) return LoadBit(ir, presence, row);
  const auto load = [&](llvm::Value* at) {
    llvm::Value* index = ir.CreateAnd(ir.CreateLShr(at, 3), presence.index_mask);
    llvm::Value* address = ir.CreateInBoundsGEP(ir.getInt8Ty(), presence.base, index);
    return ir.CreateZExt(ir.CreateAlignedLoad(ir.getInt8Ty(), address, llvm::Align(1)), ir.getInt32Ty());
  };
  llvm::Value* low = load(row);
  llvm::Value* high = load(ir.CreateAdd(row, ir.getInt64(e.width - 1)));
  llvm::Value* both = ir.CreateOr(low, ir.CreateShl(high, 8));
  llvm::Value* shift = ir.CreateTrunc(ir.CreateAnd(row, ir.getInt64(7)), ir.getInt32Ty());
  return ir.CreateTrunc(ir.CreateLShr(both, shift), e.MaskType());
}

llvm::Value* RowColumns::Present(uint32_t column) {
  const Emitter::Presence presence = e_.PresenceOf(e_.PointerAt(present_, column));
  return lanes_ == 1 ? LoadBit(at_, presence, row_) : LoadPresence(e_, presence, row_);
}

llvm::Value* RowColumns::Widen(llvm::Value* scalar) { return lanes_ == e_.width ? scalar : e_.Splat(scalar); }

llvm::Value* RowColumns::WidenMask(llvm::Value* mask) {
  return lanes_ == e_.width ? mask : at_.CreateSExt(mask, e_.MaskType());
}

Slot RowColumns::Column(uint32_t column) {
  const auto [at, fresh] = loaded_.try_emplace(column);
  if (fresh) at->second = {Widen(Load(e_.PointerAt(columns_, column), row_)), WidenMask(Present(column))};
  return at->second;
}

}  // namespace attr::jit
