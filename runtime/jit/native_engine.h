// Native kernels by LLVM ORC. The only room that includes LLVM. Machine code is
// cached per user, keyed by everything it depends on; nothing of an input is
// baked into it.
#pragma once

#include <memory>
#include <string>

#include "runtime/base/result.h"
#include "runtime/eval/kernel.h"

namespace attr::jit {

struct NativeOptions {
  std::string cache_dir;    // empty: compile in memory only
  std::string pack_sha256;  // of the plan; part of the key
};
struct NativeInfo {
  uint64_t compiled = 0, from_cache = 0;
  uint64_t compile_nanos = 0;
  std::string cache;  // "hit", "stored", or "off: <why>"
};

Result<std::unique_ptr<eval::Engine>> MakeNative(const plan::Plan& plan, const eval::KernelList& kernels,
                                                 const NativeOptions& options, NativeInfo* info);
/// True when the cache holds this plan's code: `auto` then needs no compile.
bool CacheHolds(const plan::Plan& plan, const NativeOptions& options);
/// How many functions MakeNative compiles or loads. Fewer than kernels: joins of one
/// shape share theirs.
size_t FunctionCount(const plan::Plan& plan, const eval::KernelList& kernels);

/// `attrc inspect --emit=llvm|asm` for one kernel: a rule's join or its event's scan.
enum class Emit : uint8_t { kLlvm, kAsm };
Result<std::string> EmitRule(const plan::Plan& plan, uint32_t rule, Emit what);

std::string LlvmVersion();

}  // namespace attr::jit
