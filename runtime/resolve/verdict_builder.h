// The verdict document from a finished resolution. Split by what is built; all
// parts read one Building and fill their fields of its verdict.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/match/match.h"
#include "runtime/resolve/certainty.h"
#include "runtime/resolve/flow.h"

namespace attr::resolve {

inline constexpr uint32_t kNotShown = UINT32_MAX;

struct Building {
  const Problem& problem;
  const Assignment& bounds;
  const Flow& flow;
  const Terminal& terminal;
  const Summary& summary;
  model::Verdict verdict;
  std::vector<uint32_t> shown;  // per finding: index in verdict.symptoms, kNotShown

  bool Exists(size_t finding) const { return (bounds.finding[finding] & eval::kPresumedBit) != 0; }
  bool Demoted(size_t finding) const { return (flow.demoted[finding] & eval::kPresumedBit) != 0; }
  bool IsRoot(size_t finding) const { return (flow.root[finding] & eval::kPresumedBit) != 0; }
  /// Does the edge hold in the nominal reading, its origin included?
  Bits EdgeBits(uint32_t edge) const { return bounds.edge[edge] & bounds.finding[problem.evaluation.edges[edge].from]; }
};

// finding_view.cc
model::Evidence EvidenceOf(const model::ObservationSet& set, uint32_t observation);
model::FindingView ViewOf(const Problem& problem, uint32_t finding, bool with_evidence);
model::CauseView CauseOf(const Problem& problem, uint32_t finding, bool with_evidence);
/// "between hardware, storage unless apart 5m then earliest".
std::string ClauseText(const plan::Plan& plan, const plan::AmbiguityClause& clause);
std::vector<std::string> DomainTexts(const plan::Plan& plan, const std::vector<uint32_t>& domains);

/// Bindings whose events are counted: the first one, of each alternative.
std::vector<uint32_t> FirstBindings(const plan::Rule& rule);

// explanation.cc
std::string Explain(const Problem& problem, const eval::Finding& finding);

// verdict_causes.cc: causes, bystanders, notable, outranked, affected_nodes
void BuildCauses(Building* building);
// verdict_symptoms.cc: symptoms, symptom_groups; fills `shown`
void BuildSymptoms(Building* building);
// verdict_candidates.cc: candidates, first_failure, unevaluable, limits
void BuildCandidates(Building* building);
void BuildUnevaluable(Building* building);
// verdict_scope.cc: attempt, coverage, scope, warnings, pack
void BuildScope(const match::MatchResult& matched, const std::string& pack_sha256, Building* building);

}  // namespace attr::resolve
