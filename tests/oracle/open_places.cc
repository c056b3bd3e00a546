// S6: findings between which an event without a place cannot choose are one.
#include <algorithm>
#include <numeric>

#include "runtime/base/fold_names.h"
#include "tests/oracle/rule_finder.h"

namespace attr::oracle {

/// The group is presumed, not certain, and of one binding only events without a
/// place of their own make it so: they may belong to other groups as well.
bool RuleFinder::IsTied(const Group& group, const Finding& finding, Ties* by) const {
  if (rule_.keys.empty() || !finding.bits.presumed || finding.bits.must) return false;
  for (size_t s = 0; s < slots_.size(); ++s) {
    std::set<const Row*> presumed, placeless;
    if (slots_[s].optional) continue;
    for (const Member& member : finding.members[s]) {
      if (member.bits.presumed) presumed.insert(member.row);
    }
    for (const Tuple& tuple : group.tuples) {
      if (!tuple.bits.presumed || tuple.rows[s] == nullptr || presumed.count(tuple.rows[s]) == 0) continue;
      if (tuple.placeless.count(tuple.rows[s]) != 0) placeless.insert(tuple.rows[s]);
    }
    if (presumed != placeless) continue;
    for (const Row* row : placeless) by->emplace(s, row);
  }
  return !by->empty();
}

Finding RuleFinder::Fold(const std::vector<const Group*>& groups, const std::vector<Finding>& parts) {
  std::optional<Finding> made = MakeFinding(groups);
  Finding fold = made ? std::move(*made) : parts[0];
  fold.bits = kNo;
  fold.keys = parts[0].keys;
  fold.gaps.clear();
  for (const Finding& part : parts) {
    fold.bits = Or(fold.bits, part.bits);
    for (size_t k = 0; k < fold.keys.size(); ++k) {
      if (!SameValue(fold.keys[k], part.keys[k])) fold.keys[k] = Missing(fold.keys[k].type);
    }
    fold.open_places.insert(fold.open_places.end(), part.nodes.begin(), part.nodes.end());
  }
  SortNames(&fold.open_places);
  fold.blamed_nodes.clear();
  fold.blamed_gpus.clear();
  fold.place_open = true;
  return fold;
}

/// S6: findings that one event's missing place makes presumed are one finding.
void RuleFinder::FoldOpenPlaces(const std::vector<const Group*>& groups, std::vector<Finding>* findings) {
  const size_t n = findings->size();
  std::vector<Ties> ties(n);
  std::vector<size_t> family(n);
  std::vector<bool> tied(n);
  std::iota(family.begin(), family.end(), size_t{0});
  for (size_t f = 0; f < n; ++f) tied[f] = IsTied(*groups[f], (*findings)[f], &ties[f]);
  for (size_t f = 0; f < n; ++f) {
    for (size_t g = 0; g < f; ++g) {
      const bool share = tied[f] && tied[g] && std::any_of(ties[f].begin(), ties[f].end(), [&](const auto& tie) {
                           return ties[g].count(tie) != 0;
                         });
      if (!share || family[f] == family[g]) continue;
      const size_t from = family[f], to = family[g];
      for (size_t& name : family) name = name == from ? to : name;
    }
  }
  std::vector<Finding> out;
  for (size_t f = 0; f < n; ++f) {
    std::vector<const Group*> of;
    std::vector<Finding> parts;
    for (size_t g = 0; g < n; ++g) {
      if (!tied[g] || family[g] != family[f]) continue;
      of.push_back(groups[g]);
      parts.push_back((*findings)[g]);
    }
    if (!tied[f] || parts.size() < 2) {
      out.push_back((*findings)[f]);
    } else if (of.front() == groups[f]) {
      out.push_back(Fold(of, parts));
    }
  }
  *findings = std::move(out);
}

}  // namespace attr::oracle
