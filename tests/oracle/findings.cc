#include "tests/oracle/findings.h"

#include <algorithm>

#include "runtime/base/fold_names.h"
#include "tests/oracle/rule_finder.h"

namespace attr::oracle {

void RuleFinder::Summarize(Finding* finding) const {
  bool empty = true, one_clock = true, one_tie = true;
  std::set<int64_t> ranks;
  std::set<std::pair<std::string, std::string>> gpu_places;
  Span& span = finding->span;
  for (size_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].optional) continue;
    for (const Row* row : SeenOf(finding->members[slot])) {
      const bool finding_row = row->kind == RowKind::kFinding;
      if (row->node.present && !finding_row) finding->nodes.push_back(row->node.text);
      if (row->gpu.present && !finding_row) finding->gpus.push_back(row->gpu.text);
      if (row->gpu.present) gpu_places.emplace(row->gpu.text, row->node.text);
      if (row->rank.present && !finding_row) ranks.insert(row->rank.number);
      finding->nodes.insert(finding->nodes.end(), row->nodes.begin(), row->nodes.end());
      finding->gpus.insert(finding->gpus.end(), row->gpus.begin(), row->gpus.end());
      ranks.insert(row->ranks.begin(), row->ranks.end());
      if (row->kind == RowKind::kTable || row->kind == RowKind::kInventory) continue;  // they are at no time
      const Span& s = row->span;
      const int64_t begin_precision = row->begin ? row->begin->precision : s.precision;
      const int64_t end_precision = row->end ? row->end->precision : s.precision;
      if (empty || std::tie(s.begin_lo, s.begin_hi) < std::tie(finding->begin.lo, finding->begin.hi))
        finding->begin.precision = begin_precision;
      if (empty || std::tie(s.end_hi, s.end_lo) > std::tie(finding->end.hi, finding->end.lo))
        finding->end.precision = end_precision;
      finding->begin.lo = empty ? s.begin_lo : std::min(finding->begin.lo, s.begin_lo);
      finding->begin.hi = empty ? s.begin_hi : std::min(finding->begin.hi, s.begin_hi);
      finding->end.lo = empty ? s.end_lo : std::max(finding->end.lo, s.end_lo);
      finding->end.hi = empty ? s.end_hi : std::max(finding->end.hi, s.end_hi);
      one_clock = one_clock && (empty || s.clock == span.clock);
      one_tie = one_tie && (empty || s.tie == span.tie);
      span.clock = s.clock;
      span.tie = s.tie;
      span.skew = std::max(span.skew, s.skew);
      empty = false;
    }
  }
  SortNames(&finding->nodes);
  SortNames(&finding->gpus);
  finding->ranks.assign(ranks.begin(), ranks.end());
  finding->gpu_places.assign(gpu_places.begin(), gpu_places.end());
  span.begin_lo = finding->begin.lo;
  span.begin_hi = finding->begin.hi;
  span.end_lo = finding->end.lo;
  span.end_hi = finding->end.hi;
  span.precision = std::max(finding->begin.precision, finding->end.precision);
  // Over several clocks it is on a clock of its own, over untied ones tied to nothing: DrawEdges names them.
  if (!one_clock) span.clock = "mixed";
  if (!one_tie) span.tie = "mixed";
}

/// A name that alternatives bind to different events: in the order of the observations,
/// then of the alternatives.
void RuleFinder::SortCanonically(size_t slot, std::vector<Member>* members) const {
  const auto alternative = [&](const Row* row) {
    for (size_t a = 0; a < rule_.alternatives.size(); ++a) {
      for (const Binding& binding : rule_.alternatives[a]) {
        const std::vector<Row>& rows = world_.rows[binding.event];
        const auto is = [&](const Row& one) { return &one == row; };
        if (binding.name == slots_[slot].name && std::any_of(rows.begin(), rows.end(), is)) return a;
      }
    }
    return rule_.alternatives.size();
  };
  if (rule_.alternatives.size() < 2) return;
  std::stable_sort(members->begin(), members->end(), [&](const Member& a, const Member& b) {
    if (a.row->observation != b.row->observation) return a.row->observation < b.row->observation;
    return alternative(a.row) < alternative(b.row);
  });
}

