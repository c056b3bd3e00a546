#include <algorithm>

#include "runtime/base/saturating.h"
#include "runtime/eval/expression.h"
#include "runtime/eval/members.h"

namespace attr::eval {
namespace {

/// Candidates that are tried at once while one that holds is looked for.
constexpr size_t kFirstStep = 16, kLastStep = 4'096;

/// Observation ids; every phantom is an observation of its own, on each side.
std::vector<uint32_t> IdentityOf(const Table& table, uint32_t side) {
  std::vector<uint32_t> identity(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    const bool real = row < table.first_phantom;
    identity[row] =
        real ? table.IdentityOf(row) : model::kNoId - 1 - static_cast<uint32_t>(row - table.first_phantom) * 2 - side;
  }
  return identity;
}

void Coalesce(std::vector<RowRange>& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const RowRange& a, const RowRange& b) { return a.begin < b.begin; });
  size_t kept = 0;
  for (const RowRange& range : ranges) {
    if (kept != 0 && range.begin <= ranges[kept - 1].end) {
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
    } else {
      ranges[kept++] = range;
    }
  }
  ranges.resize(kept);
}

}  // namespace

Groups GroupRows(const Side& side, const std::vector<uint32_t>& key_columns) {
  const Table& table = *side.table;
  Groups groups;
  groups.group_of.assign(table.rows, KeyMap::kNone);
  KeyMap map(key_columns.size() * 2);
  std::vector<int64_t> tuple(key_columns.size() * 2);
  size_t members = 0;
  for (size_t row = 0; row < table.rows; ++row) {
    if ((*side.membership)[row] == 0) continue;
    for (size_t k = 0; k < key_columns.size(); ++k) {
      const Column& column = table.columns[key_columns[k]];
      const bool present = !column.slots.empty() && (column.present.empty() || Test(column.present, row));
      tuple[2 * k] = present ? 1 : 0;
      tuple[2 * k + 1] = present ? column.slots[row] : 0;
    }
    groups.group_of[row] = map.Intern(tuple.data());
    ++members;
  }
  groups.first.assign(map.size() + 1, 0);
  for (uint32_t group : groups.group_of) {
    if (group != KeyMap::kNone) ++groups.first[group + 1];
  }
  for (size_t g = 1; g < groups.first.size(); ++g) groups.first[g] += groups.first[g - 1];
  groups.rows.resize(members);
  std::vector<size_t> next(groups.first.begin(), groups.first.end());
  for (size_t row = 0; row < table.rows; ++row) {
    if (groups.group_of[row] != KeyMap::kNone) groups.rows[next[groups.group_of[row]]++] = static_cast<uint32_t>(row);
  }
  return groups;
}

RowJoin::RowJoin(const Context& context, const plan::Join& join, const Engine& engine, size_t kernel, Side left,
                 Side right)
    : join_(join), engine_(engine), kernel_(kernel), left_(left) {
  ColumnPointers pointers(*left.table);
  left_slots_ = std::move(pointers.slots);
  left_present_ = std::move(pointers.present);
  left_identity_ = IdentityOf(*left.table, 0);
  right_identity_ = IdentityOf(*right.table, 1);
  const auto make = [&](bool keyed) {
    CandidateIndex index(*context.plan, join, right, right_identity_, keyed);
    const size_t rows = index.size();
    return std::make_unique<Half>(Half{std::move(index), OpenRows(rows), {}, {}, {}, 4096});
  };
  keyed_ = make(true);
  bool lacking = false;
  for (size_t k = 0; k < join.NarrowingCount(); ++k) {
    const plan::EqualKey& key = join.Narrowing(k);
    if (left_slots_[key.left] == nullptr) lacking = true;
    if (lacking || left_present_[key.left] == nullptr) continue;
    for (size_t row = 0; row < left.table->rows && !lacking; ++row) {
      lacking = (*left.membership)[row] != 0 && (left_present_[key.left][row / 64] >> (row % 64) & 1U) == 0;
    }
  }
  if (lacking) whole_ = make(false);
  args_.left_columns = left_slots_.data();
  args_.left_present = left_present_.data();
  args_.constants = context.constants.data();
  args_.left_membership = left.membership->data();
  args_.left_identity = left_identity_.data();
}

const CandidateIndex& RowJoin::Lookup(uint32_t left_row, std::vector<RowRange>* ranges) const {
  constexpr size_t kInline = 8;
  int64_t small[kInline];
  std::vector<int64_t> large;
  int64_t* keys = small;
  const size_t count = join_.NarrowingCount();
  if (count > kInline) {
    large.resize(count);
    keys = large.data();
  }
  bool complete = true;
  for (size_t k = 0; k < count && complete; ++k) {
    const uint32_t column = join_.Narrowing(k).left;
    complete = left_slots_[column] != nullptr && (left_present_[column] == nullptr ||
                                                  (left_present_[column][left_row / 64] >> (left_row % 64) & 1U) != 0);
    if (complete) keys[k] = left_slots_[column][left_row];
  }
  const CandidateIndex& index = complete ? keyed_->index : whole_->index;
  const Span span = join_.relations.empty() ? Span{} : SpanAt(left_slots_.data(), left_present_.data(), left_row);
  index.Candidates(span, keys, ranges);
  return index;
}

