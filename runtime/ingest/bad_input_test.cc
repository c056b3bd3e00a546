// What a user can do wrong: each is refused with its place, and nothing crashes.
#include <doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "runtime/ingest/reader_test_util.h"

namespace attr::ingest {

namespace {

bool Has(const std::string& text, const std::string& part) {
  bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE(text);
  return found;
}

std::string TempFile(const char* name, const std::string& bytes) {
  std::string path = std::string(ATTR_BINARY_DIR) + "/ingest_test_" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace

TEST_CASE("a missing file, a folder and an empty file are refused by name") {
  CHECK(Has(ReadInput("/no/such/file.json").error().ToString(), "/no/such/file.json: no such file"));
  CHECK(Has(ReadInput(ATTR_SOURCE_DIR).error().ToString(), "is a folder"));
  std::string empty = TempFile("empty", "");
  CHECK(Has(ReadInput(empty).error().ToString(), "is empty"));
  CHECK(Has(ReadText(" \n\t ").error().ToString(), "is empty"));
  std::remove(empty.c_str());
}

TEST_CASE("an unreadable file is refused") {
  std::string path = TempFile("unreadable", "x");
  chmod(path.c_str(), 0);
  if (geteuid() != 0) CHECK(Has(ReadInput(path).error().ToString(), "cannot be opened: "));
  chmod(path.c_str(), 0600);
  std::remove(path.c_str());
}

TEST_CASE("a file is read whole and a larger one than allowed is refused") {
  std::string path = TempFile("whole", std::string(3'000'000, 'x'));
  auto input = ReadInput(path);
  REQUIRE(input.ok());
  CHECK(input->bytes.size() == 3'000'000);
  CHECK(input->name == path);
  ReadLimits limits;
  limits.input_bytes = 2'999'999;
  CHECK(Has(ReadInput(path, limits).error().ToString(), "larger than the limit"));
  std::remove(path.c_str());
}

TEST_CASE("malformed JSON names line, byte and observation") {
  std::string error = ErrorOf("{\"source\":\"a\"}\n{\"source\" \"b\"}\n{\"source\":\"c\"}\n");
  CHECK(Has(error, "in0:3 (byte "));
  CHECK(Has(error, "observation 2: malformed JSON"));
  for (const char* line : {"{",
                           "}",
                           "{\"source\":\"a\",}",
                           "{\"source\":a}",
                           "{\"source\":\"a\" \"x\":1}",
                           "[1]",
                           "1",
                           "\"x\"",
                           "{]",
                           "{\"source\":\"a\"}}",
                           "{\"source\":\"a\"} x",
                           "{\"source\":\"a\",\"value\":01}",
                           "{\"source\":\"a\",\"value\":1.}",
                           "{\"source\":\"a\",\"value\":-}",
                           "{\"source\":\"a\",\"value\":tru}",
                           "{\"source\":\"a\",\"value\":nul}",
                           "{\"source\":\"a\",\"attrs\":{\"x\":}}",
                           "{\"source\":\"a\",\"attrs\":{\"x\":1]}",
                           "{\"source\":\"a\",\"text\":\"\\x\"}",
                           "{\"source\":\"a\",\"text\":\"\\u12\"}",
                           "{\"source\":\"a\",\"other\":[1,2}",
                           "{'source':'a'}",
                           "{\"source\":\"a\",\"value\":1e999}",
                           "{\"source\":\"a\"}{\"source\":\"b\"}"}) {
    CAPTURE(line);
    CHECK(Has(ErrorOf(std::string(line) + "\n{\"source\":\"z\"}\n"), "in0:2"));
  }
}

TEST_CASE("malformed JSON in a document names its line") {
  auto set = ReadText(
      "{\"schema\":\"attribution/observations/v1\",\n\"observations\":[\n{\"source\":\"a\"},\n{\"source\":1}\n]}");
  REQUIRE(!set.ok());
  CHECK(set.error().line == 4);
  CHECK(Has(set.error().message, "observation 2: \"source\" must be a string"));
}

TEST_CASE("a document cut off anywhere is refused") {
  const std::string whole =
      R"({"schema":"attribution/observations/v1","attempt":{"id":"7","nodes":["n1"]},"observations":[{"source":"a","attrs":{"x":[1,2]}},{"source":"b"}]})";
  REQUIRE(ReadText(whole).ok());
  for (size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    for (const char* tail : {"", "\n"}) {
      auto set = ReadText(whole.substr(0, length) + tail);
      REQUIRE(!set.ok());
      if (length == 0) continue;
      CHECK(set.error().line == 1);
      REQUIRE(set.error().byte);
      CHECK(*set.error().byte <= length + 1);
      CHECK((length < 2 || *set.error().byte > 0));
    }
  }
}

TEST_CASE("a document that ends inside a value names its last line") {
  auto set = ReadText("{\"schema\":\"attribution/observations/v1\",\n\"observations\":[\n{\"source\":\"a\"},\n");
  REQUIRE(!set.ok());
  CHECK(Has(set.error().ToString(), "in0:3 (byte 73): malformed JSON: the input ends inside a value"));
}

TEST_CASE("malformed JSON names the byte where it goes wrong and what is expected there") {
  const std::vector<std::array<const char*, 3>> cases{
      {R"({"source":"a","attrs":{"x":1 )", R"("y":2}})", "',' or '}'"},
      {R"({"source" )", R"("a"})", "':'"},
      {R"({"source":"a",)", "}", "a key"},
      {R"({"source":"a")", "]", "',' or '}'"},
      {R"({"source":"a","attrs":{"x":[1 )", "2]}}", "',' or ']'"},
      // Escapes before it, which are resolved in place, do not lead astray.
      {R"({"source":"a\"b\n{","text":"\u0041\"}","attrs":{"\"k":1 )", R"(2}})", "',' or '}'"},
  };
  for (const auto& [good, bad, expected] : cases) {
    CAPTURE(good);
    std::string error = ErrorOf(std::string(good) + bad + "\n{\"source\":\"z\"}\n");
    CHECK(Has(error, "(byte " + std::to_string(kHeaderLine.size() + std::strlen(good)) + ")"));
    CHECK(Has(error, std::string("observation 1: malformed JSON: ") + expected + " is expected here"));
    const std::string before = R"({"schema":"attribution/observations/v1","observations":[{"source":"\"a"},)";
    auto document = ReadText(before + good + bad + "]}");
    REQUIRE(!document.ok());
    CHECK(document.error().byte == before.size() + std::strlen(good));
  }
}

