// What the emitters of one loop share. A loop works on `width` rows at once: 8 or
// 1. Slots are i64 or double (or vectors of them); bit
// planes and presence are *masks*: integers of `width` bits, so that logic over
// them is ordinary integer logic in either case.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "runtime/plan/operands.h"
#include "runtime/plan/plan.h"

namespace attr::jit {

/// Rows of one vector step: a byte of each plane.
inline constexpr unsigned kLanes = 8;

struct Slot {
  llvm::Value* value = nullptr;
  llvm::Value* present = nullptr;  // mask
};
struct Planes {
  llvm::Value *must = nullptr, *presumed = nullptr, *may = nullptr;  // masks
};

/// A loop under construction: `body` writes where rows are at hand, `entry` into
/// the block before the loop.
class Emitter {
 public:
  Emitter(llvm::Function* function, unsigned width);

  llvm::IRBuilder<> entry, body;
  llvm::Function* const function;
  const unsigned width;

  llvm::Type* SlotType() const { return slot_type_; }
  llvm::Type* FloatType() const { return float_type_; }
  llvm::IntegerType* MaskType() const { return mask_type_; }
  llvm::Type* Word() { return body.getInt64Ty(); }

  llvm::Value* All() { return llvm::ConstantInt::getAllOnesValue(mask_type_); }
  llvm::Value* None() { return llvm::ConstantInt::getNullValue(mask_type_); }
  llvm::Constant* Int(int64_t value);  // in every lane
  llvm::Constant* Float(double value);
  llvm::Value* Splat(llvm::Value* scalar);  // computed in the entry block
  /// A comparison's result as a mask.
  llvm::Value* Mask(llvm::Value* comparison);
  // Logic over masks. Folds what is known here: most values are always present.
  // (InstSimplifyFolder folds more, and wrongly: it takes a loop's phi for its first
  // value as long as the second is not there.)
  llvm::Value* And(llvm::Value* a, llvm::Value* b);
  llvm::Value* Or(llvm::Value* a, llvm::Value* b);
  llvm::Value* Not(llvm::Value* mask) { return body.CreateNot(mask); }
  llvm::Value* AsFloat(llvm::Value* slot) { return body.CreateBitCast(slot, float_type_); }

  /// Field `index` of the argument struct, loaded in the entry block as a word or a pointer.
  llvm::Value* ArgumentWord(size_t offset) { return Load(entry.getInt64Ty(), offset); }
  llvm::Value* ArgumentPointer(size_t offset) { return Load(entry.getPtrTy(), offset); }
  /// pointers[index], in the entry block.
  llvm::Value* PointerAt(llvm::Value* pointers, uint64_t index);

  /// Constant data of the module, for sets.
  llvm::Value* Data(const std::vector<int64_t>& words);

  /// Where the presence bits of a column are read: null pointers (all present) are
  /// replaced by a word of ones, and every index by 0, so that the loop has no branch.
  struct Presence {
    llvm::Value* base = nullptr;
    llvm::Value* index_mask = nullptr;
  };
  Presence PresenceOf(llvm::Value* pointer);

 private:
  llvm::Value* Load(llvm::Type* type, size_t offset);
  llvm::Type *slot_type_, *float_type_;
  llvm::IntegerType* mask_type_;
};

/// Where expressions find columns and constants.
class Inputs {
 public:
  virtual ~Inputs() = default;
  virtual Slot Column(uint32_t binding, uint32_t column) = 0;
  /// A dictionary id, scalar, loaded in the entry block.
  virtual llvm::Value* Constant(uint32_t index) = 0;
  /// The constants themselves, for sets that are looped over.
  virtual llvm::Value* Constants() = 0;
};

/// Nodes that `root` needs, ascending: operands stand before their users.
std::vector<plan::ExprId> NodesOf(const plan::Plan& plan, plan::ExprId root);

/// Plan expressions to IR. Every node is emitted once per function.
class ExprEmitter {
 public:
  ExprEmitter(const plan::Plan& plan, Emitter& emitter, Inputs& inputs);
  Planes Bits(plan::ExprId root);

 private:
  void Node(plan::ExprId id);
  Slot Value(const plan::Expr& expr);
  Slot Leaf(const plan::Expr& expr);
  Slot Arithmetic(plan::Op op, const Slot& a, const Slot& b);
  Slot Checked(plan::Op op, const Slot& a, const Slot& b);
  Slot Division(plan::Op op, const Slot& a, const Slot& b);
  Slot Shift(plan::Op op, const Slot& a, const Slot& b);
  Slot FloatArithmetic(plan::Op op, const Slot& a, const Slot& b);
  llvm::Value* Float(llvm::Value* slot);  // as doubles
  Planes Condition(const plan::Expr& expr);
  Planes Compare(const plan::Expr& expr);
  llvm::Value* Compared(plan::Op op, llvm::Value* a, llvm::Value* b);
  llvm::Value* IntAgainstFloat(plan::Op op, llvm::Value* integer, llvm::Value* number);
  llvm::Value* InRange(const plan::Range& range, llvm::Value* value);
  llvm::Value* InSet(const plan::Set& set, llvm::Value* value);
  llvm::Value* InLargeSet(const plan::Set& set, llvm::Value* value);
  /// A known condition where `present`, open for `may` elsewhere.
  Planes Known(llvm::Value* condition, llvm::Value* present);

  const plan::Plan& plan_;
  Emitter& e_;
  Inputs& inputs_;
  std::map<plan::ExprId, Slot> values_;
  std::map<plan::ExprId, Planes> bits_;
};

/// The module's function for relation `index` of a join, called for the candidates
/// from `candidate` on; as eval::RelationBits. Frame and windows are the join's own.
Planes EmitRelation(Emitter& e, const plan::TimeRelation& relation, size_t index, llvm::Value* candidate);

/// void(const eval::ScanArgs*): predicates `members` (indices into `roots`) of one
/// event. `rows` must be a multiple of kLanes.
void EmitScan(const plan::Plan& plan, const std::vector<plan::ExprId>& roots, const std::vector<size_t>& members,
              llvm::Function* function);
/// uint32_t(const eval::JoinArgs*, const RelationFrame*, const JoinWindow*): a frame
/// and one window per relation, not read by a join without relations. Windows are
/// arguments so that joins of one shape share code.
void EmitJoin(const plan::Plan& plan, const plan::Join& join, llvm::Function* function);

}  // namespace attr::jit
