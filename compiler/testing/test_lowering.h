// `test` blocks to observation sets: the JSON that `attrc run` would read.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/testing/test_case.h"

namespace attr::testing {

/// Times of day stand on this date; a test that needs others writes full stamps.
inline constexpr const char* kTestDate = "2026-01-01";

/// What a test may name: everything that its pack sees.
struct TestScope {
  std::set<std::string> sources;
  std::set<std::string> rules;    // qualified
  std::set<std::string> domains;  // dotted paths
  /// Declared, but lost to a syntax error: not unknown.
  std::function<bool(std::string_view)> left_out = [](std::string_view) { return false; };
};

/// Reports unknown names and a test that expects nothing; the case is complete
/// all the same, so that one slip does not hide the others.
TestCase LowerTest(const syntax::TestDecl& test, const TestScope& scope, const diagnostics::SourceMap& sources,
                   diagnostics::Sink& sink);

/// True when `qualified` is `name`, or ends in `::name` for a name without pack.
bool NamesRule(const syntax::QName& name, std::string_view qualified);

}  // namespace attr::testing
