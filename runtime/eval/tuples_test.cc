// Random rules of two to four bindings of every kind over random tables against
// nested loops: what trees reduce and what enumeration skips must not show.
#include <doctest.h>

#include <map>

#include "runtime/eval/join_tree.h"
#include "runtime/eval/scalar.h"
#include "runtime/eval/test_support.h"

namespace attr::eval {
namespace {

using namespace testing;

struct LiteralGroup {
  uint8_t bits = 0;
  std::vector<std::map<size_t, uint8_t>> members;
};

struct RandomTuples : Scenario {
  Random& r;
  explicit RandomTuples(Random& random) : r(random) {
    const size_t bindings = 2 + r.Below(3);
    std::vector<uint32_t> events;
    for (size_t b = 0; b < bindings; ++b) {
      const bool again = b != 0 && r.Below(5) == 0;
      events.push_back(again ? events[0] : Event(Numbered("e", b), {{"x", Type::kInt}, {"y", Type::kInt}}));
    }
    plan::Rule& rule = p.Rule("rule", events);
    rule.joins.clear();
    for (uint32_t b = 1; b < bindings; ++b) Bind(rule, b);
    for (uint32_t b = 0; b < bindings; ++b) {
      if (p.plan.rules[0].bindings[b].kind != plan::BindKind::kPositive) continue;
      if (r.Below(b == 0 ? 2 : 6) == 0) p.plan.rules[0].keys.push_back(p.KeyOf(Numbered("k", b), kField, b));
      if (r.Below(3) == 0) p.plan.rules[0].bindings[b].where = p.Node(Op::kLeI, p.Column(0, kField), p.Int(2));
    }
    for (TableBuilder& table : tables) FillRows(table);
  }
  uint32_t PositiveBefore(const plan::Rule& rule, uint32_t b) {
    for (;;) {
      const auto left = static_cast<uint32_t>(r.Below(b));
      if (rule.bindings[left].kind == plan::BindKind::kPositive) return left;
    }
  }
  void Bind(plan::Rule& rule, uint32_t b) {
    if (r.Below(2) == 0) rule.bindings[b].kind = static_cast<plan::BindKind>(r.Below(plan::kBindKindCount));
    std::map<uint32_t, plan::Join> joins;
    const uint64_t ties = 1 + r.Below(5) / 4;
    for (uint64_t t = 0; t < ties; ++t) {
      plan::Join& join = joins[PositiveBefore(rule, b)];
      if (r.Below(2) != 0) join.keys.push_back({plan::kNode, plan::kNode, true});
      if (r.Below(3) == 0) join.keys.push_back({kField, kField, false});
      if (r.Below(2) != 0) {
        join.relations.push_back({plan::RelationKind::kWithinAfter, Seconds(static_cast<double>(r.Below(30))), 0});
      }
    }
    for (uint32_t left = 0; left < b; ++left) {
      const bool positive = rule.bindings[left].kind == plan::BindKind::kPositive;
      if (positive && rule.bindings[left].event == rule.bindings[b].event) joins[left].different_observations = true;
    }
    for (auto& [left, join] : joins) {
      join.left = left;
      join.right = b;
      rule.joins.push_back(join);
    }
    if (b < 2 || r.Below(5) != 0 || rule.bindings[1].kind != plan::BindKind::kPositive) return;
    const plan::ExprId sum = p.Node(Op::kAddI, p.Column(0, kField), p.Column(1, kField));
    rule.bindings[b].residual = p.Node(Op::kLeI, p.Column(b, kField), sum);
  }
  void FillRows(TableBuilder& t) {
    const uint64_t rows = r.Below(9);
    for (uint32_t i = 0; i < rows; ++i) {
      const auto at = static_cast<double>(r.Below(60));
      const size_t row = r.Below(5) == 0 ? t.Between(at, at + 10, i) : t.At(at, i);
      if (r.Below(5) != 0) t.Put(row, plan::kNode, Id(Numbered("n", r.Below(3))));
      for (uint32_t f = 0; f < 2; ++f) {
        if (r.Below(5) != 0) t.Put(row, kField + f, static_cast<int64_t>(r.Below(3)));
      }
    }
    if (r.Below(3) == 0) t.Phantom(0, 10, 30, r.Below(2) != 0 ? Cell(Id("n1")) : std::nullopt);
  }
};

/// Nested loops over all rows of all bindings.
class LiteralTuples {
 public:
  explicit LiteralTuples(const RandomTuples& s) : s_(s), rule_(s.p.plan.rules[0]), tuple_{s.p.plan, {}, {}, nullptr} {
    for (size_t b = 0; b < rule_.bindings.size(); ++b) tuple_.tables[b] = &s.context.events[rule_.bindings[b].event];
    Extend(0, kAllBits);
  }
  std::map<std::vector<int64_t>, LiteralGroup> groups;

