// Many pairs, counted.
#pragma once

#include <functional>

#include "tests/oracle/fuzz/minimize.h"

namespace attr::oracle {

struct RunOptions {
  uint64_t seed = 1;
  uint64_t count = 1000;
  uint64_t native_every = 50;
  uint64_t metamorphic_every = 20;
  uint64_t stop_after = 5;
  bool print = false, minimize = false, show_rejected = false;
  std::set<std::string> constructs;    // that packs may use
  std::string out;                     // folder for failures; empty: none is written
  std::function<bool(uint64_t)> more;  // asked with the number of pairs done
};

struct RunResult {
  uint64_t pairs = 0, equal = 0, different = 0, native = 0, metamorphic = 0, rejected = 0;
  uint64_t refused_pairs = 0, unread_pairs = 0;
  std::map<std::string, uint64_t> features;  // of the verdicts: how often they show what
  std::map<std::string, uint64_t> uses;      // construct: equal pairs that use it
  std::map<std::string, uint64_t> refused;   // construct: pairs that the compiler refuses with A0900
  std::map<std::string, uint64_t> unread;    // construct: pairs that the oracle does not read
  std::map<std::string, uint64_t> errors;    // other errors: the generator's own
  std::vector<std::string> failures;         // described

  std::string Summary() const;
};

RunResult RunPairs(const RunOptions& options);

/// Empty when every equal form of the set gives the same verdict, else what differs.
std::string CheckMetamorphic(const Draft& draft, uint64_t seed);

}  // namespace attr::oracle
