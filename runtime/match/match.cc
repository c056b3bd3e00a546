// The room's driver: scope, coverage, candidates, rows, finished tables.
#include "runtime/match/match.h"

#include <algorithm>
#include <map>
#include <thread>
#include <tuple>

#include "runtime/attribute.h"
#include "runtime/match/convert.h"
#include "runtime/match/finish.h"
#include "runtime/match/given_rows.h"
#include "runtime/match/undeclared.h"

namespace attr::match {

namespace {

using plan::kNone;

constexpr size_t kWindow = 256;          // observations between two sorts; their texts stay in the second-level cache
constexpr size_t kSampled = 256;         // records looked at before the scanners are made
constexpr size_t kLongestSample = 1024;  // bytes of each
constexpr size_t kSmallestRange = 16 * 1024;  // observations worth a thread

/// One thread's share: contiguous observations, its own dictionary, rows by event.
struct Range {
  size_t begin = 0, end = 0;
  Interner dictionary;
  std::vector<RowSet> rows;
  uint64_t long_records = 0, failed_conversions = 0, left_missing = 0, cut_records = 0;
  std::vector<ConversionCounts> conversions;
};

void AddTo(std::vector<ConversionCounts>* sum, const std::vector<ConversionCounts>& counts) {
  if (sum->size() < counts.size()) sum->resize(counts.size());
  for (size_t e = 0; e < counts.size(); ++e) {
    (*sum)[e].failed += counts[e].failed;
    (*sum)[e].left_missing += counts[e].left_missing;
  }
}

class Run {
 public:
  Run(eval::Context& context, const MatchOptions& options, const ProgramOptions& programs)
      : context_(context), options_(options), places_(*context.set), scope_(ScopeOf(*context.plan, *context.set)) {
    Prepare();
    FindScopes();
    programs_ = MakePrograms(*context.plan, programs);
    with_phantoms_ = programs.only_event == kNone;
  }

  Result<MatchResult> Go(Stats* stats);

 private:
  void Prepare();
  void FindScopes();
  /// Of events that widen it, their own.
  const Scope& ScopeOfEvent(uint32_t event) const {
    const auto found = wide_.find(KeyOfScope(context_.plan->events[event].scope));
    return found == wide_.end() ? scope_ : found->second;
  }
  static std::tuple<int64_t, int64_t, bool> KeyOfScope(const plan::EventScope& scope) {
    return {scope.before, scope.after, scope.any_node};
  }
  void MakeSources(std::map<const Scope*, CarrierIndex>& carriers, const CoverageIndex& coverage);
  void MatchRoots(std::vector<RowSet>& roots);
  void MatchRange(Range& range, Interner& dictionary) const;
  void Merge(Range& range, std::vector<RowSet>& roots);
  RowSet MatchChildren(const EventProgram& program);
  std::string FirstError(const Finisher& finisher) const;
  void Count(Stats* stats, const Finisher& finisher) const;

