// Files with mistakes: one diagnostic each, the sound declarations kept.
#include <doctest.h>

#include "compiler/syntax/test_parse.h"

namespace attr::syntax {
namespace {

TEST_CASE("ten mistakes give ten diagnostics and keep the other declarations") {
  Parsed parsed(R"(domain a "kept 1"
event policy from kernel { text /a/ }
event one from kernel { text /a }
domain b "kept 2"
cause two { when x: a and ib_error where x.c == 1 }
cause three "t {
  when x: a
}
cause four { when x: a or y: b }
domain c "kept 3"
cause five { when x: a where x.c < 2 < 3 }
event six from kernel { where a /3 > b/ 4 }
const w = 3min
cause eight { when x: a

event event from kernel { text /x/ }
domain d "kept 4"
)");
  CHECK(parsed.Codes() == "A0105 A0104 A0108 A0103 A0109 A0107 A0115 A0102 A0101 A0106");
  CHECK(parsed.DumpAll() == "domain a \"kept 1\"\ndomain b \"kept 2\"\ndomain c \"kept 3\"\ndomain d \"kept 4\"\n");
}

TEST_CASE("known mistakes have a hint of their own") {
  auto codes = [](const std::string& text) { return Parsed(text).Codes(); };
  CHECK(codes("cause c { when e where e.x == 1 }") == "A0108");
  CHECK(codes("cause c { when e }") == "A0108");
  CHECK(codes("cause c { when x: a without e within 5m of x }") == "A0108");
  CHECK(codes("cause c { when x: a where x.c == 1 or y: b }") == "A0109");
  CHECK(codes("cause c { when event: xid }") == "A0106");
  CHECK(codes("cause and { }") == "A0106");
  CHECK(codes("domain a.event \"x\"") == "A0106");
  CHECK(codes("sequence s { }") == "A0105");
  CHECK(codes("event e from kernel { text / a/ }") == "A0104");
  CHECK(codes("event e from kernel { text /mount of /srv/data failed/ }") == "A0104");
  CHECK(codes("cause c { when x: a where x.b && x.c }") == "A0101");
  CHECK(codes("cause c { when x: a where x.b = 1 }") == "A0101");
  CHECK(codes("# comment\ndomain a \"x\"") == "A0116");
  CHECK(codes("cause c { when x: a per node per gpu }") == "A0110");
  CHECK(codes("cause c { demote t within 1m within 2m }") == "A0110");
  CHECK(codes("cause c { when stalled(x, 5m) }") == "A0101");
}

TEST_CASE("a misspelt word is answered with the nearest word of its place") {
  auto meant = [](const std::string& text) {
    const std::string rendered = Parsed(text).rendered();
    const size_t at = rendered.find("did you mean `");
    if (at == std::string::npos) return std::string();
    const size_t begin = at + sizeof("did you mean `") - 1;
    return rendered.substr(begin, rendered.find('`', begin) - begin);
  };
  CHECK(meant("casue c { when x: a }") == "cause");
  CHECK(meant("evnt e from kernel { }") == "event");
  CHECK(meant("cause c {\n  whn x: a\n}") == "when");
  CHECK(meant("cause c {\n  when x: a\n  demot t\n}") == "demote");
  CHECK(meant("cause c {\n  when x: a wehre x.b == 1\n}") == "where");
  CHECK(meant("cause c {\n  when x: a\n  demote t wthin 5m\n}") == "within");
  CHECK(meant("event e from kernel {\n  txt /a/\n}") == "text");
  CHECK(meant("test \"t\" {\n  exepct cause c\n}") == "expect");
  CHECK(meant("test \"t\" {\n  expect casue c\n}") == "cause");
  CHECK(meant("cause c {\n  xyzzy x: a\n}").empty());
}

TEST_CASE("a missing quote costs its own line") {
  Parsed parsed("cause c \"t {\n  domain a\n  when x: e\n}\ndomain b \"kept\"\n");
  CHECK(parsed.Codes() == "A0103");
  CHECK(parsed.file.items.size() == 1);
}

TEST_CASE("a forgotten brace does not swallow the next declaration") {
  Parsed parsed("cause c {\n  when x: e\n\ncause d {\n  when x: e\n}\n");
  CHECK(parsed.Codes() == "A0101");
  REQUIRE(parsed.file.items.size() == 1);
  CHECK(parsed.rendered().find("close the declaration above with `}`") != std::string::npos);
  Parsed domain("cause c {\n  when x: e\n\ndomain a \"x\"\n");
  CHECK(domain.Codes() == "A0101");
  CHECK(domain.file.items.size() == 1);
  CHECK(domain.rendered().find("expected `}` before `domain`") != std::string::npos);
  Parsed last("cause c {\n  when x: e\n");
  CHECK(last.Codes() == "A0101");
  Parsed extra("cause c { when x: e } }\ndomain a \"x\"");
  CHECK(extra.Codes() == "A0101");
  CHECK(extra.file.items.size() == 2);
}

TEST_CASE("a large set of what was expected is named after the clause") {
  std::string text = Parsed("cause c { titel \"x\" }").rendered();
  CHECK(text.find("expected a clause of a cause or `}`, found `titel`") != std::string::npos);
  text = Parsed("cause c { when x: e where }").rendered();
  CHECK(text.find("expected an expression, found `}`") != std::string::npos);
  text = Parsed("domain a").rendered();
  CHECK(text.find("found the end of the file") != std::string::npos);
  text = Parsed("garbage here").rendered();
  CHECK(text.find("expected a declaration, found `garbage`") != std::string::npos);
}

TEST_CASE("errors of one file are capped") {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "domain x\n";
  Parsed parsed(text);
  CHECK(parsed.sink.error_count() == 101);
  CHECK(parsed.Codes().find("A0006") != std::string::npos);
}

TEST_CASE("a doc comment of a broken declaration is not reported as well") {
  CHECK(Parsed("/// doc\ncause { }\n/// doc\ndomain a \"x\"").Codes() == "A0101");
}

}  // namespace
}  // namespace attr::syntax
