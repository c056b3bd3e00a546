// The embedding interface: a verified plan and an observation set to a verdict.
// No exceptions come out, nothing aborts, no file, clock or network is touched
// (but the object cache, when a native engine is made with one).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/eval/kernel.h"
#include "runtime/model/observation_set.h"
#include "runtime/model/verdict.h"
#include "runtime/plan/plan.h"

namespace attr {

enum class EngineChoice : uint8_t { kAuto, kInterpreter, kNative };

struct AttributeOptions {
  EngineChoice engine = EngineChoice::kAuto;
  unsigned threads = 1;
  std::string cache_dir;    // empty: no object cache
  std::string pack_sha256;  // of the pack file's content; keys the object cache and the verdict
};

/// What was done and how long it took; for `attrc run --stats`.
struct Stats {
  struct Phase {
    std::string name;
    uint64_t nanos = 0;
  };
  std::vector<Phase> phases;  // match, scan, join, demote, resolve, compile, ...
  std::string engine;         // which engine ran, and why when `auto` chose
  uint64_t kernels = 0, kernels_compiled = 0, kernels_from_cache = 0;
  std::string cache;  // "hit", "stored", "off: folder not writable", ...
  uint64_t observations = 0, matched_lines = 0, events = 0, phantoms = 0;
  uint64_t candidate_pairs = 0, findings = 0, edges = 0;
};

Result<model::Verdict> Attribute(const plan::Plan& plan, const model::ObservationSet& set,
                                 const AttributeOptions& options, Stats* stats = nullptr);

}  // namespace attr
