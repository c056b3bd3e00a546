// Types, constants and entry-block loads of a function under construction.
#include "runtime/jit/emit.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GlobalVariable.h>

namespace attr::jit {

Emitter::Emitter(llvm::Function* f, unsigned w) : entry(f->getContext()), body(f->getContext()), function(f), width(w) {
  llvm::LLVMContext& context = f->getContext();
  slot_type_ = llvm::Type::getInt64Ty(context);
  float_type_ = llvm::Type::getDoubleTy(context);
  mask_type_ = llvm::IntegerType::get(context, width);
  if (width > 1) {
    slot_type_ = llvm::FixedVectorType::get(slot_type_, width);
    float_type_ = llvm::FixedVectorType::get(float_type_, width);
  }
}

llvm::Constant* Emitter::Int(int64_t value) {
  return llvm::ConstantInt::get(slot_type_, static_cast<uint64_t>(value), /*IsSigned=*/true);
}

llvm::Constant* Emitter::Float(double value) { return llvm::ConstantFP::get(float_type_, value); }

llvm::Value* Emitter::Splat(llvm::Value* scalar) {
  return width == 1 ? scalar : entry.CreateVectorSplat(width, scalar);
}

llvm::Value* Emitter::Mask(llvm::Value* comparison) {
  return width == 1 ? comparison : body.CreateBitCast(comparison, mask_type_);
}

llvm::Value* Emitter::And(llvm::Value* a, llvm::Value* b) {
  if (a == b || a == All() || b == None()) return b;
  if (b == All() || a == None()) return a;
  return body.CreateAnd(a, b);
}

llvm::Value* Emitter::Or(llvm::Value* a, llvm::Value* b) {
  if (a == b || a == None() || b == All()) return b;
  if (b == None() || a == All()) return a;
  return body.CreateOr(a, b);
}

llvm::Value* Emitter::Load(llvm::Type* type, size_t offset) {
  llvm::Value* address = entry.CreateConstInBoundsGEP1_64(entry.getInt8Ty(), function->getArg(0), offset);
  return entry.CreateAlignedLoad(type, address, llvm::Align(8));
}

llvm::Value* Emitter::PointerAt(llvm::Value* pointers, uint64_t index) {
  llvm::Value* address = entry.CreateConstInBoundsGEP1_64(entry.getPtrTy(), pointers, index);
  return entry.CreateAlignedLoad(entry.getPtrTy(), address, llvm::Align(8));
}

llvm::Value* Emitter::Data(const std::vector<int64_t>& words) {
  std::vector<uint64_t> raw(words.begin(), words.end());
  llvm::Constant* data = llvm::ConstantDataArray::get(function->getContext(), raw);
  auto* global = new llvm::GlobalVariable(*function->getParent(), data->getType(), /*isConstant=*/true,
                                          llvm::GlobalValue::PrivateLinkage, data, "data");
  global->setAlignment(llvm::Align(8));
  return global;
}

Emitter::Presence Emitter::PresenceOf(llvm::Value* pointer) {
  llvm::GlobalVariable* ones = function->getParent()->getNamedGlobal("ones");
  if (ones == nullptr) {
    auto* type = llvm::ArrayType::get(entry.getInt64Ty(), kLanes);
    const std::vector<uint64_t> bits(kLanes, ~uint64_t{0});
    ones =
        new llvm::GlobalVariable(*function->getParent(), type, /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage,
                                 llvm::ConstantDataArray::get(function->getContext(), bits), "ones");
    ones->setAlignment(llvm::Align(8));
  }
  llvm::Value* all = entry.CreateIsNull(pointer);
  return {entry.CreateSelect(all, ones, pointer),
          entry.CreateSelect(all, entry.getInt64(0), entry.getInt64(~uint64_t{0}))};
}

}  // namespace attr::jit
