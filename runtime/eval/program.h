// Expressions prepared for batches of 1,024 rows: the nodes that some roots need,
// in order, each computed once a batch. Values are slots with presence words, bits
// are three planes. In a join the batch runs over the right table and everything
// of the left row is uniform: one value, computed once, never spread out.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "runtime/eval/batch_kernels.h"
#include "runtime/eval/tables.h"
#include "runtime/plan/plan.h"

namespace attr::eval {

/// What a batch reads. A scan has the batch in binding 0; a join in binding 1, and
/// binding 0 at `left_row`.
struct BatchInput {
  const int64_t* const* slots[2] = {nullptr, nullptr};
  const uint64_t* const* present[2] = {nullptr, nullptr};
  const int64_t* constants = nullptr;
  size_t left_row = 0;
};

class Program {
 public:
  /// Working memory of one thread; grows to the largest program it has run.
  struct Scratch {
    std::vector<int64_t> registers;
    std::vector<uint64_t> presence;         // of values, kBatchWords a step
    std::vector<uint64_t> planes;           // of bits: must, presumed, may
    std::vector<const int64_t*> values;     // per step
    std::vector<const uint64_t*> presents;  // per step
    std::vector<int64_t> members;           // of an id set
  };
  static Scratch& ThreadScratch();

  Program(const plan::Plan& plan, bool join) : plan_(&plan), join_(join) {}

  // Building: each returns a step.
  uint32_t Add(plan::ExprId expr);
  uint32_t AddColumn(uint32_t binding, uint32_t column);
  uint32_t AddBinary(plan::Op op, uint32_t a, uint32_t b);
  /// Results that are read after Run. Call once, after the last Add.
  void Finish(std::vector<uint32_t> roots);
  bool empty() const { return steps_.empty(); }

  /// Rows [base, base + count) of the batched table; count <= kBatchRows. What lies
  /// past `count` in the last word of a result is whatever it is.
  void Run(const BatchInput& input, size_t base, size_t count, Scratch& scratch) const;

  struct BitsView {
    const uint64_t *must, *presumed, *may;
  };
  static BitsView Bits(const Scratch& scratch, uint32_t step) {
    const uint64_t* p = scratch.planes.data() + step * 3 * kBatchWords;
    return {p, p + kBatchWords, p + 2 * kBatchWords};
  }
  bool uniform(uint32_t step) const { return steps_[step].uniform; }

 private:
  struct Step {
    plan::Op op = plan::Op::kTrue;
    uint32_t a = plan::kNone, b = plan::kNone;  // steps; kColumn: binding, column
    uint32_t index = plan::kNone;
    int64_t imm = 0;
    bool uniform = false;
    uint32_t reg = plan::kNone;  // of values
    ValueKernel value = nullptr;
    CompareKernel compare = nullptr;
  };
  struct Batch;

  uint32_t Append(Step step);
  void RunColumn(const Step& step, uint32_t self, const Batch& batch) const;
  void RunUniform(const Step& step, uint32_t self, const Batch& batch) const;
  void RunValue(const Step& step, uint32_t self, const Batch& batch) const;
  void RunBits(const Step& step, uint32_t self, const Batch& batch) const;
  void MembershipOf(const Step& step, const Batch& batch, uint64_t* mask) const;
  void MaskOf(const Step& step, const Batch& batch, uint64_t* mask) const;

  const plan::Plan* plan_;
  bool join_;
  std::vector<Step> steps_;
  std::unordered_map<plan::ExprId, uint32_t> step_of_;
  uint32_t registers_ = 0;
};

}  // namespace attr::eval
