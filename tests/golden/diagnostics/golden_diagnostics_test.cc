// Every diagnostic has a page, a place that raises it and a golden case. Cases
// are `A0104-short-name.attr` with `A0104-short-name.expected` beside them;
// ATTR_UPDATE_GOLDEN=1 writes the expected files anew (read the difference!).
#include <doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/diagnostics/registry.h"
#include "tests/golden/diagnostics/golden_case.h"

namespace attr::golden {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = ATTR_SOURCE_DIR;

std::string ReadFile(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<fs::path> Cases() {
  std::vector<fs::path> cases;
  for (const auto& entry : fs::directory_iterator(kSource / "tests/golden/diagnostics")) {
    if (entry.path().extension() == ".attr") cases.push_back(entry.path());
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

TEST_CASE("each case is rendered as expected and gives the code it is named after") {
  const char* update = std::getenv("ATTR_UPDATE_GOLDEN");
  REQUIRE(!Cases().empty());
  for (const fs::path& path : Cases()) {
    CAPTURE(path.filename().string());
    std::vector<std::string> codes;
    const std::string rendered = RenderCase(ReadCase(ReadFile(path)), codes);
    fs::path expected = path;
    expected.replace_extension(".expected");
    if (update != nullptr && std::string_view(update) == "1") std::ofstream(expected, std::ios::binary) << rendered;
    CHECK(rendered == ReadFile(expected));
    CHECK(std::find(codes.begin(), codes.end(), path.filename().string().substr(0, 5)) != codes.end());
  }
}

TEST_CASE("every code of the registry has a golden case") {
  const auto cases = Cases();
  for (const auto& info : diagnostics::AllCodes()) {
    const std::string code = diagnostics::CodeText(info.code);
    CAPTURE(code);
    CHECK(std::any_of(cases.begin(), cases.end(),
                      [&](const fs::path& path) { return path.filename().string().rfind(code + "-", 0) == 0; }));
  }
}

TEST_CASE("every code of the registry has a page that names it") {
  for (const auto& info : diagnostics::AllCodes()) {
    const std::string code = diagnostics::CodeText(info.code);
    CAPTURE(code);
    const std::string page = ReadFile(kSource / "docs/diagnostics" / (code + ".md"));
    CHECK(page.rfind("# " + code + ": ", 0) == 0);
    CHECK(page.find("```") != std::string::npos);
  }
}

TEST_CASE("every page belongs to a code of the registry") {
  const auto& codes = diagnostics::AllCodes();
  for (const auto& entry : fs::directory_iterator(kSource / "docs/diagnostics")) {
    const std::string name = entry.path().stem().string();
    if (name.size() != 5 || name[0] != 'A') continue;
    CAPTURE(name);
    CHECK(std::any_of(codes.begin(), codes.end(),
                      [&](const auto& info) { return diagnostics::CodeText(info.code) == name; }));
  }
}

TEST_CASE("every code of the registry is raised somewhere") {
  std::string sources;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "compiler")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".cc" && name.find("_test.cc") == std::string::npos) {
      sources += ReadFile(entry.path());
    }
  }
  for (const auto& info : diagnostics::AllCodes()) {
    const std::string name(info.name);
    CAPTURE(name);
    bool raised = false;
    for (size_t at = sources.find(name); at != std::string::npos && !raised; at = sources.find(name, at + 1)) {
      const size_t end = at + name.size();
      raised = end < sources.size() && std::isalnum(static_cast<unsigned char>(sources[end])) == 0;
    }
    CHECK(raised);
  }
}

}  // namespace
}  // namespace attr::golden
