// The findings of one rule. Its tuples stand in tuples.cc, what one event without a
// place makes of several findings in open_places.cc, the rest in findings.cc.
#pragma once

#include "tests/oracle/findings.h"

namespace attr::oracle {

struct Tuple {
  std::vector<const Row*> rows;  // by slot; null where an alternative has none
  std::vector<Value> keys;
  Bits bits;
  std::set<const Row*> placeless;                   // rows that lacked a place which a relation asked for
  std::set<Gap> absence;                            // where what must not be there may be
  std::vector<std::pair<size_t, Member>> optional;  // by slot: what `with` binds
};

struct Group {
  std::vector<Value> keys;
  std::vector<Tuple> tuples;
  bool sure = true;  // no tuple could be of another part of its key
};

/// Events without a place of their own, each in its binding.
using Ties = std::set<std::pair<size_t, const Row*>>;

/// The same record, finding or row of a table.
bool IsSameThing(const Row& a, const Row& b);

class RuleFinder {
 public:
  RuleFinder(World& world, uint32_t index, std::vector<Slot> slots)
      : world_(world), index_(index), rule_(world.pack.rules[index]), slots_(std::move(slots)) {}

  /// What it binds stands in the world's rows.
  void Run(Findings* out);

 private:
  void Enumerate();
  void SplitGroups();
  void Extend(size_t at, RuleScope& scope, Tuple tuple);
  Bits Match(const Binding& binding, RuleScope& scope, std::set<const Row*>* placeless);
  Bits Absent(const Binding& binding, RuleScope& scope, Tuple* tuple);
  Bits Open(const std::string& name, RuleScope& scope, Tuple* tuple);
  void Offer(const Binding& binding, RuleScope& scope, Tuple* tuple);
  bool IsDistinct(const RuleScope& scope, const Row& row, const Binding& binding) const;
  void Keep(const RuleScope& scope, Tuple tuple);
  std::vector<Value> KeysOf(RuleScope& scope);
  bool CheckEvents(Findings* out);
  std::optional<Finding> MakeFinding(const std::vector<const Group*>& groups);
  void SortCanonically(size_t slot, std::vector<Member>* members) const;
  void Summarize(Finding* finding) const;
  void Blame(Finding* finding);
  bool IsTied(const Group& group, const Finding& finding, Ties* by) const;
  void FoldOpenPlaces(const std::vector<const Group*>& groups, std::vector<Finding>* findings);
  Finding Fold(const std::vector<const Group*>& groups, const std::vector<Finding>& parts);

  World& world_;
  uint32_t index_;
  const Rule& rule_;
  std::vector<Slot> slots_;
  const std::vector<Binding>* alternative_ = nullptr;
  std::vector<Group> groups_;
};

}  // namespace attr::oracle
