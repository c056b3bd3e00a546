// One module for all kernels of a plan: which functions there are, their names,
// and the object file that holds them.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/eval/kernel.h"
#include "runtime/jit/target.h"

namespace attr::jit {

/// At most this much in one scan function: LLVM's selection works on whole blocks
/// and its time grows faster than they do. Weight is about one vector operation;
/// what has no vector form counts for every lane. A heavier predicate is evaluated
/// row by row in a function of its own.
inline constexpr size_t kPredicatesPerFunction = 40;
inline constexpr size_t kWeightPerFunction = 400;

/// A function of the module; scans may have several, each with some of the predicates.
struct ScanPart {
  std::string symbol;
  std::vector<size_t> members;  // indices into ScanGroup::roots
  bool by_row = false;          // a single heavy predicate
};
struct Layout {
  std::vector<std::vector<ScanPart>> scans;  // as KernelList::scans
  std::vector<std::string> joins;            // as KernelList::joins; equal for joins of one shape
  size_t functions = 0;
};
/// Depends on the plan alone, so that cached code is found again by it.
Layout LayoutOf(const plan::Plan& plan, const eval::KernelList& kernels);

/// IR of all kernels, verified and optimized for `machine`.
Result<std::unique_ptr<llvm::Module>> BuildModule(llvm::LLVMContext& context, const plan::Plan& plan,
                                                  const eval::KernelList& kernels, llvm::TargetMachine& machine);

}  // namespace attr::jit