TEST_CASE("a bad escape is refused at its byte; an escaped NUL is text") {
  for (const char* text : {R"({"source":"a","text":"x\n\x"})", R"({"source":"a","attrs":{"k\x":1}})"}) {
    std::string error = ErrorOf(text);
    CHECK(Has(error, "a string with a bad escape"));
    CHECK(Has(error, "(byte " + std::to_string(kHeaderLine.size() + std::string(text).find("\\x")) + ")"));
  }
  auto set = Lines(R"({"source":"a","text":"x\u0000y"})");
  REQUIRE(set.observations.size() == 1);
  CHECK(set.observations[0].text == std::string_view("x\0y", 3));
}

TEST_CASE("a cut-off last line is named as such") {
  CHECK(Has(ErrorOf("{\"source\":\"a\"}\n{\"source\":\"b"), "cut off"));
  CHECK(Has(ErrorOf("{\"source\":\"a\"}\n{\"source\":\"b\""), "cut off"));
}

TEST_CASE("a schema that is missing, misspelled or of another version is refused") {
  CHECK(Has(ReadText(R"({"attempt":{}})").error().ToString(), "there is no \"schema\""));
  CHECK(Has(ReadText(R"({"shcema":"attribution/observations/v1"})").error().ToString(), "did you mean \"schema\"?"));
  CHECK(Has(ReadText(R"({"schema":"attribution/observations/v2"})").error().ToString(), "attribution/observations/v2"));
  CHECK(Has(ReadText("{\"source\":\"a\"}\n{\"source\":\"b\"}").error().ToString(), "not a header"));
  CHECK(Has(ReadText("[]").error().ToString(), "object"));
  CHECK(Has(ErrorOf(kHeaderLine), "a second header"));
}

