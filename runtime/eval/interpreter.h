// The batch interpreter's two halves. A scan evaluates all conditions on one event
// type in one visit; a join evaluates one left row against contiguous candidates.
#pragma once

#include <vector>

#include "runtime/eval/kernel.h"
#include "runtime/eval/program.h"

namespace attr::eval {

class ScanKernel {
 public:
  ScanKernel(const plan::Plan& plan, const ScanGroup& group);
  void Run(const ScanArgs& args) const;

 private:
  Program program_;
  std::vector<uint32_t> roots_;  // steps, as ScanGroup::roots
};

class JoinKernel {
 public:
  JoinKernel(const plan::Plan& plan, const plan::Join& join);
  uint32_t Run(const JoinArgs& args) const;

 private:
  uint32_t RunBatch(const JoinArgs& args, size_t base, size_t count, uint8_t left_bits) const;

  const plan::Join* join_;
  Program program_;              // keys and residual
  uint32_t root_ = plan::kNone;  // none: only relations
};

}  // namespace attr::eval
