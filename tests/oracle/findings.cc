#include "tests/oracle/findings.h"

#include <algorithm>
#include <numeric>

#include "runtime/base/fold_names.h"

namespace attr::oracle {

namespace {

struct Tuple {
  std::vector<const Row*> rows;  // by slot; null where an alternative has none
  std::vector<Value> keys;
  Bits bits;
  std::set<const Row*> placeless;                   // rows that lacked a place which a relation asked for
  std::set<Gap> absence;                            // where what must not be there may be
  std::vector<std::pair<size_t, Member>> optional;  // by slot: what `with` binds
};

struct Group {
  std::vector<Value> keys;
  std::vector<Tuple> tuples;
  bool sure = true;  // no tuple could be of another part of its key
};

/// Events without a place of their own, each in its binding.
using Ties = std::set<std::pair<size_t, const Row*>>;

class RuleFinder {
 public:
  RuleFinder(World& world, uint32_t index, std::vector<Slot> slots)
      : world_(world), index_(index), rule_(world.pack.rules[index]), slots_(std::move(slots)) {}

  void Run(Findings* out);

 private:
  void Enumerate();
  void SplitGroups();
  void Extend(size_t at, RuleScope& scope, Tuple tuple);
  Bits Match(const Binding& binding, RuleScope& scope, std::set<const Row*>* placeless);
  Bits Absent(const Binding& binding, RuleScope& scope, Tuple* tuple);
  void Offer(const Binding& binding, RuleScope& scope, Tuple* tuple);
  bool IsDistinct(const RuleScope& scope, const Row& row, uint32_t event) const;
  void Keep(const RuleScope& scope, Tuple tuple);
  std::vector<Value> KeysOf(RuleScope& scope);
  bool CheckEvents(Findings* out);
  std::optional<Finding> MakeFinding(const std::vector<const Group*>& groups);
  void Summarize(Finding* finding) const;
  void Blame(Finding* finding);
  bool IsTied(const Group& group, const Finding& finding, Ties* by) const;
  void FoldOpenPlaces(const std::vector<const Group*>& groups, std::vector<Finding>* findings);
  Finding Fold(const std::vector<const Group*>& groups, const std::vector<Finding>& parts);

