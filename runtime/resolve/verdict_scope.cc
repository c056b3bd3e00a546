// What the verdict stands on: the attempt, what was collected, what was left out,
// which pack spoke.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "runtime/base/fold_names.h"
#include "runtime/resolve/verdict_builder.h"
#include "runtime/version.h"

namespace attr::resolve {

namespace {

// Observations by source and observer. Ids are dense, so this is one pass over flat tables.
class ObservationCounts {
 public:
  explicit ObservationCounts(const model::ObservationSet& set) {
    size_t nodes = set.names.size() + 1;
    for (const model::Observation& o : set.observations) {
      if (o.source == model::kNoId) continue;
      if (by_source_.size() <= o.source) by_source_.resize(o.source + 1);
      std::vector<uint64_t>& counts = by_source_[o.source];
      if (counts.empty()) counts.resize(nodes);
      uint32_t observer = o.observer != model::kNoId ? o.observer : o.node;
      ++counts[observer == model::kNoId ? nodes - 1 : observer];
    }
  }
  uint64_t On(uint32_t source, uint32_t node) const {
    if (source >= by_source_.size() || by_source_[source].empty()) return 0;
    return by_source_[source][node];
  }
  uint64_t All(uint32_t source) const {
    uint64_t sum = 0;
    if (source < by_source_.size()) {
      for (uint64_t n : by_source_[source]) sum += n;
    }
    return sum;
  }

 private:
  std::vector<std::vector<uint64_t>> by_source_;
};

std::string PlaceOf(const model::ObservationSet& set, const model::Coverage& row) {
  std::string out(set.NameOf(row.node));
  if (row.rank >= 0) out += (out.empty() ? "rank " : " rank ") + std::to_string(row.rank);
  if (row.stream != model::kNoId) out += (out.empty() ? "stream " : " stream ") + std::string(set.NameOf(row.stream));
  return out;
}

// Rows of one source. What differs only in its place is one row; where that still
// leaves many intervals (a raw file a node), they are one row with ranges as ends.
class SourceRows {
 public:
  SourceRows(const model::ObservationSet& set, const ObservationCounts& counts) : set_(set), counts_(counts) {}

  void Add(const model::Coverage& row) {
    std::string place = PlaceOf(set_, row);
    Words words{row.metric, row.status, row.reason, place.empty()};
    model::CoverageView& view = rows_[words][{row.from, row.to}];
    if (view.source.empty()) {
      view.source = std::string(set_.NameOf(row.source)) + (row.metric.empty() ? "" : " " + row.metric);
      view.status = std::string(model::Name(row.status));
      view.from = {row.from, row.from, 0};  // as many digits as it has
      view.to = {row.to, row.to, 0};
      view.reason = row.reason;
    } else if (place.empty() || view.nodes.back() == place) {
      return;  // said twice
    }
    view.observations += row.node != model::kNoId ? counts_.On(row.source, row.node) : counts_.All(row.source);
    if (!place.empty()) view.nodes.push_back(std::move(place));
  }

  void Flush(std::vector<model::CoverageView>* out) {
    for (auto& [words, intervals] : rows_) {
      if (intervals.size() > kIntervals) Merge(&intervals);
      for (auto& [interval, view] : intervals) {
        SortNames(&view.nodes);
        out->push_back(std::move(view));
      }
    }
    rows_.clear();
  }

 private:
  static constexpr size_t kIntervals = 4;
  using Words = std::tuple<std::string, model::CoverageStatus, std::string, bool>;
  using Intervals = std::map<std::pair<int64_t, int64_t>, model::CoverageView>;

  void Merge(Intervals* intervals) const {
    model::CoverageView sum = intervals->begin()->second;
    std::set<std::string> nodes;
    for (auto& [interval, view] : *intervals) {
      sum.from.lo = std::min(sum.from.lo, view.from.lo);
      sum.from.hi = std::max(sum.from.hi, view.from.hi);
      sum.to.lo = std::min(sum.to.lo, view.to.lo);
      sum.to.hi = std::max(sum.to.hi, view.to.hi);
      // A place with several intervals has its observations in each of them.
      bool counted = true;
      for (const std::string& node : view.nodes) counted = !nodes.insert(node).second && counted;
      if (!counted && &view != &intervals->begin()->second) sum.observations += view.observations;
    }
    sum.nodes.assign(nodes.begin(), nodes.end());
    intervals->clear();
    (*intervals)[{sum.from.lo, sum.to.hi}] = std::move(sum);
  }

