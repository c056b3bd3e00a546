// Cases on disk: a folder with pack.attr, further rule files and tables, and
// observations.ndjson.
#pragma once

#include "tests/oracle/fuzz/compare.h"

namespace attr::oracle {

std::string ReadFile(const std::string& path);
PackText ReadPackText(const std::string& folder);
Case ReadCase(const std::string& folder);
void WriteCase(const std::string& folder, const Case& of);
/// Sub-folders in byte order.
std::vector<std::string> FoldersIn(const std::string& folder);

}  // namespace attr::oracle
