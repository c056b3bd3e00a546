#include "runtime/eval/candidates.h"

#include <algorithm>
#include <limits>

namespace attr::eval {
namespace {

constexpr int64_t kSeveralClocks = std::numeric_limits<int64_t>::min() + 1;

/// What a right row must reach for a relation to be possible at all.
struct Bounds {
  int64_t earliest_end = std::numeric_limits<int64_t>::min();  // right.end_hi at least
  int64_t latest_begin = std::numeric_limits<int64_t>::max();  // right.begin_lo at most
  void End(int64_t at) { earliest_end = std::max(earliest_end, at); }
  void Begin(int64_t at) { latest_begin = std::min(latest_begin, at); }
};

Bounds BoundsOf(const std::vector<plan::TimeRelation>& relations, const Span& left, int64_t tolerance) {
  using plan::RelationKind;
  Bounds bounds;
  for (const plan::TimeRelation& r : relations) {
    switch (r.kind) {
      case RelationKind::kAfter:
        bounds.End(left.begin_lo - tolerance);
        break;
      case RelationKind::kBefore:
        bounds.Begin(left.begin_hi + tolerance);
        break;
      case RelationKind::kWithinOf:
        bounds.End(left.begin_lo - r.distance - tolerance);
        bounds.Begin(left.end_hi + r.distance + tolerance);
        break;
      case RelationKind::kWithinAfter:
        bounds.End(left.begin_lo - tolerance);
        bounds.Begin(left.end_hi + r.distance + tolerance);
        break;
      case RelationKind::kWithinBefore:
        bounds.End(left.begin_lo - r.distance - tolerance);
        bounds.Begin(left.begin_hi + tolerance);
        break;
      case RelationKind::kDemote:
        bounds.End(left.begin_lo - r.lead - tolerance);
        if (r.distance != plan::kNoWindow) bounds.Begin(left.end_hi + r.distance + tolerance);
        break;
    }
  }
  return bounds;
}

/// Positions by partition, then `less`. Rows come in canonical order, mostly by
/// begin: a partition is sorted only where it is not yet.
template <class Less>
std::vector<uint32_t> ByPartition(const std::vector<uint32_t>& partition, size_t partitions, const Less& less) {
  std::vector<size_t> next(partitions + 1, 0);
  for (uint32_t p : partition) ++next[p + 1];
  for (size_t p = 1; p < next.size(); ++p) next[p] += next[p - 1];
  const std::vector<size_t> first = next;
  std::vector<uint32_t> order(partition.size());
  for (uint32_t i = 0; i < partition.size(); ++i) order[next[partition[i]]++] = i;
  for (size_t p = 0; p < partitions; ++p) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first[p]);
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(first[p + 1]);
    if (!std::is_sorted(begin, end, less)) std::sort(begin, end, less);
  }
  return order;
}

}  // namespace

