// An observation set without one source: the same incident had it not been
// collected. For tests that ask what a verdict depends on.
#pragma once

#include <string>
#include <vector>

#include "runtime/model/observation_set.h"

namespace attr::model {

/// Removes `source`'s observations and coverage, on `nodes` (canonical names or
/// aliases) or, when that is empty, everywhere. Coverage rows without a node are
/// kept for the other nodes. `sha256` still names the set as it was read.
void Drop(ObservationSet& set, const std::string& source, const std::vector<std::string>& nodes);

}  // namespace attr::model
