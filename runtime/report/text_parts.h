// The parts of the text report, one file each.
#pragma once

#include "runtime/model/verdict.h"
#include "runtime/report/page.h"
#include "runtime/report/words.h"

namespace attr::report {

struct Report {
  const model::Verdict& verdict;
  Times times;
  Page* page;
};

// text_causes.cc
/// Causes (or notable findings) in full, each with its tree; many of one rule fold.
void PutCauses(const Report& report, const std::vector<model::CauseView>& causes, bool with_tree);
void PutOtherRoots(const Report& report);  // outranked, bystanders
void PutAffected(const Report& report);
void PutPossible(const Report& report);  // causes that lack something
/// "evidence  kernel n1 12:10:02Z" and the record's lines.
void PutEvidence(const Report& report, std::string_view prefix, const model::FindingView& finding, size_t shown);

// text_tree.cc
void PutTree(const Report& report, const model::CauseView& cause, std::vector<bool>* printed);
/// Symptoms that nothing explains, with what stands under them.
void PutUnexplained(const Report& report);

// text_missing.cc
void PutCandidates(const Report& report);
void PutNotCollected(const Report& report);
void PutWouldChange(const Report& report);
void PutFoot(const Report& report);

}  // namespace attr::report
