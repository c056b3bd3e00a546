// Kernels to functions of one module.
#include "runtime/jit/module.h"

#include <algorithm>
#include <map>
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

size_t Weight(const plan::Plan& plan, const plan::Expr& expr) {
  switch (expr.op) {
    case plan::Op::kMulI:
    case plan::Op::kDivI:
    case plan::Op::kModI:
    case plan::Op::kToFloat:
    case plan::Op::kEqIF:
    case plan::Op::kNeIF:
    case plan::Op::kLtIF:
    case plan::Op::kLeIF:
    case plan::Op::kLtFI:
    case plan::Op::kLeFI:
      return kLanes;
    case plan::Op::kMember:
    case plan::Op::kNotMember:
    case plan::Op::kPlaceMember:
    case plan::Op::kPlaceNotMember:
      return kWeightPerFunction + 1;  // a search in memory that follows the input: never code
    case plan::Op::kInSet:
    case plan::Op::kNotInSet:
      return std::min<size_t>(plan.sets[expr.index].values.size(), 16);
    default:
      return 1;
  }
}

size_t WeightOf(const plan::Plan& plan, plan::ExprId root) {
  size_t weight = 0;
  for (const plan::ExprId id : NodesOf(plan, root)) weight += Weight(plan, plan.exprs[id]);
  return weight;
}

ScanLayout Split(const plan::Plan& plan, const std::vector<plan::ExprId>& roots) {
  ScanLayout layout;
  ScanPart open;
  std::set<plan::ExprId> nodes;
  size_t weight = 0;
  const auto close = [&] {
    if (!open.members.empty()) layout.parts.push_back(std::move(open));
    open = {};
    nodes.clear();
    weight = 0;
  };
  for (size_t i = 0; i < roots.size(); ++i) {
    size_t alone = 0, added = 0;
    const std::vector<plan::ExprId> mine = NodesOf(plan, roots[i]);
    for (const plan::ExprId id : mine) {
      const size_t w = Weight(plan, plan.exprs[id]);
      alone += w;
      if (!nodes.contains(id)) added += w;
    }
    if (alone > kWeightPerFunction) {
      layout.interpreted.push_back(i);
      continue;
    }
    if (open.members.size() >= kPredicatesPerFunction || weight + added > kWeightPerFunction) {
      close();
      added = alone;
    }
    open.members.push_back(i);
    nodes.insert(mine.begin(), mine.end());
    weight += added;
  }
  close();
  return layout;
}

/// What the code of a join depends on: all but the windows' numbers.
std::vector<uint64_t> ShapeOf(const plan::Join& join) {
  std::vector<uint64_t> shape{join.residual, join.different_observations, join.keys.size()};
  for (const plan::EqualKey& key : join.keys) shape.insert(shape.end(), {key.left, key.right, key.place});
  for (const plan::TimeRelation& relation : join.relations) {
    const bool window = relation.distance != plan::kNoWindow;
    shape.push_back(static_cast<uint64_t>(relation.kind) * 2 + (window ? 1 : 0));
  }
  return shape;
}

llvm::Function* Declare(llvm::Module& module, llvm::Type* result, size_t pointers, const std::string& name) {
  llvm::LLVMContext& context = module.getContext();
  const std::vector<llvm::Type*> arguments(pointers, llvm::PointerType::getUnqual(context));
  auto* type = llvm::FunctionType::get(result, arguments, /*isVarArg=*/false);
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
    ScanLayout scan = Split(plan, group.roots);
    for (size_t p = 0; p < scan.parts.size(); ++p) scan.parts[p].symbol = base + std::to_string(p);
    layout.functions += scan.parts.size();
    layout.scans.push_back(std::move(scan));
  }
  std::map<std::vector<uint64_t>, std::string> shapes;
  for (size_t j = 0; j < kernels.joins.size(); ++j) {
    const plan::Join& join = *kernels.joins[j];
    if (join.residual != plan::kNone && WeightOf(plan, join.residual) > kWeightPerFunction) {
      layout.joins.emplace_back();
      continue;
    }
    const std::string symbol = "join_" + std::to_string(j) + "_" + Sanitized(kernels.join_names[j]);
    layout.joins.push_back(shapes.try_emplace(ShapeOf(join), symbol).first->second);
  }
  layout.functions += shapes.size();
  return layout;
}

Result<std::unique_ptr<llvm::Module>> BuildModule(llvm::LLVMContext& context, const plan::Plan& plan,
                                                  const eval::KernelList& kernels, llvm::TargetMachine& machine) {
  auto module = std::make_unique<llvm::Module>("attr", context);
  module->setTargetTriple(machine.getTargetTriple().str());
  module->setDataLayout(machine.createDataLayout());
  const Layout layout = LayoutOf(plan, kernels);
  for (size_t s = 0; s < layout.scans.size(); ++s) {
    for (const ScanPart& part : layout.scans[s].parts) {
      llvm::Function* function = Declare(*module, llvm::Type::getVoidTy(context), 1, part.symbol);
      EmitScan(plan, kernels.scans[s].roots, part.members, function);
    }
  }
  for (size_t j = 0; j < layout.joins.size(); ++j) {
    const std::string& symbol = layout.joins[j];
    if (symbol.empty() || module->getFunction(symbol) != nullptr) continue;
    EmitJoin(plan, *kernels.joins[j], Declare(*module, llvm::Type::getInt32Ty(context), 3, symbol));
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
