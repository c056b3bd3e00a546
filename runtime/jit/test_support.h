// Random plans and tables for the tests and the benchmark of this room: typed
// expressions over columns of extreme values, joins with every kind of key and
// relation, and scalar references built on eval's own definitions.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/eval/kernel.h"
#include "runtime/eval/test_support.h"
#include "runtime/eval/time_relation.h"

namespace attr::jit::testing {

using eval::testing::Op;
using eval::testing::PlanBuilder;
using eval::testing::Random;
using eval::testing::Type;

// Fields of the generated event.
inline constexpr uint32_t kInts = plan::kSystemColumns;  // 3 ints
inline constexpr uint32_t kFloats = kInts + 3;           // 2 floats
inline constexpr uint32_t kFlag = kFloats + 2;
inline constexpr uint32_t kText = kFlag + 1;
inline constexpr uint32_t kColumns = kText + 1;
inline constexpr uint32_t kConstants = 40;

inline std::vector<int64_t> Constants() {
  std::vector<int64_t> ids;
  for (uint32_t i = 0; i < kConstants; ++i) ids.push_back((i * 7 + 3) % 50);
  return ids;
}

inline int64_t RandomInt(Random& random) {
  static constexpr int64_t kExtremes[] = {
      INT64_MIN, INT64_MIN + 1,   INT64_MAX,        INT64_MAX - 1, -1,         0,          1, 2, 63,
      64,        (1LL << 53) + 1, -(1LL << 53) - 1, 1LL << 62,     3037000500, -3037000500};
  switch (random.Below(4)) {
    case 0:
      return kExtremes[random.Below(std::size(kExtremes))];
    case 1:
      return static_cast<int64_t>(random.Next());
    default:
      return static_cast<int64_t>(random.Below(12)) - 4;
  }
}

inline double RandomFloat(Random& random) {
  static const double kExtremes[] = {-0.0,
                                     0.0,
                                     0.1,
                                     3.0,
                                     0.3,
                                     0.1 * 3 - 0.3,
                                     5e-324,
                                     -2.2e-308,
                                     1e308,
                                     -1e308,
                                     std::numeric_limits<double>::infinity(),
                                     -std::numeric_limits<double>::infinity(),
                                     9223372036854775808.0,
                                     -9223372036854775808.0,
                                     9007199254740993.0,
                                     std::nextafter(9223372036854775808.0, 0.0),
                                     1.5,
                                     -2.5,
                                     2.0,
                                     -1.0};
  if (random.Below(3) == 0) return static_cast<double>(static_cast<int64_t>(random.Next())) / 1024.0;
  return kExtremes[random.Below(std::size(kExtremes))];
}

/// Field columns of `rows` rows, about one value in six missing; system columns as a log would have them.
inline eval::Table RandomTable(Random& random, size_t rows) {
  eval::testing::TableBuilder t(kColumns);
  for (size_t i = 0; i < rows; ++i) {
    const double at = static_cast<double>(random.Below(40)), width = static_cast<double>(random.Below(4));
    model::Moment begin{eval::testing::Seconds(at), eval::testing::Seconds(at), 0}, end = begin;
    if (random.Below(4) == 0) begin.hi = end.hi = eval::testing::Seconds(at + width);
    if (random.Below(4) == 0)
      end.lo = begin.lo + eval::testing::Seconds(width), end.hi = begin.hi + eval::testing::Seconds(width);
    if (random.Below(12) == 0) begin = {}, end = {};
    const size_t row = t.Row(begin, end, static_cast<uint32_t>(random.Below(rows + 1)));
    t.Put(row, plan::kPrecision, static_cast<int64_t>(random.Below(2)) * plan::kSecond);
    t.Put(row, plan::kClock, static_cast<int64_t>(random.Below(2)));
    t.Put(row, plan::kTie, random.Below(9) == 0 ? 1 : 0);
    t.Put(row, plan::kSkew, static_cast<int64_t>(random.Below(3)) * plan::kSecond / 2);
    const auto sometimes = [&](uint32_t column, int64_t value) {
      if (random.Below(6) != 0) t.Put(row, column, value);
    };
    sometimes(plan::kStream, static_cast<int64_t>(random.Below(3)));
    sometimes(plan::kPosition, static_cast<int64_t>(random.Below(30)));
    sometimes(plan::kNode, static_cast<int64_t>(random.Below(4)));
    sometimes(plan::kRank, static_cast<int64_t>(random.Below(4)));
    for (uint32_t c = kInts; c < kFloats; ++c) sometimes(c, RandomInt(random));
    for (uint32_t c = kFloats; c < kFlag; ++c) sometimes(c, eval::SlotOf(RandomFloat(random)));
    sometimes(kFlag, static_cast<int64_t>(random.Below(2)));
    sometimes(kText, static_cast<int64_t>(random.Below(50)));
  }
  return std::move(t.table);
}

/// Typed random expressions into one plan's pool.
class Generator {
 public:
  Generator(PlanBuilder& plan, Random& random, uint32_t bindings) : p_(plan), r_(random), bindings_(bindings) {
    if (p_.plan.constants.empty()) p_.plan.constants.resize(kConstants);
  }

