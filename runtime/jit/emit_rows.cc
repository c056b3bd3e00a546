// Scalar loads of slots, presence bits and constants.
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
  return at_.CreateAlignedLoad(at_.getInt64Ty(), at_.CreateInBoundsGEP(at_.getInt64Ty(), base, index), llvm::Align(8));
}

llvm::Value* RowColumns::Present(uint32_t column) {
  const Emitter::Presence presence = e_.PresenceOf(e_.PointerAt(present_, column));
  llvm::Value* word = Load(presence.base, at_.CreateAnd(at_.CreateLShr(row_, 6), presence.index_mask));
  return at_.CreateTrunc(at_.CreateLShr(word, at_.CreateAnd(row_, at_.getInt64(63))), e_.MaskType());
}

Slot RowColumns::Column(uint32_t column) {
  Slot& slot = loaded_[column];
  if (slot.value == nullptr) slot.value = Load(e_.PointerAt(columns_, column), row_);
  if (slot.present == nullptr) slot.present = Present(column);
  return slot;
}

llvm::Value* RowColumns::Always(uint32_t column) {
  Slot& slot = loaded_[column];
  if (slot.value == nullptr) slot.value = Load(e_.PointerAt(columns_, column), row_);
  return slot.value;
}

Slot RowColumns::Optional(uint32_t column) {
  llvm::Value* slots = e_.PointerAt(columns_, column);
  const Emitter::Presence safe = e_.PresenceOf(slots);
  llvm::Value* value = Load(safe.base, at_.CreateAnd(row_, safe.index_mask));
  return {value, at_.CreateAnd(e_.entry.CreateIsNotNull(slots), Present(column))};
}

}  // namespace attr::jit
