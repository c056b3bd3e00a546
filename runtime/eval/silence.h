// `per … gap D`: a silence longer than D between the first binding's rows starts
// a new finding (semantics.md S9).
#pragma once

#include <vector>

#include "runtime/eval/members.h"

namespace attr::eval {

/// Parts of one group's rows of the first binding, in order of begin. A silence is
/// certain when the next row begins more than `gap` after everything before has
/// ended; rows of untied clocks are never certainly apart. Rows without a time are a
/// part of their own. Phantoms may be anywhere: they separate nothing, join nothing
/// and stand in every part.
std::vector<std::vector<Member>> SplitBySilence(const Table& table, const std::vector<Member>& rows, int64_t gap);

}  // namespace attr::eval
