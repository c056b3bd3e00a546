// InspectRegex: places of errors, groups, literals.
#include <doctest.h>

#include "runtime/match/match.h"

using attr::match::InspectRegex;

TEST_CASE("a good pattern tells its named groups in order") {
  const auto info = InspectRegex(R"(Xid \((?P<pci>[0-9a-f:.]+)\): (?P<code>\d+)(x)?)");
  CHECK(info.ok);
  CHECK(info.error.empty());
  CHECK(info.groups == std::vector<std::string>{"pci", "code"});
  CHECK(info.group_count == 3);
  CHECK(info.program_size > 10);
  CHECK(info.reverse_program_size > 10);
  CHECK_FALSE(info.matches_empty);
  CHECK(info.has_literal);
}

TEST_CASE("an error points at the character that completes the shortest failing prefix") {
  CHECK(InspectRegex("abc)d").error_offset == 3);
  CHECK(InspectRegex("(a)(b").error_offset == 3);
  CHECK(InspectRegex("(a[b]c").error_offset == 0);
  CHECK(InspectRegex("ab[c").error_offset == 2);
  CHECK(InspectRegex("a**b").error_offset == 2);
  CHECK(InspectRegex("ab\\").error_offset == 2);
  CHECK(InspectRegex("xx\\yzz").error_offset == 2);
  CHECK(InspectRegex("\xC3\xA4)").error_offset == 2);
  const auto info = InspectRegex("(");
  CHECK_FALSE(info.ok);
  CHECK_FALSE(info.error.empty());
}

TEST_CASE("repetition over the budget is an error, not a crash") {
  const auto info = InspectRegex("(?:[\\x{80}-\\x{10FFFF}]{500}){30}");
  CHECK_FALSE(info.ok);
  CHECK_FALSE(info.error.empty());
}

TEST_CASE("duplicate group names are refused or listed twice") {
  const auto info = InspectRegex("(?P<a>x)(?P<a>y)");
  CHECK((!info.ok || info.groups.size() == 2));
}

TEST_CASE("empty matches and patterns without a literal are told") {
  CHECK(InspectRegex("a*").matches_empty);
  CHECK_FALSE(InspectRegex("[0-9]+").has_literal);
  CHECK_FALSE(InspectRegex("").has_literal);
  CHECK(InspectRegex("error|failure").has_literal);
  CHECK_FALSE(InspectRegex("error|[0-9]+").has_literal);
}
