// `over`: windows, their aggregates, runs and peers (semantics.md S16).
#include <doctest.h>

#include <bit>
#include <cmath>

#include "runtime/match/test_plan.h"
#include "runtime/match/windows.h"

using namespace attr;
using namespace attr::match;
using namespace attr::match::testing;
using plan::FieldFrom;
using plan::WindowKind;

namespace {

/// One aggregate over a metric's value, of windows that are always true.
struct Metric {
  TestPlan plan;
  uint32_t event = 0, value = 0, aggregate = 0, first = 0, count = 0;

  explicit Metric(WindowKind kind, int64_t seconds, uint32_t records = 0, bool peers = false) {
    event = plan.Event("e", {"metric:M"});
    value = plan.Field(event, "value", Type::kFloat, true, FieldFrom::kBuiltin);
    aggregate = plan.Field(event, "aggregate", Type::kFloat, true, FieldFrom::kWindow);
    first = plan.Field(event, "first", Type::kTime, true, FieldFrom::kFirst);
    count = plan.Field(event, "count", Type::kInt, false, FieldFrom::kCount);
    plan::Event& e = plan.plan.events[event];
    e.fields[1].window = kind;
    e.fields[1].peers = peers;
    e.fields[1].expr = plan.Column(value, Type::kFloat);
    e.fold.kind = plan::FoldKind::kWindows;
    e.fold.span = seconds * kSecond;
    e.fold.records = records;
    e.fold.keys = {plan::kNode};
    e.fold.fields = 1;
    e.fold.where = plan.Add({Op::kTrue});
  }
  /// Windows in which the aggregate is at least so much.
  void Least(double bound) {
    const plan::ExprId number =
        plan.Add({Op::kFloat, Type::kFloat, kNone, kNone, kNone, std::bit_cast<int64_t>(bound)});
    plan.plan.events[event].fold.where = plan.Binary(Op::kLeF, number, plan.Column(aggregate, Type::kFloat));
  }
  double Value(const Matched& m, size_t row) const {
    return m.Has(event, aggregate, row) ? std::bit_cast<double>(m.Slot(event, aggregate, row)) : -999;
  }
};

model::Observation& Sample(TestSet& set, const char* node, int64_t seconds, double value) {
  model::Observation& sample = set.Line("metric", node, seconds, "");
  sample.name = "M";
  sample.value = value;
  sample.has_value = true;
  return sample;
}

/// The aggregate at the last of these samples, ten seconds apart on one node.
double LastOf(WindowKind kind, int64_t window, const std::vector<double>& values) {
  Metric metric(kind, window);
  TestSet set;
  for (size_t i = 0; i < values.size(); ++i) Sample(set, "n1", 10 * static_cast<int64_t>(i), values[i]);
  metric.plan.plan.events[metric.event].fold.where =
      metric.plan.Binary(Op::kEqI, metric.plan.Column(plan::kEnd, Type::kTime),
                         metric.plan.Int(10 * (static_cast<int64_t>(values.size()) - 1) * kSecond, Type::kTime));
  const auto m = Run(metric.plan, set);
  REQUIRE(m->Rows(metric.event) == 1);
  return metric.Value(*m, 0);
}

}  // namespace

TEST_CASE("a window is closed at both ends, and fewer than two samples give nothing") {
  CHECK(LastOf(WindowKind::kMax, 10, {7, 3}) == 7);
  CHECK(LastOf(WindowKind::kMax, 9, {7, 3}) == -999);
  CHECK(LastOf(WindowKind::kMax, 10, {9, 7, 3}) == 7);
  CHECK(LastOf(WindowKind::kMin, 100, {9, 7, 8}) == 7);
  CHECK(LastOf(WindowKind::kLast, 100, {9, 7, 8}) == 8);
  CHECK(LastOf(WindowKind::kAvg, 100, {9, 7, 8}) == 8);
}

TEST_CASE("NaN is a missing sample") {
  CHECK(LastOf(WindowKind::kAvg, 100, {4, NAN, 8}) == 6);
  CHECK(LastOf(WindowKind::kAvg, 100, {NAN, NAN, 8}) == -999);
}

TEST_CASE("increase: a fall is a counter that began again") {
  CHECK(LastOf(WindowKind::kIncrease, 100, {10, 30, 35}) == 25);
  CHECK(LastOf(WindowKind::kIncrease, 100, {10, 30, 5, 9}) == 29);
  CHECK(LastOf(WindowKind::kIncrease, 100, {10}) == -999);
  CHECK(LastOf(WindowKind::kRate, 100, {10, 30, 50}) == 2);
}

TEST_CASE("increase is of each series by all its labels, then summed") {
  Metric metric(WindowKind::kIncrease, 100);
  TestSet set;
  for (const auto& [seconds, label, value] :
       {std::tuple(0, "a", 10.0), {1, "b", 1000.0}, {10, "a", 15.0}, {11, "b", 1001.0}, {12, "c", 5.0}}) {
    Sample(set, "n1", seconds, value);
    set.Attribute("link", label);
  }
  const auto m = Run(metric.plan, set);
  REQUIRE(m->Rows(metric.event) == 1);
  CHECK(m->Slot(metric.event, metric.count, 0) == 5);
  metric.Least(6);
  const auto least = Run(metric.plan, set);
  REQUIRE(least->Rows(metric.event) == 1);
  CHECK(metric.Value(*least, 0) == 6);
  CHECK(least->Slot(metric.event, metric.count, 0) == 2);  // c alone adds nothing, and takes nothing away
}

