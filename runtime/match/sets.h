// Values of type `set of …`: lists as logs and schedulers write them, to one text
// that names each element once, in natural order, with commas between.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/plan/plan.h"

namespace attr::match {

/// Elements of one set; a longer list is no value.
inline constexpr size_t kMostElements = 65'536;

/// "n1,n2,n7" to its parts: what SetText made.
std::vector<std::string_view> ElementsOf(std::string_view set);

/// Reads a list of T: parts stand between commas and blanks; nodes may be
/// `gpu-[03-07,20]`, ints and ranks `0-7`. `name` gives a node's canonical name.
/// Nothing when it is empty, too long or has a part that is no T.
std::optional<std::string> SetText(plan::Type set, std::string_view list,
                                   const std::function<std::string_view(std::string_view)>& name);

}  // namespace attr::match
