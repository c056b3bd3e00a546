// Observations of a source that no pack declares: most likely a misspelt name,
// which no event would ever match.
#pragma once

#include <string>
#include <vector>

#include "runtime/match/scope.h"

namespace attr::match {

/// One sentence a source, by name.
std::vector<std::string> UndeclaredSources(const eval::Context& context, const Scope& scope);

}  // namespace attr::match
