// Columns of one table in the loop of a join: slots and presence, of the row that
// stays or of the candidates.
#pragma once

#include <map>

#include "runtime/jit/emit.h"

namespace attr::jit {

/// Plan::constants in generated code, each loaded once in the entry block.
class ConstantTable {
 public:
  ConstantTable(Emitter& e, llvm::Value* base) : e_(e), base_(base) {}
  llvm::Value* At(uint32_t index);
  llvm::Value* base() const { return base_; }

 private:
  Emitter& e_;
  llvm::Value* base_;
  std::map<uint32_t, llvm::Value*> loaded_;
};

/// Which row: one that stays while the loop runs (loaded once in the entry block,
/// the same in every lane), or the loop's own rows, from `row` on in lane order.
enum class Rows : uint8_t { kStays, kRuns };

/// Presence bits row .. row + width - 1 as a mask, in the emitter's body.
llvm::Value* LoadPresence(Emitter& e, const Emitter::Presence& presence, llvm::Value* row);

class RowColumns {
 public:
  RowColumns(Emitter& e, Rows rows, llvm::Value* columns, llvm::Value* present)
      : e_(e),
        at_(rows == Rows::kStays ? e.entry : e.body),
        lanes_(rows == Rows::kStays ? 1 : e.width),
        columns_(columns),
        present_(present) {}
  void SetRow(llvm::Value* row) { row_ = row; }
  llvm::Value* row() const { return row_; }

  Slot Column(uint32_t column);

 private:
  llvm::Value* Load(llvm::Value* base, llvm::Value* index);
  llvm::Value* Present(uint32_t column);
  llvm::Value* Widen(llvm::Value* scalar);
  llvm::Value* WidenMask(llvm::Value* mask);

  Emitter& e_;
  llvm::IRBuilder<>& at_;
  const unsigned lanes_;
  llvm::Value *columns_, *present_;
  llvm::Value* row_ = nullptr;
  std::map<uint32_t, Slot> loaded_;
};

}  // namespace attr::jit
