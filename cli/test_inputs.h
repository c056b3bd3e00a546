// The observation set of a test: its own document, or a stored incident.
#pragma once

#include <string>

#include "compiler/testing/test_case.h"
#include "runtime/base/result.h"
#include "runtime/model/observation_set.h"

namespace attr::cli {

/// `folder`: the pack's, which stored incidents are relative to.
Result<model::ObservationSet> SetOf(const testing::TestCase& test, const std::string& folder);

}  // namespace attr::cli