  eval::Context& context_;
  const MatchOptions options_;
  mutable Places places_;  // locks by itself
  Scope scope_;
  std::map<std::tuple<int64_t, int64_t, bool>, Scope> wide_;  // of events, where they are not the pack's
  eval::Bitmap anywhere_;                                     // in some of the scopes
  std::vector<EventProgram> programs_;
  std::vector<std::unique_ptr<SourceProgram>> sources_;  // by names id; null: nobody reads it
  MatchResult result_;
  bool with_phantoms_ = true;
};

/// Dictionary ids of the set's own names are their ids there.
void Run::Prepare() {
  const plan::Plan& plan = *context_.plan;
  const model::ObservationSet& set = *context_.set;
  context_.dictionary = Interner();
  for (uint32_t id = 0; id < set.names.size(); ++id) context_.dictionary.Intern(set.names.Text(id));
  context_.constants.clear();
  for (const plan::Constant& constant : plan.constants) {
    std::string_view text = plan.Str(constant.text);
    if (constant.type == plan::Type::kNode) text = places_.Node(text);
    if (constant.type == plan::Type::kGpu) text = places_.Gpu(model::kNoId, text);
    context_.constants.push_back(context_.dictionary.Intern(text));
  }
  context_.events.assign(plan.events.size(), {});
  context_.gaps.clear();
  context_.default_skew = DefaultSkew(plan, set);
}

void Run::FindScopes() {
  anywhere_ = scope_.in;
  for (const plan::Event& event : context_.plan->events) {
    if (event.scope == plan::EventScope{} || !event.members.empty()) continue;
    const auto [entry, added] = wide_.try_emplace(KeyOfScope(event.scope));
    if (!added) continue;
    entry->second = ScopeOf(*context_.plan, *context_.set, event.scope);
    for (size_t w = 0; w < anywhere_.size(); ++w) anywhere_[w] |= entry->second.in[w];
  }
}

/// Each scope has carriers of its own: what lies outside of it carries nothing.
void Run::MakeSources(std::map<const Scope*, CarrierIndex>& carriers, const CoverageIndex& coverage) {
  const plan::Plan& plan = *context_.plan;
  const model::ObservationSet& set = *context_.set;
  sources_.resize(set.names.size());
  for (const EventProgram& program : programs_) {
    if (!program.active || program.root != program.index || !program.event->members.empty()) continue;
    const Scope& scope = ScopeOfEvent(program.index);
    CarrierIndex& of_scope = carriers.try_emplace(&scope, context_, scope, coverage).first->second;
    for (const plan::SourceRef& reference : program.event->sources) {
      for (size_t a = 0; a < reference.alternatives.size(); ++a) {
        const uint32_t source = set.names.Find(plan.Str(reference.alternatives[a].source));
        if (source == model::kNoId) continue;
        if (sources_[source] == nullptr) sources_[source] = std::make_unique<SourceProgram>();
        const eval::Bitmap* admitted = of_scope.Admitted(reference, a);
        if (admitted == nullptr && !wide_.empty()) admitted = &scope.in;
        sources_[source]->Add(program.index, {plan.Str(reference.alternatives[a].metric), admitted});
      }
    }
  }
  std::vector<SourceProgram::Sample> samples(set.names.size());
  const size_t stride = set.observations.size() / kSampled + 1;
  for (size_t o = 0; o < set.observations.size(); o += stride) {
    const model::Observation& observation = set.observations[o];
    if (observation.source == model::kNoId) continue;
    const std::string_view text = observation.text.substr(0, kLongestSample);
    samples[observation.source].texts.push_back(text);
    samples[observation.source].all_bytes += observation.text.size() * stride;
  }
  for (size_t s = 0; s < sources_.size(); ++s)
    if (sources_[s] != nullptr) sources_[s]->Prepare(programs_, samples[s]);
}

/// Observations in windows: each source's records through its scanner, then what
/// was found in the order of the observations.
void Run::MatchRange(Range& range, Interner& dictionary) const {
  const model::ObservationSet& set = *context_.set;
  RecordMatcher matcher(context_, places_, dictionary, options_.record_bytes);
  range.rows.resize(programs_.size());
  std::vector<SourceProgram::Scratch> scratch(sources_.size());
  for (size_t s = 0; s < sources_.size(); ++s)
    if (sources_[s] != nullptr) scratch[s] = sources_[s]->MakeScratch();
  std::vector<uint32_t> touched;
  std::vector<SourceProgram::Item> items;
  for (size_t begin = range.begin; begin < range.end; begin += kWindow) {
    touched.clear();
    items.clear();
    for (size_t o = begin; o < std::min(range.end, begin + kWindow); ++o) {
      const model::Observation& observation = set.observations[o];
      if (!eval::Test(anywhere_, o)) continue;
      range.long_records += matcher.IsLong(observation) ? 1 : 0;
      if (observation.source == model::kNoId || sources_[observation.source] == nullptr) continue;
      SourceProgram::Scratch& of = scratch[observation.source];
      if (of.observations.empty()) touched.push_back(observation.source);
      of.observations.push_back(static_cast<uint32_t>(o));
      of.texts.push_back(observation.text.substr(0, options_.record_bytes));
    }
    for (const uint32_t source : touched) {
      sources_[source]->Scan(set, scratch[source], items);
      scratch[source].observations.clear();
      scratch[source].texts.clear();
    }
    if (touched.size() > 1)
      std::stable_sort(items.begin(), items.end(),
                       [](const auto& a, const auto& b) { return a.observation < b.observation; });
    for (const SourceProgram::Item& item : items)
      matcher.Try(programs_[item.event], item.observation, item.alternatives, kNone, range.rows[item.event]);
  }
  range.failed_conversions = matcher.failed_conversions();
  range.left_missing = matcher.left_missing();
  range.conversions = matcher.conversions();
  range.cut_records = matcher.cut_records();
}

void Run::MatchRoots(std::vector<RowSet>& roots) {
  const size_t total = context_.set->observations.size();
  const size_t threads = std::clamp<size_t>(total / kSmallestRange, 1, std::max(options_.threads, 1U));
  std::vector<Range> ranges(threads);
  for (size_t t = 0; t < threads; ++t) {
    ranges[t].begin = total * t / threads;
    ranges[t].end = total * (t + 1) / threads;
  }
  if (threads == 1) {
    MatchRange(ranges[0], context_.dictionary);
    roots = std::move(ranges[0].rows);
  } else {
    std::vector<std::thread> workers;
    for (Range& range : ranges) workers.emplace_back([this, &range] { MatchRange(range, range.dictionary); });
    for (std::thread& worker : workers) worker.join();
    roots.resize(programs_.size());
    for (Range& range : ranges) Merge(range, roots);
  }
  for (const Range& range : ranges) {
    result_.long_records += range.long_records;
    result_.failed_conversions += range.failed_conversions;
    result_.left_missing += range.left_missing;
    AddTo(&result_.conversions, range.conversions);
    result_.cut_records += range.cut_records;
  }
}

/// Appends a range's rows, its dictionary's ids turned into the evaluation's.
void Run::Merge(Range& range, std::vector<RowSet>& roots) {
  std::vector<int64_t> ids;
  for (uint32_t id = 0; id < range.dictionary.size(); ++id)
    ids.push_back(context_.dictionary.Intern(range.dictionary.Text(id)));
  for (size_t e = 0; e < range.rows.size(); ++e) {
    RowSet& from = range.rows[e];
    RowSet& to = roots[e];
    const size_t rows = to.observation.size();
    to.observation.insert(to.observation.end(), from.observation.begin(), from.observation.end());
    to.fields.resize(std::max(to.fields.size(), from.fields.size()));
    for (size_t f = 0; f < from.fields.size(); ++f) {
      eval::Column& source = from.fields[f];
      eval::Column& target = to.fields[f];
      if (source.slots.empty()) continue;
      target.present.resize(eval::WordsFor(to.observation.size()), 0);
      for (size_t i = 0; i < source.slots.size(); ++i) {
        const bool present = eval::Test(source.present, i);
        const bool is_id = plan::IsId(programs_[e].fields[f].field->type);
        target.slots.push_back(present && is_id ? ids[static_cast<size_t>(source.slots[i])] : source.slots[i]);
        if (present) eval::Set(target.present, rows + i);
      }
    }
    from = {};
  }
}

RowSet Run::MatchChildren(const EventProgram& program) {
  RowSet rows;
  const eval::Table& parent = context_.LinesOf(program.event->parent);
  RecordMatcher matcher(context_, places_, context_.dictionary, options_.record_bytes);
  for (uint32_t row = 0; row < parent.first_phantom; ++row)
    matcher.Try(program, parent.observation[row], UINT64_MAX, row, rows);
  result_.failed_conversions += matcher.failed_conversions();
  result_.left_missing += matcher.left_missing();
  AddTo(&result_.conversions, matcher.conversions());
  result_.cut_records += matcher.cut_records();
  return rows;
}

std::string Run::FirstError(const Finisher& finisher) const {
  const auto describe = [](const LazyRegex& regex) {
    return "pattern /" + std::string(regex.pattern()) + "/ does not compile: " + regex.error();
  };
  for (const EventProgram& program : programs_) {
    for (const ClauseProgram& clause : program.clauses)
      for (const auto& regex : clause.alternatives)
        if (!regex->error().empty()) return describe(*regex);
    for (const auto& regex : program.unless)
      if (!regex->error().empty()) return describe(*regex);
  }
  return finisher.error();
}

void Run::Count(Stats* stats, const Finisher& finisher) const {
  if (stats == nullptr) return;
  stats->observations = context_.set->observations.size();
  eval::Bitmap matched(scope_.in.size(), 0);
  uint64_t events = 0;
  for (const EventProgram& program : programs_) {
    const eval::Table& table = context_.events[program.index];
    events += table.first_phantom;
    if (program.root != program.index || !program.event->members.empty()) continue;
    for (size_t row = 0; row < table.first_phantom; ++row) eval::Set(matched, table.observation[row]);
  }
  stats->events = events;
  stats->matched_lines = 0;
  for (const uint64_t word : matched) stats->matched_lines += static_cast<uint64_t>(__builtin_popcountll(word));
  stats->phantoms = finisher.phantoms();
}

Result<MatchResult> Run::Go(Stats* stats) {
  const CoverageIndex coverage(context_, scope_);
  std::map<const Scope*, CarrierIndex> carriers;
  MakeSources(carriers, coverage);
  result_.scope = scope_.counts;
  result_.warnings = coverage.warnings();
  for (std::string& warning : UndeclaredSources(context_, scope_)) result_.warnings.push_back(std::move(warning));
  result_.contradicted = coverage.contradicted();
  std::vector<RowSet> roots;
  MatchRoots(roots);
  PhantomIndex phantoms(context_, coverage);
  Finisher finisher(context_, places_, with_phantoms_ ? &phantoms : nullptr);
  for (const EventProgram& program : programs_) {
    if (!program.active) continue;
    if (!program.event->members.empty()) {
      finisher.FinishUnion(program);
      continue;
    }
    const bool root = program.root == program.index;
    finisher.Finish(program, root ? std::move(roots[program.index]) : MatchChildren(program));
  }
  for (const EventProgram& program : programs_)
    if (program.active) finisher.FillRanks(program);
  context_.lines.clear();
  result_.failed_conversions += finisher.failed_conversions();
  const std::string error = FirstError(finisher);
  if (!error.empty()) return Error{ErrorKind::kInput, error, {}, 0, {}, {}};
  // Findings get their tables when rules are evaluated.
  const auto derived = std::make_shared<DerivedColumns>(context_);
  context_.derive = [derived](const plan::Event& event, eval::Table& table) {
    for (size_t d = 0; d < event.derived.size(); ++d) derived->Fill(event, d, table);
  };
  Count(stats, finisher);
  if (with_phantoms_) FillGivenRows(context_);
  return std::move(result_);
}

}  // namespace

Result<MatchResult> Match(eval::Context& context, const MatchOptions& options, Stats* stats) {
  return Run(context, options, {}).Go(stats);
}

Result<std::vector<ExampleMatch>> MatchText(const plan::Plan& plan, uint32_t event, std::string_view text) {
  uint32_t root = event;
  while (plan.events[root].parent != kNone) root = plan.events[root].parent;
  model::ObservationSet set;
  model::Observation observation;
  observation.text = text;
  const std::vector<plan::SourceRef>& sources = plan.events[root].sources;
  if (!sources.empty() && !sources[0].alternatives.empty()) {
    observation.source = set.names.Intern(plan.Str(sources[0].alternatives[0].source));
    observation.name = plan.Str(sources[0].alternatives[0].metric);
  }
  set.observations.push_back(observation);
  eval::Context context;
  context.plan = &plan;
  context.set = &set;
  auto result = Run(context, {}, {event}).Go(nullptr);
  if (!result) return result.error();
  std::vector<ExampleMatch> matches;
  const eval::Table& table = context.events[event];
  for (size_t row = 0; row < table.first_phantom; ++row) {
    ExampleMatch match{event, {}};
    for (size_t f = 0; f < plan.events[event].fields.size(); ++f) {
      const plan::Field& field = plan.events[event].fields[f];
      const eval::Column& column = table.columns[plan.events[event].FieldColumn(f)];
      if (field.hidden || column.slots.empty() || !eval::Test(column.present, row)) continue;
      const int64_t slot = column.slots[row];
      match.fields.emplace_back(plan.Str(field.name),
                                plan::IsId(field.type)
                                    ? std::string(context.dictionary.Text(static_cast<uint32_t>(slot)))
                                    : SlotText(field.type, slot));
    }
    matches.push_back(std::move(match));
  }
  return matches;
}

}  // namespace attr::match
