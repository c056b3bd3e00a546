// SourceProgram: which events one record may give, by its literals.
#include <algorithm>
#include <map>

#include "runtime/match/program.h"

namespace attr::match {

namespace {

constexpr size_t kVectorScanFrom = 1 << 20;  // bytes; below, compiling costs more than it saves
constexpr uint64_t kAllAlternatives = UINT64_MAX;

uint64_t AlternativeBit(size_t alternative) { return uint64_t{1} << std::min<size_t>(alternative, 63); }

}  // namespace

void SourceProgram::Add(uint32_t event, Condition condition) {
  if (readers_.empty() || readers_.back().event != event) readers_.push_back({event, {}});
  readers_.back().conditions.push_back(condition);
}

void SourceProgram::Prepare(const std::vector<EventProgram>& programs, const Sample& sample) {
  std::map<Literal, std::map<uint32_t, uint64_t>> literals;
  for (uint32_t r = 0; r < readers_.size(); ++r) {
    const EventProgram& program = programs[readers_[r].event];
    if (program.filter == plan::kNone) {
      const bool one_metric = readers_[r].conditions.size() == 1 && !readers_[r].conditions[0].metric.empty();
      (one_metric ? by_metric_[readers_[r].conditions[0].metric] : unfiltered_).push_back(r);
      continue;
    }
    for (size_t a = 0; a < program.filter_literals.size(); ++a)
      for (const Literal& literal : program.filter_literals[a]) literals[literal][r] |= AlternativeBit(a);
  }
  std::vector<Literal> list;
  for (const auto& [literal, readers] : literals) {
    list.push_back(literal);
    targets_.emplace_back();
    for (const auto& [reader, alternatives] : readers) targets_.back().push_back({reader, alternatives});
  }
  if (list.empty()) return;
  scanner_ = MakeNibbleScanner(list, sample.texts);
  if (scanner_ == nullptr && sample.all_bytes >= kVectorScanFrom) scanner_ = MakeVectorScanner(list);
  if (scanner_ == nullptr) scanner_ = MakeWindowScanner(std::move(list));
}

SourceProgram::Scratch SourceProgram::MakeScratch() const {
  Scratch scratch;
  if (scanner_ != nullptr) scratch.scanner = scanner_->MakeScratch();
  return scratch;
}

bool SourceProgram::Holds(const Reader& reader, const model::Observation& observation, uint32_t index) {
  return std::any_of(reader.conditions.begin(), reader.conditions.end(), [&](const Condition& condition) {
    return (condition.metric.empty() || condition.metric == observation.name) &&
           (condition.admitted == nullptr || eval::Test(*condition.admitted, index));
  });
}

void SourceProgram::Emit(const model::ObservationSet& set, uint32_t index, const Hit* begin, const Hit* end,
                         std::vector<Item>& items) const {
  const model::Observation& observation = set.observations[index];
  const auto try_all = [&](const std::vector<uint32_t>& readers) {
    for (const uint32_t r : readers)
      if (Holds(readers_[r], observation, index)) items.push_back({index, readers_[r].event, kAllAlternatives});
  };
  try_all(unfiltered_);
  if (!by_metric_.empty()) {
    if (const auto found = by_metric_.find(observation.name); found != by_metric_.end()) try_all(found->second);
  }
  const size_t first = items.size();
  for (const Hit* hit = begin; hit != end; ++hit) {
    for (const Target& target : targets_[hit->literal]) {
      const uint32_t event = readers_[target.reader].event;
      const auto known = std::find_if(items.begin() + static_cast<ptrdiff_t>(first), items.end(),
                                      [&](const Item& item) { return item.event == event; });
      if (known != items.end()) {
        known->alternatives |= target.alternatives;
      } else if (Holds(readers_[target.reader], observation, index)) {
        items.push_back({index, event, target.alternatives});
      }
    }
  }
}

void SourceProgram::Scan(const model::ObservationSet& set, Scratch& scratch, std::vector<Item>& items) const {
  scratch.hits.clear();
  if (scanner_ != nullptr) scanner_->Scan(scratch.texts, *scratch.scanner, scratch.hits);
  const bool every = !unfiltered_.empty() || !by_metric_.empty();
  const Hit* hit = scratch.hits.data();
  const Hit* const end = hit + scratch.hits.size();
  if (!every) {
    while (hit != end) {
      const Hit* next = hit;
      while (next != end && next->record == hit->record) ++next;
      Emit(set, scratch.observations[hit->record], hit, next, items);
      hit = next;
    }
    return;
  }
  for (uint32_t r = 0; r < scratch.observations.size(); ++r) {
    const Hit* next = hit;
    while (next != end && next->record == r) ++next;
    Emit(set, scratch.observations[r], hit, next, items);
    hit = next;
  }
}

}  // namespace attr::match
