// Typed fields from text and numbers.
#include <doctest.h>

#include <bit>
#include <limits>

#include "runtime/match/convert.h"

using attr::plan::kSecond;
using attr::plan::Type;
using namespace attr::match;

TEST_CASE("int is decimal or hex, checked, never octal") {
  CHECK(ParseInt("79") == 79);
  CHECK(ParseInt("010") == 10);
  CHECK(ParseInt("-7") == -7);
  CHECK(ParseInt("0x1F") == 31);
  CHECK(ParseInt("9223372036854775807") == INT64_MAX);
  CHECK(ParseInt("-9223372036854775808") == INT64_MIN);
  for (const char* bad :
       {"", "-", "0x", "9223372036854775808", "1.0", " 1", "1 ", "0xFFFFFFFFFFFFFFFF", "--1", "1e3"}) {
    CAPTURE(bad);
    CHECK_FALSE(ParseInt(bad).has_value());
  }
}

TEST_CASE("numbers of every length are read, and one foreign byte at any place refuses them") {
  std::string digits;
  int64_t value = 0;
  for (int length = 1; length <= 18; ++length) {
    const int digit = (length * 7 + 2) % 10;
    digits += static_cast<char>('0' + digit);
    value = value * 10 + digit;
    CAPTURE(digits);
    CHECK(ParseInt(digits) == value);
    CHECK(ConvertText(Type::kDuration, digits, 1) == value);
    CHECK(ConvertText(Type::kSize, digits, 1) == value);
    for (size_t at = 0; at < digits.size(); ++at) {
      for (const char foreign : {'/', ':', ' ', 'a', '\0', '\x7F', '\xFA', '\xFF', '\xB5'}) {
        std::string bad = digits;
        bad[at] = foreign;
        CHECK_FALSE(ParseInt(bad).has_value());
      }
    }
  }
  CHECK_FALSE(ConvertText(Type::kDuration, "99999999999", kSecond).has_value());
}

TEST_CASE("float refuses NaN and what is out of range") {
  CHECK(ConvertText(Type::kFloat, "1.5", 1) == std::bit_cast<int64_t>(1.5));
  CHECK(ConvertText(Type::kFloat, "1e3", 1) == std::bit_cast<int64_t>(1000.0));
  for (const char* bad : {"nan", "1e999", "", "x", "1,5"}) CHECK_FALSE(ConvertText(Type::kFloat, bad, 1).has_value());
}

TEST_CASE("durations carry their unit or take the field's") {
  CHECK(ConvertText(Type::kDuration, "600031", 1'000'000) == 600031 * int64_t{1'000'000});
  CHECK(ConvertText(Type::kDuration, "2.5", kSecond) == 2'500'000'000);
  CHECK(ConvertText(Type::kDuration, "10m", 1) == 600 * kSecond);
  CHECK(ConvertText(Type::kDuration, "1h30m", 1) == 5400 * kSecond);
  CHECK(ConvertText(Type::kDuration, "10 s", 1) == 10 * kSecond);
  CHECK(ConvertText(Type::kDuration, "-1s", 1) == -kSecond);
  for (const char* bad : {"", "-", "10 parsecs", "1h30", "s", "1..5s", "99999999999999999999s", "300000d2d"})
    CHECK_FALSE(ConvertText(Type::kDuration, bad, 1).has_value());
}

TEST_CASE("sizes carry their unit or take the field's") {
  CHECK(ConvertText(Type::kSize, "4", 1024) == 4096);
  CHECK(ConvertText(Type::kSize, "1.5GiB", 1) == 3 * (int64_t{1} << 29));
  CHECK(ConvertText(Type::kSize, "80 GB", 1) == 80'000'000'000);
  for (const char* bad : {"", "-4", "4 ", "4 parsecs", "GiB", "99999999TB"})
    CHECK_FALSE(ConvertText(Type::kSize, bad, 1).has_value());
}

TEST_CASE("times are RFC 3339 or counts since the epoch") {
  CHECK(ConvertText(Type::kTime, "1970-01-01T00:00:02Z", 1) == 2 * kSecond);
  CHECK(ConvertText(Type::kTime, "1700000000.25", kSecond) == 1'700'000'000'250'000'000);
  CHECK_FALSE(ConvertText(Type::kTime, "yesterday", 1).has_value());
}

TEST_CASE("bools and ranks") {
  CHECK(ConvertText(Type::kBool, "True", 1) == 1);
  CHECK(ConvertText(Type::kBool, "no", 1) == 0);
  CHECK_FALSE(ConvertText(Type::kBool, "maybe", 1).has_value());
  CHECK(ConvertText(Type::kRank, "12", 1) == 12);
  CHECK_FALSE(ConvertText(Type::kRank, "-1", 1).has_value());
}

TEST_CASE("numbers of the input convert without going through text") {
  CHECK(ConvertInt(Type::kDuration, 5, kSecond) == 5 * kSecond);
  CHECK_FALSE(ConvertInt(Type::kDuration, INT64_MAX, kSecond).has_value());
  CHECK_FALSE(ConvertInt(Type::kBool, 2, 1).has_value());
  CHECK(ConvertFloat(Type::kInt, 3.0, 1) == 3);
  CHECK_FALSE(ConvertFloat(Type::kInt, 3.5, 1).has_value());
  CHECK(ConvertFloat(Type::kDuration, 0.5, kSecond) == kSecond / 2);
  CHECK_FALSE(ConvertFloat(Type::kInt, 1e30, 1).has_value());
  CHECK_FALSE(ConvertFloat(Type::kFloat, std::numeric_limits<double>::quiet_NaN(), 1).has_value());
  CHECK(NumberText(0.1) == "0.1");
  CHECK(NumberText(3.0) == "3");
}
