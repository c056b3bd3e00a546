// Generated code against the scalar definitions and the batch interpreter, bit by
// bit: random expressions over extreme values, every kind of relation, sizes
// around the block of eight.
#include "runtime/jit/native_engine.h"

#include <doctest.h>

#include "runtime/jit/test_support.h"

namespace attr::jit {
namespace {

using namespace testing;

std::unique_ptr<eval::Engine> Native(const plan::Plan& plan, const eval::KernelList& kernels) {
  NativeInfo info;
  auto engine = MakeNative(plan, kernels, {}, &info);
  REQUIRE_MESSAGE(engine.ok(), (engine.ok() ? "" : engine.error().ToString()));
  return std::move(*engine);
}

void CheckScan(const plan::Plan& plan, const std::vector<plan::ExprId>& roots, const eval::Engine& engine,
               const eval::Table& table, const std::vector<int64_t>& constants) {
  const ScanOutput out = RunScan(engine, 0, roots.size(), table, constants);
  eval::KernelList kernels;
  kernels.scans.push_back({0, roots});
  const ScanOutput batch = RunScan(*eval::MakeInterpreter(plan, kernels), 0, roots.size(), table, constants);
  CHECK(out.must == batch.must);
  CHECK(out.may == batch.may);
  size_t wrong = 0;
  for (size_t p = 0; p < roots.size(); ++p) {
    for (size_t row = 0; row < table.rows; ++row) {
      const eval::Scalar scalar{plan, {&table, &table}, {row, row}, constants.data()};
      const uint8_t expected = scalar.Bits(roots[p]);
      wrong += eval::Test(out.must[p], row) != ((expected & eval::kMustBit) != 0);
      wrong += eval::Test(out.may[p], row) != ((expected & eval::kMayBit) != 0);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("scans give the bits of the scalar walk, whatever the values and the number of rows") {
  const std::vector<int64_t> constants = Constants();
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    Random random{seed * 0x9E3779B97F4A7C15ULL};
    PlanBuilder p;
    p.Event("std.test::event");
    Generator generate(p, random, 1);
    std::vector<plan::ExprId> roots;
    for (uint64_t kind = 0; kind < Generator::kLeaves; ++kind) roots.push_back(generate.Leaf(kind));
    for (int i = 0; i < 14; ++i) roots.push_back(generate.Bits(3));
    eval::KernelList kernels;
    kernels.scans.push_back({0, roots});
    const auto engine = Native(p.plan, kernels);
    for (const size_t rows : {0, 1, 7, 8, 9, 63, 64, 65, 300}) {
      CheckScan(p.plan, roots, *engine, RandomTable(random, rows), constants);
    }
  }
}

TEST_CASE("a scan writes no byte past its last row's word and reads none past its columns") {
  Random random{77};
  PlanBuilder p;
  p.Event("e");
  const std::vector<plan::ExprId> roots{p.Node(Op::kLtI, p.Column(0, kInts), p.Int(3))};
  eval::KernelList kernels;
  kernels.scans.push_back({0, roots});
  const auto engine = Native(p.plan, kernels);
  const eval::Table table = RandomTable(random, 13);
  const eval::ColumnPointers columns(table);
  std::vector<uint64_t> must(2, 0x5555555555555555ULL), may = must;
  uint64_t* must_pointer = must.data();
  uint64_t* may_pointer = may.data();
  engine->Scan(0, {columns.slots.data(), columns.present.data(), nullptr, table.rows, &must_pointer, &may_pointer});
  CHECK(must[1] == 0x5555555555555555ULL);
  CHECK(may[1] == 0x5555555555555555ULL);
}

TEST_CASE("columns without presence words are present everywhere") {
  PlanBuilder p;
  p.Event("e");
  const std::vector<plan::ExprId> roots{p.Node(Op::kHas, p.Column(0, kInts)),
                                        p.Node(Op::kLeI, p.Column(0, kInts), p.Int(0))};
  eval::KernelList kernels;
  kernels.scans.push_back({0, roots});
  const auto engine = Native(p.plan, kernels);
  std::vector<int64_t> slots(70);
  for (size_t i = 0; i < slots.size(); ++i) slots[i] = static_cast<int64_t>(i) - 30;
  std::vector<const int64_t*> columns(kColumns, nullptr);
  const std::vector<const uint64_t*> present(kColumns, nullptr);
  columns[kInts] = slots.data();
  uint64_t must[2][2] = {}, may[2][2] = {};
  uint64_t* must_pointers[] = {must[0], must[1]};
  uint64_t* may_pointers[] = {may[0], may[1]};
  engine->Scan(0, {columns.data(), present.data(), nullptr, slots.size(), must_pointers, may_pointers});
  CHECK(must[0][0] == ~uint64_t{0});
  CHECK((must[0][1] & 63) == 63);
  CHECK(must[1][0] == (uint64_t{1} << 31) - 1);
  CHECK((may[1][1] & 63) == 0);
}

TEST_CASE("more predicates than one function takes are split and still in their places") {
  Random random{11};
  PlanBuilder p;
  p.Event("e");
  std::vector<plan::ExprId> roots;
  for (int i = 0; i < 95; ++i) roots.push_back(p.Node(Op::kLtI, p.Column(0, kInts), p.Int(i - 45)));
  eval::KernelList kernels;
  kernels.scans.push_back({0, roots});
  NativeInfo info;
  const auto engine = MakeNative(p.plan, kernels, {}, &info);
  REQUIRE(engine.ok());
  CHECK(info.compiled == 3);
  CheckScan(p.plan, roots, **engine, RandomTable(random, 133), {});
}

struct Pairs {
  std::vector<uint8_t> left_membership, right_membership;
};

void CheckJoin(const plan::Plan& plan, const plan::Join& join, const eval::Engine& engine, size_t index,
               const eval::Table& left, const eval::Table& right, Random& random) {
  const std::vector<int64_t> constants = Constants();
  static constexpr uint8_t kMemberships[] = {0, 1, 3, 7};
  Pairs pairs;
  for (size_t i = 0; i < left.rows; ++i) pairs.left_membership.push_back(kMemberships[random.Below(4)]);
  for (size_t i = 0; i < right.rows; ++i) pairs.right_membership.push_back(kMemberships[random.Below(4)]);
  const eval::ColumnPointers a(left), b(right);
  eval::KernelList alone;
  alone.joins.push_back(&join);
  alone.join_names.push_back("alone");
  const std::unique_ptr<const eval::Engine> interpreter = eval::MakeInterpreter(plan, alone);
  size_t wrong = 0;
  for (size_t l = 0; l < left.rows; ++l) {
    const size_t begin = random.Below(right.rows);
    const size_t most = std::min<size_t>(right.rows - begin, random.Below(2) == 0 ? 10 : right.rows);
    const size_t end = begin + random.Below(most + 1);
    std::vector<uint8_t> bits(right.rows), expected(right.rows);
    for (uint8_t& byte : bits) byte = static_cast<uint8_t>(random.Below(2));
    expected = bits;
    uint8_t any = 0;
    for (size_t r = begin; r < end; ++r) {
      const uint8_t pair =
          PairBits(plan, join, left, right, l, r, constants) & pairs.left_membership[l] & pairs.right_membership[r];
      expected[r] |= pair;
      any |= pair;
    }
    for (const auto& [one, kernel] : {std::pair(&engine, index), std::pair(interpreter.get(), size_t{0})}) {
      std::vector<uint8_t> out = bits;
      const uint32_t result =
          one->Join(kernel, {a.slots.data(), a.present.data(), b.slots.data(), b.present.data(), constants.data(),
                             pairs.left_membership.data(), pairs.right_membership.data(), left.observation.data(),
                             right.observation.data(), out.data(), l, begin, end});
      wrong += result != any;
      wrong += out != expected;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("joins give the bits of the scalar definitions for every relation, key and residual") {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    Random random{seed * 0xD1B54A32D192ED03ULL};
    PlanBuilder p;
    Kernels kernels;
    for (size_t i = 0; i < 30; ++i) kernels.AddJoin(RandomJoin(p, random, i));
    const auto engine = Native(p.plan, kernels.List());
    const eval::Table left = RandomTable(random, 40), right = RandomTable(random, 130);
    for (size_t i = 0; i < kernels.joins.size(); ++i) {
      CAPTURE(i);
      CheckJoin(p.plan, kernels.joins[i], *engine, i, left, right, random);
    }
  }
}

TEST_CASE("a table without stream and position columns orders by stamps") {
  Random random{3};
  PlanBuilder p;
  Kernels kernels;
  plan::Join join;
  join.relations.push_back({plan::RelationKind::kAfter, 0, 0});
  kernels.AddJoin(join);
  const auto engine = Native(p.plan, kernels.List());
  eval::Table left = RandomTable(random, 20), right = RandomTable(random, 50);
  for (eval::Table* table : {&left, &right}) {
    table->columns[plan::kStream] = {};
    table->columns[plan::kPosition] = {};
  }
  const eval::ColumnPointers a(left), b(right);
  const std::vector<uint8_t> all_left(left.rows, eval::kAllBits), all_right(right.rows, eval::kAllBits);
  for (size_t l = 0; l < left.rows; ++l) {
    std::vector<uint8_t> bits(right.rows);
    engine->Join(0, {a.slots.data(), a.present.data(), b.slots.data(), b.present.data(), nullptr, all_left.data(),
                     all_right.data(), nullptr, nullptr, bits.data(), l, 0, right.rows});
    for (size_t r = 0; r < right.rows; ++r) {
      CHECK(bits[r] == eval::AfterBits(eval::SpanAt(a.slots.data(), a.present.data(), l),
                                       eval::SpanAt(b.slots.data(), b.present.data(), r)));
    }
  }
}

TEST_CASE("joins that differ in their windows alone share code and keep their windows") {
  Random random{17};
  PlanBuilder p;
  Kernels kernels;
  for (const int64_t seconds : {1, 5, 20}) {
    plan::Join join;
    join.keys.push_back({plan::kNode, plan::kNode, true});
    join.relations.push_back({plan::RelationKind::kDemote, seconds * plan::kSecond, seconds % 3 * plan::kSecond});
    join.relations.push_back({plan::RelationKind::kWithinOf, 2 * seconds * plan::kSecond, 0});
    kernels.AddJoin(join);
  }
  kernels.AddJoin(kernels.joins[0]);
  kernels.joins[3].relations[0].distance = plan::kNoWindow;  // another shape
  NativeInfo info;
  const auto engine = MakeNative(p.plan, kernels.List(), {}, &info);
  REQUIRE(engine.ok());
  CHECK(info.compiled == 2);
  const eval::Table left = RandomTable(random, 30), right = RandomTable(random, 90);
  for (size_t i = 0; i < kernels.joins.size(); ++i) {
    CheckJoin(p.plan, kernels.joins[i], **engine, i, left, right, random);
  }
}

TEST_CASE("a join over no candidates touches nothing") {
  Random random{9};
  PlanBuilder p;
  Kernels kernels;
  kernels.AddJoin({});
  const auto engine = Native(p.plan, kernels.List());
  const eval::Table table = RandomTable(random, 4);
  const eval::ColumnPointers c(table);
  const std::vector<uint8_t> all(4, eval::kAllBits);
  std::vector<uint8_t> bits(4);
  const auto run = [&](size_t begin, size_t end) {
    return engine->Join(0, {c.slots.data(), c.present.data(), c.slots.data(), c.present.data(), nullptr, all.data(),
                            all.data(), nullptr, nullptr, bits.data(), 0, begin, end});
  };
  CHECK(run(2, 2) == 0);
  CHECK(bits == std::vector<uint8_t>(4));
  CHECK(run(1, 3) == eval::kAllBits);
  CHECK(bits == std::vector<uint8_t>{0, 7, 7, 0});
}

TEST_CASE("conditions too large for the code generator are interpreted beside the others") {
  PlanBuilder p;
  p.Event("e");
  Random random{21};
  Generator generate(p, random, 1);
  plan::ExprId chain = generate.Leaf();
  for (int i = 1; i < 2000; ++i) chain = p.Node(i % 2 == 0 ? Op::kAnd : Op::kOr, chain, generate.Leaf());
  const std::vector<plan::ExprId> roots{generate.Bits(2), chain, generate.Bits(2)};
  Kernels kernels;
  kernels.AddJoin(RandomJoin(p, random, 0));
  plan::Join heavy = RandomJoin(p, random, 1);
  heavy.residual = chain;
  kernels.AddJoin(heavy);
  kernels.AddJoin(RandomJoin(p, random, 2));
  kernels.list.scans.push_back({0, roots});
  NativeInfo info;
  const auto engine = MakeNative(p.plan, kernels.List(), {}, &info);
  REQUIRE(engine.ok());
  CHECK(info.compiled == 3);
  CheckScan(p.plan, roots, **engine, RandomTable(random, 70), Constants());
  for (size_t j = 0; j < kernels.joins.size(); ++j) {
    CheckJoin(p.plan, kernels.joins[j], **engine, j, RandomTable(random, 5), RandomTable(random, 20), random);
  }
  const std::vector<plan::ExprId> only{chain};
  eval::KernelList alone;
  alone.scans.push_back({0, only});
  CheckScan(p.plan, only, *Native(p.plan, alone), RandomTable(random, 13), Constants());
}

TEST_CASE("names from packs never reach the linker as they are") {
  PlanBuilder p;
  p.Event("e\n.globl system; \"$(x)\" \xc3\xbc");
  eval::KernelList kernels;
  kernels.scans.push_back({0, {p.Node(Op::kIsTrue, p.Column(0, kFlag, Type::kBool))}});
  plan::Join join;
  kernels.joins.push_back(&join);
  kernels.join_names.push_back("../../x y;z");
  CHECK(MakeNative(p.plan, kernels, {}, nullptr).ok());
}

TEST_CASE("a plan without kernels makes an engine without code") {
  NativeInfo info;
  const auto engine = MakeNative({}, {}, {}, &info);
  REQUIRE(engine.ok());
  CHECK((*engine)->name() == "native");
  CHECK(info.compiled == 0);
}

TEST_CASE("a rule's kernels are shown as IR and as assembly") {
  PlanBuilder p;
  const uint32_t event = p.Event("std.gpu::xid");
  plan::Rule& rule = p.Rule("std.gpu::gpu_lost", {event, event});
  rule.bindings[0].where = p.Node(Op::kEqI, p.Column(0, kInts), p.Int(79));
  rule.joins[0].residual = p.Node(Op::kNeI, p.Column(0, kInts), p.Column(1, kInts));
  const auto ir = EmitRule(p.plan, 0, Emit::kLlvm);
  REQUIRE(ir.ok());
  CHECK(ir->find("define void @scan_0_std_gpu__xid_0(ptr") != std::string::npos);
  CHECK(ir->find("define i32 @join_0_std_gpu__gpu_lost(ptr") != std::string::npos);
  for (size_t at = ir->find("declare"); at != std::string::npos; at = ir->find("declare", at + 1)) {
    CHECK(ir->find("@llvm.", at) < ir->find('\n', at));  // intrinsics only
  }
  const auto assembly = EmitRule(p.plan, 0, Emit::kAsm);
  REQUIRE(assembly.ok());
  CHECK(assembly->find("join_0_std_gpu__gpu_lost:") != std::string::npos);
}

TEST_CASE("a rule without kernels says so where its code is asked for") {
  PlanBuilder p;
  plan::Rule& rule = p.Rule("r", {p.Event("e")});
  REQUIRE(EmitRule(p.plan, 0, Emit::kLlvm).ok());
  CHECK(EmitRule(p.plan, 0, Emit::kLlvm)->starts_with("; no native kernels: the rule has no condition"));
  CHECK(EmitRule(p.plan, 0, Emit::kAsm)->starts_with("# no native kernels: the rule has no condition"));
  plan::ExprId chain = p.Node(Op::kLtI, p.Column(0, kInts), p.Int(0));
  for (int i = 1; i < 1000; ++i) chain = p.Node(Op::kOr, chain, p.Node(Op::kLtI, p.Column(0, kInts), p.Int(i)));
  rule.bindings[0].where = chain;
  CHECK(EmitRule(p.plan, 0, Emit::kLlvm)->starts_with("; no native kernels: the rule's conditions are too large"));
}

}  // namespace
}  // namespace attr::jit
