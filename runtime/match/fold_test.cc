// Episodes and recovery lines (semantics.md S16).
#include <doctest.h>

#include "runtime/match/test_plan.h"

using namespace attr;
using namespace attr::match;
using namespace attr::match::testing;
using plan::FieldFrom;

namespace {

constexpr int64_t kMinute = 60 * kSecond;

/// `up` closes `down`, which folds lines of one node within three minutes.
struct Folded {
  TestPlan plan;
  uint32_t up = 0, down = 0, which = 0, first = 0, last = 0, count = 0;

  Folded() {
    up = plan.Event("up", {"kernel"});
    plan.Text(up, {R"(port (?P<which>\d+) up)"});
    plan.Field(up, "which", Type::kInt);
    down = plan.Event("down", {"kernel"});
    plan.Text(down, {R"(port (?P<which>\d+) down)"});
    which = plan.Field(down, "which", Type::kInt, true);
    first = plan.Field(down, "first", Type::kTime, true, FieldFrom::kFirst);
    last = plan.Field(down, "last", Type::kTime, true, FieldFrom::kLast);
    count = plan.Field(down, "count", Type::kInt, false, FieldFrom::kCount);
    plan::Fold& fold = plan.plan.events[down].fold;
    fold.kind = plan::FoldKind::kEpisode;
    fold.span = 3 * kMinute;
    fold.keys = {plan::kNode};
    fold.fields = 1;
  }
  void Close() {
    plan::Fold& fold = plan.plan.events[down].fold;
    fold.closed_by = up;
    fold.same = {{plan::kNode, plan::kNode, true}, {which, plan.plan.events[up].FieldColumn(0), false}};
  }
};

}  // namespace

TEST_CASE("lines of a key within the gap are one episode with its first line's fields") {
  Folded f;
  TestSet set;
  set.Line("kernel", "n1", 100, "port 1 down");
  set.Line("kernel", "n2", 110, "port 2 down");
  set.Line("kernel", "n1", 280, "port 3 down");  // exactly three minutes after: no silence of more
  set.Line("kernel", "n1", 461, "port 4 down");
  const auto m = Run(f.plan, set);
  REQUIRE(m->Rows(f.down) == 3);
  CHECK(m->context.events[f.down].observation == std::vector<uint32_t>{0, 1, 3, model::kNoId});
  CHECK(m->Slot(f.down, f.which, 0) == 1);
  CHECK(m->Slot(f.down, f.count, 0) == 2);
  CHECK(m->Slot(f.down, f.first, 0) == 100 * kSecond);
  CHECK(m->Slot(f.down, f.last, 0) == 280 * kSecond);
  CHECK(m->Slot(f.down, plan::kBeginLo, 0) == 100 * kSecond);
  CHECK(m->Slot(f.down, plan::kEndHi, 0) == 280 * kSecond);
  CHECK(m->Slot(f.down, f.count, 1) == 1);
  CHECK(m->Slot(f.down, f.which, 2) == 4);
}

TEST_CASE("a missing key is one key, and lines without a time are one episode") {
  Folded f;
  TestSet set;
  for (int i = 0; i < 3; ++i) set.Line("kernel", "", 100 + i, "port 1 down");
  for (int i = 0; i < 2; ++i) set.Line("kernel", "n1", 0, "port 2 down").time = {};
  set.Line("kernel", "n1", 5000, "port 3 down");
  const auto m = Run(f.plan, set);
  REQUIRE(m->Rows(f.down) == 3);
  CHECK(m->Slot(f.down, f.count, 0) == 3);
  CHECK(m->Slot(f.down, f.count, 1) == 2);
  CHECK_FALSE(m->Has(f.down, f.first, 1));
  CHECK(m->Slot(f.down, f.count, 2) == 1);
}

TEST_CASE("untied clocks are not folded together") {
  Folded f;
  TestSet set;
  set.set.clocks = {{"utc", true}, {"uptime", false}};
  set.Line("kernel", "n1", 100, "port 1 down");
  set.Line("kernel", "n1", 101, "port 1 down").clock = 1;
  CHECK(Run(f.plan, set)->Rows(f.down) == 2);
}

