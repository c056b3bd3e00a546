// Tables of what is given and not matched (plan::EventOrigin): the attempt's
// inventory, tables of the pack, and whether an event has stalled.
#pragma once

#include "runtime/eval/tables.h"

namespace attr::match {

/// Fills the tables of such events; those that stalls are about are there. An
/// inventory that was not given is one phantom (language.md section 5).
void FillGivenRows(eval::Context& context);

}  // namespace attr::match
