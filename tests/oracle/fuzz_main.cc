// attr_oracle_fuzz: random pairs through interpreter, native code and oracle.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>

#include "tests/oracle/fuzz/files.h"
#include "tests/oracle/fuzz/run.h"

int main(int argc, char** argv) {
  attr::oracle::RunOptions options;
  std::vector<std::string> folders;
  uint64_t seconds = 0;
  std::string constructs;
  CLI::App app{"Compares the product with the oracle on random packs and observation sets"};
  app.add_option("--seed", options.seed, "seed of the first pair");
  app.add_option("--count", options.count, "pairs");
  app.add_option("--seconds", seconds, "as many pairs as fit");
  app.add_option("--native-every", options.native_every, "native code for one pair in so many; 0: never");
  app.add_option("--metamorphic-every", options.metamorphic_every,
                 "metamorphic checks for one pair in so many; 0: never");
  app.add_option("--stop-after", options.stop_after, "failures");
  app.add_option("--constructs", constructs, "only these, parted by commas; without: all that the compiler evaluates");
  app.add_option("--out", options.out, "folder for minimised failures");
  app.add_flag("--print", options.print, "print every pair");
  app.add_flag("--show-rejected", options.show_rejected, "print pairs that the compiler rejects");
  app.add_flag("--minimize", options.minimize, "make failures small");
  app.add_option("folders", folders, "stored cases to run instead");
  CLI11_PARSE(app, argc, argv);
  if (!folders.empty()) {
    int failed = 0;
    for (const std::string& folder : folders) {
      const attr::oracle::Comparison result = attr::oracle::Compare(attr::oracle::ReadCase(folder), {true});
      const bool fine = result.kind == attr::oracle::Comparison::Kind::kEqual;
      std::printf("%s: %s\n%s\n", folder.c_str(), fine ? "equal" : "not equal", result.why.c_str());
      failed += fine ? 0 : 1;
    }
    return failed == 0 ? 0 : 1;
  }
  if (constructs.empty()) options.constructs = attr::oracle::EvaluatedConstructs();
  for (size_t begin = 0; begin < constructs.size();) {
    const size_t end = std::min(constructs.find(',', begin), constructs.size());
    options.constructs.insert(constructs.substr(begin, end - begin));
    begin = end + 1;
  }
  const auto start = std::chrono::steady_clock::now();
  options.more = [&](uint64_t done) {
    if (seconds == 0) return done < options.count;
    return std::chrono::steady_clock::now() - start < std::chrono::seconds(seconds);
  };
  const attr::oracle::RunResult result = attr::oracle::RunPairs(options);
  std::fputs(result.Summary().c_str(), stdout);
  return result.different == 0 ? 0 : 1;
}
