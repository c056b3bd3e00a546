// Values of literals, and what is refused.
#include "compiler/syntax/literals.h"

#include <doctest.h>

#include "compiler/syntax/test_parse.h"

namespace attr::syntax {
namespace {

std::string Value(const std::string& literal) {
  Parsed parsed("const c = " + literal);
  if (parsed.file.items.empty()) return parsed.Codes();
  return parsed.DumpAll().substr(10);
}

TEST_CASE("numbers, sizes and durations have their exact value") {
  CHECK(Value("007") == "7\n");
  CHECK(Value("0xFf") == "255\n");
  CHECK(Value("9223372036854775807") == "9223372036854775807\n");
  CHECK(Value("-9223372036854775808") == "-9223372036854775808\n");
  CHECK(Value("1.5e3") == "1500\n");
  CHECK(Value("-0.25") == "-0.25\n");
  CHECK(Value("1.5KiB") == "1536B\n");
  CHECK(Value("10MB") == "10000000B\n");
  CHECK(Value("1h30m250ms") == "5400250000000ns\n");
  CHECK(Value("-35m") == "-2100000000000ns\n");
  CHECK(Value("true") == "true\n");
}

TEST_CASE("what is out of range is refused with its own code") {
  CHECK(Value("9223372036854775808") == "A0113");
  CHECK(Value("-9223372036854775809") == "A0113");
  CHECK(Value("0xffffffffffffffff") == "A0113");
  CHECK(Value("99999999999999999999999999") == "A0113");
  CHECK(Value("300000d") == "A0114");
  CHECK(Value("99999999999999999999999s") == "A0114");
  CHECK(Value("9999999TiB") == "A0117");
  CHECK(Value("1.0e999") == "A0119");
  CHECK(Value("3min") == "A0102");
  CHECK(Value("10mb") == "A0102");
  CHECK(Value("-\"x\"") == "A0101");
  CHECK(Value("-true") == "A0101");
}

TEST_CASE("dates exist or are refused, and keep their precision") {
  diagnostics::Sink sink;
  Literals literals(sink);
  auto moment = literals.DateTime("1970-01-02T00:00:01.5+01:00", {});
  REQUIRE(moment);
  CHECK(moment->nanos == (86400 - 3600 + 1) * 1'000'000'000LL + 500'000'000);
  CHECK(moment->precision == 100'000'000);
  CHECK(literals.DateTime("2024-02-29T00:00:00Z", {})->nanos == 1709164800LL * 1'000'000'000);
  CHECK(literals.DateTime("1969-12-31T23:59:59Z", {})->nanos == -1'000'000'000);
  CHECK(!literals.DateTime("2023-02-29T00:00:00Z", {}));
  CHECK(!literals.DateTime("2023-13-01T00:00:00Z", {}));
  CHECK(!literals.DateTime("2023-01-01T24:00:00Z", {}));
  CHECK(!literals.DateTime("9999-01-01T00:00:00Z", {}));
  CHECK(sink.error_count() == 4);
}

TEST_CASE("a time of day keeps what its last digit stands for") {
  diagnostics::Sink sink;
  Literals literals(sink);
  CHECK(literals.TimeOfDay("12:10", {})->precision == 60'000'000'000);
  CHECK(literals.TimeOfDay("12:10:02", {})->nanos == 43'802'000'000'000);
  CHECK(literals.TimeOfDay("1:00:00.0625", {})->precision == 100'000);
  CHECK(!literals.TimeOfDay("24:00", {}));
  CHECK(!literals.TimeOfDay("12:60", {}));
}

TEST_CASE("strings: escapes, raw text, and what is no escape") {
  CHECK(Value(R"("a\n\t\"\\\x1b\u{fc}")") == "\"a\\n\\x09\\\"\\\\\\x1bü\"\n");
  CHECK(Value("`raw \\d \"q\"\nline`") == "\"raw \\\\d \\\"q\\\"\\nline\"\n");
  CHECK(Value(R"("\d")") == "A0112");
  CHECK(Value(R"("\xff")") == "A0112");
  CHECK(Value(R"("\u{d800}")") == "A0112");
  CHECK(Value(R"("\u{}")") == "A0112");
  CHECK(Value(R"("\u")") == "A0112");
  CHECK(Value(R"("\x")") == "A0112");
  CHECK(Value("\"open") == "A0103");
  CHECK(Value("`open") == "A0103");
  Parsed parsed(R"(const c = "ab\qcd")");
  CHECK(parsed.Text(parsed.sink.Sorted().at(0).primary.span) == "\\q");
}

TEST_CASE("a regular expression is taken as written but for its slashes") {
  CHECK(Literals::Regex("/a\\/b[/]\\\\d/") == "a/b[/]\\\\d");
  CHECK(Literals::Regex("/\\d+/") == "\\d+");
}

}  // namespace
}  // namespace attr::syntax
