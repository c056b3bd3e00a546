// The groups of one rule, whatever its bindings: rows of one binding, pairs, a
// tree of joins, enumerated tuples, or the merged groups of alternatives.
#pragma once

#include <memory>
#include <vector>

#include "runtime/eval/alternatives.h"
#include "runtime/eval/finding_builder.h"
#include "runtime/eval/join_tree.h"
#include "runtime/eval/members.h"
#include "runtime/eval/tuple_groups.h"

namespace attr::eval {

class RuleGroups {
 public:
  /// `kernel`: index of the rule's first join in the engine; unused with one binding.
  RuleGroups(const Context& context, const RuleSides& rule, const Engine& engine, size_t kernel);

  /// Candidate pairs, or tuples.
  uint64_t pairs() const { return pairs_; }
  /// Does the work that needs all groups at once; after the limits were looked at.
  void Prepare();
  /// How many groups there are; of tuples, after Prepare only.
  size_t size() const { return listed() ? keyed_.size() : groups_.size(); }
  bool counted_before() const { return !listed(); }
  /// Groups that hold a real event.
  uint64_t RealGroups() const;
  /// Rows of the groups of one binding that hold no real event.
  std::vector<Member> BlindRows() const;
  /// Of all groups at once, where that pays; else empty (summary.h).
  std::vector<Summary> Summaries() const;
  /// Members of these groups taken together.
  GroupMembers Collect(const std::vector<uint32_t>& groups);
  std::vector<Value> Keys(uint32_t group) const;
  /// Does the row lack a place, and leave a relation of the group open by it?
  bool Placeless(uint32_t group, uint32_t binding, uint32_t row) const;
  /// A real event is in the group, on the side that has the keys.
  bool KeySideReal(uint32_t group) const;

 private:
  /// Groups that do not follow from the key side's rows alone are listed by Prepare.
  bool listed() const { return tuples_ != nullptr || alternatives_ != nullptr || rule_.rule->gap != plan::kNoWindow; }
  GroupMembers CollectRows(const uint32_t* begin, const uint32_t* end);
  GroupMembers CollectMembers(const std::vector<Member>& members);
  void ListBySilence();
  GroupMembers CollectOne(uint32_t group);
  GroupMembers CollectPair(const uint32_t* begin, const uint32_t* end);
  void PrepareRight();

  const Context& context_;
  const RuleSides& rule_;
  Groups groups_;  // of the key side's rows; empty for tuples
  std::unique_ptr<RowJoin> join_;
  std::unique_ptr<JoinTree> tree_;
  std::unique_ptr<TupleGroups> tuples_;
  std::unique_ptr<AlternativeGroups> alternatives_;
  uint64_t pairs_ = 0;
  std::vector<std::vector<uint32_t>> place_columns_;  // by binding
  std::vector<GroupMembers> prepared_;                // keys over the right binding of a pair: all groups
  std::vector<KeyedGroup> keyed_;                     // listed ones
};

/// Sorted by row, one entry a row, bits or-ed.
void MergeMembers(std::vector<Member>* members);
/// False: a positive binding that nothing can take, so that there is no group.
bool CanMatch(const RuleSides& rule);
/// By binding: columns whose absence leaves a place relation undecided.
std::vector<std::vector<uint32_t>> PlaceColumns(const plan::Plan& plan, const plan::Rule& rule);
bool LacksPlace(const Table& table, const std::vector<uint32_t>& columns, uint32_t row);

}  // namespace attr::eval
