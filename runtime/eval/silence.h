// `per … gap D`: a silence longer than D between the first binding's rows starts
// a new finding (semantics.md S9).
#pragma once

#include <vector>

#include "runtime/eval/members.h"

namespace attr::eval {

/// Parts of one group's rows of the first binding, in order of begin: a silence is
/// certain when the next row begins more than `gap` after everything before has
/// ended; rows of untied clocks are never certainly apart. Rows without a time are a
/// part of their own. Phantoms may be anywhere: they separate nothing, join nothing
/// and stand in every part.
/// A part is sure when no row could belong to another: where a range, an untied clock
/// or a missing time leaves a silence open, its finding is presumed at best.
struct Part {
  std::vector<Member> rows;
  bool sure = true;
};
std::vector<Part> SplitBySilence(const Table& table, const std::vector<Member>& rows, int64_t gap);

}  // namespace attr::eval
