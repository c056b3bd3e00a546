#include "runtime/match/undeclared.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace attr::match {

std::vector<std::string> UndeclaredSources(const eval::Context& context) {
  const plan::Plan& plan = *context.plan;
  const model::ObservationSet& set = *context.set;
  std::vector<uint64_t> counts(set.names.size());
  for (const model::Observation& observation : set.observations) {
    if (observation.source != model::kNoId) ++counts[observation.source];
  }
  std::map<std::string_view, uint64_t> undeclared;
  for (uint32_t id = 0; id < counts.size(); ++id) {
    const std::string_view name = set.names.Text(id);
    const auto declares = [&](plan::StrId source) { return plan.Str(source) == name; };
    const bool declared = std::any_of(plan.sources.begin(), plan.sources.end(), declares);
    if (counts[id] != 0 && !declared) undeclared.emplace(name, counts[id]);
  }
  std::vector<std::string> out;
  for (const auto& [name, count] : undeclared) {
    out.push_back(fmt::format("{} observation{} of source \"{}\", which no pack declares", count,
                              count == 1 ? " is" : "s are", name));
  }
  return out;
}

}  // namespace attr::match
