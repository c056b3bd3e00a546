// System columns: time, clock and place of each row, and the phantom rows.
#include <algorithm>

#include "runtime/match/finish.h"

namespace attr::match {

namespace {

using model::kNoId;
using plan::kNone;

constexpr int64_t kPhantomClock = -1;  // no observation has it

void Put(eval::Column& column, size_t row, int64_t slot) {
  column.slots[row] = slot;
  eval::Set(column.present, row);
}

/// A field's column by name, for `node`, `rank` and `gpu`; null when there is none.
const eval::Column* Named(const plan::Plan& plan, const EventProgram& program, const eval::Table& table,
                          std::string_view name) {
  for (const FieldProgram& field : program.fields)
    if (plan.Str(field.field->name) == name && !table.columns[field.column].slots.empty())
      return &table.columns[field.column];
  return nullptr;
}

bool Has(const eval::Column* column, size_t row) { return column != nullptr && eval::Test(column->present, row); }

}  // namespace

void Finisher::FillSystem(Work& work) {
  work.placed = true;
  const size_t rows = work.table.rows;
  for (uint32_t c = 0; c < plan::kSystemColumns; ++c) {
    work.table.columns[c].slots.assign(rows, 0);
    work.table.columns[c].present.assign(eval::WordsFor(rows), 0);
  }
  for (size_t row = 0; row < rows; ++row) FillRow(work, row);
  const plan::Plan& plan = *context_.plan;
  const eval::Column* node = Named(plan, *work.program, work.table, "node");
  const eval::Column* rank = Named(plan, *work.program, work.table, "rank");
  for (size_t row = 0; row < rows; ++row) {
    const model::Observation& observation = context_.set->observations[work.rows.observation[row]];
    int64_t about_rank = observation.rank;
    uint32_t about = observation.node != kNoId ? observation.node : context_.set->NodeOfRank(observation.rank);
    if (Has(rank, row)) {
      about_rank = rank->slots[row];
      const bool fits = about_rank >= 0 && about_rank <= INT32_MAX;
      const uint32_t holder = fits ? context_.set->NodeOfRank(static_cast<int32_t>(about_rank)) : kNoId;
      if (holder != kNoId) about = holder;
    }
    if (Has(node, row)) about = static_cast<uint32_t>(node->slots[row]);
    if (about == kNoId) about = single_node_;
    if (about_rank >= 0) Put(work.table.columns[plan::kRank], row, about_rank);
    if (about != kNoId) Put(work.table.columns[plan::kNode], row, about);
  }
  NormalizeGpus(work);
  InheritBegin(work);
}

/// Everything that the observation alone decides.
void Finisher::FillRow(Work& work, size_t row) {
  std::vector<eval::Column>& columns = work.table.columns;
  const model::Observation& observation = context_.set->observations[work.rows.observation[row]];
  const model::Moment& time = observation.time;
  Put(columns[plan::kBeginLo], row, time.lo);
  Put(columns[plan::kBeginHi], row, time.hi);
  Put(columns[plan::kEndLo], row, time.lo);
  Put(columns[plan::kEndHi], row, time.hi);
  Put(columns[plan::kPrecision], row, time.precision);
  if (time.IsStamp()) {
    Put(columns[plan::kBegin], row, time.lo);
    Put(columns[plan::kEnd], row, time.lo);
  }
  // Ids by arithmetic: two observers have two clocks, and who is not named is apart per source.
  const auto clocks = static_cast<int64_t>(std::max<size_t>(context_.set->clocks.size(), 1));
  const bool known = observation.clock < context_.set->clocks.size();
  const int64_t clock = known ? observation.clock : 0;
  const uint32_t observer = observation.observer != kNoId ? observation.observer : observation.node;
  const int64_t who = observer != kNoId ? int64_t{observer} : -int64_t{observation.source} - 2;
  Put(columns[plan::kClock], row, who * clocks + (who < 0 ? -clock : clock));
  Put(columns[plan::kTie], row, known && !context_.set->clocks[observation.clock].tied ? clock + 1 : 0);
  Put(columns[plan::kSkew], row, SkewOf(static_cast<uint32_t>(clock)));
  if (observation.stream != kNoId) Put(columns[plan::kStream], row, observation.stream);
  if (observation.position >= 0) Put(columns[plan::kPosition], row, observation.position);
  if (observer != kNoId) Put(columns[plan::kObserver], row, observer);
}

/// GPU names mean something on a node only: "0", a PCI address.
void Finisher::NormalizeGpus(Work& work) {
  const eval::Column& nodes = work.table.columns[plan::kNode];
  const auto canonical = [&](size_t row, int64_t name) {
    const bool placed = eval::Test(nodes.present, row);
    const uint64_t node = placed ? static_cast<uint64_t>(nodes.slots[row]) : kNoId;
    const auto [entry, added] = gpus_.try_emplace(node << 32 | static_cast<uint64_t>(name), 0);
    if (added) {
      const bool in_set = node < context_.set->names.size();  // dictionary ids begin with the set's own
      const std::string_view text = context_.dictionary.Text(static_cast<uint32_t>(name));
      const std::string_view full = places_.Gpu(in_set ? static_cast<uint32_t>(node) : kNoId, text);
      entry->second = context_.dictionary.Intern(full);
    }
    return int64_t{entry->second};
  };
  for (const FieldProgram& field : work.program->fields) {
    eval::Column& column = work.table.columns[field.column];
    if (field.field->type != plan::Type::kGpu || column.slots.empty()) continue;
    for (size_t row = 0; row < work.table.rows; ++row)
      if (eval::Test(column.present, row)) column.slots[row] = canonical(row, column.slots[row]);
  }
  const eval::Column* gpu = Named(*context_.plan, *work.program, work.table, "gpu");
  for (size_t row = 0; row < work.table.rows; ++row) {
    if (Has(gpu, row)) {
      Put(work.table.columns[plan::kGpu], row, gpu->slots[row]);
      continue;
    }
    const uint32_t own = context_.set->observations[work.rows.observation[row]].gpu;
    if (own != kNoId) Put(work.table.columns[plan::kGpu], row, own);
  }
}

/// A child begins when its parent did, until its own `since` says otherwise.
void Finisher::InheritBegin(Work& work) const {
  const plan::Event& event = *work.program->event;
  if (event.parent == kNone) return;
  const eval::Table& parent = context_.events[event.parent];
  for (const uint32_t c : {plan::kBeginLo, plan::kBeginHi, plan::kBegin}) {
    eval::Column& column = work.table.columns[c];
    column.present.assign(eval::WordsFor(work.table.rows), 0);
    for (size_t row = 0; row < work.table.rows; ++row) {
      column.slots[row] = parent.columns[c].slots[work.rows.parent_row[row]];
      if (eval::Test(parent.columns[c].present, work.rows.parent_row[row])) eval::Set(column.present, row);
    }
  }
}

void Finisher::AddPhantoms(Work& work) {
  if (phantoms_ == nullptr || !work.program->phantoms) return;
  eval::Table& table = work.table;
  std::vector<Phantom> phantoms;
  for (const plan::SourceRef& source : context_.plan->events[work.program->root].sources) {
    const std::vector<Phantom>& of = phantoms_->Of(source);
    phantoms.insert(phantoms.end(), of.begin(), of.end());
  }
  const size_t first = table.rows;
  const size_t rows = first + phantoms.size();
  for (uint32_t c = 0; c < table.columns.size(); ++c) {
    if (c >= plan::kSystemColumns) {
      const size_t field = c - plan::kSystemColumns;
      if (field >= work.program->fields.size() || !work.program->fields[field].stored) continue;
    }
    table.columns[c].slots.resize(rows, 0);
    table.columns[c].present.resize(eval::WordsFor(rows), 0);
  }
  table.rows = rows;
  table.observation.resize(rows, kNoId);
  for (size_t i = 0; i < phantoms.size(); ++i) {
    const Phantom& phantom = phantoms[i];
    const size_t row = first + i;
    std::vector<eval::Column>& columns = table.columns;
    Put(columns[plan::kBeginLo], row, phantom.time.from);
    Put(columns[plan::kBeginHi], row, phantom.time.to);
    Put(columns[plan::kEndLo], row, phantom.time.from);
    Put(columns[plan::kEndHi], row, phantom.time.to);
    if (phantom.time.from == phantom.time.to) {
      Put(columns[plan::kBegin], row, phantom.time.from);
      Put(columns[plan::kEnd], row, phantom.time.from);
    }
    Put(columns[plan::kPrecision], row, 0);
    Put(columns[plan::kClock], row, kPhantomClock);
    Put(columns[plan::kTie], row, 0);
    Put(columns[plan::kSkew], row, context_.default_skew);
    const uint32_t node = phantom.place.node != kNoId ? phantom.place.node : single_node_;
    if (node != kNoId) Put(columns[plan::kNode], row, node);
    if (phantom.place.rank >= 0) Put(columns[plan::kRank], row, phantom.place.rank);
    if (phantom.place.stream != kNoId) Put(columns[plan::kStream], row, phantom.place.stream);
    table.phantom_gap.push_back(phantom.gap);
  }
  phantom_rows_ += phantoms.size();
}

}  // namespace attr::match
