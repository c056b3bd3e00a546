// Findings as the rows of an event (plan::EventOrigin::kFindings). What a rule reads
// of a bound finding:
//
//   time      begin of its earliest seen member to the end of its latest, on its clock
//   node      its key `node`, else the only node of its seen members; rank, gpu: the
//             only one; of several, missing
//   fields    the rule's keys and exports; `first`, `last` where they are stamps;
//             `count` of the first binding's members, as the verdict prints it
//   bits      the finding's own: a presumed finding is a presumed row
//   lacks     the gaps that leave it less than confirmed
//   extents   all its places, for the finding that binds it
//   evidence  the observations behind its seen members, through findings of findings
//
// Findings that nothing real supports, and rules over a limit, are one phantom: there
// may be one, at any moment, with nothing else known (semantics.md S1, S4). Rows stand
// by begin (unknown ones last), then rule, then in the rule's order.
#pragma once

#include <vector>

#include "runtime/eval/findings.h"

namespace attr::eval {

struct BoundFinding {
  const Finding* finding = nullptr;  // of one of the event's rules
  uint32_t identity = 0;             // the same wherever the finding is bound
  uint8_t bits = 0;
};
/// `findings`: by rule, in the rule's order; those without bits are left out. `unknown`:
/// some rule is over a limit. Only fields that the plan marks as used are filled.
Table FindingTable(const Context& context, const plan::Event& event, const std::vector<BoundFinding>& findings,
                   bool unknown);

/// The observations behind a finding's kept members, ascending.
std::vector<uint32_t> ObservationsBehind(const Context& context, const Finding& finding);

}  // namespace attr::eval
