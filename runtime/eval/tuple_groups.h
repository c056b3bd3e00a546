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
  int64_t part = 0;  // of its key, between two silences
};

/// The rows of the first binding by key (present, slot; key by key), split by silence.
class SilentParts {
 public:
  explicit SilentParts(size_t keys) : keys_(keys * 2) {}
  /// Rows may come from several alternatives; once all are there, Split.
  void Add(const int64_t* key, const std::vector<Member>& rows);
  void Split(const Side& side, int64_t gap);
  bool empty() const { return keys_.size() == 0; }

  uint32_t Find(const int64_t* key) const { return keys_.Find(key); }
  /// The part of one of the key's rows, or kNone: a phantom stands in all of them.
  static constexpr int64_t kNone = -1;
  int64_t PartOf(uint32_t key, uint32_t row) const;
  int64_t Count(uint32_t key) const { return count_[key]; }
  /// A silence may divide the part otherwise.
  bool Unsure(uint32_t key, int64_t part) const { return unsure_.count({key, part}) != 0; }

 private:
  KeyMap keys_;
  std::vector<std::vector<Member>> rows_;
  std::vector<std::unordered_map<uint32_t, int64_t>> part_of_row_;
  std::vector<int64_t> count_;
  std::set<std::pair<uint32_t, int64_t>> unsure_;  // key, part
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
  /// With `gap` it takes two passes: the rows of the first binding, then the tuples by part.
  void CollectFirstRows(SilentParts* parts);
  std::vector<KeyedGroup> Enumerate(const SilentParts* parts);

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
  const SilentParts* parts_ = nullptr;  // with `gap`, in the second pass
};

}  // namespace attr::eval
