// The one registry of diagnostics: code, severity, title, help, page. A test
// fails when a code has no page in docs/diagnostics, no golden case in
// tests/golden/diagnostics, or is raised nowhere. Ranges: A00 files and limits,
// A01 syntax, A02 names, A03 types and matchers, A04 rules, demotion, order,
// A05 tables, A06 tests, A09 parsed but not evaluated yet.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attr::diagnostics {

enum class Severity : uint8_t { kError, kWarning, kStyle };

enum class Code : uint16_t {
#define ATTR_DIAGNOSTIC(number, severity, name, title, help) name = number,
#include "compiler/diagnostics/codes.inc"
#undef ATTR_DIAGNOSTIC
};

struct CodeInfo {
  Code code;
  Severity severity;
  std::string_view name;   // the enumerator, for tests
  std::string_view title;  // heading of its page
  std::string_view help;   // default help line
};

const CodeInfo& Info(Code code);
const std::vector<CodeInfo>& AllCodes();
/// "A0412".
std::string CodeText(Code code);

}  // namespace attr::diagnostics
