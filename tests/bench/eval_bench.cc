// The batch interpreter against a scalar walk over the same expressions, on scan
// predicates and on a join's residual condition: absolute figures and ratios, one
// core, best of several runs. Not a test: it prints, and fails only when the two
// disagree.
#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <functional>

#include "runtime/eval/batch_kernels.h"
#include "runtime/eval/test_support.h"
#include "runtime/eval/time_relation.h"

namespace attr::eval {
namespace {

using namespace testing;
constexpr uint32_t kField = plan::kSystemColumns;
constexpr uint32_t kFields = 4;

/// Processor time: figures hold on a machine that does other things as well.
double BestSeconds(int runs, const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

/// Optional int columns, a tenth of the values missing.
TableBuilder MakeTable(Random& r, size_t rows) {
  TableBuilder t(kField + kFields);
  for (Column& column : t.table.columns) {
    column.slots.resize(rows);
    column.present.resize(WordsFor(rows));
  }
  t.table.rows = t.table.first_phantom = rows;
  t.table.observation.resize(rows);
  for (size_t row = 0; row < rows; ++row) {
    t.table.observation[row] = static_cast<uint32_t>(row);
    const auto at = static_cast<int64_t>(row) * plan::kSecond / 100;
    for (uint32_t c = plan::kBeginLo; c <= plan::kEndHi; ++c) t.table.columns[c].slots[row] = at;
    for (uint32_t f = 0; f < kFields; ++f) {
      if (r.Below(10) != 0) t.Put(row, kField + f, static_cast<int64_t>(r.Below(1000)));
    }
  }
  return t;
}

/// `(a * k1 + b > k2 and c < k3) or d == k4`, with constants of its own for each rule.
plan::ExprId Predicate(PlanBuilder& p, Random& r) {
  const auto constant = [&] { return p.Int(static_cast<int64_t>(r.Below(1000))); };
  const auto column = [&](uint32_t f) { return p.Column(0, kField + f); };
  const plan::ExprId sum = p.Node(Op::kAddI, p.Node(Op::kMulI, column(0), constant()), column(1));
  const plan::ExprId both =
      p.Node(Op::kAnd, p.Node(Op::kLtI, constant(), sum), p.Node(Op::kLtI, column(2), constant()));
  return p.Node(Op::kOr, both, p.Node(Op::kEqI, column(3), constant()));
}

bool BenchScan() {
  constexpr size_t kRows = 100'000, kRules = 40;
  Random r;
  Scenario s;
  s.p.Event("e", {{"a", Type::kInt}, {"b", Type::kInt}, {"c", Type::kInt}, {"d", Type::kInt}});
  const Table table = MakeTable(r, kRows).table;
  for (size_t i = 0; i < kRules; ++i) {
    s.p.Rule(Numbered("r", i), {0});
    s.p.plan.rules.back().bindings[0].where = Predicate(s.p, r);
  }
  const KernelList kernels = KernelsOf(s.p.plan);
  const auto engine = MakeInterpreter(s.p.plan, kernels);
  const ColumnPointers columns(table);
  std::vector<Bitmap> must(kRules, Bitmap(WordsFor(kRows))), may = must;
  std::vector<uint64_t*> must_planes, may_planes;
  for (size_t i = 0; i < kRules; ++i) {
    must_planes.push_back(must[i].data());
    may_planes.push_back(may[i].data());
  }
  const ScanArgs args{columns.slots.data(), columns.present.data(), nullptr, kRows,
                      must_planes.data(),   may_planes.data()};
  const double batch = BestSeconds(5, [&] { engine->Scan(0, args); });
  size_t wrong = 0;
  const double scalar = BestSeconds(1, [&] {
    for (size_t i = 0; i < kRules; ++i) {
      const plan::ExprId root = kernels.scans[0].roots[i];
      for (size_t row = 0; row < kRows; ++row) {
        const uint8_t bits = Scalar{s.p.plan, {&table, nullptr}, {row, 0}, nullptr}.Bits(root);
        wrong += Test(must[i], row) != ((bits & kMustBit) != 0) || Test(may[i], row) != ((bits & kMayBit) != 0);
      }
    }
  });
  const double work = static_cast<double>(kRows) * kRules;
  fmt::print("scan, {} rows x {} predicates ({} loops)\n", kRows, kRules, KernelTarget());
  fmt::print("  scalar walk        {:7.2f} ns per row and predicate\n", scalar / work * 1e9);
  fmt::print("  batch interpreter  {:7.2f} ns per row and predicate, {:.1f} x faster\n", batch / work * 1e9,
             scalar / batch);
  return wrong == 0;
}

/// `a.seq == b.seq and a.op != b.op and b.n > 2 * a.n` inside a window, candidates side by side.
bool BenchJoin() {
  constexpr size_t kLeft = 200, kRight = 20'000;
  Random r;
  Scenario s;
  s.p.Event("e", {{"seq", Type::kInt}, {"op", Type::kInt}, {"n", Type::kInt}, {"d", Type::kInt}});
  const Table left = MakeTable(r, kLeft).table, right = MakeTable(r, kRight).table;
  plan::Rule& rule = s.p.Rule("r", {0, 0});
  const auto column = [&](uint32_t b, uint32_t f) { return s.p.Column(b, kField + f); };
  const plan::ExprId more = s.p.Node(Op::kLtI, s.p.Node(Op::kMulI, s.p.Int(2), column(0, 2)), column(1, 2));
  const plan::ExprId differ = s.p.Node(Op::kNeI, column(0, 1), column(1, 1));
  rule.joins[0].residual =
      s.p.Node(Op::kAnd, s.p.Node(Op::kAnd, s.p.Node(Op::kEqI, column(0, 0), column(1, 0)), differ), more);
  rule.joins[0].relations = {{plan::RelationKind::kWithinAfter, Seconds(1000), 0}};
  const auto engine = MakeInterpreter(s.p.plan, KernelsOf(s.p.plan));
  const ColumnPointers lp(left), rp(right);
  const std::vector<uint8_t> all_left(kLeft, kAllBits), all_right(kRight, kAllBits);
  std::vector<uint8_t> bits(kRight), expected(kRight);
  JoinArgs args{};
  args.left_columns = lp.slots.data();
  args.left_present = lp.present.data();
  args.right_columns = rp.slots.data();
  args.right_present = rp.present.data();
  args.left_membership = all_left.data();
  args.right_membership = all_right.data();
  args.left_identity = left.observation.data();
  args.right_identity = right.observation.data();
  args.right_bits = bits.data();
  args.end = kRight;
  const double batch = BestSeconds(5, [&] {
    for (args.left_row = 0; args.left_row < kLeft; ++args.left_row) engine->Join(0, args);
  });
  const double scalar = BestSeconds(1, [&] {
    for (size_t i = 0; i < kLeft; ++i) {
      for (size_t j = 0; j < kRight; ++j) {
        const uint8_t residual = Scalar{s.p.plan, {&left, &right}, {i, j}, nullptr}.Bits(rule.joins[0].residual);
        expected[j] |=
            residual & RelationBits(rule.joins[0].relations[0], SpanAt(lp.slots.data(), lp.present.data(), i),
                                    SpanAt(rp.slots.data(), rp.present.data(), j));
      }
    }
  });
  const double work = static_cast<double>(kLeft) * kRight;
  fmt::print("join, {} x {} candidates, residual and window\n", kLeft, kRight);
  fmt::print("  scalar walk        {:7.2f} ns per pair\n", scalar / work * 1e9);
  fmt::print("  batch interpreter  {:7.2f} ns per pair, {:.1f} x faster\n", batch / work * 1e9, scalar / batch);
  return bits == expected;
}

/// Findings that demote findings: 4,096 on 4,096, by node and inside a window.
bool BenchDemotion() {
  constexpr uint32_t kNodes = 4096;
  Scenario s;
  const uint32_t a = s.Event("a"), b = s.Event("b");
  s.p.Rule("cause", {a}).keys = {s.p.KeyOf("node", plan::kNode)};
  s.p.Rule("symptom", {b}).keys = {s.p.KeyOf("node", plan::kNode)};
  for (plan::DemoteOn on : {plan::DemoteOn::kNode, plan::DemoteOn::kAny}) {
    plan::Demotion d;
    d.source = 0;
    d.targets = {1};
    d.on = on;
    d.join.relations = {{plan::RelationKind::kDemote, Seconds(120), 0}};
    if (on == plan::DemoteOn::kNode) d.join.keys = {{plan::kNode, plan::kNode, true}};
    s.p.plan.demotions.push_back(d);
  }
  for (uint32_t i = 0; i < kNodes; ++i) {
    s.Add(a, i * 10, Numbered("n", i), i);
    s.Add(b, i * 10 + 1, Numbered("n", i), kNodes + i);
  }
  Evaluation out;
  const double seconds = BestSeconds(3, [&] { out = s.Evaluate(); });
  fmt::print("rules and demotions, {0} x {0} findings by node and in a window: {1:.1f} ms, {2} edges\n", kNodes,
             seconds * 1e3, out.edges.size());
  return out.findings.size() == 2 * kNodes;
}

}  // namespace
}  // namespace attr::eval

int main() {
  const bool scan = attr::eval::BenchScan();
  const bool join = attr::eval::BenchJoin();
  const bool demotion = attr::eval::BenchDemotion();
  if (scan && join && demotion) return 0;
  fmt::print("the engines disagree\n");
  return 1;
}
