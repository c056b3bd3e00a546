// Findings and edges to a verdict: roots, bystanders, levels, status, certainty
// (language.md section 6, semantics.md S1, S7, S22). Every step is a Kleene
// formula evaluated on three readings at once: nominal, surely, maybe.
#pragma once

#include "runtime/attribute.h"
#include "runtime/eval/findings.h"
#include "runtime/match/match.h"
#include "runtime/model/verdict.h"

namespace attr::resolve {

model::Verdict Resolve(const eval::Context& context, const eval::Evaluation& evaluation,
                       const match::MatchResult& matched, const AttributeOptions& options);

}  // namespace attr::resolve