uint64_t RowJoin::CountPairs() const {
  uint64_t pairs = 0;
  std::vector<RowRange> ranges;
  for (uint32_t row = 0; row < left_.table->rows; ++row) {
    if ((*left_.membership)[row] == 0) continue;
    ranges.clear();
    Lookup(row, &ranges);
    for (const RowRange& range : ranges) pairs += range.end - range.begin;
  }
  return pairs;
}

void RowJoin::SetWeights(const std::vector<uint64_t>& weights) {
  ForEachHalf([&](Half& half) {
    half.weight_before.assign(1, 0);
    for (size_t i = 0; i < half.index.size(); ++i) {
      half.weight_before.push_back(SaturatingAdd(half.weight_before.back(), weights[half.index.Row(i)]));
    }
  });
}

uint64_t RowJoin::Weigh(uint32_t left_row) const {
  std::vector<RowRange> ranges;
  const CandidateIndex& index = Lookup(left_row, &ranges);
  const Half& half = whole_ != nullptr && &index == &whole_->index ? *whole_ : *keyed_;
  uint64_t sum = 0;
  for (const RowRange& range : ranges) {
    const uint64_t to = half.weight_before[range.end];
    sum = SaturatingAdd(sum, to == UINT64_MAX ? to : to - half.weight_before[range.begin]);
  }
  return sum;
}

void RowJoin::RefreshRight(const std::vector<uint8_t>& membership) {
  ForEachHalf([&](Half& half) {
    half.index.SetMembership(membership);
    half.open = OpenRows(half.index.size());
  });
}

RowJoin::Half* RowJoin::Candidates(uint32_t left_row) {
  ranges_.clear();
  const CandidateIndex& index = Lookup(left_row, &ranges_);
  if (ranges_.empty()) return nullptr;
  index.Bind(&args_);
  args_.left_row = left_row;
  return whole_ != nullptr && &index == &whole_->index ? whole_.get() : keyed_.get();
}

uint8_t RowJoin::Exists(uint32_t left_row) {
  Half* half = Candidates(left_row);
  if (half == nullptr) return 0;
  const uint8_t wanted = args_.left_membership[left_row];
  half->scratch.resize(half->index.size());
  args_.right_bits = half->scratch.data();
  uint32_t bits = 0;
  for (const RowRange& range : ranges_) {
    size_t step = kFirstStep;
    for (size_t at = range.begin; at < range.end && bits != wanted; at += step, step = std::min(step * 2, kLastStep)) {
      args_.begin = at;
      args_.end = std::min(at + step, range.end);
      bits |= engine_.Join(kernel_, args_);
    }
  }
  return static_cast<uint8_t>(bits);
}

void RowJoin::Reach(uint32_t left_row) {
  Half* half = Candidates(left_row);
  if (half == nullptr) return;
  args_.right_bits = half->open.bits();
  for (const RowRange& range : ranges_) {
    half->open.ForEachOpen(range, args_.left_membership[left_row], args_.right_membership,
                           [&](size_t begin, size_t end) {
                             args_.begin = begin;
                             args_.end = end;
                             engine_.Join(kernel_, args_);
                             // Also what gained nothing: rows that nobody can give anything are closed too.
                             half->touched.push_back({begin, end});
                           });
  }
  if (half->touched.size() > half->coalesce_at) {
    Coalesce(half->touched);
    half->coalesce_at = std::max(half->coalesce_at, half->touched.size() * 2);
  }
}

void RowJoin::HarvestHalf(Half& half, std::vector<Member>* out) {
  Coalesce(half.touched);
  for (const RowRange& range : half.touched) {
    for (size_t i = range.begin; i < range.end; ++i) {
      if (half.open.bits(i) != 0) out->push_back({half.index.Row(i), half.open.bits(i)});
    }
    half.open.Clear(range);
  }
  half.touched.clear();
}

void RowJoin::Harvest(std::vector<Member>* out) {
  out->clear();
  HarvestHalf(*keyed_, out);
  if (whole_ != nullptr) HarvestHalf(*whole_, out);
  std::sort(out->begin(), out->end(), [](const Member& a, const Member& b) { return a.row < b.row; });
  size_t kept = 0;
  for (const Member& member : *out) {
    if (kept != 0 && (*out)[kept - 1].row == member.row) {
      (*out)[kept - 1].bits |= member.bits;
    } else {
      (*out)[kept++] = member;
    }
  }
  out->resize(kept);
}

}  // namespace attr::eval
