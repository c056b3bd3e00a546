// Settled or provisional, and what would change it (semantics.md S1).
#pragma once

#include <vector>

#include "runtime/model/verdict.h"
#include "runtime/resolve/flow.h"

namespace attr::resolve {

/// Unevaluable causes one of whose demotions names a nominal survivor or a symptom
/// that nothing explains in the nominal reading; all of them when nothing survives
/// there, since each alone would then be the answer.
std::vector<uint32_t> FindTried(const Problem& problem, const Flow& nominal, const Assignment& assignment);

/// Survivors on both bounds give the same answer, and the terminal state is known.
bool IsSettled(const Problem& problem, const Flow& flow, const Terminal& terminal);

/// Groups of unknowns, each decided the other way. At most 64; `more` counts the rest.
std::vector<model::WouldChange> FindWouldChange(const Problem& problem, const Assignment& bounds, uint64_t* more);

}  // namespace attr::resolve
