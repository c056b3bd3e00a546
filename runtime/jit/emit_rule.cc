// `attrc inspect --emit=llvm|asm`: the kernels of one rule alone, as they are
// generated for this machine.
#include <algorithm>

#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

#include "runtime/jit/module.h"
#include "runtime/jit/native_engine.h"

namespace attr::jit {
namespace {

/// The rule's own predicates by event, and its joins.
eval::KernelList KernelsOfRule(const plan::Plan& plan, const plan::Rule& rule) {
  eval::KernelList kernels;
  for (const plan::Binding& binding : rule.bindings) {
    if (binding.where == plan::kNone) continue;
    auto group = std::find_if(kernels.scans.begin(), kernels.scans.end(),
                              [&](const eval::ScanGroup& g) { return g.event == binding.event; });
    if (group == kernels.scans.end()) group = kernels.scans.insert(group, {binding.event, {}});
    group->roots.push_back(binding.where);
  }
  for (const plan::Join& join : rule.joins) {
    kernels.joins.push_back(&join);
    kernels.join_names.emplace_back(plan.Str(rule.name));
  }
  return kernels;
}

/// What to show of a rule that leads to no code; a comment, since readers and tools
/// expect LLVM text or assembly.
std::string NoKernels(const eval::KernelList& kernels, Emit what) {
  const bool nothing = kernels.scans.empty() && kernels.joins.empty();
  return std::string(what == Emit::kAsm ? "# " : "; ") +
         (nothing ? "no native kernels: the rule has no condition and joins no events\n"
                  : "no native kernels: the rule's conditions are too large, the interpreter evaluates them\n");
}

}  // namespace

Result<std::string> EmitRule(const plan::Plan& plan, uint32_t rule, Emit what) {
  const eval::KernelList kernels = KernelsOfRule(plan, plan.rules.at(rule));
  if (LayoutOf(plan, kernels).functions == 0) return NoKernels(kernels, what);
  auto machine = MakeTargetMachine(ThisHost());
  if (!machine) return machine.error();
  llvm::LLVMContext context;
  auto module = BuildModule(context, plan, kernels, **machine);
  if (!module) return module.error();
  if (what == Emit::kAsm) return Generate(**module, **machine, Output::kAssembly);
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*module)->print(stream, nullptr);
  return stream.str();
}

}  // namespace attr::jit
