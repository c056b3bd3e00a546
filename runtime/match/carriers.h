// `from a | b`: carriers of the same lines. Per observer a line counts from the
// first listed source that has observations there; a later one only fills the
// blind time of the earlier (semantics.md S12).
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/match/coverage.h"

namespace attr::match {

class CarrierIndex {
 public:
  CarrierIndex(const eval::Context& context, const Scope& scope, const CoverageIndex& coverage)
      : context_(context), scope_(scope), coverage_(coverage) {}

  /// Which observations count for `alternative` of this reference; null: all of its
  /// source. The bitmap lives as long as the index.
  const eval::Bitmap* Admitted(const plan::SourceRef& reference, size_t alternative);

 private:
  struct Seen {
    Interval hull{plan::kAfterAll, plan::kBeforeAll};  // of stamps
    bool any = false;
  };
  using ByObserver = std::unordered_map<uint32_t, Seen>;

  const ByObserver& Observers(const plan::SourceAlternative& alternative);
  bool Fills(const plan::SourceAlternative& earlier, uint32_t observer, const Seen& seen, Interval moment);

  const eval::Context& context_;
  const Scope& scope_;
  const CoverageIndex& coverage_;
  std::map<std::string, ByObserver> observers_;
  std::map<std::pair<std::string, uint32_t>, Intervals> blind_;
  std::map<std::string, eval::Bitmap> admitted_;
};

/// The observation is one of the source's, by source and metric name.
bool IsOf(const eval::Context& context, const plan::SourceAlternative& source, const model::Observation& observation);
std::string KeyOf(const plan::Plan& plan, const plan::SourceAlternative& source);

}  // namespace attr::match
