// Time inside streams: what one writer wrote in order. Order there is position,
// stamps are made monotone, and a line without a stamp lies between its
// neighbours' (semantics.md S3). Says nothing about order between streams.
#include <algorithm>
#include <vector>

#include "runtime/model/canonical.h"

namespace attr::model {

namespace {

struct Member {
  uint32_t stream;
  uint32_t row;
  int64_t position;
};

using Members = std::vector<Member>;

/// Stampless lines of a stream that is stamped from one clock are on that clock.
void AdoptClock(ObservationSet* set, const Member* begin, const Member* end) {
  std::optional<uint32_t> clock;
  for (const Member* it = begin; it != end; ++it) {
    const Observation& row = set->observations[it->row];
    if (row.time.Unknown()) continue;
    if (clock && *clock != row.clock) return;
    clock = row.clock;
  }
  if (!clock) return;
  for (const Member* it = begin; it != end; ++it) set->observations[it->row].clock = *clock;
}

/// One stream's observations on one clock, by position. Equal positions are one
/// place: each of them bounds the others.
class Settle {
 public:
  explicit Settle(ObservationSet* set) : set_(set) {}

  void Run(const std::vector<const Member*>& members) {
    members_ = &members;
    std::vector<Moment> settled(members.size());
    Bound highest = SweepUp(&settled);
    if (highest.at == plan::kBeforeAll) return;  // nothing stamped
    SweepDown(&settled);
    for (size_t i = 0; i < members.size(); ++i) {
      Moment& time = Row(i).time;
      if (time.lo != settled[i].lo || time.hi != settled[i].hi) time = settled[i];
    }
  }

 private:
  struct Bound {
    int64_t at;
    int64_t precision;
  };

  Observation& Row(size_t i) const { return set_->observations[(*members_)[i]->row]; }
  size_t GroupEnd(size_t i) const {
    size_t end = i + 1;
    while (end < members_->size() && (*members_)[end]->position == (*members_)[i]->position) ++end;
    return end;
  }

  /// hi of the stamped: the latest up to here.
  Bound SweepUp(std::vector<Moment>* settled) const {
    Bound latest{plan::kBeforeAll, 0};
    for (size_t i = 0; i < members_->size();) {
      size_t end = GroupEnd(i);
      for (size_t k = i; k < end; ++k) {
        const Moment& time = Row(k).time;
        if (time.Unknown() || time.hi < latest.at) continue;
        latest = {time.hi, time.hi == latest.at ? std::max(latest.precision, time.precision) : time.precision};
      }
      for (size_t k = i; k < end; ++k) {
        if (!Row(k).time.Unknown()) (*settled)[k].hi = latest.at;
        (*settled)[k].precision = std::max(Row(k).time.precision, latest.precision);
      }
      i = end;
    }
    return latest;
  }

  /// lo of the stamped: the earliest from here on. Then the stampless take the
  /// settled lo of the stamped before them and the settled hi of those after.
  void SweepDown(std::vector<Moment>* settled) const {
    int64_t earliest = plan::kAfterAll;
    int64_t next_hi = plan::kAfterAll;
    std::vector<size_t> groups;
    for (size_t i = 0; i < members_->size(); i = GroupEnd(i)) groups.push_back(i);
    for (size_t g = groups.size(); g-- > 0;) {
      size_t end = GroupEnd(groups[g]);
      int64_t group_hi = next_hi;
      for (size_t k = groups[g]; k < end; ++k) {
        if (Row(k).time.Unknown()) {
          (*settled)[k].hi = next_hi;
        } else {
          earliest = std::min(earliest, Row(k).time.lo);
          group_hi = (*settled)[k].hi;
        }
      }
      for (size_t k = groups[g]; k < end; ++k) {
        if (!Row(k).time.Unknown()) (*settled)[k].lo = earliest;
      }
      next_hi = group_hi;
    }
    int64_t before_lo = plan::kBeforeAll;
    for (size_t i : groups) {
      int64_t group_lo = before_lo;
      for (size_t k = i; k < GroupEnd(i); ++k) {
        if (Row(k).time.Unknown()) {
          (*settled)[k].lo = before_lo;
        } else {
          group_lo = (*settled)[k].lo;
        }
      }
      before_lo = group_lo;
    }
  }

  ObservationSet* set_;
  const std::vector<const Member*>* members_ = nullptr;
};

void SettleOne(ObservationSet* set, const Member* begin, const Member* end) {
  AdoptClock(set, begin, end);
  std::vector<uint32_t> clocks;
  for (const Member* it = begin; it != end; ++it) clocks.push_back(set->observations[it->row].clock);
  std::sort(clocks.begin(), clocks.end());
  clocks.erase(std::unique(clocks.begin(), clocks.end()), clocks.end());
  for (uint32_t clock : clocks) {
    std::vector<const Member*> members;
    for (const Member* it = begin; it != end; ++it) {
      if (set->observations[it->row].clock == clock) members.push_back(it);
    }
    Settle(set).Run(members);
  }
}

}  // namespace

void SettleStreams(ObservationSet* set) {
  Members members;
  for (uint32_t i = 0; i < set->observations.size(); ++i) {
    const Observation& row = set->observations[i];
    if (row.stream != kNoId && row.position >= 0) members.push_back({row.stream, i, row.position});
  }
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return a.stream != b.stream ? a.stream < b.stream
                                : (a.position != b.position ? a.position < b.position : a.row < b.row);
  });
  for (size_t i = 0; i < members.size();) {
    size_t end = i;
    while (end < members.size() && members[end].stream == members[i].stream) ++end;
    SettleOne(set, members.data() + i, members.data() + end);
    i = end;
  }
}

}  // namespace attr::model
