// What completes a set once every input is read. Internal to this room.
#pragma once

#include "runtime/model/observation_set.h"

namespace attr::ingest {

/// The attempt's state as a scheduler record, coverage that observations
/// contradict, streams, the canonical order and hash, warnings.
void Finish(model::ObservationSet* set);

}  // namespace attr::ingest
