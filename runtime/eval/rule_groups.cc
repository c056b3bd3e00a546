#include "runtime/eval/rule_groups.h"

#include <algorithm>

namespace attr::eval {

void MergeMembers(std::vector<Member>* members) {
  std::sort(members->begin(), members->end(), [](const Member& a, const Member& b) { return a.row < b.row; });
  size_t kept = 0;
  for (const Member& member : *members) {
    if (kept != 0 && (*members)[kept - 1].row == member.row) {
      (*members)[kept - 1].bits |= member.bits;
    } else {
      (*members)[kept++] = member;
    }
  }
  members->resize(kept);
}

RuleGroups::RuleGroups(const Context& context, const RuleSides& rule, const Engine& engine, size_t kernel)
    : context_(context), rule_(rule) {
  // A binding that nothing can take: no group, and no index over the other one.
  for (const Side& side : rule.sides) {
    const std::vector<uint8_t>& bits = *side.membership;
    if (std::none_of(bits.begin(), bits.end(), [](uint8_t b) { return b != 0; })) return;
  }
  std::vector<uint32_t> columns;
  for (const plan::Key& key : rule.rule->keys) columns.push_back(key.column.column);
  groups_ = GroupRows(rule.sides[rule.key_side], columns);
  if (rule.sides.size() < 2) return;
  join_ = std::make_unique<RowJoin>(context, rule.rule->joins[0], engine, kernel, rule.sides[0], rule.sides[1]);
  pairs_ = join_->CountPairs();
  FindPlaceColumns();
}

void RuleGroups::FindPlaceColumns() {
  const plan::Plan& plan = *context_.plan;
  const plan::Join& join = rule_.rule->joins[0];
  const uint32_t other = 1 - rule_.key_side;
  for (const plan::EqualKey& key : join.keys) {
    if (key.place) place_columns_.push_back(other == 0 ? key.left : key.right);
  }
  std::vector<plan::ExprId> stack;
  if (join.residual != plan::kNone) stack.push_back(join.residual);
  while (!stack.empty()) {
    const plan::Expr& e = plan.exprs[stack.back()];
    stack.pop_back();
    if (e.op == plan::Op::kAnd || e.op == plan::Op::kOr) {
      stack.push_back(e.a);
      stack.push_back(e.b);
    }
    if (e.op != plan::Op::kPlaceEq && e.op != plan::Op::kPlaceNe) continue;
    for (plan::ExprId side : {e.a, e.b}) {
      const plan::Expr& column = plan.exprs[side];
      if (column.op == plan::Op::kColumn && column.a == other) place_columns_.push_back(column.b);
    }
  }
  std::sort(place_columns_.begin(), place_columns_.end());
  place_columns_.erase(std::unique(place_columns_.begin(), place_columns_.end()), place_columns_.end());
}

bool RuleGroups::Placeless(uint32_t row) const {
  const Table& table = *rule_.sides[1 - rule_.key_side].table;
  return std::any_of(place_columns_.begin(), place_columns_.end(), [&](uint32_t c) {
    const Column& column = table.columns[c];
    return column.slots.empty() || (!column.present.empty() && !Test(column.present, row));
  });
}

bool RuleGroups::KeySideReal(uint32_t group) const {
  return rule_.sides[rule_.key_side].real(groups_.rows[groups_.first[group]]);
}

std::vector<Value> RuleGroups::Keys(uint32_t group) const {
  const Side& side = rule_.sides[rule_.key_side];
  const uint32_t row = groups_.rows[groups_.first[group]];
  const plan::Event& event = context_.plan->events[rule_.rule->bindings[rule_.key_side].event];
  std::vector<Value> keys;
  for (const plan::Key& key : rule_.rule->keys) {
    const Column& column = side.table->columns[key.column.column];
    const bool present = !column.slots.empty() && (column.present.empty() || Test(column.present, row));
    keys.push_back({event.ColumnType(key.column.column), present, present ? column.slots[row] : 0});
  }
  return keys;
}

void RuleGroups::Prepare() {
  if (join_ != nullptr && rule_.key_side == 1) PrepareRight();
}

void RuleGroups::PrepareRight() {
  prepared_.resize(groups_.size());
  for (GroupMembers& group : prepared_) group.bindings.resize(2);
  std::vector<uint8_t> right_bits(rule_.sides[1].table->rows);
  std::vector<Member> found;
  for (uint32_t left = 0; left < rule_.sides[0].table->rows; ++left) {
    if ((*rule_.sides[0].membership)[left] == 0 || join_->Run(left) == 0) continue;
    join_->Harvest(&found);
    for (const Member& right : found) {
      GroupMembers& group = prepared_[groups_.group_of[right.row]];
      group.bits |= right.bits;
      std::vector<Member>& lefts = group.bindings[0];
      if (lefts.empty() || lefts.back().row != left) lefts.push_back({left, 0});
      lefts.back().bits |= right.bits;
      right_bits[right.row] |= right.bits;
    }
  }
  for (uint32_t row = 0; row < right_bits.size(); ++row) {
    if (right_bits[row] != 0) prepared_[groups_.group_of[row]].bindings[1].push_back({row, right_bits[row]});
  }
}

void RuleGroups::CollectLeft(uint32_t group, GroupMembers* out) {
  for (size_t i = groups_.first[group]; i < groups_.first[group + 1]; ++i) {
    const uint32_t row = groups_.rows[i];
    const uint8_t bits = join_ == nullptr ? (*rule_.sides[0].membership)[row] : join_->Run(row);
    if (bits != 0) out->bindings[0].push_back({row, bits});
    out->bits |= bits;
  }
}

GroupMembers RuleGroups::Collect(const std::vector<uint32_t>& groups) {
  GroupMembers out;
  out.bindings.resize(rule_.sides.size());
  if (!prepared_.empty()) {
    if (groups.size() == 1) return prepared_[groups[0]];
    for (uint32_t group : groups) {
      out.bits |= prepared_[group].bits;
      for (size_t b = 0; b < 2; ++b) {
        const std::vector<Member>& from = prepared_[group].bindings[b];
        out.bindings[b].insert(out.bindings[b].end(), from.begin(), from.end());
      }
    }
    for (std::vector<Member>& members : out.bindings) MergeMembers(&members);
    return out;
  }
  for (uint32_t group : groups) CollectLeft(group, &out);
  if (groups.size() > 1) MergeMembers(&out.bindings[0]);
  if (join_ != nullptr) join_->Harvest(&out.bindings[1]);
  return out;
}

}  // namespace attr::eval
