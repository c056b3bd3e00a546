// Reports against golden files (golden/, rewritten by ATTR_UPDATE_GOLDEN=1 in the
// environment; read what changed), and what must hold for every report.
#include "runtime/report/report.h"

#include <doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "runtime/base/json_text.h"
#include "runtime/report/sample_verdicts.h"
#include "runtime/report/visible.h"
#include "runtime/report/words.h"

namespace attr::report {

namespace {

void CheckGolden(const std::string& name, const std::string& actual) {
  std::string path = std::string(ATTR_SOURCE_DIR) + "/runtime/report/golden/" + name;
  if (std::getenv("ATTR_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << actual;
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), path);
  std::stringstream expected;
  expected << file.rdbuf();
  CHECK_MESSAGE(expected.str() == actual, name);
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> out;
  std::stringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

const std::pair<const char*, model::Verdict (*)()> kSamples[] = {{"nvlink", NvlinkVerdict},
                                                                 {"ambiguous", AmbiguousVerdict},
                                                                 {"unattributed", UnattributedVerdict},
                                                                 {"succeeded", SucceededVerdict},
                                                                 {"large", LargeVerdict}};

}  // namespace

TEST_CASE("texts and documents are as they were read and accepted") {
  for (const auto& [name, make] : kSamples) {
    CheckGolden(std::string(name) + "-80.txt", ToText(make(), {}));
    CheckGolden(std::string(name) + "-40.txt", ToText(make(), {false, 40}));
  }
  CheckGolden("nvlink.json", ToJson(NvlinkVerdict()));
  CheckGolden("unattributed.json", ToJson(UnattributedVerdict()));
  CheckGolden("ambiguous.json", ToJson(AmbiguousVerdict()));
}

TEST_CASE("no line is wider than asked, none breaks a character, none holds a control") {
  for (unsigned width : {1U, 40U, 53U, 80U, 200U}) {
    for (const auto& [name, make] : kSamples) {
      for (const std::string& line : Lines(ToText(make(), {false, width}))) {
        CHECK_MESSAGE(ColumnsOf(line) <= std::max(width, 40U), line);
        for (size_t i = 0; i < line.size();) {
          size_t length = Utf8SequenceLength(line, i);
          REQUIRE(length > 0);
          CHECK(static_cast<unsigned char>(line[i]) >= 0x20);
          i += length;
        }
      }
    }
  }
}

TEST_CASE("colour only when asked, and always taken back") {
  for (const auto& [name, make] : kSamples) {
    CHECK(ToText(make(), {}).find('\x1b') == std::string::npos);
    std::string coloured = ToText(make(), {true, 80});
    size_t on = 0, off = 0;
    for (size_t i = coloured.find('\x1b'); i != std::string::npos; i = coloured.find('\x1b', i + 1)) {
      coloured.compare(i, 4, "\x1b[0m") == 0 ? ++off : ++on;
    }
    CHECK(on > 0);
    CHECK(on == off);
  }
}

TEST_CASE("colour changes no letter") {
  std::string plain = ToText(AmbiguousVerdict(), {});
  std::string coloured = ToText(AmbiguousVerdict(), {true, 80});
  std::string stripped;
  for (size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') {
      i = coloured.find('m', i);
    } else {
      stripped += coloured[i];
    }
  }
  CHECK(stripped == plain);
}

TEST_CASE("the answer stands in the first line") {
  CHECK(Lines(ToText(NvlinkVerdict(), {}))[0] ==
        "ATTRIBUTED  fabric.nvlink: NVLink signal-integrity fault on n1  (settled)");
  CHECK(Lines(ToText(UnattributedVerdict(), {}))[0].rfind("UNATTRIBUTED", 0) == 0);
}

TEST_CASE("what a log says cannot steer a terminal") {
  CHECK(Visible("a\x1b[2Jb") == "a\\x1b[2Jb");
  CHECK(Visible("\xE2\x80\xAE") == "\\u{202e}");
  CHECK(Visible("\xC2\x9B") == "\\u{9b}");
  CHECK(Visible(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(Visible("\xff") == "\\xff");
  CHECK(Visible("\t\r\n") == " \\r\\n");
  CHECK(Visible("Grüße 端口") == "Grüße 端口");
  CHECK(ColumnsOf("端口") == 4);
  CHECK(ColumnsOf("e\xCC\x81") == 1);
}

TEST_CASE("an empty verdict is still a document") {
  model::Verdict empty;
  CHECK(ToJson(empty).find("\"status\": \"unattributed\"") != std::string::npos);
  CHECK(ToText(empty, {}).rfind("UNATTRIBUTED  no cause and no unexplained symptom was found", 0) == 0);
}

TEST_CASE("a JSON document escapes what it holds and gives ranges as two times") {
  model::Verdict v = NvlinkVerdict();
  v.causes[0].finding.evidence[0].text = "quote \" back \\ nul " + std::string(1, '\0') + " bad \xff";
  v.causes[0].finding.first.hi += plan::kSecond;
  v.causes[0].finding.last = {};
  std::string json = ToJson(v);
  CHECK(json.find(R"(quote \" back \\ nul \u0000 bad )"
                  "\xEF\xBF\xBD") != std::string::npos);
  CHECK(json.find(R"("first": ["2026-03-02T12:10:02Z", "2026-03-02T12:10:03Z"])") != std::string::npos);
  CHECK(json.find(R"("last": null)") != std::string::npos);
}

TEST_CASE("numbers are grouped, names shortened") {
  CHECK(Grouped(0) == "0");
  CHECK(Grouped(999) == "999");
  CHECK(Grouped(1000) == "1,000");
  CHECK(Grouped(12345678) == "12,345,678");
  CHECK(ShortName("std.gpu::gpu_lost") == "gpu_lost");
  CHECK(Places({"n1", "n2", "n3", "n4"}) == "n1..n4 (4)");
}

}  // namespace attr::report
