// `when { … } or { … }`: each alternative is evaluated as a rule of its own, over its
// own bindings; groups with equal keys are one group, whose members are those of all
// alternatives, by binding name (docs/language/alternatives.md). What the alternatives
// may enumerate is limited together: their pairs are summed.
#pragma once

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "runtime/eval/tuple_groups.h"

namespace attr::eval {

class RuleGroups;

class AlternativeGroups {
 public:
  /// `first_kernel`: of the rule's joins in the engine, all alternatives' in turn.
  AlternativeGroups(const Context& context, const RuleSides& rule, const Engine& engine, size_t first_kernel);
  ~AlternativeGroups();
  AlternativeGroups(const AlternativeGroups&) = delete;
  AlternativeGroups& operator=(const AlternativeGroups&) = delete;

  /// Candidate pairs, or tuples, of all alternatives.
  uint64_t pairs() const;
  /// Groups in order of their first tuple; members as RuleSides::stored_at says.
  std::vector<KeyedGroup> Enumerate();
  /// Is the row there, presumed, although it lacks a place that its alternative asks for?
  bool Placeless(uint32_t group, uint32_t binding, uint32_t row) const {
    return placeless_[group].count({binding, row}) != 0;
  }

 private:
  struct Alternative {
    plan::Rule rule;
    RuleSides sides;
    uint32_t first = 0;  // binding of the whole rule
    std::vector<std::vector<uint32_t>> place_columns;
    std::unique_ptr<RuleGroups> groups;   // without `gap`
    std::unique_ptr<TupleGroups> tuples;  // with it: a silence is one of all alternatives
    uint64_t pairs = 0;
  };
  std::vector<KeyedGroup> GroupsOf(Alternative& alternative, const SilentParts* parts);
  void Merge(const Alternative& alternative, std::vector<KeyedGroup> groups, KeyMap* keys,
             std::vector<KeyedGroup>* out);
  void MergeMembersOf(const Alternative& alternative, const GroupMembers& from, uint32_t group, GroupMembers* to);

  const RuleSides& rule_;
  std::vector<std::unique_ptr<Alternative>> alternatives_;          // those that can match at all
  std::vector<std::set<std::pair<uint32_t, uint32_t>>> placeless_;  // by group: (binding, row)
};

}  // namespace attr::eval
