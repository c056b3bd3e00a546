// What completes a set once every input is read. Internal to this room.
#pragma once

#include "runtime/model/observation_set.h"

namespace attr::ingest {

/// What the reader saw of the rows, so that nobody has to go through them again.
struct RowFacts {
  bool positions = false;  // any row has a position in a stream
  bool job_end = false;    // the scheduler's record of the end is among them
};

/// The attempt's state as a scheduler record, coverage that observations
/// contradict, streams, the canonical order and hash, warnings.
void Finish(model::ObservationSet* set, const RowFacts& facts);

}  // namespace attr::ingest