 private:
  bool Negative(size_t b) const { return plan::IsNegative(rule_.bindings[b].kind); }
  /// All that is asked of binding b's row, given the rows of the positive ones.
  uint8_t BitsOfRow(size_t b) {
    const plan::Binding& binding = rule_.bindings[b];
    const Table& table = *tuple_.tables[b];
    uint8_t bits = kAllBits;
    if (binding.where != plan::kNone) bits = Scalar{s_.p.plan, {&table}, {tuple_.rows[b]}, nullptr}.Bits(binding.where);
    if (tuple_.rows[b] >= table.first_phantom) bits &= kMayBit;
    for (const plan::Join& join : rule_.joins) {
      if (join.right != b) continue;
      bits &=
          PairBits(s_.p.plan, join, *tuple_.tables[join.left], tuple_.rows[join.left], table, tuple_.rows[b], nullptr);
    }
    return binding.residual == plan::kNone ? bits : bits & tuple_.Bits(binding.residual);
  }
  void Extend(size_t b, uint8_t bits) {
    if (bits == 0) return;
    if (b == rule_.bindings.size()) return Negatives(bits);
    if (rule_.bindings[b].kind != plan::BindKind::kPositive) return Extend(b + 1, bits);
    for (size_t row = 0; row < tuple_.tables[b]->rows; ++row) {
      tuple_.rows[b] = row;
      Extend(b + 1, bits & BitsOfRow(b));
    }
  }
  void Negatives(uint8_t bits) {
    for (size_t b = 0; b < rule_.bindings.size(); ++b) {
      if (!Negative(b)) continue;
      uint8_t exists = 0;
      for (size_t row = 0; row < tuple_.tables[b]->rows; ++row) {
        tuple_.rows[b] = row;
        exists |= BitsOfRow(b);
      }
      bits &= BitsWithout(rule_.bindings[b].kind, exists);
    }
    if (bits != 0) Note(bits);
  }
  void Note(uint8_t bits) {
    std::vector<int64_t> key;
    for (const plan::Key& part : rule_.keys) {
      const Column& column = tuple_.tables[part.column.binding]->columns[part.column.column];
      const size_t row = tuple_.rows[part.column.binding];
      key.push_back(Test(column.present, row) ? 1 : 0);
      key.push_back(column.slots[row] * key.back());
    }
    LiteralGroup& group = groups[key];
    group.bits |= bits;
    group.members.resize(rule_.bindings.size());
    for (size_t b = 0; b < rule_.bindings.size(); ++b) {
      if (rule_.bindings[b].kind == plan::BindKind::kPositive) group.members[b][tuple_.rows[b]] |= bits;
      if (rule_.bindings[b].kind != plan::BindKind::kWith) continue;
      for (size_t row = 0; row < tuple_.tables[b]->rows; ++row) {
        tuple_.rows[b] = row;
        const uint8_t with = bits & BitsOfRow(b);
        if (with != 0) group.members[b][row] |= with;
      }
    }
  }

  const RandomTuples& s_;
  const plan::Rule& rule_;
  Scalar tuple_;
};

int WrongCounts(const RandomTuples& s, const Finding& f, const LiteralGroup& expected) {
  int wrong = f.bits != expected.bits;
  for (size_t b = 0; b < expected.members.size(); ++b) {
    const Table& table = s.context.events[s.p.plan.rules[0].bindings[b].event];
    uint64_t must = 0, presumed = 0, may = 0;
    for (const auto& [row, bits] : expected.members[b]) {
      if (row >= table.first_phantom) continue;
      must += (bits & kMustBit) != 0;
      presumed += (bits & kPresumedBit) != 0;
      may += 1;
    }
    wrong += f.members[b].must != must || f.members[b].presumed != presumed || f.members[b].may != may;
  }
  return wrong;
}

TEST_CASE("rules of several bindings find what nested loops find") {
  Random r;
  size_t compared = 0, trees = 0, tuples = 0;
  for (int round = 0; round < 4000; ++round) {
    RandomTuples s(r);
    const Evaluation out = s.Evaluate();
    REQUIRE(out.limits.empty());
    if (std::any_of(out.findings.begin(), out.findings.end(), [](const Finding& f) { return f.place_open; })) continue;
    LiteralTuples literal(s);
    int wrong = 0;
    for (const Finding& f : out.findings) {
      if (!f.event_bound) continue;
      std::vector<int64_t> key;
      for (const Value& part : f.keys) {
        key.push_back(part.present ? 1 : 0);
        key.push_back(part.present ? part.slot : 0);
      }
      const auto group = literal.groups.find(key);
      REQUIRE(group != literal.groups.end());
      wrong += WrongCounts(s, f, group->second);
      literal.groups.erase(group);
      ++compared;
      (JoinTree::Fits(s.p.plan.rules[0]) ? trees : tuples) += 1;
    }
    // What is left has no real positive member, and is folded into the unevaluable finding.
    for (const auto& [key, group] : literal.groups) {
      for (size_t b = 0; b < group.members.size(); ++b) {
        if (s.p.plan.rules[0].bindings[b].kind != plan::BindKind::kPositive) continue;
        const Table& table = s.context.events[s.p.plan.rules[0].bindings[b].event];
        for (const auto& [row, bits] : group.members[b]) wrong += row < table.first_phantom;
      }
    }
    CHECK(wrong == 0);
  }
  CHECK(compared > 2000);
  CHECK(trees > 500);
  CHECK(tuples > 300);
}

TEST_CASE("without has to be proved, unless is presumed") {
  CHECK(BitsWithout(plan::BindKind::kWithout, 0) == kAllBits);
  CHECK(BitsWithout(plan::BindKind::kWithout, kMayBit) == kMayBit);
  CHECK(BitsWithout(plan::BindKind::kUnless, kMayBit) == (kMayBit | kPresumedBit));
  CHECK(BitsWithout(plan::BindKind::kUnless, kMayBit | kPresumedBit) == kMayBit);
  CHECK(BitsWithout(plan::BindKind::kWithout, kAllBits) == 0);
  CHECK(BitsWithout(plan::BindKind::kUnless, kAllBits) == 0);
}

}  // namespace
}  // namespace attr::eval
