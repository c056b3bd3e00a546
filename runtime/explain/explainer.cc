#include "runtime/explain/explainer.h"

#include <iterator>

#include "runtime/model/time_text.h"
#include "runtime/resolve/values.h"
#include "runtime/resolve/verdict_builder.h"

namespace attr::explain {

std::string Explainer::PlaceOf(uint32_t finding) const {
  const eval::Finding& f = evaluation.findings[finding];
  const plan::Rule& rule = plan().rules[f.rule];
  if (f.place_open) return "on one of several nodes";
  std::string out;
  for (size_t k = 0; k < rule.keys.size() && k < problem().key_text[finding].size(); ++k) {
    const std::string name(plan().Str(rule.keys[k].name));
    out += (out.empty() ? "on " : ", ") + (name == "node" ? "" : name + " ") + problem().key_text[finding][k];
  }
  return out;
}

std::string Explainer::ClauseOf(const plan::Demotion& demotion) const {
  static constexpr const char* kOn[] = {"", " on node", " on gpu", " on rack", " on nvlink_domain"};
  static_assert(std::size(kOn) == plan::kDemoteOnCount);
  std::string out = "demote " + std::string(plan().Str(demotion.target_text));
  out += kOn[static_cast<size_t>(demotion.on)];
  for (const plan::TimeRelation& relation : demotion.join.relations) {
    if (relation.distance != plan::kNoWindow) out += " within " + model::FormatDuration(relation.distance);
    if (relation.lead != 0) out += " lead " + model::FormatDuration(relation.lead);
  }
  if (demotion.join.residual != plan::kNone) out += " where …";
  return out;
}

std::string Explainer::LocationOf(const plan::SourceLocation& location) const {
  return std::string(plan().Str(location.file)) + ":" + std::to_string(location.line);
}

std::string Explainer::LevelOf(uint32_t entity) const {
  const uint8_t level = resolution.flow.dropped_at[entity];
  if (level == resolve::kAmbiguityLevel) return "ambiguity";
  switch (static_cast<plan::Level>(level)) {
    case plan::Level::kRule:
      return "rule";
    case plan::Level::kTag:
      return "tag";
    default:
      return "domain";
  }
}

std::string Explainer::DroppedBy(uint32_t entity) const {
  const resolve::Flow& flow = resolution.flow;
  if (flow.dropped_at[entity] == resolve::kAmbiguityLevel) {
    return resolve::ClauseText(plan(), plan().ambiguity[flow.dropped_clause[entity]]);
  }
  return problem().order.Text(static_cast<plan::Level>(flow.dropped_at[entity]), flow.dropped_by[entity],
                              problem().RuleOf(entity));
}

}  // namespace attr::explain
