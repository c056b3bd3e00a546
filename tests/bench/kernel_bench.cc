// Native kernels beside the batch interpreter's, on the same columns: joins over
// 10^7 candidate pairs, fused predicates, and what compiling and the cache cost.
// Bits are compared; a difference ends the program with 1.
//   attr_kernel_bench [PAIRS] [ROWS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/jit/native_engine.h"
#include "runtime/jit/test_support.h"

namespace {

using namespace attr;
using namespace attr::jit::testing;

constexpr uint32_t kSeq = kInts, kOp = kText, kN = kInts + 1;
constexpr size_t kCandidates = 1000;

/// Processor time: everything here is one thread, and the machine may be shared.
double Seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Best of five, the two in turn, so that both meet the same noise.
template <class A, class B>
std::pair<double, double> Best(A&& a, B&& b) {
  double best_a = 1e9, best_b = 1e9;
  for (int i = 0; i < 5; ++i) {
    double start = Seconds();
    a();
    best_a = std::min(best_a, Seconds() - start);
    start = Seconds();
    b();
    best_b = std::min(best_b, Seconds() - start);
  }
  return {best_a, best_b};
}

eval::Table BenchTable(Random& random, size_t rows) {
  eval::testing::TableBuilder t(kColumns);
  for (size_t i = 0; i < rows; ++i) {
    const size_t row = t.At(static_cast<double>(i) / 100, static_cast<uint32_t>(i));
    t.Put(row, plan::kNode, static_cast<int64_t>(random.Below(8)));
    t.Put(row, kSeq, static_cast<int64_t>(random.Below(4)));
    t.Put(row, kOp, static_cast<int64_t>(random.Below(3)));
    if (random.Below(16) != 0) t.Put(row, kN, static_cast<int64_t>(random.Below(1000)));
    t.Put(row, kInts + 2, static_cast<int64_t>(random.Below(1000)));
    t.Put(row, kFloats, eval::SlotOf(static_cast<double>(random.Below(1000)) / 7));
  }
  return std::move(t.table);
}

plan::ExprId Residual(PlanBuilder& p) {
  const plan::ExprId same = p.Node(Op::kEqI, p.Column(0, kSeq), p.Column(1, kSeq));
  const plan::ExprId other = p.Node(Op::kNeI, p.Column(0, kOp, Type::kText), p.Column(1, kOp, Type::kText));
  const plan::ExprId twice = p.Add({Op::kMulI, Type::kInt, p.Int(2), p.Column(0, kN)});
  const plan::ExprId more = p.Node(Op::kLtI, twice, p.Column(1, kN));
  return p.Node(Op::kAnd, p.Node(Op::kAnd, same, other), more);
}

struct Engines {
  std::unique_ptr<eval::Engine> native, interpreter;
};
Engines Make(const plan::Plan& plan, const eval::KernelList& kernels) {
  auto native = jit::MakeNative(plan, kernels, {}, nullptr);
  if (!native) {
    std::fprintf(stderr, "%s\n", native.error().ToString().c_str());
    std::exit(1);
  }
  return {std::move(*native), eval::MakeInterpreter(plan, kernels)};
}

void Differ(const char* what) {
  std::fprintf(stderr, "native and interpreted bits differ: %s\n", what);
  std::exit(1);
}

void BenchJoin(const char* name, const plan::Plan& plan, const plan::Join& join, size_t pairs) {
  eval::KernelList kernels;
  kernels.joins.push_back(&join);
  kernels.join_names.emplace_back("bench");
  const Engines engines = Make(plan, kernels);
  Random random{42};
  const size_t left_rows = std::max<size_t>(1, pairs / kCandidates);
  const eval::Table left = BenchTable(random, left_rows), right = BenchTable(random, kCandidates);
  const eval::ColumnPointers a(left), b(right);
  const std::vector<uint8_t> all_left(left.rows, eval::kAllBits), all_right(right.rows, eval::kAllBits);
  std::vector<uint8_t> bits[2];
  const auto run = [&](const eval::Engine& engine, std::vector<uint8_t>& out) {
    out.assign(right.rows, 0);
    for (size_t l = 0; l < left.rows; ++l) {
      engine.Join(0,
                  {a.slots.data(), a.present.data(), b.slots.data(), b.present.data(), nullptr, all_left.data(),
                   all_right.data(), left.observation.data(), right.observation.data(), out.data(), l, 0, right.rows});
    }
  };
  const auto [native, interpreted] =
      Best([&] { run(*engines.native, bits[0]); }, [&] { run(*engines.interpreter, bits[1]); });
  if (bits[0] != bits[1]) Differ(name);
  const double count = static_cast<double>(left.rows * right.rows);
  std::printf("join, %-34s %.2f x  (native %.2f ns a pair, interpreter %.2f, %.0f pairs)\n", name, interpreted / native,
              native / count * 1e9, interpreted / count * 1e9, count);
}

void BenchJoins(size_t pairs) {
  PlanBuilder p;
  plan::Join residual, windowed, demotion;
  residual.residual = Residual(p);
  windowed.keys.push_back({plan::kNode, plan::kNode, true});
  windowed.relations.push_back({plan::RelationKind::kWithinAfter, 60 * plan::kSecond, 0});
  windowed.residual = residual.residual;
  demotion.keys.push_back({plan::kNode, plan::kNode, true});
  demotion.relations.push_back({plan::RelationKind::kDemote, 60 * plan::kSecond, plan::kSecond});
  BenchJoin("residual of three comparisons:", p.plan, residual, pairs);
  BenchJoin("node, within after, residual:", p.plan, windowed, pairs);
  BenchJoin("demotion on node within a minute:", p.plan, demotion, pairs);
}

/// `count` predicates of three comparisons, one with a sum.
std::vector<plan::ExprId> Predicates(PlanBuilder& p, int count) {
  std::vector<plan::ExprId> roots;
  for (int i = 0; i < count; ++i) {
    const plan::ExprId sum = p.Add({Op::kAddI, Type::kInt, p.Column(0, kN), p.Column(0, kInts + 2)});
    const plan::ExprId first = p.Node(Op::kLtI, p.Int(20 * i), sum);
    const plan::ExprId second = p.Node(Op::kLtF, p.Column(0, kFloats, Type::kFloat), p.Float(i));
    const plan::ExprId third = p.Node(Op::kEqI, p.Column(0, kSeq), p.Int(i % 4));
    roots.push_back(p.Node(Op::kOr, p.Node(Op::kAnd, first, second), third));
  }
  return roots;
}

void BenchScan(size_t rows) {
  PlanBuilder p;
  p.Event("bench");
  const std::vector<plan::ExprId> roots = Predicates(p, 40);
  eval::KernelList kernels;
  kernels.scans.push_back({0, roots});
  const Engines engines = Make(p.plan, kernels);
  Random random{7};
  const eval::Table table = BenchTable(random, rows);
  ScanOutput out[2];
  const auto [native, interpreted] = Best([&] { out[0] = RunScan(*engines.native, 0, roots.size(), table, {}); },
                                          [&] { out[1] = RunScan(*engines.interpreter, 0, roots.size(), table, {}); });
  if (out[0].must != out[1].must || out[0].may != out[1].may) Differ("scan");
  const double count = static_cast<double>(rows * roots.size());
  std::printf(
      "scan, 40 predicates:                     %.2f x  (native %.2f ns a row and predicate, interpreter %.2f)\n",
      interpreted / native, native / count * 1e9, interpreted / count * 1e9);
}

/// A pack of the standard library's size: 40 events with 3 predicates each, 40 joins.
void BenchCompile() {
  PlanBuilder p;
  eval::KernelList kernels;
  std::vector<plan::Join> joins(40);
  for (uint32_t event = 0; event < 40; ++event) {
    p.Event("bench" + std::to_string(event));
    kernels.scans.push_back({event, Predicates(p, 3)});
  }
  for (plan::Join& join : joins) {
    join.keys.push_back({plan::kNode, plan::kNode, true});
    join.relations.push_back({plan::RelationKind::kWithinAfter, 60 * plan::kSecond, 0});
    if (kernels.joins.size() % 2 == 0) join.residual = Residual(p);
    kernels.joins.push_back(&join);
    kernels.join_names.emplace_back("bench");
  }
  std::string folder = (std::filesystem::temp_directory_path() / "attr_kernel_bench_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) std::exit(1);
  double best[2] = {1e9, 1e9};  // cold, warm
  for (int i = 0; i < 5; ++i) {
    jit::NativeInfo info;
    const jit::NativeOptions options{folder, "pack" + std::to_string(i)};
    for (int warm = 0; warm < 2; ++warm) {
      const double start = Seconds();
      if (!jit::MakeNative(p.plan, kernels, options, &info).ok() || (warm == 1) != (info.cache == "hit")) {
        std::fprintf(stderr, "the cache did not hold the code: %s\n", info.cache.c_str());
        std::exit(1);
      }
      best[warm] = std::min(best[warm], Seconds() - start);
    }
  }
  const double functions = static_cast<double>(kernels.scans.size() + kernels.joins.size());
  std::printf("80 kernels (120 predicates, 40 joins):   cold %.1f ms (%.2f a kernel), warm %.2f ms\n", best[0] * 1e3,
              best[0] / functions * 1e3, best[1] * 1e3);
  std::filesystem::remove_all(folder);
}

}  // namespace

int main(int argc, char** argv) {
  const size_t pairs = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000'000;
  const size_t rows = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1'000'000;
  BenchCompile();
  BenchJoins(pairs);
  BenchScan(rows);
  return 0;
}
