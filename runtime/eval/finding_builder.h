// From a group's members to a finding: counts, samples, span, places, blame.
#pragma once

#include <optional>
#include <vector>

#include "runtime/eval/findings.h"
#include "runtime/eval/members.h"
#include "runtime/eval/summary.h"

namespace attr::eval {

struct RuleSides {
  const plan::Rule* rule = nullptr;
  uint32_t index = 0;
  std::vector<Side> sides;                    // per binding
  uint32_t key_side = 0;                      // the binding that all keys are over; of one alternative
  std::vector<uint32_t> named_at, stored_at;  // per binding: plan::NamedAt, plan::StoredAt
  bool bound = false;                         // another rule binds its findings
};
RuleSides SidesOf(const plan::Rule& rule, uint32_t index, std::vector<Side> sides);

/// nullopt when `having` rules the group out. Keys are left to the caller. `ready`
/// (may be null): the seen members, summarized beforehand.
std::optional<Finding> MakeFinding(const Context& context, const RuleSides& rule, const GroupMembers& group,
                                   size_t members_kept, Summary* ready = nullptr);
/// Fills blame; nothing when a key is missing.
void Blame(const Context& context, const RuleSides& rule, const GroupMembers& group, Finding* finding);

/// Distinct dictionary ids, in natural order of their text.
void SortNatural(const Context& context, std::vector<uint32_t>* ids);
/// Canonical order of two values of one type; missing last.
int CompareValues(const Context& context, const Value& a, const Value& b);

}  // namespace attr::eval
