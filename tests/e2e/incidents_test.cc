// The incidents below examples/: the stored verdict, and the same bytes from
// both engines, one and two threads, shuffled, split and as one document.
#include <doctest.h>

#include <cstdlib>

#include "tests/e2e/inputs.h"

namespace attr::e2e {

namespace {

void CheckSame(const std::string& expected, const std::string& actual, const std::string& how) {
  INFO(how);
  CHECK(actual == expected);
}

}  // namespace

TEST_CASE("there are at least ten incidents") { CHECK(IncidentFolders().size() >= 10); }

TEST_CASE("every incident has its stored verdict") {
  for (const std::string& folder : IncidentFolders()) {
    INFO(folder);
    std::string verdict = Run({ReadFile(folder + "/observations.ndjson")}, EngineChoice::kInterpreter, 1);
    if (std::getenv("ATTR_UPDATE_GOLDEN") != nullptr) WriteFile(folder + "/expected.json", verdict);
    CHECK(verdict == ReadFile(folder + "/expected.json"));
  }
}

TEST_CASE("engine, threads, order, split and form do not change a byte of a verdict") {
  for (const std::string& folder : IncidentFolders()) {
    INFO(folder);
    std::string set = ReadFile(folder + "/observations.ndjson");
    std::string expected = Run({set}, EngineChoice::kInterpreter, 1);
    REQUIRE(expected.rfind("error:", 0) == std::string::npos);
    CheckSame(expected, Run({set}, EngineChoice::kNative, 1), "native");
    CheckSame(expected, Run({set}, EngineChoice::kAuto, 2), "auto, two threads");
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      CheckSame(expected, Run({Shuffled(set, seed)}, EngineChoice::kInterpreter, 1), "shuffled");
      CheckSame(expected, Run(Split(Shuffled(set, seed), 3), EngineChoice::kNative, 2), "shuffled, split, native");
    }
    CheckSame(expected, Run(Split(set, 2), EngineChoice::kInterpreter, 1), "split");
    CheckSame(expected, Run({AsDocument(set)}, EngineChoice::kInterpreter, 1), "one document");
  }
}

}  // namespace attr::e2e
