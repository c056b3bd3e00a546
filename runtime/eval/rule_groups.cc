#include "runtime/eval/rule_groups.h"

#include <algorithm>

#include "runtime/eval/silence.h"

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

bool CanMatch(const RuleSides& rule) {
  for (size_t b = 0; b < rule.sides.size(); ++b) {
    const std::vector<uint8_t>& bits = *rule.sides[b].membership;
    if (rule.rule->bindings[b].kind != plan::BindKind::kPositive) continue;
    if (std::none_of(bits.begin(), bits.end(), [](uint8_t bit) { return bit != 0; })) return false;
  }
  return true;
}

RuleGroups::RuleGroups(const Context& context, const RuleSides& rule, const Engine& engine, size_t kernel)
    : context_(context), rule_(rule) {
  if (rule.rule->AlternativeCount() > 1) {
    alternatives_ = std::make_unique<AlternativeGroups>(context, rule, engine, kernel);
    pairs_ = alternatives_->pairs();
    return;
  }
  if (!CanMatch(rule)) return;  // and no index over the other bindings
  place_columns_ = PlaceColumns(*context.plan, *rule.rule);
  const bool one_side = std::all_of(rule.rule->keys.begin(), rule.rule->keys.end(),
                                    [&](const plan::Key& key) { return key.column.binding == rule.key_side; });
  const bool pair = rule.sides.size() == 2 && rule.rule->bindings[1].kind == plan::BindKind::kPositive;
  const bool tree = !pair && JoinTree::Fits(*rule.rule);
  const bool by_silence = rule.rule->gap != plan::kNoWindow;
  if (!one_side || (by_silence && rule.key_side != 0) || (rule.sides.size() > 1 && !pair && !tree)) {
    tuples_ = std::make_unique<TupleGroups>(context, rule, engine, kernel);
    pairs_ = tuples_->Count();
    return;
  }
  std::vector<uint32_t> columns;
  for (const plan::Key& key : rule.rule->keys) columns.push_back(key.column.column);
  groups_ = GroupRows(rule.sides[rule.key_side], columns);
  if (pair) {
    join_ = std::make_unique<RowJoin>(context, rule.rule->joins[0], engine, kernel, rule.sides[0], rule.sides[1]);
    pairs_ = join_->CountPairs();
  } else if (rule.sides.size() > 1) {
    tree_ = std::make_unique<JoinTree>(context, rule, engine, kernel);
    pairs_ = tree_->pairs();
  }
}

std::vector<Summary> RuleGroups::Summaries() const {
  const bool whole = !listed() && rule_.rule->extremes.empty();
  if (rule_.sides.size() != 1 || !whole || groups_.size() == 0) return {};
  return SummarizeGroups(rule_.sides[0], groups_);
}

std::vector<std::vector<uint32_t>> PlaceColumns(const plan::Plan& plan, const plan::Rule& rule) {
  std::vector<std::vector<uint32_t>> out(rule.bindings.size());
  std::vector<std::pair<plan::ExprId, const plan::Join*>> stack;
  const auto decides = [&](const plan::Binding& binding) { return binding.kind != plan::BindKind::kWith; };
  for (const plan::Join& join : rule.joins) {
    if (!decides(rule.bindings[join.right])) continue;
    for (const plan::EqualKey& key : join.keys) {
      if (!key.place) continue;
      out[join.left].push_back(key.left);
      out[join.right].push_back(key.right);
    }
    if (join.residual != plan::kNone) stack.emplace_back(join.residual, &join);
  }
  for (const plan::Binding& binding : rule.bindings) {
    if (binding.residual != plan::kNone && decides(binding)) stack.emplace_back(binding.residual, nullptr);
  }
  while (!stack.empty()) {
    const auto [id, join] = stack.back();
    const plan::Expr& e = plan.exprs[id];
    stack.pop_back();
    if (e.op == plan::Op::kAnd || e.op == plan::Op::kOr) {
      stack.emplace_back(e.a, join);
      stack.emplace_back(e.b, join);
    }
    if (!plan::IsPlaceRelation(e.op)) continue;
    for (plan::ExprId side : {e.a, e.b}) {
      const plan::Expr& column = plan.exprs[side];
      if (column.op != plan::Op::kColumn) continue;
      out[join == nullptr ? column.a : column.a == 0 ? join->left : join->right].push_back(column.b);
    }
  }
  for (std::vector<uint32_t>& columns : out) {
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  }
  return out;
}

bool LacksPlace(const Table& table, const std::vector<uint32_t>& columns, uint32_t row) {
  return std::any_of(columns.begin(), columns.end(), [&](uint32_t c) { return !table.columns[c].Has(row); });
}

bool RuleGroups::Placeless(uint32_t group, uint32_t binding, uint32_t row) const {
  if (alternatives_ != nullptr) return alternatives_->Placeless(group, binding, row);
  return LacksPlace(*rule_.sides[binding].table, place_columns_[binding], row);
}

bool RuleGroups::KeySideReal(uint32_t group) const {
  if (listed()) {
    const std::vector<Member>& rows = keyed_[group].members.bindings[rule_.key_side];
    return std::any_of(rows.begin(), rows.end(),
                       [&](const Member& m) { return rule_.sides[rule_.key_side].real(m.row); });
  }
  return rule_.sides[rule_.key_side].real(groups_.rows[groups_.first[group]]);
}

