// Tables of what is given: inventory, pack tables, stalls.
#include <doctest.h>

#include "runtime/match/test_plan.h"

namespace attr::match {

namespace {

using model::CoverageStatus;
using plan::EventOrigin;
using testing::Matched;
using testing::TestPlan;
using testing::TestSet;

uint32_t Given(TestPlan& plan, EventOrigin origin) {
  const uint32_t event = plan.Event("attempt::x", {});
  plan.plan.events[event].origin = origin;
  plan.plan.events[event].lacks = plan.Str("inventory");
  return event;
}

TEST_CASE("the inventory is a row a node, a rank, a GPU") {
  TestPlan plan;
  const uint32_t nodes = Given(plan, EventOrigin::kNodes), ranks = Given(plan, EventOrigin::kRanks),
                 gpus = Given(plan, EventOrigin::kGpus);
  TestSet set;
  set.Node("n1", {0, 1});
  set.Node("n2", {2});
  set.Index();
  const auto m = testing::Run(plan, set);
  REQUIRE(m->error == "");
  CHECK(m->Rows(nodes) == 2);
  CHECK(m->Phantoms(nodes) == 0);
  CHECK(m->Text(nodes, plan::kNode, 1) == "n2");
  REQUIRE(m->Rows(ranks) == 3);
  CHECK(m->Slot(ranks, plan::kRank, 2) == 2);
  CHECK(m->Text(ranks, plan::kNode, 2) == "n2");
  CHECK(m->context.events[nodes].bits[0] == eval::kAllBits);
  CHECK_FALSE(m->Has(nodes, plan::kBegin, 0));
  // No node names its GPUs: there may be any.
  CHECK(m->Rows(gpus) == 0);
  REQUIRE(m->Phantoms(gpus) == 1);
  std::vector<uint32_t> gaps;
  m->context.events[gpus].AppendGaps(0, &gaps);
  REQUIRE(gaps.size() == 1);
  CHECK(plan.plan.Str(m->context.gaps[gaps[0]].source) == "inventory");
}

TEST_CASE("a table's rows have its cells, and missing ones stay missing") {
  TestPlan plan;
  const uint32_t event = Given(plan, EventOrigin::kTable);
  plan.plan.constants.push_back({plan::Type::kText, plan.Str("crc")});
  plan::Table table;
  table.rows = 2;
  table.columns.push_back({plan.Str("mask"), plan::Type::kInt, false, {1, 6}, {1, 1}});
  table.columns.push_back({plan.Str("word"), plan::Type::kText, true, {0, 0}, {1, 0}});
  plan.plan.tables.push_back(table);
  plan.plan.events[event].of = 0;
  const uint32_t mask = plan.Field(event, "mask", plan::Type::kInt, true, plan::FieldFrom::kRow);
  const uint32_t word = plan.Field(event, "word", plan::Type::kText, true, plan::FieldFrom::kRow);
  const auto m = testing::Run(plan, TestSet());
  REQUIRE(m->Rows(event) == 2);
  CHECK(m->Slot(event, mask, 1) == 6);
  CHECK(m->Text(event, word, 0) == "crc");
  CHECK_FALSE(m->Has(event, word, 1));
  CHECK(m->context.events[event].timeless);
}

/// `stalled(e, 100s)` and its opposite over events at these seconds; bits, 0 without a row.
struct Stalls {
  uint8_t stalled = 0, goes_on = 0;
};
Stalls StallsOf(const std::vector<int64_t>& seconds, CoverageStatus coverage, bool ended = true) {
  TestPlan plan;
  const uint32_t e = plan.Event("p::e", {"application"});
  plan.Text(e, {"step"});
  const uint32_t stalled = plan.Event("outcome::a", {}), goes_on = plan.Event("outcome::b", {});
  for (const auto& [event, origin] : {std::pair(stalled, EventOrigin::kStalled), {goes_on, EventOrigin::kNotStalled}}) {
    plan.plan.events[event].origin = origin;
    plan.plan.events[event].of = e;
    plan.plan.events[event].duration = 100 * plan::kSecond;
  }
  TestSet set;
  set.Cover("application", coverage);
  for (const int64_t second : seconds) set.Line("application", "", second, "step");
  if (ended) set.Window(1000, 2000);
  const auto m = testing::Run(plan, set);
  const auto bits = [&](uint32_t event) -> uint8_t {
    const std::vector<uint8_t>& rows = m->context.events[event].bits;
    return rows.empty() ? 0 : rows[0];
  };
  return {bits(stalled), bits(goes_on)};
}

TEST_CASE("a stall is certain under coverage, else presumed") {
  using eval::kAllBits, eval::kMayBit, eval::kPresumedBit;
  Stalls s = StallsOf({1500}, CoverageStatus::kOk);
  CHECK(s.stalled == kAllBits);
  CHECK(s.goes_on == 0);
  s = StallsOf({1500, 1950}, CoverageStatus::kOk);
  CHECK(s.stalled == 0);
  CHECK(s.goes_on == kAllBits);
  // None at all: since the start.
  CHECK(StallsOf({}, CoverageStatus::kOk).stalled == kAllBits);
  s = StallsOf({1500}, CoverageStatus::kPartial);
  CHECK(s.stalled == (kPresumedBit | kMayBit));
  CHECK(s.goes_on == kMayBit);
  // Nobody said when the attempt began and ended.
  CHECK(StallsOf({1500}, CoverageStatus::kOk, false).stalled == kMayBit);
}

}  // namespace

}  // namespace attr::match
