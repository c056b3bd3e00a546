#include "runtime/eval/expression.h"

#include <algorithm>

#include "runtime/eval/program.h"

namespace attr::eval {
namespace {

void MaskTail(Bitmap& bits, size_t rows) {
  if (rows % 64 != 0) bits.back() &= (uint64_t{1} << (rows % 64)) - 1;
}

/// Calls `copy(base, count, scratch)` after each batch of the table.
template <class Copy>
void RunOver(const Program& program, const Table& table, const std::vector<int64_t>& constants, Copy&& copy) {
  const ColumnPointers columns(table);
  BatchInput input;
  input.slots[0] = columns.slots.data();
  input.present[0] = columns.present.data();
  input.constants = constants.data();
  Program::Scratch& scratch = Program::ThreadScratch();
  for (size_t base = 0; base < table.rows; base += kBatchRows) {
    const size_t count = std::min(kBatchRows, table.rows - base);
    program.Run(input, base, count, scratch);
    copy(base, count, scratch);
  }
}

}  // namespace

ColumnPointers::ColumnPointers(const Table& table) {
  slots.reserve(table.columns.size());
  present.reserve(table.columns.size());
  for (const Column& column : table.columns) {
    slots.push_back(column.slots.empty() ? nullptr : column.slots.data());
    present.push_back(column.present.empty() ? nullptr : column.present.data());
  }
}

Column EvaluateValue(const plan::Plan& plan, plan::ExprId expr, const Table& table,
                     const std::vector<int64_t>& constants) {
  Program program(plan, false);
  const uint32_t root = program.Add(expr);
  program.Finish({root});
  Column out;
  out.slots.resize(table.rows);
  out.present.resize(WordsFor(table.rows));
  RunOver(program, table, constants, [&](size_t base, size_t count, const Program::Scratch& scratch) {
    const bool uniform = program.uniform(root);
    const int64_t* values = scratch.values[root];
    const uint64_t* present = scratch.presents[root];
    std::copy_n(present, WordsFor(count), out.present.data() + base / 64);
    for (size_t i = 0; i < count; ++i) {
      const int64_t keep = -static_cast<int64_t>(present[i / 64] >> (i % 64) & 1U);
      out.slots[base + i] = values[uniform ? 0 : i] & keep;
    }
  });
  if (table.rows != 0) MaskTail(out.present, table.rows);
  return out;
}

Planes EvaluateBits(const plan::Plan& plan, plan::ExprId expr, const Table& table,
                    const std::vector<int64_t>& constants) {
  Program program(plan, false);
  const uint32_t root = program.Add(expr);
  program.Finish({root});
  Planes out;
  out.must.resize(WordsFor(table.rows));
  out.may.resize(WordsFor(table.rows));
  RunOver(program, table, constants, [&](size_t base, size_t count, const Program::Scratch& scratch) {
    const Program::BitsView bits = Program::Bits(scratch, root);
    std::copy_n(bits.must, WordsFor(count), out.must.data() + base / 64);
    std::copy_n(bits.may, WordsFor(count), out.may.data() + base / 64);
  });
  if (table.rows != 0) {
    MaskTail(out.must, table.rows);
    MaskTail(out.may, table.rows);
  }
  return out;
}

}  // namespace attr::eval
