#include <algorithm>

#include "runtime/eval/interpreter.h"

namespace attr::eval {

ScanKernel::ScanKernel(const plan::Plan& plan, const ScanGroup& group) : program_(plan, false) {
  for (plan::ExprId root : group.roots) roots_.push_back(program_.Add(root));
  program_.Finish(roots_);
}

void ScanKernel::Run(const ScanArgs& args) const {
  BatchInput input;
  input.slots[0] = args.columns;
  input.present[0] = args.present;
  input.constants = args.constants;
  Program::Scratch& scratch = Program::ThreadScratch();
  for (size_t base = 0; base < args.rows; base += kBatchRows) {
    const size_t count = std::min(kBatchRows, args.rows - base);
    program_.Run(input, base, count, scratch);
    for (size_t r = 0; r < roots_.size(); ++r) {
      const Program::BitsView bits = Program::Bits(scratch, roots_[r]);
      std::copy_n(bits.must, WordsFor(count), args.must[r] + base / 64);
      std::copy_n(bits.may, WordsFor(count), args.may[r] + base / 64);
    }
  }
}

}  // namespace attr::eval
