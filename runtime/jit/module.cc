// Kernels to functions of one module.
#include "runtime/jit/module.h"

#include <set>

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "runtime/jit/emit.h"

namespace attr::jit {
namespace {

/// Names come from packs: only letters, digits and underscores reach the linker.
std::string Sanitized(std::string_view name) {
  std::string out;
  for (const char c : name.substr(0, 80)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out += plain ? c : '_';
  }
  return out;
}

std::vector<std::vector<size_t>> Split(const plan::Plan& plan, const std::vector<plan::ExprId>& roots) {
  std::vector<std::vector<size_t>> parts;
  std::set<plan::ExprId> nodes;
  for (size_t i = 0; i < roots.size(); ++i) {
    const std::vector<plan::ExprId> mine = NodesOf(plan, roots[i]);
    const bool full = !parts.empty() && (parts.back().size() >= kPredicatesPerFunction ||
                                         nodes.size() + mine.size() > kNodesPerFunction);
    if (parts.empty() || full) {
      parts.emplace_back();
      nodes.clear();
    }
    parts.back().push_back(i);
    nodes.insert(mine.begin(), mine.end());
  }
  return parts;
}

llvm::Function* Declare(llvm::Module& module, llvm::Type* result, const std::string& name) {
  llvm::LLVMContext& context = module.getContext();
  auto* type = llvm::FunctionType::get(result, {llvm::PointerType::getUnqual(context)}, /*isVarArg=*/false);
  llvm::Function* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  function->setDoesNotThrow();
  function->addFnAttr("no-builtins");  // nothing of the host process is called
  return function;
}

}  // namespace

Layout LayoutOf(const plan::Plan& plan, const eval::KernelList& kernels) {
  Layout layout;
  for (size_t s = 0; s < kernels.scans.size(); ++s) {
    const eval::ScanGroup& group = kernels.scans[s];
    const std::string base =
        "scan_" + std::to_string(s) + "_" + Sanitized(plan.Str(plan.events[group.event].name)) + "_";
    std::vector<ScanPart> parts;
    for (auto& members : Split(plan, group.roots)) {
      parts.push_back({base + std::to_string(parts.size()), std::move(members)});
    }
    layout.functions += parts.size();
    layout.scans.push_back(std::move(parts));
  }
  for (size_t j = 0; j < kernels.joins.size(); ++j) {
    layout.joins.push_back("join_" + std::to_string(j) + "_" + Sanitized(kernels.join_names[j]));
  }
  layout.functions += layout.joins.size();
  return layout;
}

Result<std::unique_ptr<llvm::Module>> BuildModule(llvm::LLVMContext& context, const plan::Plan& plan,
                                                  const eval::KernelList& kernels, llvm::TargetMachine& machine) {
  auto module = std::make_unique<llvm::Module>("attr", context);
  module->setTargetTriple(machine.getTargetTriple().str());
  module->setDataLayout(machine.createDataLayout());
  const Layout layout = LayoutOf(plan, kernels);
  for (size_t s = 0; s < layout.scans.size(); ++s) {
    for (const ScanPart& part : layout.scans[s]) {
      EmitScan(plan, kernels.scans[s].roots, part.members,
               Declare(*module, llvm::Type::getVoidTy(context), part.symbol));
    }
  }
  for (size_t j = 0; j < layout.joins.size(); ++j) {
    EmitJoin(plan, *kernels.joins[j], Declare(*module, llvm::Type::getInt32Ty(context), layout.joins[j]));
  }
  std::string why;
  llvm::raw_string_ostream stream(why);
  if (llvm::verifyModule(*module, &stream)) {
    Error error;
    error.kind = ErrorKind::kInternal;
    error.message = "native code: the generated module is not valid: " + stream.str();
    return error;
  }
  Optimize(*module, machine);
  return module;
}

}  // namespace attr::jit
