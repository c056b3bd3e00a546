// Expressions one row, pair or tuple at a time. Rules whose conditions reach over
// more than two bindings are evaluated with it; for the batches and the generated
// code it is the baseline and the second opinion.
#pragma once

#include "runtime/eval/tables.h"

namespace attr::eval {

struct Scalar {
  const plan::Plan& plan;
  const Table* tables[plan::kMaxBindings];
  size_t rows[plan::kMaxBindings];
  const int64_t* constants;

  /// False: the value is missing.
  bool Value(plan::ExprId id, int64_t* out) const;
  /// TruthBits of a condition.
  uint8_t Bits(plan::ExprId id) const;

 private:
  uint8_t Leaf(const plan::Expr& e) const;
};

/// Keys, relations, residual and identity of one pair of rows: what a join kernel computes.
uint8_t PairBits(const plan::Plan& plan, const plan::Join& join, const Table& left, size_t left_row, const Table& right,
                 size_t right_row, const int64_t* constants);

}  // namespace attr::eval
