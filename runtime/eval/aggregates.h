// Aggregates over a group's members, as bounds (semantics.md S9): the value on the
// presumed reading, and the least and the greatest that the unknowns allow.
// `having` is decided where the bounds decide it.
#pragma once

#include "runtime/eval/finding_builder.h"

namespace attr::eval {

/// Truth of `having` over one group.
uint8_t HavingBits(const Context& context, const RuleSides& rule, const GroupMembers& group,
                   const std::vector<Members>& counts);

/// The slot of a rule's aggregate over one group, where its bounds decide it.
std::optional<int64_t> AggregateValue(const Context& context, const RuleSides& rule, const GroupMembers& group,
                                      uint32_t aggregate);

}  // namespace attr::eval
