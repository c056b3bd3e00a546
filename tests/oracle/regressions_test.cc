// Every difference that was found once, and a fixed portion of random pairs.
#include <doctest.h>

#include "tests/oracle/fuzz/files.h"
#include "tests/oracle/fuzz/run.h"

namespace attr::oracle {

// Under the sanitizers each pair takes ten times as long, and fewer do.
#ifdef __SANITIZE_ADDRESS__
constexpr uint64_t kPairs = 200;
#else
constexpr uint64_t kPairs = 1500;
#endif

TEST_CASE("stored regressions: equal bytes by interpreter, native code and oracle") {
  size_t ran = 0;
  for (const std::string& folder : FoldersIn(std::string(ATTR_SOURCE_DIR) + "/tests/oracle/regressions")) {
    INFO(folder);
    const Comparison result = Compare(ReadCase(folder), {true});
    // A construct that the compiler still refuses waits for it.
    if (result.kind == Comparison::Kind::kNotYet) continue;
    CHECK_MESSAGE(result.kind == Comparison::Kind::kEqual, result.why);
    ++ran;
  }
  CHECK(ran >= 1);
}

TEST_CASE("random pairs from a fixed seed: equal bytes") {
  RunOptions options;
  options.seed = 1;
  options.count = kPairs;
  options.constructs = EvaluatedConstructs();
  options.native_every = 60;
  options.metamorphic_every = 15;
  options.more = [&](uint64_t done) { return done < options.count; };
  const RunResult result = RunPairs(options);
  INFO(result.Summary());
  CHECK(result.different == 0);
  CHECK(result.equal >= kPairs * 8 / 15);
  CHECK(result.unread_pairs == 0);
  if (kPairs < 1500) return;
  // What the pairs reach: a generator that stops reaching it has stopped testing it.
  for (const char* feature :
       {"attributed", "ambiguous", "provisional", "jointly", "demoted by", "outranked", "open places", "presumed",
        "bystanders", "candidates", "lacking", "all combinations tried"}) {
    CHECK_MESSAGE(result.features.at(feature) >= 5, feature);
  }
}

}  // namespace attr::oracle
