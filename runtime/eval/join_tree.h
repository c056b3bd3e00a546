// Rules whose bindings hang on each other like a tree: every binding is tied to
// one earlier binding, and the keys are the first one's. Two passes of joins find
// which rows stand in a satisfying tuple, without a tuple ever being built
// (semantics.md S9): up, what each row finds below it; then down, group by group.
#pragma once

#include <memory>
#include <vector>

#include "runtime/eval/finding_builder.h"
#include "runtime/eval/members.h"

namespace attr::eval {

class JoinTree {
 public:
  /// `first_kernel`: of the rule's joins in the engine.
  JoinTree(const Context& context, const RuleSides& rule, const Engine& engine, size_t first_kernel);
  JoinTree(const JoinTree&) = delete;
  JoinTree& operator=(const JoinTree&) = delete;

  static bool Fits(const plan::Rule& rule);
  uint64_t pairs() const { return pairs_; }
  /// The pass upwards. Once, before Collect.
  void Reduce();
  /// Members of the tuples whose first row is one of [begin, end).
  GroupMembers Collect(const uint32_t* begin, const uint32_t* end);

 private:
  bool Negative(size_t binding) const { return plan::IsNegative(rule_.rule->bindings[binding].kind); }
  void Ascend(uint32_t binding);
  void Descend(uint32_t binding, GroupMembers* group);
  void CollectGaps(GroupMembers* group);

  const RuleSides& rule_;
  std::vector<uint32_t> parent_;                 // by binding
  std::vector<uint8_t> inner_;                   // some binding hangs on it
  std::vector<std::vector<uint8_t>> reduced_;    // membership, less what finds no tuple
  std::vector<std::vector<uint8_t>> group_;      // bits of the rows of the group under way
  std::vector<std::vector<uint8_t>> all_;        // kAllBits, of parents of negative bindings
  std::vector<std::unique_ptr<RowJoin>> joins_;  // by right binding
  uint64_t pairs_ = 0;
};

/// What is left of a tuple when `exists` was found for its negative binding.
/// `without` has to be proved; under `unless`, what may be where nobody looked is
/// presumed absent (docs/language/decisions.md).
uint8_t BitsWithout(plan::BindKind kind, uint8_t exists);

}  // namespace attr::eval
