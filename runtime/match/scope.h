// What of the observation set takes part (language.md section 6.1): an
// observation is out only when it is known to lie outside the attempt.
#pragma once

#include "runtime/eval/tables.h"
#include "runtime/match/match.h"

namespace attr::match {

struct Scope {
  eval::Bitmap in;  // by observation
  ScopeCounts counts;
  std::vector<uint64_t> of_source;  // observations by their source's names id, those outside too
};

/// The scope tests the stamp, not the begin that `since` moves. `history` is
/// about other attempts and other times: for it only the node is tested.
/// An event's own scope is never narrower than the pack's.
Scope ScopeOf(const plan::Plan& plan, const model::ObservationSet& set, const plan::EventScope& own = {});

}  // namespace attr::match
