// The table behind registry.h, one row per line of codes.inc.
#include "compiler/diagnostics/registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/check.h"

namespace attr::diagnostics {

const std::vector<CodeInfo>& AllCodes() {
  static const std::vector<CodeInfo>* const codes = [] {
    auto* all = new std::vector<CodeInfo>{
#define ATTR_DIAGNOSTIC(number, severity, name, title, help) \
  CodeInfo{Code::name, Severity::severity, #name, title, help},
#include "compiler/diagnostics/codes.inc"
#undef ATTR_DIAGNOSTIC
    };
    std::sort(all->begin(), all->end(), [](const CodeInfo& a, const CodeInfo& b) { return a.code < b.code; });
    return all;
  }();
  return *codes;
}

const CodeInfo& Info(Code code) {
  const auto& all = AllCodes();
  auto it = std::lower_bound(all.begin(), all.end(), code, [](const CodeInfo& a, Code b) { return a.code < b; });
  ATTR_CHECK(it != all.end() && it->code == code);
  return *it;
}

std::string CodeText(Code code) { return fmt::format("A{:04}", static_cast<unsigned>(code)); }

}  // namespace attr::diagnostics
