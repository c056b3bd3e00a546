#include <doctest.h>

#include "runtime/base/interner.h"
#include "runtime/base/json_text.h"
#include "runtime/base/result.h"
#include "runtime/base/sha256.h"

namespace attr {

TEST_CASE("sha256 gives the published digest of abc") {
  CHECK(ToHex(Sha256Of("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("natural order compares digit runs as numbers and is total") {
  CHECK(NaturalLess("n2", "n10"));
  CHECK(!NaturalLess("n10", "n2"));
  CHECK(NaturalLess("n02", "n2") != NaturalLess("n2", "n02"));
  CHECK(!NaturalLess("n2", "n2"));
}

TEST_CASE("an interner gives each text one id and keeps views valid") {
  Interner interner;
  uint32_t a = interner.Intern("a");
  std::string_view view = interner.Text(a);
  for (int i = 0; i < 100000; ++i) interner.Intern("text" + std::to_string(i));
  CHECK(interner.Intern("a") == a);
  CHECK(view == "a");
  CHECK(interner.Find("never") == Interner::kNone);
}

TEST_CASE("an error says file, line, byte and help") {
  Error error{ErrorKind::kInput, "bad", "f.json", 3, 17, "mend it"};
  CHECK(error.ToString() == "f.json:3 (byte 17): bad\n  = help: mend it");
}

TEST_CASE("JSON text escapes controls and replaces malformed UTF-8") {
  CHECK(JsonString("a\"b\\c\n\x01") == R"("a\"b\\c\n\u0001")");
  CHECK(JsonString("\xC0\xAF") == "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
  CHECK(JsonString("\xED\xA0\x80").size() == 2 + 9);
  CHECK(JsonString("\xF0\x9F\x98\x80") == "\"\xF0\x9F\x98\x80\"");
}

}  // namespace attr
