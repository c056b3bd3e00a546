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
/// what has no vector form counts for every lane. A heavier predicate or residual is
/// left to the interpreter: 4,000 comparisons in one function, cut into blocks or
/// not, take LLVM 5 to 17 s (2026-11-30), and nobody writes such a condition by hand.
inline constexpr size_t kPredicatesPerFunction = 40;
inline constexpr size_t kWeightPerFunction = 400;

/// A function of the module; scans may have several, each with some of the predicates.
struct ScanPart {
  std::string symbol;
  std::vector<size_t> members;  // indices into ScanGroup::roots
};
struct ScanLayout {
  std::vector<ScanPart> parts;
  std::vector<size_t> interpreted;  // members too heavy for code
};
struct Layout {
  std::vector<ScanLayout> scans;   // as KernelList::scans
  std::vector<std::string> joins;  // as KernelList::joins; equal for joins of one shape, empty when interpreted
  size_t functions = 0;
};
/// Depends on the plan alone, so that cached code is found again by it.
Layout LayoutOf(const plan::Plan& plan, const eval::KernelList& kernels);

/// IR of all kernels, verified and optimized for `machine`.
Result<std::unique_ptr<llvm::Module>> BuildModule(llvm::LLVMContext& context, const plan::Plan& plan,
                                                  const eval::KernelList& kernels, llvm::TargetMachine& machine);

}  // namespace attr::jit
