// The native engine: code from the cache or the compiler, linked once, called
// through two function pointer types.
#include "runtime/jit/native_engine.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <set>
#include <utility>

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LLVMContext.h>

#include "runtime/jit/emit.h"
#include "runtime/jit/linker.h"
#include "runtime/jit/module.h"
#include "runtime/jit/object_cache.h"
#include "runtime/jit/relation_frame.h"
#include "runtime/version.h"

namespace attr::jit {
namespace {

struct ScanKernel {
  std::vector<eval::ScanFn> parts;
  std::vector<uint32_t> columns;    // that some predicate reads, ascending
  std::vector<size_t> interpreted;  // predicates
  size_t predicates = 0;
};

struct JoinKernel {
  uint32_t (*code)(const eval::JoinArgs*, const RelationFrame*, const JoinWindow*) = nullptr;
  std::vector<JoinWindow> windows;  // one per relation; code is null: interpreted
};

class NativeEngine : public eval::Engine {
 public:
  std::string_view name() const override { return "native"; }
  void Scan(size_t scan, const eval::ScanArgs& args) const override;
  uint32_t Join(size_t join, const eval::JoinArgs& args) const override;

  std::unique_ptr<LinkedCode> code;
  std::vector<ScanKernel> scans;
  std::vector<JoinKernel> joins;
  std::unique_ptr<eval::Engine> interpreter;  // of what is too heavy for code, with the same indices