TEST_CASE("an observation without source and fields of wrong types are refused") {
  CHECK(Has(ErrorOf(R"({"text":"x"})"), "without \"source\""));
  CHECK(Has(ErrorOf(R"({"source":""})"), "without \"source\""));
  for (const char* field :
       {R"("text":1)", R"("rank":"1")", R"("rank":1.5)", R"("rank":-1)", R"("rank":99999999999)", R"("seq":-1)",
        R"("value":"1")", R"("value":true)", R"("value":{})", R"("attrs":[])", R"("attrs":"x")", R"("time":1.5)",
        R"("time":true)", R"("time":{})", R"("time_range":1)", R"("node":["n1"])", R"("clock":"nowhere")"}) {
    CAPTURE(field);
    std::string error = ErrorOf(R"({"source":"a",)" + std::string(field) + "}");
    CHECK(Has(error, "in0:2 (byte "));
    CHECK(Has(error, "observation 1: "));
  }
}

TEST_CASE("wrong headers are refused with the key's name") {
  for (const char* field : {R"("attempt":1)",
                            R"("attempt":{"id":1})",
                            R"("attempt":{"start":"x"})",
                            R"("attempt":{"start":17})",
                            R"("attempt":{"exit_code":"1"})",
                            R"("attempt":{"nodes":[1]})",
                            R"("attempt":{"nodes":[{}]})",
                            R"("attempt":{"nodes":[{"name":"a","ranks":[-1]}]})",
                            R"("attempt":{"nodes":[{"name":"a","gpus":[{}]}]})",
                            R"("attempt":{"nodes":[{"name":"a","labels":{"x":1}}]})",
                            R"("time_unit":"h")",
                            R"("skew":5)",
                            R"("skew":"5")",
                            R"("skew":"2d")",
                            R"("clocks":{})",
                            R"("clocks":[{"tied":true}])",
                            R"("clocks":[{"name":"a"},{"name":"a"}])",
                            R"("coverage":[{}])",
                            R"("coverage":[{"source":"a","status":"fine"}])",
                            R"("coverage":[{"source":"a","from":"x"}])",
                            R"("coverage":[{"source":"a","nodes":["a","b"],"ranks":[1]}])",
                            R"("observations":{})",
                            R"("attempt":{"nodes":["a"]},"attempt":{})",
                            R"("attempt":{"start":"2026-03-02T12:10:02Z","end":"2026-03-02T12:10:01Z"})",
                            R"("coverage":[{"source":"a","from":"2026-03-02T12:10:02Z","to":"2026-03-02T12:10:01Z"}])",
                            R"("attempt":{"nodes":[{"name":"a","ranks":[1]},{"name":"b","ranks":[1]}]})"}) {
    CAPTURE(field);
    auto set = ReadText(R"({"schema":"attribution/observations/v1",)" + std::string(field) + "}");
    REQUIRE(!set.ok());
    CHECK(set.error().file == "in0");
    CHECK(set.error().kind == ErrorKind::kInput);
    CHECK(!set.error().message.empty());
  }
}

TEST_CASE("a key that stands twice is refused") {
  CHECK(Has(ErrorOf(R"({"source":"a","source":"a"})"), "\"source\" stands twice"));
  CHECK(Has(ErrorOf(R"({"source":"a","attrs":{"x":1,"x":1}})"), "\"attrs.x\" stands twice"));
  CHECK(Has(ErrorOf(R"({"source":"a","attrs":{"x":{"y":1},"x.y":1}})"), "\"attrs.x.y\" stands twice"));
}

