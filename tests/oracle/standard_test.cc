// The standard packs and the stored incidents through the oracle: real rules,
// real lines, the same bytes.
#include <doctest.h>

#include "compiler/standard/standard_packs.h"
#include "tests/oracle/fuzz/files.h"

namespace attr::oracle {

namespace {

PackText TextOf(const compiler::PackSource& source) {
  PackText out;
  for (const compiler::PackFile& file : source.rules) out.rules[file.path] = file.text;
  for (const auto& [name, file] : source.tables) out.tables[name] = file.text;
  return out;
}

Case Standard(const std::string& name) {
  const compiler::Importer importer = standard::StandardImporter();
  Case out;
  out.pack = TextOf(*importer.load(name));
  for (const std::string& other : importer.names) {
    if (other != name) out.imports[other] = TextOf(*importer.load(other));
  }
  return out;
}

}  // namespace

TEST_CASE("tests of the standard packs: the oracle gives the product's bytes") {
  const compiler::Importer importer = standard::StandardImporter();
  size_t tests = 0;
  for (const std::string& name : importer.names) {
    const Subject subject(Standard(name));
    const compiler::Compilation compilation = compiler::Compile(*importer.load(name), importer);
    for (const testing::TestCase& test : compilation.tests) {
      INFO(name << ": " << test.name);
      const Comparison result = subject.Compare(test.observations, {});
      CHECK_MESSAGE(result.kind == Comparison::Kind::kEqual, result.why);
      ++tests;
    }
  }
  CHECK(tests >= 30);
}

TEST_CASE("stored incidents: the oracle gives the product's bytes") {
  const Subject subject(Standard("std"));
  size_t incidents = 0;
  for (const std::string& folder : FoldersIn(std::string(ATTR_SOURCE_DIR) + "/examples")) {
    const std::string observations = ReadFile(folder + "/observations.ndjson");
    if (observations.empty()) continue;
    INFO(folder);
    const Comparison result = subject.Compare(observations, {});
    CHECK_MESSAGE(result.kind == Comparison::Kind::kEqual, result.why);
    ++incidents;
  }
  CHECK(incidents >= 5);
}

}  // namespace attr::oracle
