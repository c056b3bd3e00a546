#include "runtime/eval/finding_builder.h"

#include <algorithm>
#include <bit>

namespace attr::eval {
namespace {

/// Ids that come in runs; sorted and made distinct when it has grown.
class IdSet {
 public:
  void Add(int64_t id) {
    if (!ids_.empty() && ids_.back() == id) return;
    ids_.push_back(id);
    if (ids_.size() >= compact_at_) Compact();
  }
  const std::vector<int64_t>& Finish() {
    Compact();
    return ids_;
  }

 private:
  void Compact() {
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    compact_at_ = std::max<size_t>(1024, ids_.size() * 2);
  }
  std::vector<int64_t> ids_;
  size_t compact_at_ = 1024;
};

/// What the seen members share: span, clock, places.
class Summary {
 public:
  void Add(const Table& table, size_t row) {
    const auto slot = [&](uint32_t column) { return table.columns[column].slots[row]; };
    const int64_t precision = slot(plan::kPrecision);
    Begin({slot(plan::kBeginLo), slot(plan::kBeginHi), precision});
    End({slot(plan::kEndLo), slot(plan::kEndHi), precision});
    clock_ = empty_ || clock_ == slot(plan::kClock) ? slot(plan::kClock) : kMixed;
    tie_ = empty_ || tie_ == slot(plan::kTie) ? slot(plan::kTie) : kMixed;
    skew_ = std::max(skew_, slot(plan::kSkew));
    if (table.columns[plan::kNode].Has(row)) nodes_.Add(slot(plan::kNode));
    if (table.columns[plan::kGpu].Has(row)) gpus_.Add(slot(plan::kGpu));
    if (table.columns[plan::kRank].Has(row)) ranks_.Add(slot(plan::kRank));
    empty_ = false;
  }
  /// A group's rows lie apart: each column of each row is a cache line of its own.
  static void Prefetch(const Table& table, size_t row) {
    for (uint32_t column : {plan::kBeginLo, plan::kBeginHi, plan::kEndLo, plan::kEndHi, plan::kPrecision, plan::kClock,
                            plan::kTie, plan::kSkew, plan::kNode, plan::kGpu, plan::kRank}) {
      __builtin_prefetch(table.columns[column].slots.data() + row);
    }
  }
  void Finish(const Context& context, Finding* finding) {
    if (!empty_) {
      finding->begin = begin_;
      finding->end = end_;
    }
    finding->clock = clock_;
    finding->tie = tie_;
    finding->skew = skew_;
    finding->nodes.assign(nodes_.Finish().begin(), nodes_.Finish().end());
    finding->gpus.assign(gpus_.Finish().begin(), gpus_.Finish().end());
    SortNatural(context, &finding->nodes);
    SortNatural(context, &finding->gpus);
    finding->ranks = ranks_.Finish();
  }

 private:
  void Begin(const model::Moment& moment) {
    if (empty_ || moment.lo < begin_.lo || (moment.lo == begin_.lo && moment.hi < begin_.hi)) {
      begin_.precision = moment.precision;
    }
    begin_.lo = empty_ ? moment.lo : std::min(begin_.lo, moment.lo);
    begin_.hi = empty_ ? moment.hi : std::min(begin_.hi, moment.hi);
  }
  void End(const model::Moment& moment) {
    if (empty_ || moment.hi > end_.hi || (moment.hi == end_.hi && moment.lo > end_.lo)) {
      end_.precision = moment.precision;
    }
    end_.lo = empty_ ? moment.lo : std::max(end_.lo, moment.lo);
    end_.hi = empty_ ? moment.hi : std::max(end_.hi, moment.hi);
  }
  bool empty_ = true;
  model::Moment begin_, end_;
  int64_t clock_ = 0, tie_ = 0, skew_ = 0;
  IdSet nodes_, gpus_, ranks_;
};

/// Counts of one binding; phantoms give no count but the missing upper bound.
Members CountMembers(const Side& side, const std::vector<Member>& rows, std::vector<uint32_t>* gaps) {
  Members members;
  for (const Member& member : rows) {
    if (!side.real(member.row)) {
      members.unbounded = true;
      gaps->push_back(side.table->phantom_gap[member.row - side.table->first_phantom]);
      continue;
    }
    ++members.may;
    members.presumed += (member.bits & kPresumedBit) != 0 ? 1 : 0;
    members.must += (member.bits & kMustBit) != 0 ? 1 : 0;
  }
  return members;
}

/// Presumed members when there are any, else those that may be; never phantoms.
template <class F>
void ForEachSeen(const Side& side, const std::vector<Member>& rows, bool presumed, F&& f) {
  constexpr size_t kAhead = 6;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i + kAhead < rows.size()) Summary::Prefetch(*side.table, rows[i + kAhead].row);
    const Member& member = rows[i];
    if (side.real(member.row) && (!presumed || (member.bits & kPresumedBit) != 0)) f(member.row);
  }
}

}  // namespace

