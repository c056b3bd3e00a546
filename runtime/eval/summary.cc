#include "runtime/eval/summary.h"

#include <algorithm>

#include "runtime/eval/finding_builder.h"

namespace attr::eval {

void IdSet::Compact() {
  std::sort(ids_.begin(), ids_.end());
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
  compact_at_ = std::max<size_t>(1024, ids_.size() * 2);
}

void Summary::Begin(const model::Moment& moment) {
  if (empty_ || moment.lo < begin_.lo || (moment.lo == begin_.lo && moment.hi < begin_.hi)) {
    begin_.precision = moment.precision;
  }
  begin_.lo = empty_ ? moment.lo : std::min(begin_.lo, moment.lo);
  begin_.hi = empty_ ? moment.hi : std::min(begin_.hi, moment.hi);
}

void Summary::End(const model::Moment& moment) {
  if (empty_ || moment.hi > end_.hi || (moment.hi == end_.hi && moment.lo > end_.lo)) {
    end_.precision = moment.precision;
  }
  end_.lo = empty_ ? moment.lo : std::max(end_.lo, moment.lo);
  end_.hi = empty_ ? moment.hi : std::max(end_.hi, moment.hi);
}

void Summary::Finish(const Context& context, Finding* finding) {
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

std::vector<Summary> SummarizeGroups(const Side& side, const Groups& groups) {
  constexpr size_t kManyRows = 4096, kRowsPerGroup = 16;
  const size_t real = side.table->first_phantom;
  std::vector<Summary> summaries;
  if (real < kManyRows || real < kRowsPerGroup * groups.size()) return summaries;
  const std::vector<uint8_t>& bits = *side.membership;
  std::vector<uint8_t> of_group(groups.size());
  for (size_t row = 0; row < real; ++row)
    if (bits[row] != 0) of_group[groups.group_of[row]] |= bits[row];
  summaries.resize(groups.size());
  for (size_t row = 0; row < real; ++row) {
    if (bits[row] == 0) continue;
    const uint32_t group = groups.group_of[row];
    // Presumed members when there are any, else those that may be.
    if ((of_group[group] & kPresumedBit) != 0 && (bits[row] & kPresumedBit) == 0) continue;
    summaries[group].Add(*side.table, row);
  }
  return summaries;
}

}  // namespace attr::eval
