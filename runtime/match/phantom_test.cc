// Phantoms: blind time in every coverage situation (semantics.md S4, S5).
#include <doctest.h>

#include "runtime/match/intervals.h"
#include "runtime/match/test_plan.h"

using namespace attr;
using namespace attr::match;
using namespace attr::match::testing;
using model::CoverageStatus;

namespace {

/// "n7 10..20 kernel": place, seconds from .. to, source.
std::vector<std::string> Phantoms(const Matched& m, uint32_t event) {
  const eval::Table& table = m.context.events[event];
  const auto seconds = [](int64_t nanos) {
    if (nanos <= plan::kBeforeAll) return std::string("-");
    if (nanos >= plan::kAfterAll) return std::string("-");
    return std::to_string((nanos + kSecond / 2) / kSecond);
  };
  std::vector<std::string> all;
  for (size_t row = table.first_phantom; row < table.rows; ++row) {
    std::string text = m.Text(event, plan::kNode, row);
    if (m.Has(event, plan::kRank, row)) text += " rank " + std::to_string(m.Slot(event, plan::kRank, row));
    text += " " + seconds(m.Slot(event, plan::kBeginLo, row)) + ".." + seconds(m.Slot(event, plan::kEndHi, row));
    const eval::Gap& gap = m.context.gaps[table.phantom_gap[row - table.first_phantom]];
    text += " " + std::string(m.context.plan->Str(gap.source));
    all.push_back(text);
  }
  return all;
}
using Strings = std::vector<std::string>;

struct Scene {
  TestPlan plan;
  TestSet set;
  uint32_t e = 0;
  explicit Scene(const std::vector<std::string>& sources, const std::vector<std::string>& nodes = {"n1", "n2"}) {
    e = plan.Event("e", sources);
    plan.Field(e, "x", Type::kInt, true);
    for (const std::string& node : nodes) set.Node(node);
    set.Window(100, 200);
    set.set.skew = 0;
    plan.plan.meta.grace = 0;
  }
  Strings operator()() { return Phantoms(*Run(plan, set), e); }
};

}  // namespace

TEST_CASE("a source never mentioned is absent everywhere") {
  Scene scene({"kernel"});
  CHECK(scene() == Strings{"n1 100..200 kernel", "n2 100..200 kernel"});
}

TEST_CASE("ok and empty cover, partial, error and absent do not") {
  for (const auto status : {CoverageStatus::kOk, CoverageStatus::kEmpty}) {
    Scene scene({"kernel"});
    scene.set.Cover("kernel", status);
    CHECK(scene().empty());
  }
  for (const auto status : {CoverageStatus::kPartial, CoverageStatus::kError, CoverageStatus::kAbsent}) {
    Scene scene({"kernel"});
    scene.set.Cover("kernel", status);
    CHECK(scene().size() == 2);
  }
}

TEST_CASE("covered on all nodes but one is blind on that one") {
  Scene scene({"application"});
  scene.set.Cover("application", CoverageStatus::kOk, "n1");
  CHECK(scene() == Strings{"n2 100..200 application"});
}

TEST_CASE("partial takes its interval away, and what a narrower statement excepts is blind") {
  Scene scene({"kernel"});
  scene.set.Cover("kernel", CoverageStatus::kOk);
  auto& hole = scene.set.Cover("kernel", CoverageStatus::kPartial, "n1");
  hole.from = 120 * kSecond;
  hole.to = 130 * kSecond;
  scene.set.Cover("kernel", CoverageStatus::kError, "n2");
  CHECK(scene() == Strings{"n1 120..130 kernel", "n2 100..200 kernel"});
}

TEST_CASE("a general absent does not take away what is covered on a node") {
  Scene scene({"kernel"});
  scene.set.Cover("kernel", CoverageStatus::kAbsent);
  scene.set.Cover("kernel", CoverageStatus::kOk, "n1");
  CHECK(scene() == Strings{"n2 100..200 kernel"});
}

