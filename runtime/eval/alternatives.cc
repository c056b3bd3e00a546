#include "runtime/eval/alternatives.h"

#include <algorithm>

#include "runtime/base/saturating.h"
#include "runtime/eval/rule_groups.h"

namespace attr::eval {
namespace {

/// One alternative alone, its bindings counted from 0; what stands after `when` is
/// asked of the merged groups.
plan::Rule RuleOf(const plan::Rule& whole, uint32_t alternative, plan::BindingRange range) {
  plan::Rule rule;
  rule.kind = whole.kind;
  rule.name = whole.name;
  rule.gap = whole.gap;
  rule.bindings.assign(whole.bindings.begin() + range.first, whole.bindings.begin() + range.end);
  for (plan::Binding& binding : rule.bindings) binding.alternative = 0;
  for (plan::Join join : whole.joins) {
    if (join.right < range.first || join.right >= range.end) continue;
    join.left -= range.first;
    join.right -= range.first;
    rule.joins.push_back(std::move(join));
  }
  for (const plan::Key& key : whole.keys) {
    plan::ColumnRef column = plan::ColumnsOf(key)[alternative];
    column.binding -= range.first;
    rule.keys.push_back({key.name, column, {}});
  }
  return rule;
}

}  // namespace

AlternativeGroups::AlternativeGroups(const Context& context, const RuleSides& rule, const Engine& engine,
                                     size_t first_kernel)
    : rule_(rule) {
  size_t kernel = first_kernel;
  for (uint32_t a = 0; a < rule.rule->AlternativeCount(); ++a) {
    const plan::BindingRange range = plan::BindingsOf(*rule.rule, a);
    auto one = std::make_unique<Alternative>();
    one->rule = RuleOf(*rule.rule, a, range);
    one->sides = SidesOf(one->rule, rule.index, {rule.sides.begin() + range.first, rule.sides.begin() + range.end});
    one->first = range.first;
    const size_t own_kernel = kernel;
    kernel += one->rule.joins.size();
    if (!CanMatch(one->sides)) continue;
    one->place_columns = PlaceColumns(*context.plan, one->rule);
    if (one->rule.gap == plan::kNoWindow) {
      one->groups = std::make_unique<RuleGroups>(context, one->sides, engine, own_kernel);
      one->pairs = one->groups->pairs();
    } else {
      one->tuples = std::make_unique<TupleGroups>(context, one->sides, engine, own_kernel);
      one->pairs = one->tuples->Count();
    }
    alternatives_.push_back(std::move(one));
  }
}

AlternativeGroups::~AlternativeGroups() = default;

uint64_t AlternativeGroups::pairs() const {
  uint64_t pairs = 0;
  for (const auto& alternative : alternatives_) pairs = SaturatingAdd(pairs, alternative->pairs);
  return pairs;
}

std::vector<KeyedGroup> AlternativeGroups::GroupsOf(Alternative& alternative, const SilentParts* parts) {
  if (alternative.tuples != nullptr) return alternative.tuples->Enumerate(parts);
  std::vector<KeyedGroup> out;
  RuleGroups& groups = *alternative.groups;
  groups.Prepare();
  for (uint32_t g = 0; g < groups.size(); ++g) out.push_back({groups.Keys(g), groups.Collect({g})});
  return out;
}

std::vector<KeyedGroup> AlternativeGroups::Enumerate() {
  const size_t width = rule_.rule->keys.size();
  SilentParts parts(width);
  if (rule_.rule->gap != plan::kNoWindow) {
    for (const auto& alternative : alternatives_) alternative->tuples->CollectFirstRows(&parts);
    parts.Split(rule_.sides[0], rule_.rule->gap);
  }
  KeyMap keys(width * 2 + 1);
  std::vector<KeyedGroup> out;
  for (const auto& alternative : alternatives_) {
    Merge(*alternative, GroupsOf(*alternative, &parts), &keys, &out);
  }
  for (KeyedGroup& group : out) {
    for (std::vector<Member>& members : group.members.bindings) MergeMembers(&members);
    if ((group.members.bits & kMustBit) != 0) group.members.absence_gaps.clear();
  }
  return out;
}

void AlternativeGroups::Merge(const Alternative& alternative, std::vector<KeyedGroup> groups, KeyMap* keys,
                              std::vector<KeyedGroup>* out) {
  for (KeyedGroup& group : groups) {
    if (group.members.bits == 0) continue;
    std::vector<int64_t> key;
    for (const Value& value : group.keys) {
      key.push_back(value.present ? 1 : 0);
      key.push_back(value.present ? value.slot : 0);
    }
    key.push_back(group.part);
    const uint32_t at = keys->Intern(key.data());
    if (at == out->size()) {
      out->push_back({std::move(group.keys), {}, group.part});
      out->back().members.bindings.resize(rule_.sides.size());
      placeless_.emplace_back();
    }
    MergeMembersOf(alternative, group.members, at, &(*out)[at].members);
  }
}

void AlternativeGroups::MergeMembersOf(const Alternative& alternative, const GroupMembers& from, uint32_t group,
                                       GroupMembers* to) {
  to->bits |= from.bits;
  to->absence_gaps.insert(to->absence_gaps.end(), from.absence_gaps.begin(), from.absence_gaps.end());
  for (uint32_t b = 0; b < from.bindings.size(); ++b) {
    const uint32_t stored = rule_.stored_at[alternative.first + b];
    const std::vector<Member>& members = from.bindings[b];
    to->bindings[stored].insert(to->bindings[stored].end(), members.begin(), members.end());
    if (alternative.place_columns[b].empty()) continue;
    const Table& table = *alternative.sides.sides[b].table;
    for (const Member& member : members) {
      if ((member.bits & kPresumedBit) != 0 && LacksPlace(table, alternative.place_columns[b], member.row)) {
        placeless_[group].emplace(stored, member.row);
      }
    }
  }
}

}  // namespace attr::eval
