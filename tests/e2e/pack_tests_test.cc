// Every `test` block of the standard packs, through both engines: the verdicts
// are equal byte for byte, and they hold what the test expects.
#include <doctest.h>

#include "compiler/standard/standard_packs.h"
#include "runtime/report/report.h"
#include "tests/e2e/inputs.h"

namespace attr::e2e {

namespace {

struct Loaded {
  compiler::Compilation compilation;
  pack::Pack pack;
};

Loaded Load(const std::string& name) {
  compiler::Importer importer = standard::StandardImporter();
  auto source = importer.load(name);
  REQUIRE(source.has_value());
  Loaded out{compiler::Compile(*source, importer), {}};
  REQUIRE(out.compilation.plan.has_value());
  auto pack = pack::Decode(pack::Encode(*out.compilation.plan), name);
  REQUIRE(pack.ok());
  out.pack = std::move(*pack);
  return out;
}

model::Verdict VerdictOf(const Loaded& loaded, const std::string& document, EngineChoice engine) {
  std::vector<ingest::Input> inputs;
  inputs.push_back({"test", document});
  auto set = ingest::ReadObservations(std::move(inputs));
  REQUIRE(set.ok());
  AttributeOptions options;
  options.engine = engine;
  options.pack_sha256 = loaded.pack.sha256;
  options.cache_dir = CacheFolder();
  auto verdict = Attribute(loaded.pack.plan, *set, options);
  REQUIRE(verdict.ok());
  return std::move(*verdict);
}

}  // namespace

TEST_CASE("the standard packs' own tests hold on both engines, with equal bytes") {
  size_t tests = 0;
  for (const std::string& name : standard::StandardImporter().names) {
    Loaded loaded = Load(name);
    for (const testing::TestCase& test : loaded.compilation.tests) {
      INFO(name << ": " << test.name);
      model::Verdict interpreted = VerdictOf(loaded, test.observations, EngineChoice::kInterpreter);
      model::Verdict native = VerdictOf(loaded, test.observations, EngineChoice::kNative);
      CHECK(report::ToJson(interpreted) == report::ToJson(native));
      for (const testing::Mismatch& mismatch : testing::Check(*test.decl, interpreted)) {
        FAIL_CHECK("expected " << loaded.compilation.sources.Text(mismatch.span) << ", got " << mismatch.actual);
      }
      ++tests;
    }
  }
  CHECK(tests >= 30);
}

}  // namespace attr::e2e