TEST_CASE("covering intervals are stretched by the skew and leave one phantom per hole") {
  Scene scene({"kernel"}, {"n1"});
  scene.set.set.skew = 5 * kSecond;
  auto& first = scene.set.Cover("kernel", CoverageStatus::kOk, "n1");
  first.from = 105 * kSecond;
  first.to = 120 * kSecond;
  auto& second = scene.set.Cover("kernel", CoverageStatus::kOk, "n1");
  second.from = 140 * kSecond;
  second.to = 160 * kSecond;
  CHECK(scene() == Strings{"n1 125..135 kernel", "n1 165..200 kernel"});
}

TEST_CASE("alternatives are blind where both are, a list where either is") {
  Scene both({"kernel|syslog"});
  both.set.Cover("kernel", CoverageStatus::kOk, "n1");
  CHECK(both() == Strings{"n2 100..200 kernel"});
  both.set.Cover("syslog", CoverageStatus::kOk, "n2");
  CHECK(both().empty());
  Scene either({"kernel", "application"});
  either.set.Cover("kernel", CoverageStatus::kOk, "n1");
  CHECK(either() == Strings{"n2 100..200 kernel", "n1 100..200 application", "n2 100..200 application"});
}

TEST_CASE("sources without place have one phantom") {
  for (const char* source : {"scheduler", "kubernetes", "fabric"}) {
    Scene scene({source});
    CHECK(scene() == Strings{"? 100..200 " + std::string(source)});
    scene.set.Cover(source, CoverageStatus::kOk);
    CHECK(scene().empty());
  }
}

TEST_CASE("without an inventory only what covers everywhere covers") {
  Scene scene({"kernel"}, {});
  scene.set.Cover("kernel", CoverageStatus::kOk, "n1");
  CHECK(scene() == Strings{"? 100..200 kernel"});
  scene.set.Cover("kernel", CoverageStatus::kOk);
  CHECK(scene().empty());
}

TEST_CASE("unknown bounds of the attempt are infinite") {
  Scene scene({"kernel"}, {"n1"});
  scene.set.set.attempt.start = scene.set.set.attempt.end = {};
  auto& row = scene.set.Cover("kernel", CoverageStatus::kOk, "n1");
  row.from = 120 * kSecond;
  row.to = 130 * kSecond;
  CHECK(scene() == Strings{"n1 -..120 kernel", "n1 130..- kernel"});
}

TEST_CASE("blind time reaches as far as scope: grace belongs to it") {
  Scene scene({"kernel"}, {"n1"});
  scene.plan.plan.meta.grace = 10 * kSecond;
  scene.set.Line("kernel", "n1", 95, "a record in it takes part");
  auto& row = scene.set.Cover("kernel", CoverageStatus::kOk, "n1");
  row.from = 100 * kSecond;
  row.to = 200 * kSecond;
  CHECK(scene() == Strings{"n1 90..100 kernel", "n1 200..210 kernel"});
  row.from = 90 * kSecond;
  row.to = 210 * kSecond;
  CHECK(scene().empty());
  scene.set.set.attempt.end = {};  // not known: there is no grace at its end
  CHECK(scene() == Strings{"n1 210..- kernel"});
}

TEST_CASE("coverage by rank makes ranks the places") {
  Scene scene({"application"});
  scene.set.set.attempt.nodes[0].ranks = {0, 1};
  scene.set.set.attempt.nodes[1].ranks = {2};
  scene.set.Index();
  scene.set.Cover("application", CoverageStatus::kOk).rank = 0;
  scene.set.Cover("application", CoverageStatus::kOk, "n2");
  CHECK(scene() == Strings{"n1 rank 1 100..200 application"});
}

