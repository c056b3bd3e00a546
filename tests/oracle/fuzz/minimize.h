// A failing draft made small: parts, clauses, records and header entries are
// left out one after the other while the difference stays.
#pragma once

#include <functional>

#include "tests/oracle/fuzz/generator.h"

namespace attr::oracle {

Draft Minimize(Draft draft, const std::function<bool(const Draft&)>& fails);

}  // namespace attr::oracle