  plan::ExprId Int(int depth) {
    if (depth == 0 || r_.Below(4) == 0) {
      if (r_.Below(4) == 0) return p_.Int(RandomInt(r_));
      return p_.Column(Binding(), kInts + static_cast<uint32_t>(r_.Below(3)));
    }
    static constexpr Op kOps[] = {Op::kAddI, Op::kSubI, Op::kMulI,   Op::kDivI,  Op::kModI,  Op::kNegI,
                                  Op::kShl,  Op::kShr,  Op::kBitAnd, Op::kBitOr, Op::kBitXor};
    const Op op = kOps[r_.Below(std::size(kOps))];
    const plan::ExprId a = Int(depth - 1);
    if (op == Op::kNegI) return Value(op, Type::kInt, a, plan::kNone);
    return Value(op, Type::kInt, a, Int(depth - 1));
  }
  plan::ExprId Float(int depth) {
    if (depth == 0 || r_.Below(4) == 0) {
      if (r_.Below(4) == 0) return p_.Float(RandomFloat(r_));
      return p_.Column(Binding(), kFloats + static_cast<uint32_t>(r_.Below(2)), Type::kFloat);
    }
    static constexpr Op kOps[] = {Op::kAddF, Op::kSubF, Op::kMulF, Op::kDivF, Op::kNegF, Op::kToFloat};
    const Op op = kOps[r_.Below(std::size(kOps))];
    if (op == Op::kToFloat) return Value(op, Type::kFloat, Int(depth - 1), plan::kNone);
    const plan::ExprId a = Float(depth - 1);
    if (op == Op::kNegF) return Value(op, Type::kFloat, a, plan::kNone);
    return Value(op, Type::kFloat, a, Float(depth - 1));
  }
  plan::ExprId Bits(int depth) {
    if (depth > 0 && r_.Below(3) != 0) {
      const plan::ExprId a = Bits(depth - 1);
      return p_.Node(r_.Below(2) == 0 ? Op::kAnd : Op::kOr, a, Bits(depth - 1));
    }
    return Leaf();
  }
  /// Every kind of leaf, by number.
  static constexpr uint64_t kLeaves = 10;
  plan::ExprId Leaf() { return Leaf(r_.Below(kLeaves)); }
  plan::ExprId Leaf(uint64_t kind);

 private:
  uint32_t Binding() { return static_cast<uint32_t>(r_.Below(bindings_)); }
  plan::ExprId Value(Op op, Type type, plan::ExprId a, plan::ExprId b) { return p_.Add({op, type, a, b}); }
  template <size_t N>
  Op Pick(const Op (&ops)[N]) {
    return ops[r_.Below(N)];
  }
  plan::ExprId SetLeaf(bool large);

