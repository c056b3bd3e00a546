// Names that a test uses: sources, rules, domains, attempt keys, states.
#pragma once

#include "compiler/testing/test_lowering.h"

namespace attr::testing {

void CheckTestNames(const syntax::TestDecl& test, const TestScope& scope, diagnostics::Sink& sink);

}  // namespace attr::testing
