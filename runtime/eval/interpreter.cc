// The interpreter as an Engine: every kernel prepared when it is made, shared by
// all threads; working memory is the calling thread's.
#include "runtime/eval/interpreter.h"

namespace attr::eval {
namespace {

class Interpreter final : public Engine {
 public:
  Interpreter(const plan::Plan& plan, const KernelList& kernels) {
    scans_.reserve(kernels.scans.size());
    joins_.reserve(kernels.joins.size());
    for (const ScanGroup& group : kernels.scans) scans_.emplace_back(plan, group);
    for (const plan::Join* join : kernels.joins) joins_.emplace_back(plan, *join);
  }
  std::string_view name() const override { return "interpreter"; }
  void Scan(size_t scan, const ScanArgs& args) const override { scans_[scan].Run(args); }
  uint32_t Join(size_t join, const JoinArgs& args) const override { return joins_[join].Run(args); }

 private:
  std::vector<ScanKernel> scans_;
  std::vector<JoinKernel> joins_;
};

}  // namespace

std::unique_ptr<Engine> MakeInterpreter(const plan::Plan& plan, const KernelList& kernels) {
  return std::make_unique<Interpreter>(plan, kernels);
}

}  // namespace attr::eval
