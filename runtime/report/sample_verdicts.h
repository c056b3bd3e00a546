// For tests: verdicts made by hand, one for each shape that the reports know.
#pragma once

#include "runtime/model/verdict.h"

namespace attr::report {

/// One NVLink fault, three NCCL errors under it and a demoted cause, one of them a step below.
model::Verdict NvlinkVerdict();
/// Two independent causes, a third outranked, a bystander; something unexplained.
model::Verdict AmbiguousVerdict();
/// No cause: symptoms, candidates, a blind source.
model::Verdict UnattributedVerdict();
model::Verdict SucceededVerdict();
/// 512 findings of one cause, 4,096 symptoms; names in scripts and controls that hurt.
model::Verdict LargeVerdict();

}  // namespace attr::report
