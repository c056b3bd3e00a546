// What a verdict is to the attempts that follow (language.md section 6.1): one
// observation of the source `history`, as an input that is read with theirs.
#pragma once

#include "runtime/ingest/observation_reader.h"
#include "runtime/model/verdict.h"

namespace attr {

/// Its fields are documented in docs/observation-set.md.
ingest::Input HistoryOf(const model::Verdict& verdict);

}  // namespace attr
