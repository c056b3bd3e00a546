#include <doctest.h>

#include "runtime/model/canonical.h"

namespace attr::model {

namespace {

constexpr int64_t kNone = -1;

/// One stream with these stamps in seconds, by position; kNone: no stamp.
ObservationSet Stream(const std::vector<int64_t>& seconds) {
  ObservationSet set;
  for (size_t i = 0; i < seconds.size(); ++i) {
    Observation row;
    row.source = set.names.Intern("application");
    row.stream = set.names.Intern("s");
    row.position = static_cast<int64_t>(i);
    if (seconds[i] != kNone) row.time = {seconds[i] * plan::kSecond, seconds[i] * plan::kSecond, plan::kSecond};
    set.observations.push_back(row);
  }
  return set;
}

int64_t Lo(const ObservationSet& set, size_t i) { return set.observations[i].time.lo / plan::kSecond; }
int64_t Hi(const ObservationSet& set, size_t i) { return set.observations[i].time.hi / plan::kSecond; }

}  // namespace

TEST_CASE("rising stamps of a stream stay as they are") {
  ObservationSet set = Stream({10, 11, 11, 12});
  SettleStreams(&set);
  for (size_t i = 0; i < 4; ++i) CHECK(set.observations[i].time.IsStamp());
  CHECK(Lo(set, 3) == 12);
}

TEST_CASE("stamps that fall become ranges that hold all of them") {
  ObservationSet set = Stream({10, 5, 12});
  SettleStreams(&set);
  CHECK(Lo(set, 0) == 5);
  CHECK(Hi(set, 0) == 10);
  CHECK(Lo(set, 1) == 5);
  CHECK(Hi(set, 1) == 10);
  CHECK(set.observations[2].time.IsStamp());
}

TEST_CASE("a line without a stamp lies between its neighbours") {
  ObservationSet set = Stream({kNone, 10, kNone, kNone, 20, kNone});
  SettleStreams(&set);
  CHECK(set.observations[0].time.lo == plan::kBeforeAll);
  CHECK(Hi(set, 0) == 10);
  CHECK(Lo(set, 2) == 10);
  CHECK(Hi(set, 2) == 20);
  CHECK(Lo(set, 3) == 10);
  CHECK(Hi(set, 3) == 20);
  CHECK(Lo(set, 5) == 20);
  CHECK(set.observations[5].time.hi == plan::kAfterAll);
  CHECK(set.observations[2].time.precision == plan::kSecond);
}

TEST_CASE("position decides, not the order of rows") {
  ObservationSet set = Stream({10, kNone, 20});
  std::swap(set.observations[0], set.observations[2]);
  SettleStreams(&set);
  CHECK(Lo(set, 1) == 10);
  CHECK(Hi(set, 1) == 20);
}

TEST_CASE("a stream without any stamp stays unknown") {
  ObservationSet set = Stream({kNone, kNone});
  SettleStreams(&set);
  CHECK(set.observations[0].time.Unknown());
  CHECK(set.observations[1].time.Unknown());
}

TEST_CASE("stamps of different clocks do not bound each other") {
  ObservationSet set = Stream({10, 5, 12});
  set.clocks.push_back({"uptime", false});
  set.observations[1].clock = 1;
  SettleStreams(&set);
  CHECK(set.observations[0].time.IsStamp());
  CHECK(Lo(set, 1) == 5);
  CHECK(Hi(set, 1) == 5);
}

TEST_CASE("a stampless line is on its stream's only clock") {
  ObservationSet set = Stream({10, kNone, 12});
  set.clocks.push_back({"uptime", false});
  set.observations[0].clock = set.observations[2].clock = 1;
  SettleStreams(&set);
  CHECK(set.observations[1].clock == 1);
  CHECK(Lo(set, 1) == 10);
}

TEST_CASE("equal positions bound each other whichever row comes first") {
  ObservationSet one = Stream({10, 5});
  one.observations[1].position = 0;
  SettleStreams(&one);
  for (size_t i = 0; i < 2; ++i) {
    CHECK(Lo(one, i) == 5);
    CHECK(Hi(one, i) == 10);
  }
}

}  // namespace attr::model