TEST_CASE("one event of each maximal run, with the first window's fields") {
  Metric metric(WindowKind::kMax, 10);
  metric.Least(5);
  TestSet set;
  int64_t at = 0;
  for (const double value : {1.0, 6.0, 1.0, 1.0, 1.0, 8.0, 9.0}) Sample(set, "n1", 10 * at++, value);
  const auto m = Run(metric.plan, set);
  REQUIRE(m->Rows(metric.event) == 2);
  CHECK(metric.Value(*m, 0) == 6);
  CHECK(m->Slot(metric.event, metric.count, 0) == 2);
  CHECK(m->Slot(metric.event, plan::kBeginLo, 0) == 0);
  CHECK(m->Slot(metric.event, plan::kEndLo, 0) == 20 * kSecond);
  CHECK(metric.Value(*m, 1) == 8);
  CHECK(m->Slot(metric.event, metric.first, 1) == 50 * kSecond);
  CHECK(m->Slot(metric.event, plan::kBeginLo, 1) == 40 * kSecond);
  CHECK(m->context.events[metric.event].observation[1] == 5);
}

TEST_CASE("windows by number take records in canonical order, with or without a time") {
  Metric metric(WindowKind::kMin, 0, 2);
  metric.Least(3);
  TestSet set;
  for (const double value : {9.0, 4.0, 3.0}) Sample(set, "n1", 0, value).time = {};
  const auto m = Run(metric.plan, set);
  REQUIRE(m->Rows(metric.event) == 1);
  CHECK(metric.Value(*m, 0) == 4);
  CHECK(m->Slot(metric.event, metric.count, 0) == 2);
}

TEST_CASE("peers are the lower median of the other keys' last windows") {
  Metric metric(WindowKind::kMax, 20, 0, true);
  metric.Least(-900);
  TestSet set;
  Sample(set, "n1", 0, 1);
  Sample(set, "n2", 0, 2);
  Sample(set, "n3", 0, 3);
  Sample(set, "n1", 10, 1);
  Sample(set, "n2", 10, 2);
  Sample(set, "n3", 10, 3);
  Sample(set, "n2", 40, 2);  // the others' last windows ended too long ago
  const auto m = Run(metric.plan, set);
  REQUIRE(m->Rows(metric.event) == 3);
  CHECK(metric.Value(*m, 0) == 2);  // n1: of 2 and 3
  CHECK(metric.Value(*m, 1) == 1);  // n2: of 1 and 3
  CHECK(metric.Value(*m, 2) == 1);  // n3: of 1 and 2
  CHECK(m->Slot(metric.event, metric.count, 1) == 1);
}

TEST_CASE("peers by number are the windows of the same ordinal") {
  Metric metric(WindowKind::kMax, 0, 2, true);
  metric.Least(-900);
  TestSet set;
  for (const double value : {1.0, 2.0}) Sample(set, "n1", 0, value).time = {};
  for (const double value : {5.0, 6.0, 7.0}) Sample(set, "n2", 0, value).time = {};
  const auto m = Run(metric.plan, set);
  REQUIRE(m->Rows(metric.event) == 2);
  CHECK(metric.Value(*m, 0) == 6);
  CHECK(metric.Value(*m, 1) == 2);
  CHECK(m->Slot(metric.event, metric.count, 1) == 1);  // the third has no peer
}

TEST_CASE("peers against every other key, by brute force") {
  std::vector<PeerValue> values;
  uint64_t state = 7;
  const auto below = [&](uint64_t bound) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33) % bound;
  };
  for (uint32_t row = 0; row < 300; ++row) {
    values.push_back({static_cast<uint32_t>(below(7)), row, 0, static_cast<int64_t>(below(60)), below(5) != 0,
                      static_cast<int64_t>(below(20))});
  }
  eval::Column out;
  out.slots.assign(values.size(), 0);
  out.present.assign(eval::WordsFor(values.size()), 0);
  FillPeers(values, false, 8, plan::Type::kInt, &out);
  for (const PeerValue& own : values) {
    std::vector<int64_t> others;
    for (uint32_t key = 0; key < 7; ++key) {
      const PeerValue* last = nullptr;
      for (const PeerValue& one : values) {
        if (one.key != key || one.time > own.time || one.time < own.time - 8) continue;
        if (last == nullptr || std::pair(one.time, one.row) > std::pair(last->time, last->row)) last = &one;
      }
      if (key != own.key && last != nullptr && last->present) others.push_back(last->slot);
    }
    std::sort(others.begin(), others.end());
    REQUIRE(out.Has(own.row) == !others.empty());
    if (!others.empty()) CHECK(out.slots[own.row] == others[(others.size() - 1) / 2]);
  }
}

TEST_CASE("a window of too many samples folds nothing and says how many") {
  Metric metric(WindowKind::kMax, 100'000);
  TestSet set;
  for (int i = 0; i < 10'001; ++i) Sample(set, "n1", i, 1);
  const auto m = Run(metric.plan, set);
  CHECK(m->Rows(metric.event) == 0);
  CHECK(m->context.events[metric.event].window_samples == 10'001);
}