std::optional<Finding> MakeFinding(const Context& context, const RuleSides& rule, const GroupMembers& group,
                                   size_t members_kept) {
  Finding finding;
  finding.rule = rule.index;
  finding.bits = group.bits;
  for (size_t b = 0; b < rule.sides.size(); ++b) {
    const bool supports = rule.rule->bindings[b].kind == plan::BindKind::kPositive;
    std::vector<uint32_t> not_needed;
    finding.members.push_back(CountMembers(rule.sides[b], group.bindings[b], supports ? &finding.gaps : &not_needed));
    finding.event_bound = finding.event_bound || (supports && finding.members.back().may != 0);
  }
  if (rule.rule->having != plan::kNone) {
    finding.bits &= HavingBits(*context.plan, rule.rule->having, finding.members);
  }
  if (finding.bits == 0) return std::nullopt;
  if ((finding.bits & kPresumedBit) != 0) finding.gaps.clear();
  if ((finding.bits & kMustBit) == 0) {
    finding.gaps.insert(finding.gaps.end(), group.absence_gaps.begin(), group.absence_gaps.end());
  }
  std::sort(finding.gaps.begin(), finding.gaps.end());
  finding.gaps.erase(std::unique(finding.gaps.begin(), finding.gaps.end()), finding.gaps.end());
  Summary summary;
  for (size_t b = 0; b < rule.sides.size(); ++b) {
    Members& members = finding.members[b];
    const uint64_t seen = members.presumed != 0 ? members.presumed : members.may;
    uint64_t at = 0;
    ForEachSeen(rule.sides[b], group.bindings[b], members.presumed != 0, [&](uint32_t row) {
      if (rule.rule->bindings[b].kind == plan::BindKind::kPositive) summary.Add(*rule.sides[b].table, row);
      if (seen <= members_kept || at + 1 < members_kept || at + 1 == seen) members.rows.push_back(row);
      ++at;
    });
  }
  summary.Finish(context, &finding);
  return finding;
}

void Blame(const Context& context, const RuleSides& rule, const GroupMembers& group, Finding* finding) {
  for (const Value& key : finding->keys) {
    if (!key.present) return;
  }
  for (const plan::Blame& blame : rule.rule->blame) {
    const uint32_t b = blame.column.binding;
    const Column& column = rule.sides[b].table->columns[blame.column.column];
    ForEachSeen(rule.sides[b], group.bindings[b], finding->members[b].presumed != 0, [&](uint32_t row) {
      if (!column.Has(row)) return;
      const int64_t slot = column.slots[row];
      if (blame.kind == plan::BlameKind::kNode) finding->blamed_nodes.push_back(static_cast<uint32_t>(slot));
      if (blame.kind == plan::BlameKind::kGpu) finding->blamed_gpus.push_back(static_cast<uint32_t>(slot));
      if (blame.kind != plan::BlameKind::kRank || context.set == nullptr || slot < 0 || slot > INT32_MAX) return;
      const uint32_t node = context.set->NodeOfRank(static_cast<int32_t>(slot));
      if (node == model::kNoId) return;
      const uint32_t id = context.dictionary.Find(context.set->NameOf(node));
      if (id != Interner::kNone) finding->blamed_nodes.push_back(id);
    });
  }
  SortNatural(context, &finding->blamed_nodes);
  SortNatural(context, &finding->blamed_gpus);
}

void SortNatural(const Context& context, std::vector<uint32_t>* ids) {
  std::sort(ids->begin(), ids->end());
  ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
  std::sort(ids->begin(), ids->end(), [&](uint32_t a, uint32_t b) {
    return NaturalLess(context.dictionary.Text(a), context.dictionary.Text(b));
  });
}

int CompareValues(const Context& context, const Value& a, const Value& b) {
  if (a.present != b.present) return a.present ? -1 : 1;
  if (!a.present || a.slot == b.slot) return 0;
  if (plan::IsId(a.type)) {
    const std::string_view x = context.dictionary.Text(static_cast<uint32_t>(a.slot));
    const std::string_view y = context.dictionary.Text(static_cast<uint32_t>(b.slot));
    return NaturalLess(x, y) ? -1 : NaturalLess(y, x) ? 1 : 0;
  }
  if (a.type == plan::Type::kFloat) {
    const double x = std::bit_cast<double>(a.slot), y = std::bit_cast<double>(b.slot);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  return a.slot < b.slot ? -1 : 1;
}

}  // namespace attr::eval
