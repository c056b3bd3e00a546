#include "runtime/eval/rule_findings.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "runtime/eval/extremes.h"

namespace attr::eval {
namespace {

/// Above this many pairs a rule that no real event supports is not tried pair by
/// pair: that its blind spots fit somewhere is then taken as given.
constexpr uint64_t kPhantomPairs = 1'024;

/// Groups that one placeless event ties together.
class Components {
 public:
  void Reset(size_t groups) {
    parent_.resize(groups);
    eligible_.assign(groups, 0);
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  void MarkEligible(uint32_t group) { eligible_[group] = 1; }
  bool Eligible(uint32_t group) const { return eligible_[group] != 0; }
  void Join(uint32_t a, uint32_t b) {
    a = Find(a);
    b = Find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  uint32_t Find(uint32_t group) {
    while (parent_[group] != group) group = parent_[group] = parent_[parent_[group]];
    return group;
  }

 private:
  std::vector<uint32_t> parent_;
  std::vector<uint8_t> eligible_;
};

class RuleEvaluation {
 public:
  RuleEvaluation(const Context& context, const RuleSides& rule, const Engine& engine, size_t kernel,
                 const Limits& limits)
      : context_(context),
        rule_(rule),
        limits_(limits),
        groups_(context, rule, engine, kernel),
        group_of_row_(rule.sides.size()) {}

  RuleOutcome Run();

 private:
  bool Supports(size_t binding) const { return rule_.rule->bindings[binding].kind == plan::BindKind::kPositive; }
  bool AnyReal() const;
  void CheckLimits();
  void EvaluateGroups();
  void NotePlaceless(uint32_t group, const Finding& finding, const GroupMembers& members);
  void NotePlacelessOf(uint32_t name, uint32_t group, const GroupMembers& members);
  void AddUnevaluable(const Finding& finding);
  void AssumeBlindGroups();
  void AssumeUnevaluable();
  void FoldOpenPlaces();
  Finding Fold(const std::vector<size_t>& parts);
  void Sort();

  const Context& context_;
  const RuleSides& rule_;
  const Limits& limits_;
  RuleGroups groups_;
  Components components_;
  std::vector<std::map<uint32_t, uint32_t>> group_of_row_;  // by binding: first group that a placeless row is tied to
  std::vector<uint32_t> finding_groups_;                    // parallel to outcome_.findings
  std::vector<Finding> unevaluable_;                        // at most one
  RuleOutcome outcome_;
};

bool RuleEvaluation::AnyReal() const {
  for (size_t b = 0; b < rule_.sides.size(); ++b) {
    const Side& side = rule_.sides[b];
    if (!Supports(b)) continue;
    const auto begin = side.membership->begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(side.table->first_phantom);
    if (std::any_of(begin, end, [](uint8_t bits) { return bits != 0; })) return true;
  }
  return false;
}

void RuleEvaluation::CheckLimits() {
  const auto over = [&](const char* name, uint64_t value, uint64_t bound) {
    if (value > bound) outcome_.limits.push_back({rule_.index, name, value, bound});
  };
  for (uint32_t b = 0; b < rule_.sides.size(); ++b) {
    // What stands after the braces is bound once in every alternative.
    if (rule_.stored_at[b] != b) continue;
    over("events per type", rule_.sides[b].table->first_phantom, limits_.events_per_type);
    over("samples of a window", rule_.sides[b].table->window_samples, limits_.window_samples);
  }
  over("candidate pairs", groups_.pairs(), limits_.candidate_pairs);
  if (groups_.counted_before()) over("findings per rule", groups_.RealGroups(), limits_.findings_per_rule);
  outcome_.pairs = groups_.pairs();
}

RuleOutcome RuleEvaluation::Run() {
  const bool real = AnyReal();
  if (!real && rule_.sides.size() > 1 && groups_.pairs() > kPhantomPairs) {
    AssumeUnevaluable();
  } else {
    CheckLimits();
    if (!outcome_.limits.empty()) return std::move(outcome_);
    groups_.Prepare();
    if (!groups_.counted_before() && groups_.size() > limits_.findings_per_rule) {
      outcome_.limits.push_back({rule_.index, "findings per rule", groups_.size(), limits_.findings_per_rule});
      return std::move(outcome_);
    }
    components_.Reset(groups_.size());
    EvaluateGroups();
    FoldOpenPlaces();
    Sort();
  }
  for (Finding& finding : unevaluable_) {
    std::sort(finding.gaps.begin(), finding.gaps.end());
    finding.gaps.erase(std::unique(finding.gaps.begin(), finding.gaps.end()), finding.gaps.end());
    outcome_.findings.push_back(std::move(finding));
  }
  return std::move(outcome_);
}

void RuleEvaluation::EvaluateGroups() {
  bool blind = false;
  std::vector<Summary> summaries = groups_.Summaries();
  for (uint32_t g = 0; g < groups_.size(); ++g) {
    if (rule_.sides.size() == 1 && !groups_.KeySideReal(g)) {
      blind = true;  // phantoms follow the real rows: nothing else is in the group
      continue;
    }
    GroupMembers members = groups_.Collect({g});
    NarrowToExtremes(rule_, &members);
    std::optional<Finding> finding =
        MakeFinding(context_, rule_, members, limits_.members_kept, summaries.empty() ? nullptr : &summaries[g]);
    if (!finding) continue;
    if (!finding->event_bound) {
      AddUnevaluable(*finding);
      continue;
    }
    finding->keys = groups_.Keys(g);
    Blame(context_, rule_, members, &*finding);
    NotePlaceless(g, *finding, members);
    finding_groups_.push_back(g);
    outcome_.findings.push_back(std::move(*finding));
  }
  if (blind) AssumeBlindGroups();
}

/// A group is tied when it is presumed, not certain, and only by events that lack a place.
void RuleEvaluation::NotePlaceless(uint32_t group, const Finding& finding, const GroupMembers& members) {
  if (rule_.sides.size() < 2 || rule_.rule->keys.empty()) return;
  if ((finding.bits & kPresumedBit) == 0 || (finding.bits & kMustBit) != 0) return;
  const bool or_clause = rule_.rule->AlternativeCount() > 1;
  for (uint32_t b = 0; b < rule_.sides.size(); ++b) {
    // Parts that a silence separates share the key side's rows.
    const bool shared = b != rule_.key_side || rule_.rule->gap != plan::kNoWindow || or_clause;
    if (shared && Supports(b) && rule_.named_at[b] == b) NotePlacelessOf(b, group, members);
  }
}

/// `name`: the first binding of that name; alternatives may bind it to other events.
void RuleEvaluation::NotePlacelessOf(uint32_t name, uint32_t group, const GroupMembers& members) {
  const auto for_each = [&](auto&& f) {
    for (uint32_t b = name; b < rule_.sides.size(); ++b) {
      if (rule_.named_at[b] != name) continue;
      for (const Member& member : members.bindings[b]) {
        if ((member.bits & kPresumedBit) != 0 && !f(b, member.row)) return false;
      }
    }
    return true;
  };
  if (!for_each([&](uint32_t b, uint32_t row) { return groups_.Placeless(group, b, row); })) return;
  components_.MarkEligible(group);
  for_each([&](uint32_t b, uint32_t row) {
    const auto [first, added] = group_of_row_[b].emplace(row, group);
    if (!added) components_.Join(first->second, group);
    return true;
  });
}

void RuleEvaluation::AddUnevaluable(const Finding& finding) {
  if (unevaluable_.empty()) {
    unevaluable_.push_back(finding);
    Finding& all = unevaluable_.back();
    for (const plan::Key& key : rule_.rule->keys) {
      const plan::Event& event = context_.plan->events[rule_.rule->bindings[key.column.binding].event];
      all.keys.push_back({event.ColumnType(key.column.column), false, 0});
    }
    return;
  }
  Finding& all = unevaluable_.back();
  all.bits |= finding.bits;
  all.gaps.insert(all.gaps.end(), finding.gaps.begin(), finding.gaps.end());
  for (size_t b = 0; b < all.members.size(); ++b) all.members[b].unbounded |= finding.members[b].unbounded;
}

/// One binding: the groups that hold nothing but phantoms, taken together. `having`
/// sees the same bounds in each of them.
void RuleEvaluation::AssumeBlindGroups() {
  GroupMembers members;
  members.bits = kMayBit;
  members.bindings.push_back(groups_.BlindRows());
  const std::optional<Finding> finding = MakeFinding(context_, rule_, members, limits_.members_kept);
  if (finding) AddUnevaluable(*finding);
}

/// All blind spots of all bindings at once.
void RuleEvaluation::AssumeUnevaluable() {
  GroupMembers members;
  members.bits = kMayBit;
  for (size_t b = 0; b < rule_.sides.size(); ++b) {
    const Side& side = rule_.sides[b];
    members.bindings.emplace_back();
    if (!Supports(b)) continue;
    for (auto row = static_cast<uint32_t>(side.table->first_phantom); row < side.table->rows; ++row) {
      if ((*side.membership)[row] != 0) members.bindings.back().push_back({row, kMayBit});
    }
  }
  const std::optional<Finding> finding = MakeFinding(context_, rule_, members, limits_.members_kept);
  if (finding) AddUnevaluable(*finding);
}

Finding RuleEvaluation::Fold(const std::vector<size_t>& parts) {
  std::vector<uint32_t> groups;
  for (size_t part : parts) groups.push_back(finding_groups_[part]);
  GroupMembers members = groups_.Collect(groups);
  NarrowToExtremes(rule_, &members);
  // What the parts were is kept: `having` was asked group by group.
  const Finding& first = outcome_.findings[parts[0]];
  std::optional<Finding> made = MakeFinding(context_, rule_, members, limits_.members_kept);
  Finding fold = made ? std::move(*made) : first;
  fold.bits = 0;
  fold.gaps.clear();
  fold.keys = first.keys;
  for (size_t part : parts) {
    const Finding& one = outcome_.findings[part];
    fold.bits |= one.bits;
    for (size_t k = 0; k < fold.keys.size(); ++k) {
      if (CompareValues(context_, fold.keys[k], one.keys[k]) != 0) fold.keys[k] = {fold.keys[k].type, false, 0};
    }
    fold.open_places.insert(fold.open_places.end(), one.nodes.begin(), one.nodes.end());
  }
  fold.blamed_nodes.clear();
  fold.blamed_gpus.clear();
  SortNatural(context_, &fold.open_places);
  fold.place_open = true;
  return fold;
}

void RuleEvaluation::FoldOpenPlaces() {
  std::vector<std::vector<size_t>> parts(groups_.size());
  for (size_t f = 0; f < outcome_.findings.size(); ++f) {
    if (components_.Eligible(finding_groups_[f])) parts[components_.Find(finding_groups_[f])].push_back(f);
  }
  std::vector<uint8_t> folded(outcome_.findings.size());
  std::vector<Finding> folds;
  for (const std::vector<size_t>& part : parts) {
    if (part.size() < 2) continue;
    folds.push_back(Fold(part));
    for (size_t f : part) folded[f] = 1;
  }
  if (folds.empty()) return;
  std::vector<Finding> kept;
  for (size_t f = 0; f < outcome_.findings.size(); ++f) {
    if (folded[f] == 0) kept.push_back(std::move(outcome_.findings[f]));
  }
  for (Finding& fold : folds) kept.push_back(std::move(fold));
  outcome_.findings = std::move(kept);
}

void RuleEvaluation::Sort() {
  const auto less = [&](const Finding& a, const Finding& b) {
    if (a.begin.lo != b.begin.lo) return a.begin.lo < b.begin.lo;
    if (a.begin.hi != b.begin.hi) return a.begin.hi < b.begin.hi;
    for (size_t k = 0; k < a.keys.size(); ++k) {
      const int order = CompareValues(context_, a.keys[k], b.keys[k]);
      if (order != 0) return order < 0;
    }
    return !a.place_open && b.place_open;
  };
  std::stable_sort(outcome_.findings.begin(), outcome_.findings.end(), less);
}

}  // namespace

RuleOutcome EvaluateRule(const Context& context, const RuleSides& rule, const Engine& engine, size_t kernel,
                         const Limits& limits) {
  return RuleEvaluation(context, rule, engine, kernel, limits).Run();
}

}  // namespace attr::eval
