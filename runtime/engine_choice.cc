// `auto` compares what native loops save over the batch interpreter with what it
// costs to have them. The figures are this project's measurements on one core
// (tests/bench); they need only be right within a factor of two.
#include "runtime/engine_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "runtime/jit/native_engine.h"

namespace attr {

namespace {

constexpr double kSavedPerRowAndPredicate = 0.5;
// From 3.4 (keys and a window) to 6.3 (a residual of seven operators): with this
// figure the worse choice costs at most a fifth at either end.
constexpr double kSavedPerPair = 5;
constexpr double kCompilePerFunction = 11e6;
constexpr double kCompileOnce = 15e6;
constexpr double kLoadPerFunction = 10e3;
constexpr double kLoadOnce = 2.5e6;
constexpr double kWorthCounting = 1e5;  // pairs; below, their upper bound decides nothing

// Pairs that agree on one key, from counts of its values: windows are not looked at.
double PairsOnKey(const eval::Table& left, const eval::Table& right, const plan::EqualKey& key) {
  const std::vector<int64_t>& l = left.columns[key.left].slots;
  const std::vector<int64_t>& r = right.columns[key.right].slots;
  if (l.empty() || r.empty()) return 0;
  std::unordered_map<int64_t, uint32_t> counts;
  for (int64_t value : l) ++counts[value];
  double pairs = 0;
  for (int64_t value : r) {
    auto at = counts.find(value);
    if (at != counts.end()) pairs += at->second;
  }
  return pairs;
}

double PairsOfRules(const eval::Context& context) {
  double pairs = 0;
  for (const plan::Rule& rule : context.plan->rules) {
    for (const plan::Join& join : rule.joins) {
      const eval::Table& left = context.events[rule.bindings[join.left].event];
      const eval::Table& right = context.events[rule.bindings[join.right].event];
      double bound = static_cast<double>(left.rows) * static_cast<double>(right.rows);
      for (const plan::EqualKey& key : join.keys) {
        if (bound < kWorthCounting) break;
        bound = std::min(bound, PairsOnKey(left, right, key));
      }
      pairs += bound;
    }
  }
  return pairs;
}

// Above 2^63 ns nobody compares any more.
uint64_t Nanos(double nanos) {
  return nanos < 9e18 ? static_cast<uint64_t>(nanos) : uint64_t{9'000'000'000'000'000'000};
}

std::unique_ptr<eval::Engine> Interpreter(const eval::Context& context, const eval::KernelList& kernels, Stats* stats,
                                          const std::string& why) {
  if (stats != nullptr) stats->engine = "interpreter" + why;
  return eval::MakeInterpreter(*context.plan, kernels);
}

}  // namespace

EngineCost EstimateCost(const eval::Context& context, const eval::KernelList& kernels, bool cached) {
  double saved = kSavedPerPair * PairsOfRules(context);
  for (const eval::ScanGroup& scan : kernels.scans) {
    double rows = static_cast<double>(context.events[scan.event].rows);
    saved += kSavedPerRowAndPredicate * rows * static_cast<double>(scan.roots.size());
  }
  double functions = static_cast<double>(jit::FunctionCount(*context.plan, kernels));
  double native = cached ? kLoadOnce + kLoadPerFunction * functions : kCompileOnce + kCompilePerFunction * functions;
  return {Nanos(saved), Nanos(native), cached};
}

Result<std::unique_ptr<eval::Engine>> MakeEngine(const eval::Context& context, const AttributeOptions& options,
                                                 Stats* stats) {
  const eval::KernelList kernels = eval::KernelsOf(*context.plan);
  if (stats != nullptr) stats->kernels = kernels.scans.size() + kernels.joins.size();
  const jit::NativeOptions native_options{options.cache_dir, options.pack_sha256};
  std::string why;
  if (options.engine == EngineChoice::kInterpreter) return Interpreter(context, kernels, stats, why);
  if (options.engine == EngineChoice::kAuto) {
    EngineCost cost = EstimateCost(context, kernels, jit::CacheHolds(*context.plan, native_options));
    why = fmt::format(" (auto: native saves about {:.1f} ms and costs {:.1f} ms to {})", double(cost.saved) / 1e6,
                      double(cost.native) / 1e6, cost.cached ? "load" : "compile");
    if (cost.saved <= cost.native) return Interpreter(context, kernels, stats, why);
  }
  jit::NativeInfo info;
  auto native = jit::MakeNative(*context.plan, kernels, native_options, &info);
  if (!native.ok()) {
    if (options.engine == EngineChoice::kNative) return native.error();
    return Interpreter(context, kernels, stats, " (auto: native code failed: " + native.error().message + ")");
  }
  if (stats != nullptr) {
    stats->engine = "native" + why;
    stats->kernels_compiled = info.compiled;
    stats->kernels_from_cache = info.from_cache;
    stats->cache = info.cache;
    stats->phases.push_back({"compile", info.compile_nanos});
  }
  return native;
}

}  // namespace attr