/// nullopt when `having` rules the group out. A folded finding is several groups.
std::optional<Finding> RuleFinder::MakeFinding(const std::vector<const Group*>& groups) {
  Finding finding;
  finding.rule = index_;
  finding.keys = groups[0]->keys;
  finding.members.resize(slots_.size());
  std::vector<std::map<const Row*, Bits>> members(slots_.size());
  std::set<Gap> absence;
  for (const Group* group : groups) {
    for (const Tuple& tuple : group->tuples) {
      finding.bits = Or(finding.bits, tuple.bits);
      for (size_t s = 0; s < slots_.size(); ++s) {
        if (tuple.rows[s] == nullptr) continue;
        Bits& bits = members[s][tuple.rows[s]];
        bits = Or(bits, tuple.bits);
      }
      for (const auto& [s, member] : tuple.optional) {
        Bits& bits = members[s][member.row];
        bits = Or(bits, member.bits);
      }
      absence.insert(tuple.absence.begin(), tuple.absence.end());
    }
  }
  for (const Group* group : groups) finding.bits.must = finding.bits.must && group->sure;
  // Where the tuples are certain, an exception that may be elsewhere leaves nothing open.
  if (finding.bits.must) absence.clear();
  for (size_t s = 0; s < slots_.size(); ++s) {
    for (const auto& [row, bits] : members[s]) {
      finding.members[s].push_back({row, bits});
    }
    SortCanonically(s, &finding.members[s]);
  }
  finding.bits = And(finding.bits, NarrowToExtremes(world_, rule_, slots_, &finding.members));
  for (size_t s = 0; s < slots_.size(); ++s) {
    for (const Member& member : finding.members[s]) {
      if (slots_[s].optional) continue;
      if (!member.row->bits.presumed) finding.gaps.insert(member.row->gaps.begin(), member.row->gaps.end());
      const bool event = !member.row->IsPhantom() && member.row->kind != RowKind::kTable;
      finding.event_bound = finding.event_bound || event;
    }
  }
  if (rule_.decl != nullptr && rule_.decl->having) {
    finding.bits = And(finding.bits, Having(world_, rule_, slots_, *rule_.decl->having, finding.members));
  }
  if (!finding.bits.may) return std::nullopt;
  if (finding.bits.presumed) finding.gaps.clear();
  if (!finding.bits.must) finding.gaps.insert(absence.begin(), absence.end());
  Summarize(&finding);
  return finding;
}

void RuleFinder::Blame(Finding* finding) {
  for (const Value& key : finding->keys) {
    if (!key.present) return;
  }
  if (rule_.decl == nullptr) return;
  for (const syntax::Blame& blame : rule_.decl->blame) {
    const Type type = *TypeNamed(blame.kind.text);
    RuleScope scope(world_.pack, {}, true);
    for (const Slot& slot : slots_) scope.Add({slot.name, slot.event, nullptr});
    const uint32_t read = Evaluator(world_, rule_.pack, scope).Eval(*blame.value, type).bindings;
    for (size_t s = 0; s < slots_.size(); ++s) {
      if ((read >> s & 1U) == 0) continue;
      for (const Row* row : SeenOf(finding->members[s])) {
        scope.Put(s, row);
        const Value value = Evaluator(world_, rule_.pack, scope).Eval(*blame.value, type).value;
        if (!value.present) continue;
        if (type == Type::kNode) finding->blamed_nodes.push_back(value.text);
        if (type == Type::kGpu) finding->blamed_gpus.push_back(value.text);
        if (type != Type::kRank || value.number < 0 || value.number > INT32_MAX) continue;
        const uint32_t node = world_.set.NodeOfRank(static_cast<int32_t>(value.number));
        if (node != model::kNoId) finding->blamed_nodes.push_back(world_.Name(node));
      }
    }
  }
  SortNames(&finding->blamed_nodes);
  SortNames(&finding->blamed_gpus);
}

bool RuleFinder::CheckEvents(Findings* out) {
  bool over = false;
  std::set<uint32_t> events;
  for (const std::vector<Binding>& alternative : rule_.alternatives) {
    for (const Binding& binding : alternative) events.insert(binding.event);
  }
  for (const uint32_t event : events) {
    const auto& rows = world_.rows[event];
    const auto real = std::count_if(rows.begin(), rows.end(), [](const Row& row) { return !row.IsPhantom(); });
    if (static_cast<uint64_t>(real) <= world_.limits.events_per_type) continue;
    out->limits.push_back({index_, "events per type", static_cast<uint64_t>(real), world_.limits.events_per_type});
    over = true;
  }
  return over;
}

void RuleFinder::Run(Findings* out) {
  if (CheckEvents(out)) return;
  Enumerate();
  SplitGroups();
  std::vector<const Group*> of;
  std::vector<Finding> seen;
  std::optional<Finding> unevaluable;
  for (const Group& group : groups_) {
    std::optional<Finding> finding = MakeFinding({&group});
    if (!finding) continue;
    if (finding->event_bound) {
      Blame(&*finding);
      of.push_back(&group);
      seen.push_back(std::move(*finding));
    } else if (!unevaluable) {
      unevaluable = std::move(*finding);
    } else {
      unevaluable->gaps.insert(finding->gaps.begin(), finding->gaps.end());
    }
  }
  FoldOpenPlaces(of, &seen);
  std::vector<Finding>& mine = out->of[index_];
  for (Finding& finding : seen) mine.push_back(std::move(finding));
  if (unevaluable) mine.push_back(std::move(*unevaluable));
}

std::vector<const Row*> SeenOf(const std::vector<Member>& members) {
  std::vector<const Row*> presumed, may;
  for (const Member& member : members) {
    if (member.row->IsPhantom()) continue;
    may.push_back(member.row);
    if (member.bits.presumed) presumed.push_back(member.row);
  }
  return presumed.empty() ? may : presumed;
}

uint64_t CountOf(const std::vector<Member>& members) { return SeenOf(members).size(); }

std::vector<Member> FirstOf(const std::vector<Slot>& slots, const std::vector<std::vector<Member>>& members) {
  std::vector<Member> out;
  for (size_t s = 0; s < slots.size(); ++s) {
    if (!slots[s].first) continue;
    for (const Member& member : members[s]) {
      const auto same = std::find_if(out.begin(), out.end(), [&](const Member& m) { return m.row == member.row; });
      if (same == out.end()) {
        out.push_back(member);
      } else {
        same->bits = Or(same->bits, member.bits);
      }
    }
  }
  return out;
}

}  // namespace attr::oracle
