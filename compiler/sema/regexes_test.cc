// Translation of groups and places inside the literal.
#include "compiler/sema/regexes.h"

#include <doctest.h>

namespace attr::sema {
namespace {

std::string Re2(std::string_view text) {
  std::vector<size_t> origin;
  const std::string result = ToRe2(text, &origin);
  CHECK(origin.size() == result.size() + 1);
  CHECK(origin.back() == text.size());
  return result;
}

TEST_CASE("named groups get RE2's spelling, wherever they are groups") {
  CHECK(Re2("(?<a>x)(?P<b>y)") == "(?P<a>x)(?P<b>y)");
  CHECK(Re2("\\(?<a>") == "\\(?<a>");
  CHECK(Re2("[(?<a>]") == "[(?<a>]");
  CHECK(Re2("[^](?<a>](?<b>c)") == "[^](?<a>](?P<b>c)");
  CHECK(Re2("(?<=x)(?<!y)") == "(?<=x)(?<!y)");
  CHECK(Re2("(?<") == "(?<");
  CHECK(Re2("\\") == "\\");
}

TEST_CASE("an error stands where it is in the file, escaped slashes counted") {
  SourceMap sources;
  const std::string text = "event e from kernel { text /a\\/(?<n>b)*+c/ }";
  const uint32_t file = sources.Add("e.attr", text);
  const auto begin = static_cast<uint32_t>(text.find('/'));
  const syntax::Text regex{"a/(?<n>b)*+c", {file, begin, static_cast<uint32_t>(text.rfind('/') + 1)}};
  Sink sink;
  Program program;
  Context context{program, sources, sink, {}};
  CHECK_FALSE(CheckRegex(context, regex).has_value());
  const auto sorted = sink.Sorted();
  REQUIRE(sorted.size() == 1);
  CHECK(text.substr(sorted[0].primary.span.begin, 1).find_first_of("*+") == 0);
}

TEST_CASE("a group's place is its opening") {
  SourceMap sources;
  const std::string text = "/x (?P<state>a)/";
  const uint32_t file = sources.Add("e.attr", text);
  Sink sink;
  Program program;
  Context context{program, sources, sink, {}};
  const Span span = GroupSpan(context, {"x (?P<state>a)", {file, 0, 16}}, "state");
  CHECK(text.substr(span.begin, span.end - span.begin) == "(?P<state>");
}

}  // namespace
}  // namespace attr::sema