 private:
  void Interpret(size_t scan, const ScanKernel& kernel, const eval::ScanArgs& args) const;
  static void Tail(const ScanKernel& kernel, const eval::ScanArgs& args);
};

void NativeEngine::Scan(size_t scan, const eval::ScanArgs& args) const {
  const ScanKernel& kernel = scans[scan];
  eval::ScanArgs whole = args;
  whole.rows = args.rows / kLanes * kLanes;
  for (const eval::ScanFn part : kernel.parts) part(&whole);
  if (whole.rows < args.rows && !kernel.parts.empty()) Tail(kernel, args);
  if (!kernel.interpreted.empty()) Interpret(scan, kernel, args);
}

void NativeEngine::Interpret(size_t scan, const ScanKernel& kernel, const eval::ScanArgs& args) const {
  std::vector<uint64_t*> must, may;
  for (const size_t member : kernel.interpreted) {
    must.push_back(args.must[member]);
    may.push_back(args.may[member]);
  }
  eval::ScanArgs some = args;
  some.must = must.data();
  some.may = may.data();
  interpreter->Scan(scan, some);
}

uint32_t NativeEngine::Join(size_t join, const eval::JoinArgs& args) const {
  const JoinKernel& kernel = joins[join];
  if (kernel.code == nullptr) return interpreter->Join(join, args);
  if (kernel.windows.empty()) return kernel.code(&args, nullptr, nullptr);
  if (args.begin >= args.end || args.left_membership[args.left_row] == 0) return 0;
  const RelationFrame frame = FrameOf(args);
  return kernel.code(&args, &frame, kernel.windows.data());
}

/// The kernels take whole blocks: the last rows are copied into one, so that
/// nothing is read past a column's end.
void NativeEngine::Tail(const ScanKernel& kernel, const eval::ScanArgs& args) {
  const size_t first = args.rows / kLanes * kLanes;
  const size_t width = kernel.columns.empty() ? 0 : kernel.columns.back() + 1;
  std::vector<std::array<int64_t, kLanes>> slots(kernel.columns.size());
  std::vector<uint64_t> present(kernel.columns.size());
  std::vector<const int64_t*> slot_pointers(width);
  std::vector<const uint64_t*> present_pointers(width);
  for (size_t i = 0; i < kernel.columns.size(); ++i) {
    const uint32_t column = kernel.columns[i];
    slots[i].fill(0);
    std::copy(args.columns[column] + first, args.columns[column] + args.rows, slots[i].begin());
    slot_pointers[column] = slots[i].data();
    if (args.present[column] == nullptr) continue;
    present[i] = args.present[column][first / 64] >> (first % 64);
    present_pointers[column] = &present[i];
  }
  std::vector<uint64_t> must(kernel.predicates), may(kernel.predicates);
  std::vector<uint64_t*> must_pointers, may_pointers;
  for (size_t p = 0; p < kernel.predicates; ++p) {
    must_pointers.push_back(&must[p]);
    may_pointers.push_back(&may[p]);
  }
  const eval::ScanArgs block{slot_pointers.data(), present_pointers.data(), args.constants, kLanes,
                             must_pointers.data(), may_pointers.data()};
  for (const eval::ScanFn part : kernel.parts) part(&block);
  const auto merge = [&](uint64_t& word, uint64_t byte) {
    word = (word & ~(uint64_t{0xff} << (first % 64))) | (byte & 0xff) << (first % 64);
  };
  for (size_t p = 0; p < kernel.predicates; ++p) {
    merge(args.must[p][first / 64], must[p]);
    merge(args.may[p][first / 64], may[p]);
  }
}

std::vector<uint32_t> ColumnsOf(const plan::Plan& plan, const eval::ScanGroup& group, const ScanLayout& layout) {
  std::set<uint32_t> columns;
  for (const ScanPart& part : layout.parts) {
    for (const size_t member : part.members) {
      for (const plan::ExprId id : NodesOf(plan, group.roots[member])) {
        if (plan.exprs[id].op == plan::Op::kColumn) columns.insert(plan.exprs[id].b);
      }
    }
  }
  return {columns.begin(), columns.end()};
}

/// Everything that the code depends on (semantics.md J4). The pack's hash stands
/// for the plan, the counts for the meaning of its numbers.
Sha256::Digest KeyOf(const std::string& pack_sha256) {
  const Host& host = ThisHost();
  std::string text;
  const auto add = [&](std::string_view part) {
    text += part;
    text += '\n';
  };
  add(pack_sha256);
  add(kEngineVersion);
  add("abi " + std::to_string(eval::kKernelAbi));
  add("plan " + std::to_string(plan::kOpCount) + " " + std::to_string(plan::kTypeCount) + " " +
      std::to_string(plan::kSystemColumns) + " " + std::to_string(plan::kRelationKindCount));
  add(LlvmVersion());
  add(host.triple);
  add(host.cpu);
  add(host.features);
  add(kCodegenOptions);
  return Sha256Of(text);
}

Result<std::string> Compile(const plan::Plan& plan, const eval::KernelList& kernels) {
  auto machine = MakeTargetMachine(ThisHost());
  if (!machine) return machine.error();
  llvm::LLVMContext context;
  auto module = BuildModule(context, plan, kernels, **machine);
  if (!module) return module.error();
  return Generate(**module, **machine, Output::kObject);
}

/// An interpreter of the kernels without code, which keeps their indices: scans are
/// reduced to the heavy predicates.
std::unique_ptr<eval::Engine> InterpreterOf(const plan::Plan& plan, const eval::KernelList& kernels,
                                            const Layout& layout) {
  bool any = std::any_of(layout.joins.begin(), layout.joins.end(), [](const auto& symbol) { return symbol.empty(); });
  eval::KernelList heavy = kernels;
  for (size_t s = 0; s < layout.scans.size(); ++s) {
    heavy.scans[s].roots.clear();
    for (const size_t member : layout.scans[s].interpreted) {
      heavy.scans[s].roots.push_back(kernels.scans[s].roots[member]);
      any = true;
    }
  }
  return any ? eval::MakeInterpreter(plan, heavy) : nullptr;
}

Result<std::unique_ptr<eval::Engine>> MakeEngine(const plan::Plan& plan, const eval::KernelList& kernels,
                                                 const Layout& layout, std::string object) {
  std::vector<std::string> symbols;
  for (const ScanLayout& scan : layout.scans) {
    for (const ScanPart& part : scan.parts) symbols.push_back(part.symbol);
  }
  for (const std::string& symbol : layout.joins) {
    if (!symbol.empty()) symbols.push_back(symbol);
  }
  auto engine = std::make_unique<NativeEngine>();
  if (!symbols.empty()) {
    auto code = LinkedCode::Link(std::move(object), symbols);
    if (!code) return code.error();
    engine->code = std::move(*code);
  }
  engine->interpreter = InterpreterOf(plan, kernels, layout);
  size_t next = 0;
  for (size_t s = 0; s < layout.scans.size(); ++s) {
    ScanKernel kernel;
    kernel.columns = ColumnsOf(plan, kernels.scans[s], layout.scans[s]);
    kernel.predicates = kernels.scans[s].roots.size();
    kernel.interpreted = layout.scans[s].interpreted;
    for (size_t p = 0; p < layout.scans[s].parts.size(); ++p) {
      kernel.parts.push_back(engine->code->At<eval::ScanFn>(next++));
    }
    engine->scans.push_back(std::move(kernel));
  }
  for (size_t j = 0; j < layout.joins.size(); ++j) {
    JoinKernel kernel;
    if (!layout.joins[j].empty()) kernel.code = engine->code->At<decltype(JoinKernel::code)>(next++);
    for (const plan::TimeRelation& r : kernels.joins[j]->relations) kernel.windows.push_back({r.distance, r.lead});
    engine->joins.push_back(std::move(kernel));
  }
  return std::unique_ptr<eval::Engine>(std::move(engine));
}

Result<std::unique_ptr<eval::Engine>> CompileAndMake(const plan::Plan& plan, const eval::KernelList& kernels,
                                                     const Layout& layout, const ObjectCache& cache,
                                                     const Sha256::Digest& key, NativeInfo* info) {
  const auto start = std::chrono::steady_clock::now();
  auto object = layout.functions == 0 ? Result<std::string>(std::string()) : Compile(plan, kernels);
  if (!object) return object.error();
  info->compiled = layout.functions;
  const auto took = std::chrono::steady_clock::now() - start;
  info->compile_nanos = static_cast<uint64_t>(std::chrono::nanoseconds(took).count());
  std::string why = cache.why_off();
  if (cache.on() && layout.functions > 0) why = cache.Store(key, *object);
  info->cache = why.empty() ? "stored" : "off: " + why;
  return MakeEngine(plan, kernels, layout, std::move(*object));
}

}  // namespace

Result<std::unique_ptr<eval::Engine>> MakeNative(const plan::Plan& plan, const eval::KernelList& kernels,
                                                 const NativeOptions& options, NativeInfo* info) {
  NativeInfo ignored;
  if (info == nullptr) info = &ignored;
  *info = NativeInfo();
  if constexpr (std::endian::native != std::endian::little) {
    Error error;
    error.kind = ErrorKind::kUsage;
    error.message = "native code needs a little-endian machine";
    error.help = "use --engine=interpreter";
    return error;
  }
  const Layout layout = LayoutOf(plan, kernels);
  const bool named = !options.pack_sha256.empty();
  const ObjectCache cache = named ? ObjectCache::Open(options.cache_dir, /*create=*/true)
                                  : ObjectCache::Off("the plan comes from no pack file");
  const Sha256::Digest key = KeyOf(options.pack_sha256);
  if (std::optional<std::string> object = cache.Load(key)) {
    auto engine = MakeEngine(plan, kernels, layout, std::move(*object));
    if (engine) {
      info->from_cache = layout.functions;
      info->cache = "hit";
      return engine;
    }
  }
  return CompileAndMake(plan, kernels, layout, cache, key, info);
}

size_t FunctionCount(const plan::Plan& plan, const eval::KernelList& kernels) {
  return LayoutOf(plan, kernels).functions;
}

bool CacheHolds(const plan::Plan&, const NativeOptions& options) {
  if (options.pack_sha256.empty()) return false;
  return ObjectCache::Open(options.cache_dir, /*create=*/false).Holds(KeyOf(options.pack_sha256));
}

std::string LlvmVersion() { return LLVM_VERSION_STRING; }

}  // namespace attr::jit