TEST_CASE("a metric is covered by a row that names it, else by the source's where it has samples") {
  Scene scene({"metric:UTIL"});
  scene.set.Cover("metric", CoverageStatus::kOk);
  CHECK(scene().size() == 2);  // not scraped is not covered and absent
  scene.set.Line("metric", "n1", 150, "").name = "UTIL";
  CHECK(scene() == Strings{"n2 100..200 metric"});
  scene.set.Cover("metric", CoverageStatus::kOk, "n2").metric = "UTIL";
  CHECK(scene().empty());
  scene.set.Cover("metric", CoverageStatus::kError, "n1").metric = "UTIL";
  CHECK(scene() == Strings{"n1 100..200 metric"});
}

TEST_CASE("an observation inside an empty interval turns it to partial with a warning") {
  Scene scene({"kernel"});
  scene.set.Cover("kernel", CoverageStatus::kEmpty, "n1");
  scene.set.Cover("kernel", CoverageStatus::kEmpty, "n2");
  scene.set.Line("kernel", "n2", 150, "something");
  const auto m = Run(scene.plan, scene.set);
  CHECK(Phantoms(*m, scene.e) == Strings{"n2 100..200 kernel"});
  CHECK(
      m->result.warnings ==
      Strings{"coverage calls kernel on n2 empty, but 1 observation lies inside that interval; it counts as partial"});
  CHECK(m->result.contradicted == std::vector<uint32_t>{1});
}

TEST_CASE("observations of a source without any coverage count, and it is blind") {
  Scene scene({"kernel"}, {"n1"});
  scene.set.Line("kernel", "n1", 150, "seen");
  const auto m = Run(scene.plan, scene.set);
  CHECK(m->Rows(scene.e) == 1);
  CHECK(Phantoms(*m, scene.e) == Strings{"n1 100..200 kernel"});
}

TEST_CASE("phantoms have a place and a time, nothing else, and gaps are shared") {
  Scene scene({"kernel"}, {"n1", "n2"});
  const uint32_t other = scene.plan.Event("other", {"kernel"});
  Stats stats;
  const auto m = Run(scene.plan, scene.set, {}, &stats);
  CHECK(m->context.gaps.size() == 2);
  CHECK(m->context.events[other].phantom_gap == m->context.events[scene.e].phantom_gap);
  CHECK(stats.phantoms == 4);
  CHECK(m->context.events[scene.e].observation == std::vector<uint32_t>{model::kNoId, model::kNoId});
  for (const uint32_t column : {uint32_t{plan::kObserver}, uint32_t{plan::kStream}, uint32_t{plan::kBegin},
                                scene.plan.plan.events[scene.e].FieldColumn(0)})
    CHECK_FALSE(m->Has(scene.e, column, 0));
  CHECK(m->Slot(scene.e, plan::kTie, 0) == 0);
}

TEST_CASE("at most 64 blind times of a place, the rest as one") {
  Scene scene({"kernel"}, {"n1"});
  for (int64_t i = 0; i < 80; ++i) {
    auto& row = scene.set.Cover("kernel", CoverageStatus::kOk, "n1");
    row.from = row.to = (101 + i) * kSecond;
  }
  const Strings phantoms = scene();
  REQUIRE(phantoms.size() == 64);
  CHECK(phantoms.back() == "n1 163..200 kernel");
}

TEST_CASE("interval sets") {
  const Intervals a = Normalize({{5, 9}, {0, 3}, {4, 4}, {20, 10}, {30, 40}});
  CHECK(a == Intervals{{0, 9}, {30, 40}});
  CHECK(Without({{-5, 50}}, a) == Intervals{{-5, -1}, {10, 29}, {41, 50}});
  CHECK(Intersect(a, {{8, 31}}) == Intervals{{8, 9}, {30, 31}});
  CHECK(Union(a, {{10, 29}}) == Intervals{{0, 40}});
  CHECK(Without(a, {{2, 2}}) == Intervals{{0, 1}, {3, 9}, {30, 40}});
  CHECK(Intersects(a, {9, 12}));
  CHECK_FALSE(Intersects(a, {10, 29}));
}
