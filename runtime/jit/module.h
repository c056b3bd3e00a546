// One module for all kernels of a plan: which functions there are, their names,
// and the object file that holds them.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/eval/kernel.h"
#include "runtime/jit/target.h"

namespace attr::jit {

/// At most this many predicates and expression nodes in one scan function: LLVM's
/// selection recurses over a block and its time grows faster than the block.
inline constexpr size_t kPredicatesPerFunction = 40;
inline constexpr size_t kNodesPerFunction = 1000;

/// A function of the module; scans may have several, each with some of the predicates.
struct ScanPart {
  std::string symbol;
  std::vector<size_t> members;  // indices into ScanGroup::roots
};
struct Layout {
  std::vector<std::vector<ScanPart>> scans;  // as KernelList::scans
  std::vector<std::string> joins;            // as KernelList::joins
  size_t functions = 0;
};
/// Depends on the plan alone, so that cached code is found again by it.
Layout LayoutOf(const plan::Plan& plan, const eval::KernelList& kernels);

/// IR of all kernels, verified and optimized for `machine`.
Result<std::unique_ptr<llvm::Module>> BuildModule(llvm::LLVMContext& context, const plan::Plan& plan,
                                                  const eval::KernelList& kernels, llvm::TargetMachine& machine);

}  // namespace attr::jit