TEST_CASE("a recovery line ends the episode, and the next line begins another inside the gap") {
  Folded f;
  f.Close();
  TestSet set;
  set.Line("kernel", "n1", 100, "port 1 down");
  set.Line("kernel", "n2", 105, "port 1 up");  // another node's
  set.Line("kernel", "n1", 106, "port 9 up");  // another port's
  set.Line("kernel", "n1", 110, "port 1 down");
  set.Line("kernel", "n1", 120, "port 1 up");
  set.Line("kernel", "n1", 130, "port 1 down");
  const auto m = Run(f.plan, set);
  REQUIRE(m->Rows(f.down) == 2);
  CHECK(m->Slot(f.down, f.count, 0) == 2);
  CHECK(m->Slot(f.down, f.last, 0) == 110 * kSecond);
  CHECK(m->Slot(f.down, plan::kEndLo, 0) == 120 * kSecond);
  CHECK(m->Slot(f.down, f.count, 1) == 1);
  CHECK(m->Slot(f.down, plan::kEndLo, 1) == 130 * kSecond);
}

TEST_CASE("a recovery after a later episode began closes that one") {
  Folded f;
  f.Close();
  TestSet set;
  set.Line("kernel", "n1", 100, "port 1 down");
  set.Line("kernel", "n1", 1000, "port 1 down");
  set.Line("kernel", "n1", 3000, "port 1 up");
  const auto m = Run(f.plan, set);
  REQUIRE(m->Rows(f.down) == 2);
  CHECK(m->Slot(f.down, plan::kEndLo, 0) == 100 * kSecond);
  CHECK(m->Slot(f.down, plan::kEndLo, 1) == 3000 * kSecond);
}

TEST_CASE("at one stamp position decides inside a stream, and elsewhere the recovery is the later") {
  for (const bool one_stream : {true, false}) {
    Folded f;
    f.Close();
    TestSet set;
    const auto put = [&](const char* text, int64_t position, bool same) {
      model::Observation& line = set.Line("kernel", "n1", 100, text);
      line.stream = set.set.names.Intern(same ? "s" : "t");
      line.position = position;
    };
    put("port 1 up", 1, one_stream);
    put("port 1 down", 2, true);
    set.Line("kernel", "n1", 110, "port 1 down");
    const auto m = Run(f.plan, set);
    INFO(one_stream);
    REQUIRE(m->Rows(f.down) == (one_stream ? 1 : 2));
  }
}

TEST_CASE("closed without an episode: every line ends with its recovery") {
  Folded f;
  f.Close();
  f.plan.plan.events[f.down].fold.kind = plan::FoldKind::kLines;
  TestSet set;
  set.Line("kernel", "n1", 100, "port 1 down");
  set.Line("kernel", "n1", 101, "port 1 down");
  set.Line("kernel", "n1", 150, "port 1 up");
  set.Line("kernel", "n1", 160, "port 1 down");
  const auto m = Run(f.plan, set);
  REQUIRE(m->Rows(f.down) == 3);
  CHECK(m->Slot(f.down, plan::kEndLo, 0) == 150 * kSecond);
  CHECK(m->Slot(f.down, plan::kEndLo, 1) == 150 * kSecond);
  CHECK(m->Slot(f.down, plan::kEndLo, 2) == 160 * kSecond);
}

TEST_CASE("having filters what is folded; a child refines lines, not episodes") {
  Folded f;
  f.plan.plan.events[f.down].fold.having = f.plan.Binary(Op::kLeI, f.plan.Int(2), f.plan.Column(f.count, Type::kInt));
  const uint32_t child = f.plan.Event("child", {}, f.down);
  const uint32_t which = f.plan.Field(child, "which", Type::kInt, true, FieldFrom::kInherited);
  TestSet set;
  set.Line("kernel", "n1", 100, "port 1 down");
  set.Line("kernel", "n2", 100, "port 2 down");
  set.Line("kernel", "n2", 101, "port 3 down");
  const auto m = Run(f.plan, set);
  REQUIRE(m->Rows(f.down) == 1);
  CHECK(m->Slot(f.down, f.which, 0) == 2);
  REQUIRE(m->Rows(child) == 3);
  CHECK(m->Slot(child, which, 2) == 3);
}

TEST_CASE("several clocks in one episode make a clock of its own with the larger skew") {
  Folded f;
  f.plan.plan.events[f.down].fold.keys = {f.which};
  TestSet set;
  set.Line("kernel", "n1", 100, "port 1 down");
  set.Line("kernel", "n2", 101, "port 1 down");
  set.Line("kernel", "n1", 102, "port 2 down");
  set.Line("kernel", "n3", 103, "port 2 down");
  const auto m = Run(f.plan, set);
  REQUIRE(m->Rows(f.down) == 2);
  CHECK(m->Slot(f.down, plan::kClock, 0) != m->Slot(f.down, plan::kClock, 1));
  CHECK(m->Slot(f.down, plan::kClock, 0) < 0);
  CHECK(m->Text(f.down, plan::kNode, 0) == "n1");
}
