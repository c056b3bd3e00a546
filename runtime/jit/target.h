// The machine that code is generated for: triple, processor and features of this
// host, and LLVM's code generator for it. No policy about what is generated.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

#include "runtime/base/result.h"

namespace attr::jit {

struct Host {
  std::string triple, cpu;
  std::string features;  // "+avx2,-avx512f,..." in byte order
};
/// Detected once per process.
const Host& ThisHost();

/// Every option that changes what is generated from the same plan, and a number that
/// is raised whenever an emitter changes; in the cache key.
inline constexpr std::string_view kCodegenOptions = "codegen 9; lanes 8; O1; strict floats; pic; small";

/// Initializes LLVM on first use.
Result<std::unique_ptr<llvm::TargetMachine>> MakeTargetMachine(const Host& host);

/// The pass pipeline over every function of the module.
void Optimize(llvm::Module& module, llvm::TargetMachine& machine);

/// Object file or assembly text.
enum class Output : uint8_t { kObject, kAssembly };
Result<std::string> Generate(llvm::Module& module, llvm::TargetMachine& machine, Output output);

/// An LLVM error as a value of this project; `doing` says what failed.
Error FromLlvm(llvm::Error error, std::string_view doing);

}  // namespace attr::jit