  World& world_;
  uint32_t index_;
  const Rule& rule_;
  std::vector<Slot> slots_;
  const std::vector<Binding>* alternative_ = nullptr;
  std::vector<Group> groups_;
};

Bits Relate(World& world, uint32_t pack, const syntax::TimeRel& relation, const Span& left, const Span& right) {
  using RelKind = syntax::TimeRel::Kind;
  const int64_t d = relation.distance ? world.pack.Duration(pack, *relation.distance) : 0;
  switch (relation.kind) {
    case RelKind::kAfter:
      return After(left, right);
    case RelKind::kBefore:
      return Before(left, right);
    case RelKind::kWithinOf:
      return Within(left, right, d, d);
    case RelKind::kWithinAfter:
      return And(After(left, right), Within(left, right, 0, d));
    case RelKind::kWithinBefore:
      return And(Before(left, right), Within(left, right, d, 0));
  }
  return kNo;
}

/// Bindings of the same or a related event take different observations.
bool RuleFinder::IsDistinct(const RuleScope& scope, const Row& row, uint32_t event) const {
  if (row.IsPhantom()) return true;
  for (const RuleScope::Bound& bound : scope.bound()) {
    const std::set<uint32_t>&a = world_.pack.events[bound.event].roots, &b = world_.pack.events[event].roots;
    const bool related = std::any_of(a.begin(), a.end(), [&](uint32_t root) { return b.count(root) != 0; });
    if (related && bound.row != nullptr && bound.row->observation == row.observation) return false;
  }
  return true;
}

/// The last binding of the scope against those to its left.
Bits RuleFinder::Match(const Binding& binding, RuleScope& scope, std::set<const Row*>* placeless) {
  const Row& row = *scope.bound().back().row;
  Bits bits = row.IsPhantom() ? kUnknown : kYes;
  for (const syntax::ExprPtr& where : binding.decl->where) {
    Evaluator evaluator(world_, rule_.pack, scope);
    bits = And(bits, evaluator.Condition(*where));
    for (size_t i = 0; i < scope.bound().size(); ++i) {
      if ((evaluator.lacking_place() >> i & 1U) != 0) placeless->insert(scope.bound()[i].row);
    }
  }
  for (const syntax::TimeRel& relation : binding.decl->relations) {
    for (const RuleScope::Bound& bound : scope.bound()) {
      if (bound.name != relation.binding.text) continue;
      bits = And(bits, Relate(world_, rule_.pack, relation, bound.row->span, row.span));
    }
  }
  return bits;
}

/// `without` must be proved: one that may be there leaves the tuple only possible.
/// `unless` is presumed: one that is presumed takes the tuple, one that may be leaves it presumed.
Bits RuleFinder::Absent(const Binding& binding, RuleScope& scope, Tuple* tuple) {
  Bits found = kNo;
  for (const Row& row : world_.rows[binding.event]) {
    if (!IsDistinct(scope, row, binding.event)) continue;
    scope.Add({binding.name, binding.event, &row});
    const Bits one = Match(binding, scope, &tuple->placeless);
    tuple->placeless.erase(&row);
    if (one.may && row.IsPhantom()) tuple->absence.insert(row.gap);
    found = Or(found, one);
    scope.Drop();
  }
  if (binding.word == Word::kWithout) found.presumed = found.may;
  return Not(found);
}

/// What `with` binds to this tuple.
void RuleFinder::Offer(const Binding& binding, RuleScope& scope, Tuple* tuple) {
  size_t slot = 0;
  while (slots_[slot].name != binding.name) ++slot;
  for (const Row& row : world_.rows[binding.event]) {
    if (!IsDistinct(scope, row, binding.event)) continue;
    scope.Add({binding.name, binding.event, &row});
    std::set<const Row*> ignored;
    const Bits bits = And(tuple->bits, Match(binding, scope, &ignored));
    if (bits.may) tuple->optional.push_back({slot, {&row, bits}});
    scope.Drop();
  }
}

/// Positive bindings first, so that the bits of a tuple are known when `with` is asked.
void RuleFinder::Extend(size_t at, RuleScope& scope, Tuple tuple) {
  if (!tuple.bits.may) return;
  while (at < alternative_->size() && (*alternative_)[at].word != Word::kPositive) ++at;
  if (at < alternative_->size()) {
    const Binding& binding = (*alternative_)[at];
    for (const Row& row : world_.rows[binding.event]) {
      if (!IsDistinct(scope, row, binding.event)) continue;
      scope.Add({binding.name, binding.event, &row});
      Tuple more = tuple;
      more.bits = And(more.bits, Match(binding, scope, &more.placeless));
      Extend(at + 1, scope, std::move(more));
      scope.Drop();
    }
    return;
  }
  for (const Binding& binding : *alternative_) {
    if (binding.word != Word::kWithout && binding.word != Word::kUnless) continue;
    tuple.bits = And(tuple.bits, Absent(binding, scope, &tuple));
  }
  for (const Binding& binding : *alternative_) {
    if (binding.word == Word::kWith) Offer(binding, scope, &tuple);
  }
  if (tuple.bits.may) Keep(scope, std::move(tuple));
}

std::vector<Value> RuleFinder::KeysOf(RuleScope& scope) {
  std::vector<Value> keys;
  for (const auto& [name, expr] : rule_.keys) {
    if (expr == nullptr) {
      keys.push_back(scope.bound()[0].row->node);
      continue;
    }
    Operand result = Evaluator(world_, rule_.pack, scope).Eval(*expr);
    keys.push_back(std::move(result.value));
  }
  return keys;
}

void RuleFinder::Keep(const RuleScope& scope, Tuple tuple) {
  RuleScope with_places(world_.pack, scope.bound(), true);
  tuple.keys = KeysOf(with_places);
  tuple.rows.assign(slots_.size(), nullptr);
  for (const RuleScope::Bound& bound : scope.bound()) {
    for (size_t s = 0; s < slots_.size(); ++s) {
      if (slots_[s].name == bound.name) tuple.rows[s] = bound.row;
    }
  }
  for (Group& group : groups_) {
    bool same = true;
    for (size_t k = 0; k < group.keys.size(); ++k) same = same && SameValue(group.keys[k], tuple.keys[k]);
    if (!same) continue;
    group.tuples.push_back(std::move(tuple));
    return;
  }
  groups_.push_back({tuple.keys, {}, true});
  groups_.back().tuples.push_back(std::move(tuple));
}

void RuleFinder::Enumerate() {
  for (const std::vector<Binding>& alternative : rule_.alternatives) {
    alternative_ = &alternative;
    RuleScope scope(world_.pack, {}, false);
    Tuple tuple;
    tuple.bits = kYes;
    Extend(0, scope, std::move(tuple));
  }
}

/// `gap`: tuples go where their first event goes; one that nobody looked for may be anywhere.
void RuleFinder::SplitGroups() {
  if (rule_.decl == nullptr || !rule_.decl->per || !rule_.decl->per->gap) return;
  const int64_t gap = world_.pack.Duration(rule_.pack, *rule_.decl->per->gap);
  std::vector<Group> out;
  for (const Group& group : groups_) {
    std::set<const Row*> rows;
    for (const Tuple& tuple : group.tuples) {
      if (!tuple.rows[0]->IsPhantom()) rows.insert(tuple.rows[0]);
    }
    std::vector<std::set<const Row*>> parts = SplitBySilence(rows, gap);
    if (parts.empty()) parts.emplace_back();
    for (const std::set<const Row*>& part : parts) {
      Group of_part{group.keys, {}, SurelyOnePart(part, rows, gap)};
      for (const Tuple& tuple : group.tuples) {
        if (tuple.rows[0]->IsPhantom() || part.count(tuple.rows[0]) != 0) of_part.tuples.push_back(tuple);
      }
      out.push_back(std::move(of_part));
    }
  }
  groups_ = std::move(out);
}

void RuleFinder::Summarize(Finding* finding) const {
  bool empty = true, one_clock = true, one_tie = true;
  std::set<int64_t> ranks;
  std::set<std::pair<std::string, std::string>> gpu_places;
  Span& span = finding->span;
  for (size_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].optional) continue;
    for (const Row* row : SeenOf(finding->members[slot])) {
      const Span& s = row->span;
      if (empty || std::tie(s.begin_lo, s.begin_hi) < std::tie(finding->begin.lo, finding->begin.hi))
        finding->begin.precision = s.precision;
      if (empty || std::tie(s.end_hi, s.end_lo) > std::tie(finding->end.hi, finding->end.lo))
        finding->end.precision = s.precision;
      finding->begin.lo = empty ? s.begin_lo : std::min(finding->begin.lo, s.begin_lo);
      finding->begin.hi = empty ? s.begin_hi : std::min(finding->begin.hi, s.begin_hi);
      finding->end.lo = empty ? s.end_lo : std::max(finding->end.lo, s.end_lo);
      finding->end.hi = empty ? s.end_hi : std::max(finding->end.hi, s.end_hi);
      one_clock = one_clock && (empty || s.clock == span.clock);
      one_tie = one_tie && (empty || s.tie == span.tie);
      span.clock = s.clock;
      span.tie = s.tie;
      span.skew = std::max(span.skew, s.skew);
      if (row->node.present) finding->nodes.push_back(row->node.text);
      if (row->gpu.present) finding->gpus.push_back(row->gpu.text);
      if (row->gpu.present) gpu_places.emplace(row->gpu.text, row->node.text);
      if (row->rank.present) ranks.insert(row->rank.number);
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
  }
  finding.bits = And(finding.bits, NarrowToExtremes(world_, rule_, slots_, &finding.members));
  for (size_t s = 0; s < slots_.size(); ++s) {
    for (const Member& member : finding.members[s]) {
      if (slots_[s].optional) continue;
      if (member.row->IsPhantom()) finding.gaps.insert(member.row->gap);
      finding.event_bound = finding.event_bound || !member.row->IsPhantom();
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

bool RuleFinder::CheckEvents(Findings* out) {
  bool over = false;
  for (const Binding& binding : rule_.alternatives[0]) {
    const auto& rows = world_.rows[binding.event];
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
  for (Finding& finding : seen) out->findings.push_back(std::move(finding));
  if (unevaluable) out->findings.push_back(std::move(*unevaluable));
}

std::vector<Slot> SlotsOf(const Rule& rule) {
  std::vector<Slot> slots;
  for (const std::vector<Binding>& alternative : rule.alternatives) {
    for (const Binding& binding : alternative) {
      if (binding.word != Word::kPositive && binding.word != Word::kWith) continue;
      const bool known = std::any_of(slots.begin(), slots.end(), [&](const Slot& s) { return s.name == binding.name; });
      if (!known) slots.push_back({binding.name, binding.event, binding.word == Word::kWith});
    }
  }
  return slots;
}

}  // namespace

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

Findings Find(World& world) {
  Findings out;
  for (uint32_t r = 0; r < world.pack.rules.size(); ++r) {
    out.slots.push_back(SlotsOf(world.pack.rules[r]));
    RuleFinder(world, r, out.slots.back()).Run(&out);
  }
  DrawEdges(world, &out);
  return out;
}

}  // namespace attr::oracle
