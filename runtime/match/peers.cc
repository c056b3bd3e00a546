// `peers(…)`: what the other keys have.
#include <algorithm>

#include "runtime/eval/value_ops.h"
#include "runtime/match/windows.h"

namespace attr::match {

namespace {

/// How many of each rank are there, and which is the k-th of them.
class RankCounts {
 public:
  explicit RankCounts(size_t ranks) : sums_(ranks + 1, 0) {
    while (top_ * 2 <= ranks) top_ *= 2;
  }
  void Add(size_t rank, int32_t by) {
    total_ += by;
    for (size_t i = rank + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] += by;
  }
  int32_t total() const { return total_; }
  /// k from 0.
  size_t Select(int32_t k) const {
    size_t at = 0;
    for (size_t step = top_; step != 0; step /= 2) {
      if (at + step >= sums_.size() || sums_[at + step] > k) continue;
      at += step;
      k -= sums_[at];
    }
    return at;
  }

 private:
  std::vector<int32_t> sums_;
  size_t top_ = 1;
  int32_t total_ = 0;
};

/// Each value's rank by its number, then by row.
std::vector<uint32_t> RanksOf(const std::vector<PeerValue>& values, plan::Type type, std::vector<uint32_t>* by_rank) {
  for (uint32_t i = 0; i < values.size(); ++i)
    if (values[i].present) by_rank->push_back(i);
  std::sort(by_rank->begin(), by_rank->end(), [&](uint32_t a, uint32_t b) {
    const int64_t left = values[a].slot, right = values[b].slot;
    if (type == plan::Type::kFloat && eval::FloatOf(left) != eval::FloatOf(right)) {
      return eval::FloatOf(left) < eval::FloatOf(right);
    }
    if (type != plan::Type::kFloat && left != right) return left < right;
    return values[a].row < values[b].row;
  });
  std::vector<uint32_t> ranks(values.size(), 0);
  for (uint32_t rank = 0; rank < by_rank->size(); ++rank) ranks[(*by_rank)[rank]] = rank;
  return ranks;
}

/// The values that stand at one moment, one a key at most.
class Standing {
 public:
  Standing(const std::vector<PeerValue>& values, plan::Type type)
      : values_(values), ranks_(RanksOf(values, type, &by_rank_)), counts_(by_rank_.size()) {
    uint32_t keys = 0;
    for (const PeerValue& value : values) keys = std::max(keys, value.key + 1);
    of_key_.assign(keys, plan::kNone);
  }

  void Enter(uint32_t value) {
    const uint32_t key = values_[value].key;
    if (of_key_[key] != plan::kNone) Leave(of_key_[key]);
    if (!values_[value].present) return;
    of_key_[key] = value;
    counts_.Add(ranks_[value], 1);
  }
  /// When it still stands.
  void Leave(uint32_t value) {
    uint32_t& standing = of_key_[values_[value].key];
    if (standing != value) return;
    standing = plan::kNone;
    counts_.Add(ranks_[value], -1);
  }
  /// kNone: no other key has any.
  uint32_t MedianWithout(uint32_t key) {
    const uint32_t own = of_key_[key];
    if (own != plan::kNone) counts_.Add(ranks_[own], -1);
    const int32_t others = counts_.total();
    const uint32_t median = others == 0 ? plan::kNone : by_rank_[counts_.Select((others - 1) / 2)];
    if (own != plan::kNone) counts_.Add(ranks_[own], 1);
    return median;
  }

 private:
  const std::vector<PeerValue>& values_;
  std::vector<uint32_t> by_rank_;
  std::vector<uint32_t> ranks_;
  RankCounts counts_;
  std::vector<uint32_t> of_key_;  // the value that stands; kNone
};

}  // namespace

void FillPeers(std::vector<PeerValue> values, bool by_ordinal, int64_t length, plan::Type type, eval::Column* out) {
  const auto moment = [&](const PeerValue& value) { return by_ordinal ? int64_t{value.ordinal} : value.time; };
  std::sort(values.begin(), values.end(), [&](const PeerValue& a, const PeerValue& b) {
    return moment(a) != moment(b) ? moment(a) < moment(b) : a.row < b.row;
  });
  Standing standing(values, type);
  size_t expired = 0;
  for (size_t from = 0; from < values.size();) {
    size_t to = from;
    const int64_t now = moment(values[from]);
    while (expired < from && (by_ordinal || now - values[expired].time > length)) {
      standing.Leave(static_cast<uint32_t>(expired++));
    }
    for (; to < values.size() && moment(values[to]) == now; ++to) standing.Enter(static_cast<uint32_t>(to));
    for (; from < to; ++from) {
      const uint32_t median = standing.MedianWithout(values[from].key);
      if (median == plan::kNone) continue;
      out->slots[values[from].row] = values[median].slot;
      eval::Set(out->present, values[from].row);
    }
  }
}

}  // namespace attr::match
