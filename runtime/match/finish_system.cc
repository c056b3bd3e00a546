// System columns: time, clock and place of each row, and the phantom rows.
#include <algorithm>
#include <array>

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

bool IsAlwaysPresent(uint32_t column) { return column <= plan::kSkew; }

bool Has(const eval::Column* column, size_t row) { return column != nullptr && eval::Test(column->present, row); }

}  // namespace

/// Raw places of the system columns while rows are written.
class Finisher::SystemRows {
 public:
  explicit SystemRows(eval::Table& table) {
    for (uint32_t c = 0; c < plan::kSystemColumns; ++c) {
      slots_[c] = table.columns[c].slots.data();
      present_[c] = table.columns[c].present.data();
    }
  }
  /// For columns that every row has; their bits are set beforehand.
  void Always(uint32_t column, size_t row, int64_t slot) { slots_[column][row] = slot; }
  void Put(uint32_t column, size_t row, int64_t slot) {
    slots_[column][row] = slot;
    present_[column][row / 64] |= uint64_t{1} << row % 64;
  }

 private:
  std::array<int64_t*, plan::kSystemColumns> slots_;
  std::array<uint64_t*, plan::kSystemColumns> present_;
};

/// Observations are met once, and the columns grow block by block: what is written
/// lies in the cache, though the columns of a cascade are 60 MB.
void Finisher::FillSystem(Work& work) {
  constexpr size_t kBlock = 512;
  work.placed = true;
  const size_t rows = work.table.rows;
  const size_t room = rows + PhantomCount(work);
  for (uint32_t c = 0; c < plan::kSystemColumns; ++c) {
    eval::Column& column = work.table.columns[c];
    column.slots.clear();
    column.slots.reserve(room);
    column.present.reserve(eval::WordsFor(room));
    column.present.assign(eval::WordsFor(rows), IsAlwaysPresent(c) ? UINT64_MAX : 0);
    if (IsAlwaysPresent(c) && rows % 64 != 0) column.present.back() = (uint64_t{1} << rows % 64) - 1;
  }
  const plan::Plan& plan = *context_.plan;
  const Placing placing{Named(plan, *work.program, work.table, "node"), Named(plan, *work.program, work.table, "rank")};
  for (size_t first = 0; first < rows; first += kBlock) {
    const size_t end = std::min(rows, first + kBlock);
    for (uint32_t c = 0; c < plan::kSystemColumns; ++c) work.table.columns[c].slots.resize(end);
    FillRows(work, first, end, placing);
  }
  NormalizeGpus(work);
  InheritBegin(work);
}

void Finisher::FillRows(Work& work, size_t first, size_t end, const Placing& placing) {
  constexpr size_t kAhead = 8;
  SystemRows out(work.table);
  const std::vector<model::Observation>& observations = context_.set->observations;
  for (size_t row = first; row < end; ++row) {
    if (row + kAhead < end) {
      const model::Observation& coming = observations[work.rows.observation[row + kAhead]];
      __builtin_prefetch(&coming.source);
      __builtin_prefetch(&coming.time.precision);
    }
    const model::Observation& observation = observations[work.rows.observation[row]];
    FillRow(out, row, observation);
    int64_t about_rank = observation.rank;
    uint32_t about = observation.node != kNoId ? observation.node : NodeOfRank(observation.rank);
    if (Has(placing.rank, row)) {
      about_rank = placing.rank->slots[row];
      const bool fits = about_rank >= 0 && about_rank <= INT32_MAX;
      const uint32_t holder = fits ? NodeOfRank(static_cast<int32_t>(about_rank)) : kNoId;
      if (holder != kNoId) about = holder;
    }
    if (Has(placing.node, row)) about = static_cast<uint32_t>(placing.node->slots[row]);
    if (about == kNoId) about = single_node_;
    if (about_rank >= 0) out.Put(plan::kRank, row, about_rank);
    if (about != kNoId) out.Put(plan::kNode, row, about);
  }
}