TEST_CASE("NUL bytes and control characters are refused at their byte") {
  std::string error = ErrorOf(std::string("{\"source\":\"a\",\"text\":\"x\0y\"}", 26));
  CHECK(Has(error, "control character (0x00)"));
  CHECK(Has(error, "(byte " + std::to_string(kHeaderLine.size() + 23) + ")"));
  CHECK(Has(ErrorOf(std::string("\0\0\0\n", 4)), "malformed JSON"));
  CHECK(Has(ErrorOf("{\"source\":\"a\",\"text\":\"x\ty\"}"), "0x09"));
}

TEST_CASE("byte offsets after repaired bytes are those of the file") {
  std::string line = "{\"source\":\"\xFF\xFF\xFF\",\"rank\":\"x\"}";
  std::string error = ErrorOf(line);
  CHECK(Has(error, "(byte " + std::to_string(kHeaderLine.size() + line.find("\"x\"")) + ")"));
}

TEST_CASE("a line of 10 MB is read; one beyond the limit and too many rows are refused") {
  std::string text(10 << 20, 'x');
  auto set = ReadText(kHeaderLine + R"({"source":"a","text":")" + text + "\"}\n{\"source\":\"b\"}");
  REQUIRE(set.ok());
  CHECK(set->observations[1].source != set->observations[0].source);
  CHECK(std::max(set->observations[0].text.size(), set->observations[1].text.size()) == text.size());
  ReadLimits limits;
  limits.line_bytes = 100;
  auto refuse = [&](const std::string& lines) {
    return ReadObservations({{"in", kHeaderLine + lines}}, limits).error().ToString();
  };
  CHECK(Has(refuse(R"({"source":"a","text":")" + std::string(200, 'x') + "\"}"), "longer than 100 bytes"));
  limits = {};
  limits.observations = 1;
  CHECK(Has(refuse("{\"source\":\"a\"}\n{\"source\":\"b\"}"), "more than 1 observations"));
}

TEST_CASE("line ends that a text escapes are no lines of the file") {
  const std::string head = "{\"schema\":\"attribution/observations/v1\",\"attempt\":{\"id\":\"1\"}";
  const std::string traceback = "{\"source\":\"kernel\",\"text\":\"a\\nb\\nc\"";
  CHECK(
      Has(ReadText(head + "}\n" + traceback + "}\n" + traceback + ",\"rank\":\"x\"}\n").error().ToString(), "in0:3 "));
  const std::string rows = traceback + "},\n" + traceback + ",\"rank\":\"x\"}";
  CHECK(Has(ReadText(head + ",\n\"observations\":[\n" + rows + "]}").error().ToString(), "in0:4 "));
}

TEST_CASE("an unknown key that stands twice is refused as well") {
  const std::string head = "{\"schema\":\"attribution/observations/v1\",\"attempt\":{\"id\":\"1\"}}\n";
  CHECK(Has(ReadText(head + "{\"source\":\"kernel\",\"zz\":1,\"zz\":2}\n").error().ToString(), "\"zz\" stands twice"));
}

TEST_CASE("deep nesting is refused, not followed") {
  for (size_t depth : {34UL, 70UL, 2000UL, 200'000UL}) {
    std::string open, close;
    for (size_t i = 0; i < depth; ++i) {
      open += i % 2 == 0 ? "{\"a\":" : "[";
      close.insert(0, i % 2 == 0 ? "}" : "]");
    }
    CHECK(ErrorOf(R"({"source":"a","attrs":)" + open + "1" + close + "}") != "");
    CHECK((depth < 64 || ErrorOf(R"({"source":"a","other":)" + open + "1" + close + "}") != ""));
  }
}

TEST_CASE("text after a document of observations is refused") {
  const std::string one = R"({"schema":"attribution/observations/v1","observations":[]})";
  CHECK(Has(ReadText(one + "\n" + one).error().ToString(), "in0:2"));
  CHECK(!ReadText(one + one).ok());
}

}  // namespace attr::ingest
