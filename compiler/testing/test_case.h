// A `test` block as data: the observation set as a JSON document (so that the
// product's own reader reads it and every test can be reproduced with
// `attrc run`) and the expectations.
#pragma once

#include <string>
#include <vector>

#include "compiler/syntax/ast.h"
#include "runtime/model/verdict.h"

namespace attr::testing {

struct TestCase {
  std::string name;
  std::string file;
  uint32_t line = 0;
  std::string observations;  // JSON document; empty when `from` names a stored one
  std::string from;          // path relative to the pack's folder
  std::vector<std::pair<std::string, std::vector<std::string>>> dropping;  // source -> nodes (empty: all)
  const syntax::TestDecl* decl = nullptr;  // expectations, with their spans; owned by the Compilation
};

/// One expectation that did not hold: its place (the text there says what was
/// expected) and what the verdict says.
struct Mismatch {
  diagnostics::Span span;
  std::string actual;
};
/// Rule names in expectations may be unqualified when that is unambiguous.
std::vector<Mismatch> Check(const syntax::TestDecl& test, const model::Verdict& verdict);

}  // namespace attr::testing
