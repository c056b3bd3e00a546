// Random rules over random tables against the definition taken literally: every
// pair tried, the scalar walk and the time relations asked, members counted. What
// candidates leave out, and how groups are walked, must not show.
#include <doctest.h>

#include <map>

#include "runtime/eval/test_support.h"
#include "runtime/eval/time_relation.h"

namespace attr::eval {
namespace {

using namespace testing;

struct Expected {
  uint8_t bits = 0;
  std::vector<std::map<uint32_t, uint8_t>> members = std::vector<std::map<uint32_t, uint8_t>>(2);
};

struct RandomRule : Scenario {
  Random& r;
  uint32_t events[2];
  explicit RandomRule(Random& random) : r(random) {
    events[0] = Event("a", {{"x", Type::kInt}, {"y", Type::kInt}});
    events[1] = r.Below(4) == 0 ? events[0] : Event("b", {{"x", Type::kInt}, {"y", Type::kInt}});
    plan::Rule& rule = p.Rule("rule", {events[0], events[1]});
    plan::Join& join = rule.joins[0];
    join.different_observations = events[0] == events[1];
    if (r.Below(2) != 0) join.keys.push_back({plan::kNode, plan::kNode, true});
    if (r.Below(3) == 0) join.keys.push_back({kField, kField, false});
    const uint64_t relations = r.Below(3);
    for (uint64_t i = 0; i < relations; ++i) {
      const auto kind = static_cast<plan::RelationKind>(r.Below(plan::kRelationKindCount));
      join.relations.push_back(
          {kind, Seconds(static_cast<double>(r.Below(20))), Seconds(static_cast<double>(r.Below(5)))});
    }
    if (r.Below(2) != 0) {
      const plan::ExprId left = p.Column(0, kField + 1), right = p.Column(1, kField + 1);
      const plan::ExprId less = p.Node(Op::kLtI, left, p.Node(Op::kAddI, right, p.Int(1)));
      const plan::ExprId place =
          p.Node(Op::kPlaceNe, p.Column(0, plan::kRank, Type::kRank), p.Column(1, plan::kRank, Type::kRank));
      join.residual = r.Below(2) != 0 ? p.Node(Op::kAnd, less, place) : p.Node(Op::kOr, less, place);
    }
    const auto side = static_cast<uint32_t>(r.Below(2));
    if (r.Below(4) != 0) p.plan.rules[0].keys.push_back(p.KeyOf("x", kField, side));
    if (r.Below(3) == 0) p.plan.rules[0].keys.push_back(p.KeyOf("rank", plan::kRank, side));
    for (plan::Binding& binding : p.plan.rules[0].bindings) {
      if (r.Below(2) != 0) binding.where = p.Node(Op::kLeI, p.Column(0, kField), p.Int(2));
    }
    for (TableBuilder& table : tables) Fill(table);
  }
  void Fill(TableBuilder& t) {
    const uint64_t rows = r.Below(30);
    const bool streams = r.Below(3) == 0;
    for (uint32_t i = 0; i < rows; ++i) {
      const auto at = static_cast<double>(r.Below(60));
      const uint64_t shape = r.Below(8);
      size_t row = 0;
      if (shape == 0) {
        row = t.Row({}, {}, i);
      } else if (shape == 1) {
        row = t.Between(at, at + static_cast<double>(r.Below(10)), i);
      } else if (shape == 2) {
        row = t.Row({Seconds(at), Seconds(at), 0}, {Seconds(at + 7), Seconds(at + 7), 0}, i);
      } else {
        row = t.At(at, i);
      }
      t.table.columns[plan::kPrecision].slots[row] = Seconds(static_cast<double>(r.Below(2)));
      t.table.columns[plan::kClock].slots[row] = static_cast<int64_t>(r.Below(2));
      t.table.columns[plan::kSkew].slots[row] = Seconds(static_cast<double>(r.Below(3)));
      t.table.columns[plan::kTie].slots[row] = r.Below(8) == 0 ? 1 : 0;
      if (streams && r.Below(2) != 0) {  // of two writers, whose clocks may be two
        t.Put(row, plan::kStream, static_cast<int64_t>(r.Below(2)));
        t.Put(row, plan::kPosition, static_cast<int64_t>(r.Below(40)));
      }
      Values(t, row);
    }
    const uint64_t phantoms = r.Below(4);
    for (uint32_t i = 0; i < phantoms; ++i) {
      const auto from = static_cast<double>(r.Below(60));
      t.Phantom(i, from, from + 20, r.Below(2) != 0 ? Cell(Id(Numbered("n", r.Below(3)))) : std::nullopt);
    }
  }
  void Values(TableBuilder& t, size_t row) {
    if (r.Below(5) != 0) t.Put(row, plan::kNode, Id(Numbered("n", r.Below(3))));
    if (r.Below(3) != 0) t.Put(row, plan::kRank, static_cast<int64_t>(r.Below(3)));
    for (uint32_t f = 0; f < 2; ++f) {
      if (r.Below(4) != 0) t.Put(row, kField + f, static_cast<int64_t>(r.Below(4)));
    }
  }
};

uint8_t Membership(const RandomRule& s, size_t b, size_t row) {
  const plan::Binding& binding = s.p.plan.rules[0].bindings[b];
  const Table& table = s.context.events[binding.event];
  uint8_t bits = kAllBits;
  if (binding.where != plan::kNone) bits = Scalar{s.p.plan, {&table, nullptr}, {row, 0}, nullptr}.Bits(binding.where);
  return row < table.first_phantom ? bits : bits & kMayBit;
}

uint8_t PairBits(const RandomRule& s, size_t left, size_t right) {
  const plan::Rule& rule = s.p.plan.rules[0];
  const plan::Join& join = rule.joins[0];
  const Table& a = s.context.events[rule.bindings[0].event];
  const Table& b = s.context.events[rule.bindings[1].event];
  uint8_t bits = Membership(s, 0, left) & Membership(s, 1, right);
  for (const plan::EqualKey& key : join.keys) {
    const Column &x = a.columns[key.left], &y = b.columns[key.right];
    if (!Test(x.present, left) || !Test(y.present, right)) {
      bits &= key.place ? kUndecided : uint8_t{kMayBit};
    } else if (x.slots[left] != y.slots[right]) {
      bits = 0;
    }
  }
  const ColumnPointers pa(a), pb(b);
  for (const plan::TimeRelation& relation : join.relations) {
    bits &= RelationBits(relation, SpanAt(pa.slots.data(), pa.present.data(), left),
                         SpanAt(pb.slots.data(), pb.present.data(), right));
  }
  if (join.residual != plan::kNone) bits &= Scalar{s.p.plan, {&a, &b}, {left, right}, nullptr}.Bits(join.residual);
  if (join.different_observations && left < a.first_phantom && right < b.first_phantom &&
      a.observation[left] == b.observation[right]) {
    bits = 0;
  }
  return bits;
}

std::string KeyText(const std::vector<Value>& keys) {
  std::string text;
  for (const Value& key : keys)
    text.append(key.present ? Numbered("", static_cast<uint64_t>(key.slot)) : "-").append(",");
  return text;
}

std::map<std::string, Expected> Literally(const RandomRule& s) {
  std::map<std::string, Expected> groups;
  const plan::Rule& rule = s.p.plan.rules[0];
  const Table* tables[2] = {&s.context.events[rule.bindings[0].event], &s.context.events[rule.bindings[1].event]};
  for (uint32_t left = 0; left < tables[0]->rows; ++left) {
    for (uint32_t right = 0; right < tables[1]->rows; ++right) {
      const uint8_t bits = PairBits(s, left, right);
      if (bits == 0) continue;
      const uint32_t rows[2] = {left, right};
      std::vector<Value> keys;
      for (const plan::Key& key : rule.keys) {
        const Column& column = tables[key.column.binding]->columns[key.column.column];
        const uint32_t row = rows[key.column.binding];
        keys.push_back({Type::kInt, Test(column.present, row), column.slots[row]});
      }
      Expected& group = groups[KeyText(keys)];
      group.bits |= bits;
      for (size_t b = 0; b < 2; ++b) group.members[b][rows[b]] |= bits;
    }
  }
  return groups;
}

/// 1 when the finding differs from what the definition gives.
int Differs(const RandomRule& s, const Finding& f, const Expected& expected) {
  int wrong = f.bits != expected.bits;
  for (size_t b = 0; b < 2; ++b) {
    const Table& table = s.context.events[s.p.plan.rules[0].bindings[b].event];
    uint64_t must = 0, presumed = 0, may = 0;
    bool unbounded = false;
    for (const auto& [row, bits] : expected.members[b]) {
      if (row >= table.first_phantom) {
        unbounded = true;
        continue;
      }
      must += (bits & kMustBit) != 0;
      presumed += (bits & kPresumedBit) != 0;
      may += 1;
    }
    const Members& m = f.members[b];
    wrong |= m.must != must || m.presumed != presumed || m.may != may || m.unbounded != unbounded;
  }
  return wrong;
}

TEST_CASE("findings are those of the definition, on random rules and tables") {
  Random r;
  size_t compared = 0, presumed = 0, possible = 0;
  for (int round = 0; round < 1500; ++round) {
    RandomRule s(r);
    const Evaluation out = s.Evaluate();
    REQUIRE(out.limits.empty());
    std::map<std::string, Expected> expected = Literally(s);
    bool folded = false;
    int wrong = 0;
    for (const Finding& f : out.findings) folded = folded || f.place_open;
    if (folded) continue;  // phantoms_test.cc has these
    bool unevaluable = false;
    for (const Finding& f : out.findings) {
      if (!f.event_bound) {
        unevaluable = true;
        continue;
      }
      const auto group = expected.find(KeyText(f.keys));
      REQUIRE(group != expected.end());
      wrong += Differs(s, f, group->second);
      expected.erase(group);
      ++compared;
      presumed += f.bits == kUndecided;
      possible += f.bits == kMayBit;
    }
    // What is left has no real member, and is folded into the unevaluable finding.
    for (const auto& [key, group] : expected) {
      for (size_t b = 0; b < 2; ++b) {
        const Table& table = s.context.events[s.p.plan.rules[0].bindings[b].event];
        for (const auto& [row, bits] : group.members[b]) wrong += row < table.first_phantom;
      }
    }
    CHECK(unevaluable == !expected.empty());
    CHECK(wrong == 0);
  }
  CHECK(compared > 1000);
  CHECK(presumed > 50);
  CHECK(possible > 50);
}

}  // namespace
}  // namespace attr::eval