uint64_t RuleGroups::RealGroups() const {
  if (listed()) return keyed_.size();
  uint64_t real = 0;
  for (uint32_t g = 0; g < groups_.size(); ++g) real += KeySideReal(g) ? 1 : 0;
  return real;
}

std::vector<Value> RuleGroups::Keys(uint32_t group) const {
  if (group < keyed_.size()) return keyed_[group].keys;
  const Side& side = rule_.sides[rule_.key_side];
  const uint32_t row = groups_.rows[groups_.first[group]];
  const plan::Event& event = context_.plan->events[rule_.rule->bindings[rule_.key_side].event];
  std::vector<Value> keys;
  for (const plan::Key& key : rule_.rule->keys) {
    const Column& column = side.table->columns[key.column.column];
    const bool present = column.Has(row);
    keys.push_back({event.ColumnType(key.column.column), present, present ? column.slots[row] : 0});
  }
  return keys;
}

std::vector<Member> RuleGroups::BlindRows() const {
  std::vector<Member> rows;
  for (uint32_t g = 0; g < size(); ++g) {
    if (KeySideReal(g)) continue;
    if (listed()) {
      const std::vector<Member>& part = keyed_[g].members.bindings[0];
      rows.insert(rows.end(), part.begin(), part.end());
      continue;
    }
    for (size_t i = groups_.first[g]; i < groups_.first[g + 1]; ++i) rows.push_back({groups_.rows[i], kMayBit});
  }
  return rows;
}

void RuleGroups::Prepare() {
  if (alternatives_ != nullptr) keyed_ = alternatives_->Enumerate();
  if (tuples_ != nullptr) keyed_ = tuples_->Enumerate();
  if (tree_ != nullptr) tree_->Reduce();
  if (join_ != nullptr && rule_.key_side == 1) PrepareRight();
  if (tuples_ == nullptr && alternatives_ == nullptr && listed()) ListBySilence();
}

void RuleGroups::ListBySilence() {
  const Table& table = *rule_.sides[0].table;
  std::vector<KeyedGroup> list;
  for (uint32_t g = 0; g < groups_.size(); ++g) {
    const uint32_t* rows = groups_.rows.data();
    GroupMembers whole = CollectRows(rows + groups_.first[g], rows + groups_.first[g + 1]);
    if (whole.bits == 0) continue;
    const std::vector<Part> parts = SplitBySilence(table, whole.bindings[0], rule_.rule->gap);
    for (const Part& part : parts) {
      list.push_back({Keys(g), parts.size() == 1 ? std::move(whole) : CollectMembers(part.rows)});
      if (!part.sure) list.back().members.bits &= kPresumedBit | kMayBit;
    }
  }
  keyed_ = std::move(list);
}

GroupMembers RuleGroups::CollectMembers(const std::vector<Member>& members) {
  std::vector<uint32_t> rows;
  for (const Member& member : members) rows.push_back(member.row);
  return CollectRows(rows.data(), rows.data() + rows.size());
}

void RuleGroups::PrepareRight() {
  prepared_.resize(groups_.size());
  for (GroupMembers& group : prepared_) group.bindings.resize(2);
  std::vector<uint8_t> right_bits(rule_.sides[1].table->rows);
  std::vector<Member> found;
  for (uint32_t left = 0; left < rule_.sides[0].table->rows; ++left) {
    if ((*rule_.sides[0].membership)[left] == 0) continue;
    join_->Reach(left);
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

GroupMembers RuleGroups::CollectPair(const uint32_t* begin, const uint32_t* end) {
  GroupMembers out;
  out.bindings.resize(rule_.sides.size());
  for (const uint32_t* at = begin; at != end; ++at) {
    const uint32_t row = *at;
    const uint8_t bits = join_ == nullptr ? (*rule_.sides[0].membership)[row] : join_->Run(row);
    if (bits != 0) out.bindings[0].push_back({row, bits});
    out.bits |= bits;
  }
  if (join_ != nullptr) join_->Harvest(&out.bindings[1]);
  return out;
}

GroupMembers RuleGroups::CollectOne(uint32_t group) {
  if (listed()) return keyed_[group].members;
  if (!prepared_.empty()) return prepared_[group];
  const uint32_t* rows = groups_.rows.data();
  return CollectRows(rows + groups_.first[group], rows + groups_.first[group + 1]);
}

GroupMembers RuleGroups::CollectRows(const uint32_t* begin, const uint32_t* end) {
  return tree_ != nullptr ? tree_->Collect(begin, end) : CollectPair(begin, end);
}

GroupMembers RuleGroups::Collect(const std::vector<uint32_t>& groups) {
  if (groups.size() == 1) return CollectOne(groups[0]);
  GroupMembers out;
  out.bindings.resize(rule_.sides.size());
  for (uint32_t group : groups) {
    const GroupMembers one = CollectOne(group);
    out.bits |= one.bits;
    out.absence_gaps.insert(out.absence_gaps.end(), one.absence_gaps.begin(), one.absence_gaps.end());
    for (size_t b = 0; b < out.bindings.size(); ++b) {
      out.bindings[b].insert(out.bindings[b].end(), one.bindings[b].begin(), one.bindings[b].end());
    }
  }
  for (std::vector<Member>& members : out.bindings) MergeMembers(&members);
  return out;
}

}  // namespace attr::eval
