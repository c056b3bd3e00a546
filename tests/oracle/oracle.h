// The oracle of the differential tests: a pack's syntax tree and an observation
// set to a verdict, written straight from docs/design/language.md and
// semantics.md. Slow on purpose. It shares the parser, the reader of observation
// sets and the verdict's structure with the product, and nothing between them.
#pragma once

#include "tests/oracle/resolution.h"

namespace attr::oracle {

struct Outcome {
  model::Verdict verdict;
  /// Settled by trying all combinations of at most nine unknowns; nullopt: there are more.
  std::optional<bool> settled_by_all;
};

/// `set` is changed only in what it interns. Throws std::runtime_error on
/// constructs that the oracle does not read.
Outcome Evaluate(const Pack& pack, model::ObservationSet& set, const Limits& limits, const std::string& pack_sha256);

// verdict.cc, verdict_lists.cc, verdict_scope.cc
void BuildVerdict(const Resolution& resolution, model::Verdict* verdict);
void BuildScope(const Resolution& resolution, const std::string& pack_sha256, model::Verdict* verdict);
model::FindingView ViewOf(const Resolution& resolution, uint32_t finding, bool with_evidence);
std::string Explain(const Resolution& resolution, const Finding& finding);

}  // namespace attr::oracle