  PlanBuilder& p_;
  Random& r_;
  uint32_t bindings_;
};

inline plan::ExprId Generator::SetLeaf(bool large) {
  const bool ids = r_.Below(2) == 0;
  const size_t size = large ? 17 + r_.Below(20) : r_.Below(6);
  std::vector<int64_t> values;
  for (size_t i = 0; i < size; ++i) {
    values.push_back(ids ? static_cast<int64_t>(r_.Below(kConstants)) : static_cast<int64_t>(r_.Below(60)) - 20);
  }
  std::sort(values.begin(), values.end());
  const plan::ExprId a = ids ? p_.Column(Binding(), kText, Type::kText) : Int(1);
  return p_.InSet(r_.Below(2) == 0 ? Op::kInSet : Op::kNotInSet, a, std::move(values), ids);
}

inline plan::ExprId Generator::Leaf(uint64_t kind) {
  switch (kind) {
    case 0: {
      const Op op = Pick({Op::kEqF, Op::kNeF, Op::kLtF, Op::kLeF});
      const plan::ExprId a = Float(2);
      return p_.Node(op, a, Float(2));
    }
    case 1: {
      const Op op = Pick({Op::kEqIF, Op::kNeIF, Op::kLtIF, Op::kLeIF});
      const plan::ExprId a = Int(1);
      return p_.Node(op, a, Float(1));
    }
    case 2: {
      const Op op = Pick({Op::kLtFI, Op::kLeFI});
      const plan::ExprId a = Float(1);
      return p_.Node(op, a, Int(1));
    }
    case 3: {
      const int64_t lo = RandomInt(r_), hi = RandomInt(r_);
      return p_.InRange(Pick({Op::kInRange, Op::kNotInRange}), Int(1), std::min(lo, hi), std::max(lo, hi));
    }
    case 4:
    case 5:
      return SetLeaf(kind == 5);
    case 6: {
      const Op op = Pick({Op::kHas, Op::kHasNot});
      return p_.Node(op, r_.Below(2) == 0 ? Int(2) : Float(2));
    }
    case 7:
      return p_.Node(Pick({Op::kIsTrue, Op::kIsFalse}), p_.Column(Binding(), kFlag, Type::kBool));
    case 8: {
      const plan::ExprId a = p_.Column(Binding(), kText, Type::kText);
      const uint32_t constant = static_cast<uint32_t>(r_.Below(kConstants));
      return p_.Node(Pick({Op::kEqI, Op::kNeI}), a, p_.Add({Op::kConstant, Type::kText, constant}));
    }
    default: {
      const Op op = Pick({Op::kEqI, Op::kNeI, Op::kLtI, Op::kLeI});
      const plan::ExprId a = Int(2);
      return p_.Node(op, a, Int(2));
    }
  }
}

/// A join with random keys, relations and residual over two of the tables above.
inline plan::Join RandomJoin(PlanBuilder& p, Random& random, size_t which) {
  plan::Join join;
  if (random.Below(2) == 0) join.keys.push_back({plan::kNode, plan::kNode, true});
  if (random.Below(3) == 0) join.keys.push_back({kText, kText, false});
  const size_t relations = random.Below(3);
  for (size_t i = 0; i < relations; ++i) {
    plan::TimeRelation relation;
    relation.kind = static_cast<plan::RelationKind>((which + i) % plan::kRelationKindCount);
    relation.distance = static_cast<int64_t>(random.Below(10)) * plan::kSecond;
    relation.lead = static_cast<int64_t>(random.Below(3)) * plan::kSecond;
    if (relation.kind == plan::RelationKind::kDemote && random.Below(3) == 0) relation.distance = plan::kNoWindow;
    join.relations.push_back(relation);
  }
  if (random.Below(3) != 0) {
    Generator generate(p, random, 2);
    join.residual = generate.Bits(2);
    if (random.Below(2) == 0) {
      const Op op = random.Below(2) == 0 ? Op::kPlaceEq : Op::kPlaceNe;
      const plan::ExprId a = p.Column(0, plan::kRank, Type::kRank), b = p.Column(1, plan::kRank, Type::kRank);
      join.residual = p.Node(random.Below(2) == 0 ? Op::kAnd : Op::kOr, join.residual, p.Node(op, a, b));
    }
  }
  join.different_observations = random.Below(3) == 0;
  return join;
}

/// The bits of one pair by the scalar definitions.
inline uint8_t PairBits(const plan::Plan& plan, const plan::Join& join, const eval::Table& left,
                        const eval::Table& right, size_t l, size_t r, const std::vector<int64_t>& constants) {
  uint8_t bits = eval::kAllBits;
  for (const plan::EqualKey& key : join.keys) {
    const bool known = eval::Test(left.columns[key.left].present, l) && eval::Test(right.columns[key.right].present, r);
    const bool equal = left.columns[key.left].slots[l] == right.columns[key.right].slots[r];
    const uint8_t open = eval::kMayBit | (key.place ? eval::kPresumedBit : 0);
    bits &= known ? eval::BitsOf(equal, equal) : open;
  }
  const eval::ColumnPointers a(left), b(right);
  const eval::Span from = eval::SpanAt(a.slots.data(), a.present.data(), l);
  const eval::Span to = eval::SpanAt(b.slots.data(), b.present.data(), r);
  for (const plan::TimeRelation& relation : join.relations) bits &= eval::RelationBits(relation, from, to);
  if (join.residual != plan::kNone) {
    bits &= eval::Scalar{plan, {&left, &right}, {l, r}, constants.data()}.Bits(join.residual);
  }
  if (join.different_observations && left.observation[l] == right.observation[r]) bits = 0;
  return bits;
}

/// Rules that hold joins, so that kernels can point at them.
struct Kernels {
  std::vector<plan::Join> joins;
  eval::KernelList list;

  void AddJoin(plan::Join join) { joins.push_back(std::move(join)); }
  /// After the last AddJoin.
  const eval::KernelList& List() {
    list.joins.clear();
    list.join_names.clear();
    for (const plan::Join& join : joins) {
      list.joins.push_back(&join);
      list.join_names.push_back("std.test::rule_" + std::to_string(list.joins.size()));
    }
    return list;
  }
};

/// Planes of every predicate of a scan.
struct ScanOutput {
  std::vector<std::vector<uint64_t>> must, may;
};
inline ScanOutput RunScan(const eval::Engine& engine, size_t scan, size_t predicates, const eval::Table& table,
                          const std::vector<int64_t>& constants) {
  const eval::ColumnPointers columns(table);
  ScanOutput out;
  std::vector<uint64_t*> must, may;
  out.must.assign(predicates, std::vector<uint64_t>(eval::WordsFor(table.rows)));
  out.may = out.must;
  for (size_t p = 0; p < predicates; ++p) {
    must.push_back(out.must[p].data());
    may.push_back(out.may[p].data());
  }
  engine.Scan(scan,
              {columns.slots.data(), columns.present.data(), constants.data(), table.rows, must.data(), may.data()});
  if (table.rows % 64 != 0) {
    const uint64_t mask = (uint64_t{1} << (table.rows % 64)) - 1;
    for (size_t p = 0; p < predicates; ++p) {
      out.must[p].back() &= mask;
      out.may[p].back() &= mask;
    }
  }
  return out;
}

}  // namespace attr::jit::testing
