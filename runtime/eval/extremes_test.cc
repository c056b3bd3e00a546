// Extremes against their definition, member by member; silences.
#include <doctest.h>

#include "runtime/eval/extremes.h"
#include "runtime/eval/silence.h"
#include "runtime/eval/test_support.h"
#include "runtime/eval/time_relation.h"

namespace attr::eval {
namespace {

using namespace testing;

Span SpanOfRow(const Table& table, size_t row) {
  const ColumnPointers columns(table);
  return SpanAt(columns.slots.data(), columns.present.data(), row);
}

/// What `other` certainly or possibly does to `row`: precede it, or for `latest` follow it.
bool Certainly(const Table& table, bool latest, size_t other, size_t row) {
  const Span a = SpanOfRow(table, row), b = SpanOfRow(table, other);
  return (latest ? BeforeBits(a, b) : AfterBits(a, b)) == 0;
}
bool Possibly(const Table& table, bool latest, size_t other, size_t row) {
  const Span a = SpanOfRow(table, row), b = SpanOfRow(table, other);
  return ((latest ? BeforeBits(a, b) : AfterBits(a, b)) & kMustBit) == 0;
}

std::vector<Member> Literally(const Table& table, bool latest, const std::vector<Member>& members) {
  std::vector<Member> kept;
  for (const Member& member : members) {
    uint8_t bits = member.bits;
    for (const Member& other : members) {
      if (other.row == member.row) continue;
      if (Possibly(table, latest, other.row, member.row)) bits &= ~kMustBit;
      const bool certain = Certainly(table, latest, other.row, member.row);
      if (certain && (other.bits & kPresumedBit) != 0) bits &= ~kPresumedBit;
      if (certain && (other.bits & kMustBit) != 0) bits &= ~kMayBit;
    }
    if (bits != 0) kept.push_back({member.row, bits});
  }
  return kept;
}

TEST_CASE("earliest and latest keep what nothing certainly precedes") {
  Random r;
  constexpr uint8_t kTruths[] = {kMayBit, kUndecided, kAllBits};
  size_t dropped = 0;
  for (int round = 0; round < 3000; ++round) {
    Scenario s;
    const uint32_t e = s.Event("e");
    plan::Rule& rule = s.p.Rule("rule", {e});
    const bool latest = r.Below(2) != 0;
    rule.extremes = {{latest ? plan::ExtremeKind::kLatest : plan::ExtremeKind::kEarliest, 0}};
    GroupMembers group;
    group.bits = kAllBits;
    group.bindings.resize(1);
    const uint64_t rows = 1 + r.Below(6);
    TableBuilder& t = s.tables[e];
    int64_t position = 0;
    for (uint32_t i = 0; i < rows; ++i) {
      const auto at = static_cast<double>(r.Below(8));
      const size_t row = r.Below(4) == 0 ? t.Between(at, at + static_cast<double>(r.Below(6)), i) : t.At(at, i);
      t.table.columns[plan::kPrecision].slots[row] = Seconds(static_cast<double>(r.Below(2)));
      t.table.columns[plan::kClock].slots[row] = static_cast<int64_t>(r.Below(2));
      t.table.columns[plan::kTie].slots[row] = r.Below(6) == 0 ? 1 : 0;
      t.table.columns[plan::kSkew].slots[row] = Seconds(static_cast<double>(r.Below(2)));
      group.bindings[0].push_back({i, kTruths[r.Below(3)]});
    }
    // One stream in which stamps do not contradict positions.
    const double stamp = static_cast<double>(r.Below(8));
    for (uint32_t i = 0; i < 2; ++i) {
      const size_t row = t.At(stamp, static_cast<uint32_t>(rows + i));
      t.Put(row, plan::kStream, 7);
      t.Put(row, plan::kPosition, position++);
      group.bindings[0].push_back({static_cast<uint32_t>(row), kTruths[r.Below(3)]});
    }
    const std::vector<Member> expected = Literally(t.table, latest, group.bindings[0]);
    dropped += group.bindings[0].size() - expected.size();
    const std::vector<uint8_t> membership(t.table.rows, kAllBits);
    NarrowToExtremes({&rule, 0, {{&t.table, &membership}}, 0}, &group);
    REQUIRE(group.bindings[0].size() == expected.size());
    int wrong = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      wrong += group.bindings[0][i].row != expected[i].row || group.bindings[0][i].bits != expected[i].bits;
    }
    CHECK(wrong == 0);
  }
  CHECK(dropped > 2000);
}

TEST_CASE("least and most keep what has no value, and compare numbers as numbers") {
  Scenario s;
  const uint32_t e = s.Event("e", {{"v", Type::kFloat}});
  plan::Rule& rule = s.p.Rule("rule", {e});
  TableBuilder& t = s.tables[e];
  const double values[] = {2.5, -3.0, -0.5, 0};
  for (uint32_t i = 0; i < 4; ++i) t.Put(t.At(i, i), kField, std::bit_cast<int64_t>(values[i]));
  t.At(9, 4);  // without a value
  const std::vector<uint8_t> membership(t.table.rows, kAllBits);
  const auto kept = [&](plan::ExtremeKind kind, size_t rows) {
    rule.extremes = {{kind, 0, kField, Type::kFloat}};
    GroupMembers group;
    group.bits = kAllBits;
    group.bindings.resize(1);
    for (uint32_t i = 0; i < rows; ++i) group.bindings[0].push_back({i, kAllBits});
    NarrowToExtremes({&rule, 0, {{&t.table, &membership}}, 0}, &group);
    std::vector<std::pair<uint32_t, int>> out;
    for (const Member& member : group.bindings[0]) out.emplace_back(member.row, member.bits);
    return out;
  };
  using Out = std::vector<std::pair<uint32_t, int>>;
  CHECK(kept(plan::ExtremeKind::kLeast, 4) == Out{{1, kAllBits}});
  CHECK(kept(plan::ExtremeKind::kMost, 4) == Out{{0, kAllBits}});
  CHECK(kept(plan::ExtremeKind::kLeast, 5) == Out{{1, kUndecided}, {4, kUndecided}});
}

TEST_CASE("a silence longer than the gap starts a new part; phantoms stand in every part") {
  Scenario s;
  const uint32_t e = s.Event("e");
  TableBuilder& t = s.tables[e];
  t.At(0, 0);
  t.At(10, 1);
  t.Between(15, 40, 2);
  t.At(45, 3);
  t.At(56, 4);
  t.Row({}, {}, 5);
  t.Phantom(0, 0, 100);
  std::vector<Member> rows;
  for (uint32_t i = 0; i < t.table.rows; ++i) rows.push_back({i, kAllBits});
  const auto parts = SplitBySilence(t.table, rows, Seconds(10));
  std::vector<std::vector<uint32_t>> out;
  std::vector<bool> sure;
  for (const Part& part : parts) {
    out.emplace_back();
    for (const Member& member : part.rows) out.back().push_back(member.row);
    sure.push_back(part.sure);
  }
  CHECK(out == std::vector<std::vector<uint32_t>>{{0, 1, 2, 3, 6}, {4, 6}, {5, 6}});
  CHECK(sure == std::vector<bool>(3, false));  // the timeless one may belong to any
  rows.erase(rows.begin() + 5);
  CHECK(SplitBySilence(t.table, rows, Seconds(60))[0].sure);
  CHECK_FALSE(SplitBySilence(t.table, rows, Seconds(10))[0].sure);
  CHECK(SplitBySilence(t.table, rows, Seconds(10))[1].sure);
  t.table.columns[plan::kTie].slots[4] = 1;  // untied: never certainly apart
  CHECK(SplitBySilence(t.table, rows, Seconds(10)).size() == 1);
  CHECK_FALSE(SplitBySilence(t.table, rows, Seconds(10))[0].sure);
}

}  // namespace
}  // namespace attr::eval
