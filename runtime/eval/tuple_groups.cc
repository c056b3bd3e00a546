#include "runtime/eval/tuple_groups.h"

#include <algorithm>

#include "runtime/base/saturating.h"
#include "runtime/eval/join_tree.h"
#include "runtime/eval/rule_groups.h"
#include "runtime/eval/silence.h"

namespace attr::eval {
namespace {

/// Equal keys narrow most, then windows.
size_t Narrowness(const plan::Join& join) { return join.NarrowingCount() * 4 + join.relations.size(); }

}  // namespace

void SilentParts::Add(const int64_t* key, const std::vector<Member>& rows) {
  const uint32_t id = keys_.Intern(key);
  if (id == rows_.size()) rows_.emplace_back();
  rows_[id].insert(rows_[id].end(), rows.begin(), rows.end());
}

void SilentParts::Split(const Side& side, int64_t gap) {
  for (uint32_t key = 0; key < rows_.size(); ++key) {
    MergeMembers(&rows_[key]);
    const auto parts = SplitBySilence(*side.table, rows_[key], gap);
    std::unordered_map<uint32_t, int64_t>& part_of = part_of_row_.emplace_back();
    count_.push_back(static_cast<int64_t>(parts.size()));
    for (size_t p = 0; p < parts.size(); ++p) {
      if (!parts[p].sure) unsure_.emplace(key, static_cast<int64_t>(p));
      for (const Member& member : parts[p].rows) {
        if (side.real(member.row)) part_of.emplace(member.row, static_cast<int64_t>(p));
      }
    }
  }
}

int64_t SilentParts::PartOf(uint32_t key, uint32_t row) const {
  const auto part = part_of_row_[key].find(row);
  return part == part_of_row_[key].end() ? kNone : part->second;
}

TupleGroups::TupleGroups(const Context& context, const RuleSides& rule, const Engine& engine, size_t first_kernel)
    : context_(context),
      rule_(rule),
      levels_(rule.sides.size()),
      tuple_{*context.plan, {}, {}, context.constants.data()},
      keys_(rule.rule->keys.size() * 2 + 1) {
  for (size_t b = 0; b < rule.sides.size(); ++b) {
    tuple_.tables[b] = rule.sides[b].table;
    all_.emplace_back(rule.sides[b].table->rows, uint8_t{kAllBits});
  }
  const std::vector<plan::Join>& joins = rule.rule->joins;
  for (uint32_t b = 1; b < levels_.size(); ++b) {
    size_t best = joins.size();
    for (size_t j = 0; j < joins.size(); ++j) {
      if (joins[j].right != b) continue;
      if (best == joins.size() || Narrowness(joins[j]) > Narrowness(joins[best])) best = j;
    }
    Level& level = levels_[b];
    level.primary = &joins[best];
    for (size_t j = 0; j < joins.size(); ++j) {
      if (joins[j].right == b && j != best) level.others.push_back(&joins[j]);
    }
    const uint32_t left = joins[best].left;
    level.join =
        std::make_unique<RowJoin>(context, joins[best], engine, first_kernel + best, rule.sides[left], rule.sides[b]);
  }
}

uint64_t TupleGroups::Count() {
  uint64_t other_pairs = 0;
  for (size_t b = 0; b < levels_.size(); ++b) {
    levels_[b].weights.clear();
    for (uint8_t bits : *rule_.sides[b].membership) levels_[b].weights.push_back(bits != 0 ? 1 : 0);
  }
  for (size_t b = levels_.size(); b-- > 1;) {
    Level& level = levels_[b];
    if (!Positive(b)) {
      other_pairs = SaturatingAdd(other_pairs, level.join->CountPairs());
      continue;
    }
    level.join->SetWeights(level.weights);
    std::vector<uint64_t>& above = levels_[level.primary->left].weights;
    for (uint32_t row = 0; row < above.size(); ++row) {
      if (above[row] != 0) above[row] = SaturatingMultiply(above[row], level.join->Weigh(row));
    }
  }
  uint64_t tuples = other_pairs;
  for (uint64_t weight : levels_[0].weights) tuples = SaturatingAdd(tuples, weight);
  return tuples;
}

/// Rows that the binding's narrowest join finds for the tuple under way.
const std::vector<Member>& TupleGroups::Found(uint32_t binding) {
  Level& level = levels_[binding];
  const auto left = static_cast<uint32_t>(tuple_.rows[level.primary->left]);
  if (level.last_left == left) return level.found;
  level.join->SetLeftMembership(all_[level.primary->left]);
  level.join->Reach(left);
  level.join->Harvest(&level.found);
  level.last_left = left;
  return level.found;
}

/// The bits of all that is asked of one more row; leaves it in the tuple.
uint8_t TupleGroups::CandidateBits(uint32_t binding, const Member& member) {
  uint8_t bits = member.bits;
  tuple_.rows[binding] = member.row;
  for (const plan::Join* join : levels_[binding].others) {
    if (bits == 0) return 0;
    bits &= PairBits(*context_.plan, *join, *tuple_.tables[join->left], tuple_.rows[join->left],
                     *tuple_.tables[binding], member.row, context_.constants.data());
  }
  const plan::ExprId residual = rule_.rule->bindings[binding].residual;
  return residual == plan::kNone || bits == 0 ? bits : bits & tuple_.Bits(residual);
}

void TupleGroups::Extend(uint32_t binding, uint8_t bits) {
  while (binding < levels_.size() && !Positive(binding)) ++binding;
  if (binding == levels_.size()) return Finish(bits);
  for (const Member& member : Found(binding)) {
    const uint8_t with = bits & CandidateBits(binding, member);
    if (with != 0) Extend(binding + 1, with);
  }
}

/// Takes away what the negative bindings find; gaps: where it may be and nobody looked.
uint8_t TupleGroups::Exceptions(uint8_t bits, std::vector<uint32_t>* gaps) {
  for (uint32_t b = 1; b < levels_.size() && bits != 0; ++b) {
    const plan::BindKind kind = rule_.rule->bindings[b].kind;
    if (!plan::IsNegative(kind)) continue;
    uint8_t exists = 0;
    for (const Member& member : Found(b)) {
      const uint8_t found = CandidateBits(b, member);
      exists |= found;
      if (found != 0) rule_.sides[b].table->AppendGaps(member.row, gaps);
    }
    bits &= BitsWithout(kind, exists);
  }
  return bits;
}

uint32_t TupleGroups::GroupAt(std::vector<int64_t> key, int64_t part) {
  key.push_back(part);
  const uint32_t group = keys_.Intern(key.data());
  if (group == groups_.size()) {
    groups_.emplace_back();
    groups_.back().bindings.resize(levels_.size());
    groups_.back().merge_at.assign(levels_.size(), 1024);
  }
  return group;
}

/// One group; with `gap`, a phantom of the first binding stands in every part of its key.
std::vector<uint32_t> TupleGroups::GroupsOfTuple() {
  std::vector<int64_t> key;
  for (const plan::Key& part : rule_.rule->keys) {
    const Column& column = tuple_.tables[part.column.binding]->columns[part.column.column];
    const size_t row = tuple_.rows[part.column.binding];
    const bool present = column.Has(row);
    key.push_back(present ? 1 : 0);
    key.push_back(present ? column.slots[row] : 0);
  }
  if (parts_ == nullptr) return {GroupAt(key, 0)};
  const uint32_t of_key = parts_->Find(key.data());
  const int64_t part = parts_->PartOf(of_key, static_cast<uint32_t>(tuple_.rows[0]));
  if (part != SilentParts::kNone) return {GroupAt(key, part)};
  std::vector<uint32_t> groups;
  for (int64_t p = 0; p < parts_->Count(of_key); ++p) groups.push_back(GroupAt(key, p));
  return groups;
}

void TupleGroups::Note(Group* group, uint32_t binding, uint32_t row, uint8_t bits) {
  std::vector<Member>& members = group->bindings[binding];
  if (!members.empty() && members.back().row == row) {
    members.back().bits |= bits;
    return;
  }
  members.push_back({row, bits});
  if (members.size() < group->merge_at[binding]) return;
  MergeMembers(&members);
  group->merge_at[binding] = std::max<size_t>(1024, members.size() * 2);
}

void TupleGroups::NoteTuple(Group* group, uint8_t bits, const std::vector<uint32_t>& gaps) {
  group->bits |= bits;
  group->gaps.insert(group->gaps.end(), gaps.begin(), gaps.end());
  for (uint32_t b = 0; b < levels_.size(); ++b) {
    if (Positive(b)) Note(group, b, static_cast<uint32_t>(tuple_.rows[b]), bits);
    if (rule_.rule->bindings[b].kind != plan::BindKind::kWith) continue;
    for (const Member& member : Found(b)) {
      const uint8_t with = bits & CandidateBits(b, member);
      if (with != 0) Note(group, b, member.row, with);
    }
  }
}

void TupleGroups::Finish(uint8_t bits) {
  std::vector<uint32_t> gaps;
  bits = Exceptions(bits, &gaps);
  if (bits == 0) return;
  for (uint32_t group : GroupsOfTuple()) NoteTuple(&groups_[group], bits, gaps);
}

std::vector<Value> TupleGroups::KeysOf(uint32_t group) const {
  std::vector<Value> keys;
  const int64_t* tuple = keys_.Tuple(group);
  for (const plan::Key& key : rule_.rule->keys) {
    const plan::Event& event = context_.plan->events[rule_.rule->bindings[key.column.binding].event];
    keys.push_back({event.ColumnType(key.column.column), tuple[0] != 0, tuple[1]});
    tuple += 2;
  }
  return keys;
}

/// Part of a key that a silence may divide otherwise.
bool TupleGroups::Unsure(uint32_t group) const {
  if (parts_ == nullptr) return false;
  const int64_t* key = keys_.Tuple(group);
  return parts_->Unsure(parts_->Find(key), key[rule_.rule->keys.size() * 2]);
}

void TupleGroups::Pass() {
  const std::vector<uint8_t>& first = *rule_.sides[0].membership;
  for (uint32_t row = 0; row < first.size(); ++row) {
    if (first[row] == 0) continue;
    tuple_.rows[0] = row;
    Extend(1, first[row]);
  }
}

void TupleGroups::CollectFirstRows(SilentParts* parts) {
  Pass();
  for (uint32_t g = 0; g < groups_.size(); ++g) parts->Add(keys_.Tuple(g), groups_[g].bindings[0]);
  groups_.clear();
  keys_ = KeyMap(rule_.rule->keys.size() * 2 + 1);
}

std::vector<KeyedGroup> TupleGroups::Enumerate() {
  if (rule_.rule->gap == plan::kNoWindow) return Enumerate(nullptr);
  SilentParts parts(rule_.rule->keys.size());
  CollectFirstRows(&parts);
  parts.Split(rule_.sides[0], rule_.rule->gap);
  return Enumerate(&parts);
}

std::vector<KeyedGroup> TupleGroups::Enumerate(const SilentParts* parts) {
  parts_ = parts;
  if (parts == nullptr || !parts->empty()) Pass();
  std::vector<KeyedGroup> out(groups_.size());
  for (uint32_t g = 0; g < groups_.size(); ++g) {
    out[g].keys = KeysOf(g);
    out[g].part = keys_.Tuple(g)[rule_.rule->keys.size() * 2];
    out[g].members.bits = groups_[g].bits;
    if (Unsure(g)) out[g].members.bits &= kPresumedBit | kMayBit;
    out[g].members.bindings = std::move(groups_[g].bindings);
    for (std::vector<Member>& members : out[g].members.bindings) MergeMembers(&members);
    // Where some tuple is certain, an exception that may be elsewhere leaves nothing open.
    if ((groups_[g].bits & kMustBit) == 0) out[g].members.absence_gaps = std::move(groups_[g].gaps);
  }
  return out;
}

}  // namespace attr::eval
