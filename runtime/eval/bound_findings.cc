#include "runtime/eval/bound_findings.h"

#include "runtime/eval/finding_table.h"
#include "runtime/eval/join_tree.h"

namespace attr::eval {

BoundFindings::BoundFindings(Context& context)
    : context_(context),
      bound_(context.plan->rules.size()),
      done_(context.plan->rules.size()),
      first_identity_(context.plan->rules.size()),
      made_(context.plan->events.size()) {
  for (const plan::Event& event : context.plan->events) {
    for (const uint32_t rule : event.rules) bound_[rule] = 1;
  }
}

void BoundFindings::Done(uint32_t rule, const RuleOutcome& outcome) {
  done_[rule] = &outcome;
  first_identity_[rule] = identities_;
  identities_ += static_cast<uint32_t>(outcome.findings.size());
}

uint8_t BoundFindings::TruthOf(uint32_t rule) const {
  uint8_t bits = done_[rule]->limits.empty() ? 0 : kMayBit;
  for (const Finding& finding : done_[rule]->findings) bits |= finding.bits;
  return bits;
}

/// How true it is that no outcome of another state comes before this one (S14).
uint8_t BoundFindings::NoneBefore(uint32_t outcome) const {
  uint8_t bits = kAllBits;
  const std::vector<plan::Rule>& rules = context_.plan->rules;
  for (uint32_t r = 0; r < outcome; ++r) {
    // `unless` is the plain not: on the presumed reading only what is presumed comes before.
    if (rules[r].state != rules[outcome].state) bits &= BitsWithout(plan::BindKind::kUnless, TruthOf(r));
  }
  return bits;
}

bool BoundFindings::Make(uint32_t index) {
  const plan::Event& event = context_.plan->events[index];
  if (event.origin != plan::EventOrigin::kFindings || made_[index] != 0) return false;
  made_[index] = 1;
  std::vector<BoundFinding> findings;
  bool unknown = false;
  for (const uint32_t rule : event.rules) {
    const bool outcome = context_.plan->rules[rule].kind == plan::RuleKind::kOutcome;
    const uint8_t mask = outcome ? NoneBefore(rule) : uint8_t{kAllBits};
    uint32_t identity = first_identity_[rule];
    for (const Finding& finding : done_[rule]->findings) {
      findings.push_back({&finding, identity++, static_cast<uint8_t>(finding.bits & mask)});
    }
    unknown = unknown || (!done_[rule]->limits.empty() && mask != 0);
  }
  context_.events[index] = FindingTable(context_, event, findings, unknown);
  return true;
}

}  // namespace attr::eval
