// Lists of names for a person: "n2..n9, n12", "gpu-03, gpu-07". Runs of three
// or more consecutive numbers behind one prefix fold; nothing is left out unless
// a limit says so, and then it is counted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attr {

/// Natural order, each once.
void SortNames(std::vector<std::string>* names);

/// `names` in natural order. `limit` counts printed runs; the rest is "and 12 more".
std::string FoldNames(const std::vector<std::string>& names, size_t limit = SIZE_MAX);

}  // namespace attr
