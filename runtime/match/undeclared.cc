#include "runtime/match/undeclared.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace attr::match {

namespace {

std::set<std::string_view> DeclaredSources(const plan::Plan& plan) {
  std::set<std::string_view> out;
  for (plan::StrId source : plan.sources) out.insert(plan.Str(source));
  for (const plan::Event& event : plan.events) {
    for (const plan::SourceRef& ref : event.sources) {
      for (const plan::SourceAlternative& alternative : ref.alternatives) out.insert(plan.Str(alternative.source));
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> UndeclaredSources(const eval::Context& context, const Scope& scope) {
  const std::set<std::string_view> known = DeclaredSources(*context.plan);
  const model::ObservationSet& set = *context.set;
  const std::vector<uint64_t>& counts = scope.of_source;
  std::map<std::string_view, uint64_t> undeclared;
  for (uint32_t id = 0; id < counts.size(); ++id) {
    const std::string_view name = set.names.Text(id);
    if (counts[id] != 0 && known.count(name) == 0) undeclared.emplace(name, counts[id]);
  }
  std::vector<std::string> out;
  for (const auto& [name, count] : undeclared) {
    out.push_back(fmt::format("{} observation{} of source \"{}\", which no pack declares", count,
                              count == 1 ? " is" : "s are", name));
  }
  return out;
}

}  // namespace attr::match
