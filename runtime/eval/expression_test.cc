// Batches against the scalar walk on random expressions, and the numbers of
// semantics.md S13 one by one.
#include "runtime/eval/expression.h"

#include <doctest.h>

#include <cmath>
#include <limits>

#include "runtime/eval/test_support.h"

namespace attr::eval {
namespace {

using namespace testing;

constexpr uint32_t kFirst = plan::kSystemColumns;  // the first field's column

/// One row with the int or float fields given; evaluates `build`'s expression on it.
Cell ValueOf(Op op, Cell a, Cell b = Cell(0)) {
  PlanBuilder p;
  TableBuilder t(kFirst + 2);
  const size_t row = t.At(0, 0);
  t.Put(row, kFirst, a);
  t.Put(row, kFirst + 1, b);
  const bool unary = op == Op::kNegI || op == Op::kNegF || op == Op::kToFloat;
  const plan::ExprId x = p.Column(0, kFirst), y = p.Column(0, kFirst + 1);
  const Column out = EvaluateValue(p.plan, p.Node(op, x, unary ? plan::kNone : y), t.table, {});
  if (!Test(out.present, 0)) {
    CHECK(out.slots[0] == 0);
    return std::nullopt;
  }
  return out.slots[0];
}
Cell F(double value) { return SlotOf(value); }

uint8_t BitsOfOp(Op op, Cell a, Cell b) {
  PlanBuilder p;
  TableBuilder t(kFirst + 2);
  const size_t row = t.At(0, 0);
  t.Put(row, kFirst, a);
  t.Put(row, kFirst + 1, b);
  const plan::ExprId x = p.Column(0, kFirst), y = p.Column(0, kFirst + 1);
  const Planes out = EvaluateBits(p.plan, p.Node(op, x, y), t.table, {});
  return static_cast<uint8_t>((Test(out.must, 0) ? kMustBit : 0) | (Test(out.may, 0) ? kMayBit : 0));
}
constexpr uint8_t kYes = kMustBit | kMayBit;

TEST_CASE("overflow, division by zero, shifts out of range and NaN are missing") {
  CHECK(ValueOf(Op::kAddI, INT64_MAX, 1) == std::nullopt);
  CHECK(ValueOf(Op::kAddI, INT64_MAX - 1, 1) == INT64_MAX);
  CHECK(ValueOf(Op::kSubI, INT64_MIN, 1) == std::nullopt);
  CHECK(ValueOf(Op::kSubI, -1, INT64_MIN) == INT64_MAX);
  CHECK(ValueOf(Op::kMulI, INT64_MAX, 2) == std::nullopt);
  CHECK(ValueOf(Op::kMulI, -3, 5) == -15);
  CHECK(ValueOf(Op::kDivI, 7, 0) == std::nullopt);
  CHECK(ValueOf(Op::kDivI, INT64_MIN, -1) == std::nullopt);
  CHECK(ValueOf(Op::kDivI, -7, 2) == -3);
  CHECK(ValueOf(Op::kModI, -7, 2) == -1);
  CHECK(ValueOf(Op::kModI, 7, -2) == 1);
  CHECK(ValueOf(Op::kModI, INT64_MIN, -1) == 0);
  CHECK(ValueOf(Op::kModI, 7, 0) == std::nullopt);
  CHECK(ValueOf(Op::kNegI, INT64_MIN) == std::nullopt);
  CHECK(ValueOf(Op::kShl, 1, 63) == INT64_MIN);
  CHECK(ValueOf(Op::kShl, 1, 64) == std::nullopt);
  CHECK(ValueOf(Op::kShl, 1, -1) == std::nullopt);
  CHECK(ValueOf(Op::kShr, -8, 1) == -4);
  CHECK(ValueOf(Op::kShr, 8, 64) == std::nullopt);
  CHECK(ValueOf(Op::kDivF, F(0.0), F(0.0)) == std::nullopt);
  CHECK(ValueOf(Op::kDivF, F(1.0), F(0.0)) == F(std::numeric_limits<double>::infinity()));
  CHECK(ValueOf(Op::kSubF, F(0.1 * 3), F(0.3)) == F(0.1 * 3 - 0.3));
  CHECK(ValueOf(Op::kToFloat, INT64_MAX) == F(9223372036854775808.0));
}

TEST_CASE("a missing operand gives a missing value whose slot is 0") {
  CHECK(ValueOf(Op::kAddI, std::nullopt, 5) == std::nullopt);
  CHECK(ValueOf(Op::kAddI, 5, std::nullopt) == std::nullopt);
}

TEST_CASE("an integer and a float compare exactly, not through a rounded double") {
  const int64_t big = (int64_t{1} << 53) + 1;  // as a double it rounds down to 2^53
  const double rounded = 9007199254740992.0;
  CHECK(BitsOfOp(Op::kEqIF, big, F(rounded)) == 0);
  CHECK(BitsOfOp(Op::kLtFI, F(rounded), big) == kYes);
  CHECK(BitsOfOp(Op::kLtIF, big, F(rounded)) == 0);
  CHECK(BitsOfOp(Op::kEqIF, INT64_MAX, F(9223372036854775808.0)) == 0);
  CHECK(BitsOfOp(Op::kLtIF, INT64_MAX, F(9223372036854775808.0)) == kYes);
  CHECK(BitsOfOp(Op::kEqIF, INT64_MIN, F(-9223372036854775808.0)) == kYes);
  CHECK(BitsOfOp(Op::kLeIF, INT64_MIN, F(-9223372036854775808.0)) == kYes);
  CHECK(BitsOfOp(Op::kLtFI, F(-1e300), INT64_MIN) == kYes);
  CHECK(BitsOfOp(Op::kLeFI, F(2.5), 3) == kYes);
  CHECK(BitsOfOp(Op::kLeFI, F(2.5), 2) == 0);
  CHECK(BitsOfOp(Op::kLtIF, -3, F(-2.5)) == kYes);
  CHECK(BitsOfOp(Op::kLtIF, -2, F(-2.5)) == 0);
  CHECK(BitsOfOp(Op::kNeIF, 0, F(-0.0)) == 0);
}

TEST_CASE("a comparison with a missing value may hold, whatever the operator") {
  for (Op op : {Op::kEqI, Op::kNeI, Op::kLtI, Op::kLeI, Op::kEqF, Op::kNeF, Op::kLtF, Op::kLeF}) {
    CHECK(BitsOfOp(op, std::nullopt, 1) == kMayBit);
    CHECK(BitsOfOp(op, 1, std::nullopt) == kMayBit);
  }
}

TEST_CASE("has is known, and bits run through and and or plane by plane") {
  PlanBuilder p;
  TableBuilder t(kFirst + 2);
  const size_t row = t.At(0, 0);
  t.Put(row, kFirst, 5);
  const plan::ExprId x = p.Column(0, kFirst), gone = p.Column(0, kFirst + 1), five = p.Int(5);
  const plan::ExprId yes = p.Node(Op::kEqI, x, five), no = p.Node(Op::kNeI, x, five);
  const plan::ExprId unknown = p.Node(Op::kEqI, gone, five);
  const auto bits = [&](plan::ExprId e) {
    const Planes out = EvaluateBits(p.plan, e, t.table, {});
    return (out.must[0] & 1) * kMustBit + (out.may[0] & 1) * kMayBit;
  };
  CHECK(bits(p.Node(Op::kHas, x)) == kYes);
  CHECK(bits(p.Node(Op::kHas, gone)) == 0);
  CHECK(bits(p.Node(Op::kHasNot, gone)) == kYes);
  CHECK(bits(p.Node(Op::kAnd, yes, unknown)) == kMayBit);
  CHECK(bits(p.Node(Op::kAnd, no, unknown)) == 0);
  CHECK(bits(p.Node(Op::kOr, yes, unknown)) == kYes);
  CHECK(bits(p.Node(Op::kOr, no, unknown)) == kMayBit);
}

TEST_CASE("id sets and constants are read through the evaluation's dictionary") {
  PlanBuilder p;
  p.plan.constants = {{Type::kText, p.Str("a")}, {Type::kText, p.Str("b")}};
  TableBuilder t(kFirst + 1);
  for (int64_t id : {70, 71, 72}) t.Put(t.At(0, 0), kFirst, id);
  const plan::ExprId x = p.Column(0, kFirst, Type::kText);
  const plan::ExprId b = p.Add({Op::kConstant, Type::kText, 1});
  const plan::ExprId in = p.InSet(Op::kInSet, x, {0, 1}, true), equal = p.Node(Op::kEqI, x, b);
  const std::vector<int64_t> constants = {72, 70};
  CHECK(EvaluateBits(p.plan, in, t.table, constants).must[0] == 0b101);
  CHECK(EvaluateBits(p.plan, equal, t.table, constants).must[0] == 0b001);
}

TEST_CASE("membership searches where the row's set stands, in batches as one row at a time") {
  PlanBuilder p;
  TableBuilder t(kFirst + 2);
  // Behind other constants: {3, 5, 9}, {} and {-2}. A missing set's slot is 0, which is no set.
  const std::vector<int64_t> constants = {1'000'000, 3, 3, 5, 9, 0, 1, -2};
  const int64_t spans[] = {1, 5, 6};
  Random r{17};
  for (int i = 0; i < 2500; ++i) {
    const size_t row = t.At(0, 0);
    if (r.Below(7) != 0) t.Put(row, kFirst, static_cast<int64_t>(r.Below(12)) - 2);
    if (r.Below(7) != 0) t.Put(row, kFirst + 1, spans[r.Below(3)]);
  }
  const plan::ExprId element = p.Column(0, kFirst), set = p.Column(0, kFirst + 1);
  for (const Op op : {Op::kMember, Op::kNotMember, Op::kPlaceMember, Op::kPlaceNotMember}) {
    const plan::ExprId in = p.Node(op, element, set);
    const Planes out = EvaluateBits(p.plan, in, t.table, constants);
    for (size_t row = 0; row < t.table.rows; ++row) {
      const uint8_t bits = Scalar{p.plan, {&t.table}, {row}, constants.data()}.Bits(in);
      REQUIRE(Test(out.must, row) == ((bits & kMustBit) != 0));
      REQUIRE(Test(out.may, row) == ((bits & kMayBit) != 0));
      const bool known = t.table.columns[kFirst].Has(row) && t.table.columns[kFirst + 1].Has(row);
      if (!known) REQUIRE(bits == (plan::IsPlaceRelation(op) ? kMayBit | kPresumedBit : kMayBit));
    }
  }
}

TEST_CASE("a column that nobody filled reads as missing") {
  PlanBuilder p;
  TableBuilder t(kFirst + 1);
  t.At(0, 0);
  t.table.columns[kFirst] = {};
  const Planes out = EvaluateBits(p.plan, p.Node(Op::kHas, p.Column(0, kFirst)), t.table, {});
  CHECK(out.may[0] == 0);
}

TEST_CASE("an empty table gives empty columns") {
  PlanBuilder p;
  const Table empty = TableBuilder(kFirst + 1).table;
  const plan::ExprId x = p.Column(0, kFirst);
  CHECK(EvaluateValue(p.plan, x, empty, {}).slots.empty());
  CHECK(EvaluateBits(p.plan, p.Node(Op::kHas, x), empty, {}).must.empty());
}

/// Values at the edges of every operator, ordinary ones, and floats that round.
int64_t AnyInt(Random& r) {
  static const int64_t kEdges[] = {0, 1, -1, 2, 63, 64, INT64_MAX, INT64_MIN, (int64_t{1} << 53) + 1, 1'000'000'007};
  return r.Below(3) == 0 ? kEdges[r.Below(10)] : static_cast<int64_t>(r.Below(20)) - 5;
}
int64_t AnyFloat(Random& r) {
  static const double kEdges[] = {0.0,
                                  -0.0,
                                  0.1,
                                  0.3,
                                  1e300,
                                  -1e300,
                                  5e-324,
                                  9223372036854775808.0,
                                  9007199254740992.0,
                                  std::numeric_limits<double>::infinity()};
  return SlotOf(r.Below(3) == 0 ? kEdges[r.Below(10)] : static_cast<double>(r.Below(40)) / 4 - 3);
}

TEST_CASE("batches agree with the scalar walk on random expressions and row counts") {
  Random r;
  constexpr uint32_t kFields = 6;  // three ints, three floats
  for (size_t rows : {1, 63, 64, 65, 1000, 1024, 1025, 2500}) {
    PlanBuilder p;
    p.plan.constants = {{Type::kInt, 0}, {Type::kInt, 0}};
    const std::vector<int64_t> constants = {3, 7};
    TableBuilder t(kFirst + kFields);
    for (size_t i = 0; i < rows; ++i) {
      const size_t row = t.At(0, 0);
      for (uint32_t f = 0; f < kFields; ++f) {
        if (r.Below(4) != 0) t.Put(row, kFirst + f, f < 3 ? AnyInt(r) : AnyFloat(r));
      }
    }
    std::vector<plan::ExprId> ints = {p.Int(2), p.Int(-1), p.Add({Op::kConstant, Type::kInt, 1})},
                              floats = {p.Float(0.1)}, bits;
    for (uint32_t f = 0; f < 3; ++f) ints.push_back(p.Column(0, kFirst + f));
    for (uint32_t f = 3; f < 6; ++f) floats.push_back(p.Column(0, kFirst + f, Type::kFloat));
    const auto pick = [&](const std::vector<plan::ExprId>& from) { return from[r.Below(from.size())]; };
    for (int round = 0; round < 60; ++round) {
      const auto int_op = static_cast<Op>(static_cast<size_t>(Op::kAddI) + r.Below(11));
      ints.push_back(p.Node(int_op, pick(ints), int_op == Op::kNegI ? plan::kNone : pick(ints)));
      const auto float_op = static_cast<Op>(static_cast<size_t>(Op::kAddF) + r.Below(5));
      floats.push_back(p.Node(float_op, pick(floats), float_op == Op::kNegF ? plan::kNone : pick(floats)));
      if (round % 8 == 0) floats.push_back(p.Node(Op::kToFloat, pick(ints)));
      const auto compare = static_cast<Op>(static_cast<size_t>(Op::kEqI) + r.Below(4));
      bits.push_back(p.Node(compare, pick(ints), pick(ints)));
      bits.push_back(p.Node(static_cast<Op>(static_cast<size_t>(Op::kEqF) + r.Below(4)), pick(floats), pick(floats)));
      bits.push_back(p.Node(static_cast<Op>(static_cast<size_t>(Op::kEqIF) + r.Below(4)), pick(ints), pick(floats)));
      bits.push_back(p.Node(r.Below(2) != 0 ? Op::kLtFI : Op::kLeFI, pick(floats), pick(ints)));
      bits.push_back(p.InRange(r.Below(2) != 0 ? Op::kInRange : Op::kNotInRange, pick(ints), -2, 6));
      bits.push_back(p.InSet(r.Below(2) != 0 ? Op::kInSet : Op::kNotInSet, pick(ints), {-1, 2, 5}));
      std::vector<int64_t> many;
      for (int64_t v = -40; v < 40; v += 2) many.push_back(v);
      bits.push_back(p.InSet(r.Below(2) != 0 ? Op::kInSet : Op::kNotInSet, pick(ints), many));
      bits.push_back(p.InSet(Op::kInSet, pick(ints), {0, 1}, true));
      bits.push_back(p.Node(static_cast<Op>(static_cast<size_t>(Op::kHas) + r.Below(4)), pick(ints)));
      bits.push_back(p.Node(r.Below(2) != 0 ? Op::kAnd : Op::kOr, pick(bits), pick(bits)));
    }
    for (plan::ExprId e : bits) {
      const Planes out = EvaluateBits(p.plan, e, t.table, constants);
      size_t wrong = 0;
      for (size_t i = 0; i < rows; ++i) {
        const uint8_t bits_of = Scalar{p.plan, {&t.table, nullptr}, {i, 0}, constants.data()}.Bits(e);
        wrong += Test(out.must, i) != ((bits_of & kMustBit) != 0) || Test(out.may, i) != ((bits_of & kMayBit) != 0);
      }
      CHECK(wrong == 0);
      if (rows % 64 != 0) CHECK((out.may.back() >> (rows % 64)) == 0);
    }
    for (const auto* pool : {&ints, &floats}) {
      for (plan::ExprId e : *pool) {
        const Column out = EvaluateValue(p.plan, e, t.table, constants);
        size_t wrong = 0;
        for (size_t i = 0; i < rows; ++i) {
          int64_t value = 0;
          const bool has = Scalar{p.plan, {&t.table, nullptr}, {i, 0}, constants.data()}.Value(e, &value);
          wrong += Test(out.present, i) != has || out.slots[i] != (has ? value : 0);
        }
        CHECK(wrong == 0);
      }
    }
  }
}

}  // namespace
}  // namespace attr::eval
