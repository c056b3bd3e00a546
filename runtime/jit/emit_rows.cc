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

llvm::Value* RowColumns::Slots(uint32_t column) {
  llvm::Value*& slots = slots_[column];
  if (slots == nullptr) slots = Load(e_.PointerAt(columns_, column), row_);
  return slots;
}

/// Bits row .. row + 7, which may lie in two bytes; the second is never past the
/// last row's byte.
llvm::Value* RowColumns::PresentByte(const Emitter::Presence& presence) {
  llvm::Type* byte = at_.getInt8Ty();
  const auto load = [&](llvm::Value* row) {
    llvm::Value* index = at_.CreateAnd(at_.CreateLShr(row, 3), presence.index_mask);
    llvm::Value* address = at_.CreateInBoundsGEP(byte, presence.base, index);
    return at_.CreateZExt(at_.CreateAlignedLoad(byte, address, llvm::Align(1)), at_.getInt32Ty());
  };
  llvm::Value* low = load(row_);
  llvm::Value* high = load(at_.CreateAdd(row_, at_.getInt64(e_.width - 1)));
  llvm::Value* both = at_.CreateOr(low, at_.CreateShl(high, 8));
  llvm::Value* shift = at_.CreateTrunc(at_.CreateAnd(row_, at_.getInt64(7)), at_.getInt32Ty());
  return at_.CreateTrunc(at_.CreateLShr(both, shift), byte);
}

llvm::Value* RowColumns::Present(uint32_t column) {
  const Emitter::Presence presence = e_.PresenceOf(e_.PointerAt(present_, column));
  if (lanes_ > 1) return PresentByte(presence);
  llvm::Value* index = at_.CreateAnd(at_.CreateLShr(row_, 6), presence.index_mask);
  llvm::Value* address = at_.CreateInBoundsGEP(at_.getInt64Ty(), presence.base, index);
  llvm::Value* word = at_.CreateAlignedLoad(at_.getInt64Ty(), address, llvm::Align(8));
  return at_.CreateTrunc(at_.CreateLShr(word, at_.CreateAnd(row_, at_.getInt64(63))), at_.getInt1Ty());
}

llvm::Value* RowColumns::Widen(llvm::Value* slot) { return lanes_ == e_.width ? slot : e_.Splat(slot); }

llvm::Value* RowColumns::WidenMask(llvm::Value* mask) {
  return lanes_ == e_.width ? mask : at_.CreateSExt(mask, e_.MaskType());
}

Slot RowColumns::Column(uint32_t column) {
  const auto [at, fresh] = loaded_.try_emplace(column);
  if (fresh) at->second = {Widen(Slots(column)), WidenMask(Present(column))};
  return at->second;
}

/// Where the pointer is null, a vector of ones stands in for the slots.
Slot RowColumns::Optional(uint32_t column) {
  llvm::Value* slots = e_.PointerAt(columns_, column);
  const Emitter::Presence safe = e_.PresenceOf(slots);
  llvm::Value* value = Load(safe.base, at_.CreateAnd(row_, safe.index_mask));
  llvm::Value* there = e_.entry.CreateIsNotNull(slots);
  llvm::Value* present = Present(column);
  return {value, at_.CreateAnd(e_.entry.CreateSExt(there, present->getType()), present)};
}

SpanValues RowColumns::Span() {
  const Slot stream = Optional(plan::kStream), position = Optional(plan::kPosition);
  const auto same = [&](uint32_t a, uint32_t b) { return at_.CreateICmpEQ(Slots(a), Slots(b)); };
  llvm::Value* still = at_.CreateAnd(same(plan::kBeginLo, plan::kEndLo), same(plan::kBeginHi, plan::kEndHi));
  llvm::Value* placed = at_.CreateAnd(stream.present, position.present);
  if (lanes_ > 1) placed = at_.CreateBitCast(placed, still->getType());
  SpanValues span{};
  span.begin_lo = Widen(Slots(plan::kBeginLo));
  span.begin_hi = Widen(Slots(plan::kBeginHi));
  span.end_lo = Widen(Slots(plan::kEndLo));
  span.end_hi = Widen(Slots(plan::kEndHi));
  span.precision = Widen(Slots(plan::kPrecision));
  span.clock = Widen(Slots(plan::kClock));
  span.tie = Widen(Slots(plan::kTie));
  span.skew = Widen(Slots(plan::kSkew));
  span.stream = Widen(stream.value);
  span.position = Widen(position.value);
  span.orders = Widen(at_.CreateAnd(placed, still));
  return span;
}

}  // namespace attr::jit
