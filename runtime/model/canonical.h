// The canonical form of an observation set: the total order of its observations,
// their serialization and its SHA-256. The same for every order, split and key
// order of the input (docs/observation-set.md, "Canonical form").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/model/observation_set.h"

namespace attr::model {

/// Builds aliases, rank_nodes from attempt.nodes. An error names what two nodes both claim.
std::optional<std::string> IndexInventory(ObservationSet* set);

/// Makes each stream's times monotone and gives stampless observations the range
/// between their neighbours (language.md section 3, Time; semantics.md S3).
void SettleStreams(ObservationSet* set);

/// Sorts clocks, coverage and observations, computes sha256. Afterwards the set
/// is canonical; interner ids keep the order of first use.
void Canonicalize(ObservationSet* set);

/// Appends the canonical bytes of one observation.
void AppendCanonical(const ObservationSet& set, const Observation& row, std::string* out);

/// Both rows say the same, ids included.
bool SameContent(const ObservationSet& set, const Observation& a, const Observation& b);

}  // namespace attr::model
