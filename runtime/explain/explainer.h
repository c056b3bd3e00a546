// What the parts of an explanation share: one resolution with its tables, and the
// helpers that turn findings into text. Internal to this room.
#pragma once

#include "runtime/eval/evaluate.h"
#include "runtime/explain/search.h"
#include "runtime/resolve/resolution.h"

namespace attr::explain {

struct Explainer {
  const eval::Context& context;
  const eval::Engine& engine;
  const eval::KernelList& kernels;
  const eval::Memberships& memberships;
  const eval::Evaluation& evaluation;
  const resolve::Resolution& resolution;
  const match::MatchResult& matched;

  const plan::Plan& plan() const { return *context.plan; }
  const resolve::Problem& problem() const { return resolution.problem; }
  std::string RuleName(uint32_t rule) const { return std::string(plan().Str(plan().rules[rule].name)); }
  std::string RuleTitle(uint32_t rule) const { return std::string(plan().Str(plan().rules[rule].title)); }
  bool Exists(uint32_t finding) const { return Nominal(resolution.bounds.finding[finding]); }
  bool Demoted(uint32_t finding) const { return Nominal(resolution.flow.demoted[finding]); }
  bool IsRoot(uint32_t finding) const { return Nominal(resolution.flow.root[finding]); }
  /// The edge holds in the nominal reading, its origin included.
  bool Holds(uint32_t edge) const { return Nominal(EdgeBits(edge)); }
  resolve::Bits EdgeBits(uint32_t edge) const {
    return resolution.bounds.edge[edge] & resolution.bounds.finding[evaluation.edges[edge].from];
  }
  static bool Nominal(resolve::Bits bits) { return (bits & eval::kPresumedBit) != 0; }

  /// "on n1, gpu 0000:1b:00", "on node ?"; empty for a finding of the whole attempt.
  std::string PlaceOf(uint32_t finding) const;
  /// "demote tag collective on node within 2m".
  std::string ClauseOf(const plan::Demotion& demotion) const;
  std::string LocationOf(const plan::SourceLocation& location) const;
  std::string LevelOf(uint32_t entity) const;    // that dropped it
  std::string DroppedBy(uint32_t entity) const;  // the pairs or the clause, as written
};

/// chain.cc
void ExplainVerdict(const Explainer& explainer, Explanation* out);
/// why_not.cc: with all that the nearest candidate has, or (`brief`) the sentence alone.
WhyNot ExplainRule(const Explainer& explainer, uint32_t rule, bool brief);
/// unknowns.cc
void ExplainUnknowns(const Explainer& explainer, Explanation* out);

}  // namespace attr::explain