/// Everything that the observation alone decides.
void Finisher::FillRow(SystemRows& out, size_t row, const model::Observation& observation) const {
  const model::Moment& time = observation.time;
  out.Always(plan::kBeginLo, row, time.lo);
  out.Always(plan::kBeginHi, row, time.hi);
  out.Always(plan::kEndLo, row, time.lo);
  out.Always(plan::kEndHi, row, time.hi);
  out.Always(plan::kPrecision, row, time.precision);
  if (time.IsStamp()) {
    out.Put(plan::kBegin, row, time.lo);
    out.Put(plan::kEnd, row, time.lo);
  }
  // Ids by arithmetic: two observers have two clocks, and who is not named is apart per source.
  const auto clocks = static_cast<int64_t>(std::max<size_t>(context_.set->clocks.size(), 1));
  const bool known = observation.clock < context_.set->clocks.size();
  const int64_t clock = known ? observation.clock : 0;
  const uint32_t observer = observation.observer != kNoId ? observation.observer : observation.node;
  const int64_t who = observer != kNoId ? int64_t{observer} : -int64_t{observation.source} - 2;
  out.Always(plan::kClock, row, who * clocks + (who < 0 ? -clock : clock));
  out.Always(plan::kTie, row, known && !context_.set->clocks[observation.clock].tied ? clock + 1 : 0);
  out.Always(plan::kSkew, row, SkewOf(static_cast<uint32_t>(clock)));
  if (observation.stream != kNoId) out.Put(plan::kStream, row, observation.stream);
  if (observation.position >= 0) out.Put(plan::kPosition, row, observation.position);
  if (observer != kNoId) out.Put(plan::kObserver, row, observer);
  if (observation.gpu != kNoId) out.Put(plan::kGpu, row, observation.gpu);
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
  if (gpu == nullptr) return;
  for (size_t row = 0; row < work.table.rows; ++row)
    if (Has(gpu, row)) Put(work.table.columns[plan::kGpu], row, gpu->slots[row]);
}

/// A child begins when its parent did, until its own `since` says otherwise.
void Finisher::InheritBegin(Work& work) const {
  const plan::Event& event = *work.program->event;
  if (event.parent == kNone) return;
  const eval::Table& parent = context_.LinesOf(event.parent);
  for (const uint32_t c : {plan::kBeginLo, plan::kBeginHi, plan::kBegin}) {
    eval::Column& column = work.table.columns[c];
    column.present.assign(eval::WordsFor(work.table.rows), 0);
    for (size_t row = 0; row < work.table.rows; ++row) {
      column.slots[row] = parent.columns[c].slots[work.rows.parent_row[row]];
      if (eval::Test(parent.columns[c].present, work.rows.parent_row[row])) eval::Set(column.present, row);
    }
  }
}

/// How many phantoms will follow the rows.
size_t Finisher::PhantomCount(const Work& work) const {
  size_t count = 0;
  if (phantoms_ == nullptr || !work.program->phantoms) return count;
  const plan::Event& root = context_.plan->events[work.program->root];
  for (const plan::SourceRef& source : root.sources) count += phantoms_->Of(source, root.scope).size();
  return count;
}

void Finisher::AddPhantoms(Work& work) {
  if (phantoms_ == nullptr || !work.program->phantoms) return;
  eval::Table& table = work.table;
  std::vector<Phantom> phantoms;
  const plan::Event& root = context_.plan->events[work.program->root];
  for (const plan::SourceRef& source : root.sources) {
    const std::vector<Phantom>& of = phantoms_->Of(source, root.scope);
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
    const bool known = phantom.place.node != kNoId || phantom.place.other;
    const uint32_t node = known ? phantom.place.node : single_node_;
    if (node != kNoId) Put(columns[plan::kNode], row, node);
    if (phantom.place.rank >= 0) Put(columns[plan::kRank], row, phantom.place.rank);
    if (phantom.place.stream != kNoId) Put(columns[plan::kStream], row, phantom.place.stream);
    table.phantom_gap.push_back(phantom.gap);
  }
  phantom_rows_ += phantoms.size();
}

}  // namespace attr::match