  const model::ObservationSet& set_;
  const ObservationCounts& counts_;
  std::map<Words, Intervals> rows_;
};

// Which nodes each source was mentioned for: `everywhere` where a row names no place.
struct Mentioned {
  bool everywhere = false;
  std::set<uint32_t> nodes;
};

std::map<std::string_view, Mentioned> MentionedSources(const model::ObservationSet& set) {
  std::map<std::string_view, Mentioned> out;
  for (const model::Coverage& row : set.coverage) {
    Mentioned& source = out[set.NameOf(row.source)];
    if (row.node == model::kNoId) {
      source.everywhere = true;  // of a rank or a stream, too: which nodes that leaves out is not known
    } else {
      source.nodes.insert(row.node);
    }
  }
  return out;
}

// Nodes of the attempt for which no alternative was mentioned, by source; none: the
// source was not mentioned at all.
std::map<std::string, std::set<uint32_t>> UnmentionedSources(const eval::Context& context) {
  const auto mentioned = MentionedSources(*context.set);
  std::map<std::string, std::set<uint32_t>> out;
  for (const plan::Event& event : context.plan->events) {
    for (const plan::SourceRef& ref : event.sources) {
      bool any = false, everywhere = false;
      std::set<uint32_t> left;
      for (const model::InventoryNode& node : context.set->attempt.nodes) left.insert(node.node);
      for (const plan::SourceAlternative& a : ref.alternatives) {
        const auto at = mentioned.find(context.plan->Str(a.source));
        if (at == mentioned.end()) continue;
        any = true;
        everywhere = everywhere || at->second.everywhere;
        for (const uint32_t node : at->second.nodes) left.erase(node);
      }
      if (everywhere || (any && left.empty())) continue;
      for (const plan::SourceAlternative& a : ref.alternatives) {
        const std::string source(context.plan->Str(a.source));
        if (any && mentioned.count(source) == 0) continue;
        std::set<uint32_t>& nodes = out[source];
        if (any) nodes.insert(left.begin(), left.end());
      }
    }
  }
  return out;
}

// Sources that events read and the set never mentions: absent (language.md section 5).
void AddUnmentioned(const eval::Context& context, const ObservationCounts& counts, model::Verdict* verdict) {
  const model::ObservationSet& set = *context.set;
  for (const auto& [source, nodes] : UnmentionedSources(context)) {
    model::CoverageView view;
    view.source = source;
    view.status = std::string(model::Name(model::CoverageStatus::kAbsent));
    view.from = {plan::kBeforeAll, plan::kBeforeAll, 1};
    view.to = {plan::kAfterAll, plan::kAfterAll, 1};
    const uint32_t id = set.names.Find(source);
    if (id != Interner::kNone && nodes.empty()) view.observations = counts.All(id);
    for (const uint32_t node : nodes) {
      view.nodes.emplace_back(set.names.Text(node));
      view.observations += counts.On(id, node);
    }
    SortNames(&view.nodes);
    view.reason =
        nodes.empty() ? "the observation set does not mention it" : "the observation set does not mention it there";
    verdict->coverage.push_back(std::move(view));
  }
}

void BuildCoverage(const eval::Context& context, model::Verdict* verdict) {
  const model::ObservationSet& set = *context.set;
  ObservationCounts counts(set);
  SourceRows rows(set, counts);
  for (size_t i = 0; i < set.coverage.size(); ++i) {
    if (i > 0 && set.coverage[i].source != set.coverage[i - 1].source) rows.Flush(&verdict->coverage);
    rows.Add(set.coverage[i]);
  }
  rows.Flush(&verdict->coverage);
  AddUnmentioned(context, counts, verdict);
  std::stable_sort(verdict->coverage.begin(), verdict->coverage.end(),
                   [](const auto& a, const auto& b) { return NaturalLess(a.source, b.source); });
}

void BuildPack(const plan::Plan& plan, const std::string& sha256, model::Verdict* verdict) {
  verdict->pack.name = std::string(plan.Str(plan.meta.name));
  verdict->pack.version = std::string(plan.Str(plan.meta.version));
  verdict->pack.sha256 = sha256;
  for (const plan::ImportedPack& import : plan.meta.imports) {
    verdict->pack.imports.emplace_back(plan.Str(import.name), plan.Str(import.version));
  }
  verdict->engine = "attrc " + std::string(kEngineVersion);
}

}  // namespace

void BuildScope(const match::MatchResult& matched, const std::string& pack_sha256, Building* b) {
  const model::ObservationSet& set = *b->problem.context.set;
  model::Verdict& v = b->verdict;
  v.attempt = set.attempt.id;
  v.job = set.attempt.job;
  v.start = set.attempt.start;
  v.end = set.attempt.end;
  BuildCoverage(b->problem.context, &v);
  const match::ScopeCounts& scope = matched.scope;
  v.observations_in = scope.in;
  const std::pair<const char*, uint64_t> kOut[] = {{"before the attempt", scope.before},
                                                   {"after the attempt", scope.after},
                                                   {"other node", scope.other_node},
                                                   {"other attempt", scope.other_attempt}};
  for (const auto& [reason, count] : kOut) {
    v.observations_out += count;
    if (count != 0) v.out_of_scope.push_back({reason, count});
  }
  v.warnings = set.warnings;
  v.warnings.insert(v.warnings.end(), matched.warnings.begin(), matched.warnings.end());
  if (matched.long_records != 0) {
    v.warnings.push_back(std::to_string(matched.long_records) + " records are longer than what is matched of one");
  }
  if (matched.cut_records != 0) {
    v.warnings.push_back(std::to_string(matched.cut_records) +
                         " records match an `each` more often than is counted of one");
  }
  v.input_sha256 = set.sha256;
  BuildPack(b->problem.plan, pack_sha256, &v);
}

}  // namespace attr::resolve
