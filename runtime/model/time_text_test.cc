#include "runtime/model/time_text.h"

#include <doctest.h>

namespace attr::model {

TEST_CASE("RFC 3339 is read with any offset and down to nanoseconds") {
  CHECK(ParseRfc3339("1970-01-01T00:00:00Z")->lo == 0);
  CHECK(ParseRfc3339("2026-03-02T12:10:02Z")->lo == 1772453402LL * plan::kSecond);
  CHECK(ParseRfc3339("2026-03-02t14:10:02+02:00")->lo == 1772453402LL * plan::kSecond);
  CHECK(ParseRfc3339("2026-03-02 06:40:02-05:30")->lo == 1772453402LL * plan::kSecond);
  CHECK(ParseRfc3339("2026-03-02T12:10:02.123456789Z")->lo == 1772453402123456789LL);
  CHECK(ParseRfc3339("2026-03-02T12:10:02.1234567899Z")->lo == 1772453402123456789LL);
  CHECK(ParseRfc3339("1969-12-31T23:59:59.5Z")->lo == -500'000'000);
}

TEST_CASE("precision follows the digits written") {
  CHECK(ParseRfc3339("2026-03-02T12:10:02Z")->precision == plan::kSecond);
  CHECK(ParseRfc3339("2026-03-02T12:10:02.7Z")->precision == 100'000'000);
  CHECK(ParseRfc3339("2026-03-02T12:10:02.700Z")->precision == 1'000'000);
  CHECK(ParseRfc3339("2026-03-02T12:10:02.123456789012Z")->precision == 1);
  CHECK(ParseRfc3339("2026-03-02T12:10:02Z")->IsStamp());
}

TEST_CASE("a leap second is the last nanosecond of its minute") {
  CHECK(ParseRfc3339("2016-12-31T23:59:60Z")->lo == ParseRfc3339("2016-12-31T23:59:59.999999999Z")->lo);
  CHECK(ParseRfc3339("2017-01-01T01:59:60+02:00") == ParseRfc3339("2016-12-31T23:59:60Z"));
  CHECK(ParseRfc3339("2016-12-31T18:29:60.5-05:30"));
  CHECK(!ParseRfc3339("2016-12-31T23:59:61Z"));
  CHECK(!ParseRfc3339("2016-12-31T12:10:60Z"));
  CHECK(!ParseRfc3339("2016-12-31T23:59:60+02:00"));
}

TEST_CASE("leap days exist in leap years only") {
  CHECK(ParseRfc3339("2024-02-29T00:00:00Z"));
  CHECK(ParseRfc3339("2000-02-29T00:00:00Z"));
  CHECK(!ParseRfc3339("2023-02-29T00:00:00Z"));
  CHECK(!ParseRfc3339("1900-02-29T00:00:00Z"));
}

TEST_CASE("what is no RFC 3339 time is refused") {
  for (const char* text : {"",
                           "now",
                           "2026-03-02",
                           "2026-03-02T12:10:02",
                           "2026-03-02T12:10Z",
                           "2026-13-02T12:10:02Z",
                           "2026-00-02T12:10:02Z",
                           "2026-03-00T12:10:02Z",
                           "2026-03-32T12:10:02Z",
                           "2026-03-02T24:10:02Z",
                           "2026-03-02T12:60:02Z",
                           "2026-03-02T12:10:02.Z",
                           "2026-03-02T12:10:02.5",
                           "2026-03-02T12:10:02+0200",
                           "2026-03-02T12:10:02+24:00",
                           "2026-03-02T12:10:02Zx",
                           "2026-03-02X12:10:02Z",
                           "2026/03/02T12:10:02Z",
                           "-026-03-02T12:10:02Z",
                           "2026-03-02T12:10:02+02:0",
                           "9999-12-31T23:59:59Z",
                           "0001-01-01T00:00:00Z"}) {
    CAPTURE(text);
    CHECK(!ParseRfc3339(text));
  }
}

TEST_CASE("the ends of 64-bit nanoseconds are read and what lies beyond is refused") {
  CHECK(ParseRfc3339("2262-04-11T23:47:16.854775807Z")->lo == INT64_MAX);
  CHECK(!ParseRfc3339("2262-04-11T23:47:16.854775808Z"));
  CHECK(ParseRfc3339("1678-01-01T00:00:00Z"));
  CHECK(!ParseRfc3339("1677-01-01T00:00:00Z"));
}

TEST_CASE("formatting a time gives back what was read") {
  for (const char* text : {"2026-03-02T12:10:02Z", "2026-03-02T12:10:02.7Z", "2026-03-02T12:10:02.000001Z",
                           "1969-12-31T23:59:59.5Z", "2000-02-29T00:00:00.000000001Z", "1900-03-01T00:00:00Z"}) {
    auto moment = ParseRfc3339(text);
    REQUIRE(moment);
    CHECK(FormatRfc3339(moment->lo, moment->precision) == text);
  }
}

TEST_CASE("every day from 1680 to 2260 survives the round trip") {
  int64_t day = 86'400 * plan::kSecond;
  int bad = 0;
  for (int64_t at = -105'900 * day; at < 106'000 * day; at += day) {
    auto moment = ParseRfc3339(FormatRfc3339(at, plan::kSecond));
    bad += moment && moment->lo == at ? 0 : 1;
  }
  CHECK(bad == 0);
}

TEST_CASE("ranges and unknown ends are printed as such") {
  Moment moment;
  CHECK(FormatMoment(moment) == "unknown");
  moment.hi = 0;
  moment.precision = plan::kSecond;
  CHECK(FormatMoment(moment) == "[unknown, 1970-01-01T00:00:00Z]");
  moment.lo = 0;
  CHECK(FormatMoment(moment) == "1970-01-01T00:00:00Z");
  moment.hi = plan::kAfterAll;
  CHECK(FormatMoment(moment) == "[1970-01-01T00:00:00Z, unknown]");
}

TEST_CASE("durations are printed in the shortest units and read back") {
  CHECK(FormatDuration(0) == "0s");
  CHECK(FormatDuration(600'031'000'000) == "600.031s");
  CHECK(FormatDuration(120 * plan::kSecond) == "2m");
  CHECK(FormatDuration(5400 * plan::kSecond) == "1h30m");
  CHECK(FormatDuration(86'401 * plan::kSecond) == "1d1s");
  CHECK(FormatDuration(1'500'000) == "1.5ms");
  CHECK(FormatDuration(200'000'000) == "200ms");
  CHECK(FormatDuration(17) == "17ns");
  CHECK(FormatDuration(-plan::kSecond) == "-1s");
  for (int64_t nanos : {1LL, 999LL, 1'000LL, 123'456'789LL, 1'000'000'001LL, 90'061'000'000'000LL, INT64_MAX * 1LL}) {
    CHECK(ParseDuration(FormatDuration(nanos)) == nanos);
  }
}

TEST_CASE("what is no duration is refused") {
  for (const char* text : {"", "5", "s", "5x", "5 s", "1m1h", "1s1s", "-5s", "1.s", ".5s", "0.5ns", "5s ", "1..5s",
                           "99999999999999999999s", "9999999999999h"}) {
    CAPTURE(text);
    CHECK(!ParseDuration(text));
  }
}

}  // namespace attr::model
