#include "runtime/eval/join_tree.h"

#include <algorithm>

namespace attr::eval {

uint8_t BitsWithout(plan::BindKind kind, uint8_t exists) {
  const bool may = (exists & kMayBit) != 0, presumed = (exists & kPresumedBit) != 0, must = (exists & kMustBit) != 0;
  uint8_t bits = 0;
  if (!may) bits |= kMustBit | kPresumedBit;
  if (!presumed && kind == plan::BindKind::kUnless) bits |= kPresumedBit;
  if (!must) bits |= kMayBit;
  return bits;
}

bool JoinTree::Fits(const plan::Rule& rule) {
  for (size_t b = 1; b < rule.bindings.size(); ++b) {
    const auto ties =
        std::count_if(rule.joins.begin(), rule.joins.end(), [&](const plan::Join& join) { return join.right == b; });
    if (ties != 1 || rule.bindings[b].residual != plan::kNone) return false;
  }
  return std::all_of(rule.keys.begin(), rule.keys.end(), [](const plan::Key& key) { return key.column.binding == 0; });
}

JoinTree::JoinTree(const Context& context, const RuleSides& rule, const Engine& engine, size_t first_kernel)
    : rule_(rule),
      parent_(rule.sides.size()),
      inner_(rule.sides.size()),
      group_(rule.sides.size()),
      all_(rule.sides.size()),
      joins_(rule.sides.size()) {
  for (const Side& side : rule.sides) reduced_.push_back(*side.membership);
  for (size_t j = 0; j < rule.rule->joins.size(); ++j) {
    const plan::Join& join = rule.rule->joins[j];
    parent_[join.right] = join.left;
    inner_[join.left] = 1;
    const Side left{rule.sides[join.left].table, &reduced_[join.left]};
    const Side right{rule.sides[join.right].table, &reduced_[join.right]};
    joins_[join.right] = std::make_unique<RowJoin>(context, join, engine, first_kernel + j, left, right);
    pairs_ += joins_[join.right]->CountPairs();
    if (Negative(join.right)) all_[join.left].assign(left.table->rows, kAllBits);
  }
  for (size_t b = 1; b < inner_.size(); ++b) {
    if (inner_[b] != 0) group_[b].assign(rule.sides[b].table->rows, 0);
  }
}

/// One binding's join: each row above keeps what it finds here.
void JoinTree::Ascend(uint32_t binding) {
  RowJoin& join = *joins_[binding];
  const plan::BindKind kind = rule_.rule->bindings[binding].kind;
  if (inner_[binding] != 0) join.RefreshRight(reduced_[binding]);
  if (kind == plan::BindKind::kWith) return;
  std::vector<uint8_t>& above = reduced_[parent_[binding]];
  join.SetLeftMembership(Negative(binding) ? all_[parent_[binding]] : above);
  for (uint32_t row = 0; row < above.size(); ++row) {
    if (above[row] == 0) continue;
    const uint8_t found = join.Exists(row);
    above[row] &= Negative(binding) ? BitsWithout(kind, found) : found;
  }
}

void JoinTree::Reduce() {
  for (auto binding = static_cast<uint32_t>(rule_.sides.size()); binding-- > 1;) Ascend(binding);
}

void JoinTree::Descend(uint32_t binding, GroupMembers* group) {
  RowJoin& join = *joins_[binding];
  const uint32_t above = parent_[binding];
  join.SetLeftMembership(above == 0 ? reduced_[0] : group_[above]);
  for (const Member& member : group->bindings[above]) join.Reach(member.row);
  join.Harvest(&group->bindings[binding]);
  if (inner_[binding] == 0) return;
  for (const Member& member : group->bindings[binding]) group_[binding][member.row] = member.bits;
}

/// Blind spots in which what a negative binding stands for may be.
void JoinTree::CollectGaps(GroupMembers* group) {
  std::vector<Member> found;
  for (uint32_t b = 1; b < rule_.sides.size(); ++b) {
    const Table& table = *rule_.sides[b].table;
    if (!Negative(b) || (table.first_phantom == table.rows && table.lacks.empty())) continue;
    joins_[b]->SetLeftMembership(all_[parent_[b]]);
    for (const Member& member : group->bindings[parent_[b]]) joins_[b]->Reach(member.row);
    joins_[b]->Harvest(&found);
    for (const Member& member : found) table.AppendGaps(member.row, &group->absence_gaps);
  }
}

GroupMembers JoinTree::Collect(const uint32_t* begin, const uint32_t* end) {
  GroupMembers group;
  group.bindings.resize(rule_.sides.size());
  for (const uint32_t* row = begin; row != end; ++row) {
    const uint8_t bits = reduced_[0][*row];
    if (bits != 0) group.bindings[0].push_back({*row, bits});
    group.bits |= bits;
  }
  if (group.bits == 0) return group;
  for (uint32_t b = 1; b < rule_.sides.size(); ++b) {
    if (!Negative(b)) Descend(b, &group);
  }
  if ((group.bits & kMustBit) == 0) CollectGaps(&group);
  for (size_t b = 1; b < inner_.size(); ++b) {
    if (inner_[b] == 0) continue;
    for (const Member& member : group.bindings[b]) group_[b][member.row] = 0;
  }
  return group;
}

}  // namespace attr::eval
