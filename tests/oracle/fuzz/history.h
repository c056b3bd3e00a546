// What a verdict is to the attempts that follow, written from
// docs/observation-set.md, "Several attempts".
#pragma once

#include "runtime/ingest/observation_reader.h"
#include "runtime/model/verdict.h"

namespace attr::oracle {

ingest::Input HistoryRecord(const model::Verdict& verdict);

}  // namespace attr::oracle
