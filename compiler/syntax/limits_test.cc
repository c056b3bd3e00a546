// Hostile and odd files end with a diagnostic, in bounded time and stack.
#include <doctest.h>

#include "compiler/syntax/test_parse.h"

namespace attr::syntax {
namespace {

std::string Repeat(std::string_view part, size_t count) {
  std::string out;
  out.reserve(part.size() * count);
  for (size_t i = 0; i < count; ++i) out += part;
  return out;
}

TEST_CASE("deep nesting is refused before the parser recurses") {
  CHECK(Parsed("outcome o when " + Repeat("(", 10'000) + "a" + Repeat(")", 10'000)).Codes() == "A0004");
  CHECK(Parsed("outcome o when " + Repeat("not ", 3'000) + "a").Codes() == "A0004");
  CHECK(Parsed("outcome o when " + Repeat("- ", 3'000) + "a").Codes() == "A0004");
  CHECK(Parsed("outcome o when " + Repeat("not (", 200) + "a" + Repeat(")", 200)).Codes() == "A0004");
  CHECK(Parsed("outcome o when a" + Repeat(" == not b", 3'000)).Codes() == "A0004");
  // Words that begin declarations elsewhere do not restart the count.
  CHECK(Parsed("outcome o when " + Repeat("f(\ncause == ", 3'000)).Codes().substr(0, 5) == "A0004");
  CHECK(Parsed("outcome o when " + Repeat("t[", 3'000)).Codes() == "A0004");
  CHECK(Parsed(Repeat("{", 10'000)).Codes() == "A0101");
}

TEST_CASE("what is allowed to be deep parses") {
  auto climb = [](size_t n) {  // brackets, each behind one operator of every precedence
    return "outcome o when " + Repeat("(a or b and c == d | e ^ f & g << h + i * ", n) + "1" + Repeat(")", n);
  };
  CHECK(Parsed(climb(90)).Codes() == "");
  CHECK(Parsed(climb(250)).Codes() == "A0004");
  CHECK(Parsed("outcome o when " + Repeat("(a and ", 250) + "a" + Repeat(")", 250)).Codes() == "");
  CHECK(Parsed("outcome o when " + Repeat("not ", 250) + "a").Codes() == "");
  CHECK(Parsed("outcome o when not a" + Repeat(" and not a", 2'000)).Codes() == "");
}

TEST_CASE("long flat chains are capped by their operators, not by the stack") {
  CHECK(Parsed("outcome o when a" + Repeat(" and a", 20'000)).Codes() == "A0005");
  CHECK(Parsed("outcome o when text" + Repeat(" and text", 20'000)).Codes() == "A0005");
  CHECK(Parsed("outcome o when a" + Repeat(" + a", 20'000)).Codes() == "A0005");
  CHECK(Parsed("outcome o when text" + Repeat(" + text", 20'000)).Codes() == "A0004");
  CHECK(Parsed("outcome o when a" + Repeat(" or a", 4'096)).Codes() == "");
  CHECK(Parsed("outcome o when a" + Repeat(" or a", 4'097)).Codes() == "A0005");
  // A sum is as deep as it is long, for whoever walks it.
  CHECK(Parsed("outcome o when a" + Repeat(" + a", 1'000)).Codes() == "");
  CHECK(Parsed("outcome o when a" + Repeat(" + a", 4'000)).Codes() == "A0004");
  CHECK(Parsed("outcome o when " + Repeat("(", 50) + "a" + Repeat(" + a + a + a + a + a + a + a + a)", 50)).Codes() ==
        "");
  CHECK(Parsed("outcome o when " + Repeat("(", 200) + "a" + Repeat(" + a + a + a + a + a + a + a + a)", 200)).Codes() ==
        "A0004");
  CHECK(Parsed("outcome o when f(a" + Repeat(", a + a", 5'000) + ")").Codes() == "A0005");
  CHECK(Parsed("precedence { a" + Repeat(" > a", 4'000) + " }").Codes() == "");
}

TEST_CASE("bytes that are not text") {
  Parsed invalid("domain a \"x\"\ndomain b \"\xff\"\n");
  CHECK(invalid.Codes() == "A0002");
  CHECK(invalid.rendered().find("a.attr:2:11") != std::string::npos);
  CHECK(invalid.rendered().find("byte 23 of the file, 0xff") != std::string::npos);
  CHECK(Parsed("domain a \"\xc0\x80\"").Codes() == "A0002");
  CHECK(Parsed(std::string("domain a \"x\"\n\0\ndomain b \"y\"\n", 28)).Codes() == "A0002");
  CHECK(Parsed("domain \xc3\xbc \"x\"").Codes() == "A0116");
  CHECK(Parsed("\xef\xbb\xbf"
               "domain a \"x\"")
            .Codes() == "");
  Parsed crlf("/// doc\r\ndomain a \"x\"\r\n// c\r\ndomain b \"y\"\r\n");
  CHECK(crlf.Codes() == "");
  CHECK(crlf.file.items.size() == 2);
  CHECK(crlf.file.items[0].doc == "doc");
  CHECK(Parsed("").Codes() == "");
  CHECK(Parsed("\n// nothing\n").Codes() == "");
}

TEST_CASE("large files: one line of 5 MB, 200,000 lines, over the cap") {
  Parsed line("domain a \"" + std::string(5 << 20, 'x') + "\"");
  CHECK(line.Codes() == "");
  Parsed junk(std::string(5 << 20, '$'));
  CHECK(junk.Codes() == "A0116");
  CHECK(junk.rendered().size() < 1000);
  std::string text;
  for (int i = 0; i < 50'000; ++i) {
    text += "cause c" + std::to_string(i) + " {\n  domain a.b\n  when x: e where x.code == 1\n}\n";
  }
  Parsed many(text);
  CHECK(many.Codes() == "");
  CHECK(many.file.items.size() == 50'000);
  CHECK(Parsed(std::string((16 << 20) + 1, ' ')).Codes() == "A0003");
}

TEST_CASE("one declaration has a cap of its own") {
  ParseLimits limits;
  limits.item_tokens = 1'000;
  Parsed parsed("precedence { " + Repeat("a > b\n", 1'000) + "}\ndomain a \"x\"\n", limits);
  CHECK(parsed.Codes() == "A0003");
  CHECK(parsed.file.items.size() == 1);
}

}  // namespace
}  // namespace attr::syntax
