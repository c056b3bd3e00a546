// The groups of one rule, whichever binding its keys are over.
#pragma once

#include <memory>
#include <vector>

#include "runtime/eval/finding_builder.h"
#include "runtime/eval/members.h"

namespace attr::eval {

class RuleGroups {
 public:
  /// `kernel`: index of the rule's join in the engine; unused with one binding.
  RuleGroups(const Context& context, const RuleSides& rule, const Engine& engine, size_t kernel);

  const Groups& groups() const { return groups_; }
  uint64_t pairs() const { return pairs_; }
  /// Does the work that needs all groups at once; after the limits were looked at.
  void Prepare();
  /// Members of these groups taken together.
  GroupMembers Collect(const std::vector<uint32_t>& groups);
  std::vector<Value> Keys(uint32_t group) const;
  /// Rows of the other binding whose missing place leaves a relation open.
  bool Placeless(uint32_t row) const;
  /// A real event is in the group.
  bool KeySideReal(uint32_t group) const;

 private:
  void CollectLeft(uint32_t group, GroupMembers* out);
  void PrepareRight();
  void FindPlaceColumns();

  const Context& context_;
  const RuleSides& rule_;
  Groups groups_;
  std::unique_ptr<RowJoin> join_;
  uint64_t pairs_ = 0;
  std::vector<uint32_t> place_columns_;  // of the binding without the keys
  std::vector<GroupMembers> prepared_;   // keys over the right binding: all groups
};

/// Sorted by row, one entry a row, bits or-ed.
void MergeMembers(std::vector<Member>* members);

}  // namespace attr::eval
