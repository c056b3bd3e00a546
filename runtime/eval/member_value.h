// A value over a finding's first members: what `export` hands on and placeholders print.
#pragma once

#include <optional>

#include "runtime/eval/findings.h"

namespace attr::eval {

/// The slot of a value over the rule's bindings, each at its first seen member in
/// canonical order (semantics.md S9); `exprs`: one an alternative, over its bindings. Of
/// alternatives that have the members, the one whose member comes first speaks. nullopt:
/// the value is missing, or a binding has no member.
std::optional<int64_t> MemberValue(const Context& context, const Finding& finding,
                                   const std::vector<plan::ExprId>& exprs);

}  // namespace attr::eval
