// Columns of one table in scalar code: a row's slot and presence. Shared by joins
// (two tables) and by scans that are too large for vectors.
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

/// `at` is where the row is at hand: the entry block for a row that stays, the body
/// for one that runs.
class RowColumns {
 public:
  RowColumns(Emitter& e, llvm::IRBuilder<>& at, llvm::Value* columns, llvm::Value* present)
      : e_(e), at_(at), columns_(columns), present_(present) {}
  void SetRow(llvm::Value* row) { row_ = row; }
  llvm::Value* row() const { return row_; }
  llvm::IRBuilder<>& at() const { return at_; }

  Slot Column(uint32_t column);
  /// A column that is present in every row.
  llvm::Value* Always(uint32_t column);
  /// A column that the table may do without: missing in every row then.
  Slot Optional(uint32_t column);

 private:
  llvm::Value* Load(llvm::Value* base, llvm::Value* index);
  llvm::Value* Present(uint32_t column);

  Emitter& e_;
  llvm::IRBuilder<>& at_;
  llvm::Value *columns_, *present_;
  llvm::Value* row_ = nullptr;
  std::map<uint32_t, Slot> loaded_;
};

}  // namespace attr::jit
