#include "tests/oracle/oracle.h"

namespace attr::oracle {

Outcome Evaluate(const Pack& pack, model::ObservationSet& set, const Limits& limits, const std::string& pack_sha256) {
  World world(pack, set, limits);
  Populate(&world);
  const Findings found = Find(world);
  const Resolution resolution(world, found);
  Outcome out;
  BuildVerdict(resolution, &out.verdict);
  BuildScope(resolution, pack_sha256, &out.verdict);
  out.settled_by_all = resolution.IsSettledByAllCombinations(9);
  return out;
}

}  // namespace attr::oracle
