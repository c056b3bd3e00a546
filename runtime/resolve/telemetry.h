// Reasons of an unknown (semantics.md S18): which telemetry would decide it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/resolve/problem.h"

namespace attr::resolve {

/// "kernel" with the nodes that lack it, or words for what records of a source
/// lack: "time of application records". No places: everywhere.
struct Telemetry {
  std::string source;
  std::vector<std::string> places;  // natural order
};

/// Source to places, of a list of gaps. A gap without a place clears the list.
std::map<std::string, std::vector<std::string>> GapPlaces(const eval::Context& context,
                                                          const std::vector<uint32_t>& gaps);
/// Sources that are needed together are one: "fabric, kernel".
Telemetry NeededBy(const Problem& problem, const eval::Finding& finding);
/// Its records lack a time or a place: then they are the reason, whatever it is related to.
bool LacksTimeOrPlace(const Problem& problem, const eval::Finding& finding);
/// Of a relation that is not certain.
Telemetry NeededByEdge(const Problem& problem, const eval::Edge& edge);
/// Of an unevaluable rule: all its gaps, or the limit that it is over.
Telemetry NeededByRule(const Problem& problem, uint32_t rule);
/// The same, source by source.
std::vector<Telemetry> LackedBy(const Problem& problem, uint32_t rule);

}  // namespace attr::resolve
