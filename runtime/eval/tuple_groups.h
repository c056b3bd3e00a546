// Rules that no tree holds: bindings tied to several others, conditions over three
// bindings, keys of different bindings. Their tuples are enumerated, each binding
// through the join that narrows it most; what a rule may enumerate is limited by a
// count that needs no evaluation (docs/limits.md, candidate pairs).
#pragma once

#include <array>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "runtime/eval/finding_builder.h"
#include "runtime/eval/members.h"
#include "runtime/eval/scalar.h"

namespace attr::eval {

struct KeyedGroup {
  std::vector<Value> keys;
  GroupMembers members;
};

class TupleGroups {
 public:
  TupleGroups(const Context& context, const RuleSides& rule, const Engine& engine, size_t first_kernel);
  TupleGroups(const TupleGroups&) = delete;
  TupleGroups& operator=(const TupleGroups&) = delete;

  /// Candidate tuples of the positive bindings, plus the candidate pairs of the others.
  uint64_t Count();
  /// Groups in order of their first tuple.
  std::vector<KeyedGroup> Enumerate();

 private:
  /// One binding after the first: how its rows are found, and what else they must meet.
  struct Level {
    std::unique_ptr<RowJoin> join;
    const plan::Join* primary = nullptr;
    std::vector<const plan::Join*> others;
    uint32_t last_left = KeyMap::kNone;  // left row that `found` is of
    std::vector<Member> found;
    std::vector<uint64_t> weights;  // while counting
  };
  struct Group {
    uint8_t bits = 0;
    std::vector<std::vector<Member>> bindings;
    std::vector<size_t> merge_at;
    std::vector<uint32_t> gaps;
  };

  bool Positive(size_t binding) const { return rule_.rule->bindings[binding].kind == plan::BindKind::kPositive; }
  const std::vector<Member>& Found(uint32_t binding);
  uint8_t CandidateBits(uint32_t binding, const Member& member);
  void Extend(uint32_t binding, uint8_t bits);
  void Finish(uint8_t bits);
  uint8_t Exceptions(uint8_t bits, std::vector<uint32_t>* gaps);
  void Pass();
  std::vector<uint32_t> GroupsOfTuple();
  uint32_t GroupAt(std::vector<int64_t> key, int64_t part);
  void NoteTuple(Group* group, uint8_t bits, const std::vector<uint32_t>& gaps);
  void FindParts();
  bool Unsure(uint32_t group) const;
  void Note(Group* group, uint32_t binding, uint32_t row, uint8_t bits);
  std::vector<Value> KeysOf(uint32_t group) const;

  const Context& context_;
  const RuleSides& rule_;
  std::vector<std::vector<uint8_t>> all_;  // kAllBits per row, by binding: bits are joined here
  std::vector<Level> levels_;              // by binding; the first is unused
  Scalar tuple_;
  KeyMap keys_;
  std::vector<Group> groups_;
  /// With `gap`, once the first pass has found the rows: parts of each key, by row of the first binding.
  KeyMap part_keys_;
  std::vector<std::unordered_map<uint32_t, int64_t>> part_of_row_;
  std::vector<int64_t> part_count_;
  std::set<std::pair<uint32_t, int64_t>> unsure_parts_;  // key, part
};

}  // namespace attr::eval
