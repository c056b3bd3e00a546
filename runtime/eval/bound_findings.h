// The tables of findings that rules bind, made one by one while rules are evaluated.
#pragma once

#include <vector>

#include "runtime/eval/rule_findings.h"

namespace attr::eval {

class BoundFindings {
 public:
  explicit BoundFindings(Context& context);
  /// Does some event hold the rule's findings?
  bool Binds(uint32_t rule) const { return bound_[rule] != 0; }
  /// The rule's findings are there. `outcome` stays where it is until the last Make.
  void Done(uint32_t rule, const RuleOutcome& outcome);
  /// Makes the event's table when it is one of findings and not made yet; then true.
  /// All of its rules are done.
  bool Make(uint32_t event);

 private:
  uint8_t NoneBefore(uint32_t outcome) const;
  uint8_t TruthOf(uint32_t rule) const;

  Context& context_;
  std::vector<uint8_t> bound_;            // by rule
  std::vector<const RuleOutcome*> done_;  // by rule
  std::vector<uint32_t> first_identity_;  // by rule
  uint32_t identities_ = 0;
  std::vector<uint8_t> made_;  // by event
};

}  // namespace attr::eval