std::vector<uint32_t> ColumnsRead(const plan::Plan& plan, const plan::Join& join, uint32_t binding) {
  std::vector<uint32_t> columns;
  for (const plan::EqualKey& key : join.keys) columns.push_back(binding == 0 ? key.left : key.right);
  if (!join.relations.empty()) {
    for (uint32_t c = plan::kBeginLo; c <= plan::kPosition; ++c) columns.push_back(c);
  }
  std::vector<plan::ExprId> stack;
  std::vector<plan::ExprId> seen;
  if (join.residual != plan::kNone) stack.push_back(join.residual);
  while (!stack.empty()) {
    const plan::ExprId id = stack.back();
    stack.pop_back();
    if (std::find(seen.begin(), seen.end(), id) != seen.end()) continue;
    seen.push_back(id);
    const plan::Expr& e = plan.exprs[id];
    if (e.op == plan::Op::kColumn) {
      if (e.a == binding) columns.push_back(e.b);
      continue;
    }
    if (e.op == plan::Op::kConstant) continue;
    if (e.a != plan::kNone) stack.push_back(e.a);
    if (e.b != plan::kNone) stack.push_back(e.b);
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

CandidateIndex::CandidateIndex(const plan::Plan& plan, const plan::Join& join, const Side& right,
                               const std::vector<uint32_t>& identity, bool keyed)
    : join_(&join), keyed_(keyed && join.NarrowingCount() != 0), keys_(keyed_ ? join.NarrowingCount() : 0) {
  for (size_t row = 0; row < right.table->rows; ++row) {
    if ((*right.membership)[row] != 0) rows_.push_back(static_cast<uint32_t>(row));
  }
  Order(right);
  NoteStreams(right);
  Gather(plan, right, identity);
}

void CandidateIndex::Order(const Side& right) {
  const Table& table = *right.table;
  const size_t n = rows_.size();
  const auto slot = [&](uint32_t column, size_t row) { return table.columns[column].slots[row]; };
  std::vector<uint32_t> partition(n, 0);
  std::vector<uint8_t> bounded(n);
  std::vector<int64_t> tuple(join_->NarrowingCount());
  for (size_t i = 0; i < n; ++i) {
    const size_t row = rows_[i];
    // Phantoms and rows of unknown time are near everything; among the others
    // they would undo the search by time.
    bounded[i] =
        right.real(row) && slot(plan::kBeginLo, row) > plan::kBeforeAll && slot(plan::kEndHi, row) < plan::kAfterAll;
    if (!keyed_) continue;
    bool complete = true;
    for (size_t k = 0; k < tuple.size(); ++k) {
      const Column& column = table.columns[join_->Narrowing(k).right];
      complete = complete && column.Has(row);
      if (complete) tuple[k] = column.slots[row];
    }
    partition[i] = complete ? keys_.Intern(tuple.data()) : KeyMap::kNone;
  }
  const uint32_t lacking = keyed_ ? keys_.size() : 1;
  for (uint32_t& p : partition) p = p == KeyMap::kNone ? lacking : p;
  const auto near_first = [&](uint32_t x, uint32_t y) {
    const int64_t tie_x = slot(plan::kTie, rows_[x]), tie_y = slot(plan::kTie, rows_[y]);
    if (tie_x != tie_y) return tie_x < tie_y;
    if (bounded[x] != bounded[y]) return bounded[x] > bounded[y];
    const int64_t begin_x = slot(plan::kBeginLo, rows_[x]), begin_y = slot(plan::kBeginLo, rows_[y]);
    return begin_x != begin_y ? begin_x < begin_y : x < y;
  };
  const std::vector<uint32_t> order = ByPartition(partition, lacking + 1, near_first);
  std::vector<uint32_t> rows(n), partition_in_order(n);
  std::vector<uint8_t> bounded_in_order(n);
  begin_lo_.resize(n);
  latest_end_.resize(n);
  membership_.resize(n);
  for (size_t i = 0; i < n; ++i) {
    const uint32_t row = rows_[order[i]];
    rows[i] = row;
    partition_in_order[i] = partition[order[i]];
    bounded_in_order[i] = bounded[order[i]];
    begin_lo_[i] = slot(plan::kBeginLo, row);
    latest_end_[i] = slot(plan::kEndHi, row);
    membership_[i] = (*right.membership)[row];
  }
  rows_ = std::move(rows);
  partition_segments_.assign(lacking + 2, 0);
  for (size_t i = 0; i < n; ++i) {
    const int64_t tie = slot(plan::kTie, rows_[i]);
    if (i == 0 || partition_in_order[i] != partition_in_order[i - 1] || tie != segments_.back().tie) {
      segments_.push_back({tie, i, i, i});
      ++partition_segments_[partition_in_order[i] + 1];
    } else if (bounded_in_order[i] != 0) {
      latest_end_[i] = std::max(latest_end_[i], latest_end_[i - 1]);
    }
    Segment& segment = segments_.back();
    segment.end = i + 1;
    if (bounded_in_order[i] != 0) segment.bounded_end = i + 1;
    segment.precision = std::max(segment.precision, slot(plan::kPrecision, rows_[i]));
    segment.skew = std::max(segment.skew, slot(plan::kSkew, rows_[i]));
  }
  for (size_t p = 1; p < partition_segments_.size(); ++p) partition_segments_[p] += partition_segments_[p - 1];
}

void CandidateIndex::NoteStreams(const Side& right) {
  const Table& table = *right.table;
  const Column &stream = table.columns[plan::kStream], &position = table.columns[plan::kPosition];
  if (join_->relations.empty() || stream.slots.empty()) return;
  for (const uint32_t row : rows_) {
    if (!stream.Has(row) || !position.Has(row)) continue;
    const int64_t id = stream.slots[row], clock = table.columns[plan::kClock].slots[row];
    const auto [at, added] = clock_of_stream_.emplace(id, clock);
    if (!added && at->second != clock) at->second = kSeveralClocks;
  }
}

bool CandidateIndex::OrderedAcrossClocks(const Span& left) const {
  if (!left.placed) return false;
  const auto at = clock_of_stream_.find(left.stream);
  return at != clock_of_stream_.end() && at->second != left.clock;
}

void CandidateIndex::Gather(const plan::Plan& plan, const Side& right, const std::vector<uint32_t>& identity) {
  const size_t columns = right.table->columns.size();
  gathered_.resize(columns);
  slots_.assign(columns, nullptr);
  present_.assign(columns, nullptr);
  for (uint32_t column : ColumnsRead(plan, *join_, 1)) GatherColumn(right, column);
  identity_.resize(rows_.size());
  for (size_t i = 0; i < rows_.size(); ++i) identity_[i] = identity[rows_[i]];
}

void CandidateIndex::GatherColumn(const Side& right, uint32_t column) {
  const Column& from = right.table->columns[column];
  if (from.slots.empty()) return;
  Column& to = gathered_[column];
  to.slots.resize(rows_.size());
  for (size_t i = 0; i < rows_.size(); ++i) to.slots[i] = from.slots[rows_[i]];
  slots_[column] = to.slots.data();
  if (from.present.empty()) return;
  to.present.resize(WordsFor(rows_.size()));
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (Test(from.present, rows_[i])) Set(to.present, i);
  }
  present_[column] = to.present.data();
}

void CandidateIndex::PartitionCandidates(uint32_t partition, const Span& left, std::vector<RowRange>* out) const {
  const size_t first = partition_segments_[partition], last = partition_segments_[partition + 1];
  if (first == last) return;
  if (join_->relations.empty() || OrderedAcrossClocks(left)) {
    out->push_back({segments_[first].begin, segments_[last - 1].end});
    return;
  }
  for (size_t s = first; s < last; ++s) {
    const Segment& segment = segments_[s];
    if (segment.tie != left.tie) {
      out->push_back({segment.begin, segment.end});
      continue;
    }
    const int64_t tolerance = std::max(left.precision, segment.precision) + std::max(left.skew, segment.skew);
    const Bounds bounds = BoundsOf(join_->relations, left, tolerance);
    const auto at = [](const std::vector<int64_t>& v, size_t i) { return v.begin() + static_cast<std::ptrdiff_t>(i); };
    const auto begin =
        std::lower_bound(at(latest_end_, segment.begin), at(latest_end_, segment.bounded_end), bounds.earliest_end) -
        latest_end_.begin();
    const auto end =
        std::upper_bound(at(begin_lo_, segment.begin), at(begin_lo_, segment.bounded_end), bounds.latest_begin) -
        begin_lo_.begin();
    const bool rest = segment.bounded_end < segment.end;
    if (begin < end) {
      const bool joined = rest && static_cast<size_t>(end) == segment.bounded_end;
      out->push_back({static_cast<size_t>(begin), joined ? segment.end : static_cast<size_t>(end)});
      if (joined) continue;
    }
    if (rest) out->push_back({segment.bounded_end, segment.end});
  }
}

void CandidateIndex::Candidates(const Span& left, const int64_t* keys, std::vector<RowRange>* out) const {
  if (!keyed_) return PartitionCandidates(0, left, out);
  const uint32_t partition = keys_.Find(keys);
  if (partition != KeyMap::kNone) PartitionCandidates(partition, left, out);
  PartitionCandidates(keys_.size(), left, out);
}

void CandidateIndex::Bind(JoinArgs* args) const {
  args->right_columns = slots_.data();
  args->right_present = present_.data();
  args->right_membership = membership_.data();
  args->right_identity = identity_.data();
}

}  // namespace attr::eval
