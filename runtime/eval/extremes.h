// `earliest`, `latest`, `least … by`, `most … by`: which members of a group stay.
// What nothing certainly precedes stays. Three readings of each member: it surely
// stays when nothing that may be there could precede it, presumably when nothing
// presumed does, possibly when nothing sure does; like `unless`, what may be where
// nobody looked leaves it presumed.
#pragma once

#include "runtime/eval/finding_builder.h"

namespace attr::eval {

/// Narrows the bindings that the rule's extremes name, one extreme after the other,
/// and the group's bits to what is left of each.
void NarrowToExtremes(const RuleSides& rule, GroupMembers* group);

}  // namespace attr::eval
