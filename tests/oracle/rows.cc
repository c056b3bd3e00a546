// Records to rows, one record and one event at a time. Order of steps: source,
// text, unless, fields, where, since; scope was asked before (language.md
// section 3).
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tests/oracle/event_scope.h"

namespace attr::oracle {

namespace {

using model::kNoId;

// ---- scope -----------------------------------------------------------------

/// How far outside the attempt an event looks.
struct Reach {
  int64_t before = 0, after = 0;  // its start and its end
  bool any_node = false;
};

uint64_t ScopeCounts::*Place(const World& world, const model::Observation& o, const Reach& reach) {
  const model::ObservationSet& set = world.set;
  const bool history = world.Name(o.source) == "history";
  const bool other_attempt = !set.attempt.id.empty() && o.attempt != kNoId && world.Name(o.attempt) != set.attempt.id;
  const bool other_node =
      !set.attempt.nodes.empty() && o.node != kNoId &&
      std::none_of(set.attempt.nodes.begin(), set.attempt.nodes.end(), [&](const auto& n) { return n.node == o.node; });
  if (!history && other_attempt) return &ScopeCounts::other_attempt;
  if (!history && o.time.hi < set.attempt.start.lo - reach.before) return &ScopeCounts::before;
  if (!history && o.time.lo > set.attempt.end.hi + reach.after) return &ScopeCounts::after;
  return other_node && !reach.any_node ? &ScopeCounts::other_node : &ScopeCounts::in;
}

/// What is known to lie outside takes no part; nothing unknown excludes.
void JudgeScope(World* world) {
  const Reach own{world->pack.grace, world->pack.grace, false};
  for (const model::Observation& o : world->set.observations) {
    uint64_t ScopeCounts::*count = Place(*world, o, own);
    ++(world->scope.*count);
    world->in_scope.push_back(count == &ScopeCounts::in);
  }
}

/// `scope` widens and never narrows; it belongs to the event that has the sources.
Reach ReachOf(const World& world, const std::set<uint32_t>& roots) {
  Reach out{world.pack.grace, world.pack.grace, false};
  for (const uint32_t root : roots) {
    for (const syntax::ScopeClause& scope : world.pack.events[root].decl->scopes) {
      if (scope.time) out.before = std::max(out.before, -scope.time->first);
      if (scope.time) out.after = std::max(out.after, scope.time->second);
      out.any_node = out.any_node || scope.what.text == "nodes";
    }
  }
  return out;
}

/// The world as an event of these roots sees it, while it is looked for.
class WiderScope {
 public:
  WiderScope(World* world, const std::set<uint32_t>& roots) : world_(*world), kept_(world->in_scope) {
    const Reach reach = ReachOf(*world, roots);
    for (size_t o = 0; o < kept_.size(); ++o) {
      world_.in_scope[o] = Place(world_, world_.set.observations[o], reach) == &ScopeCounts::in;
    }
    world_.reach_before = reach.before;
    world_.reach_after = reach.after;
    world_.any_node = reach.any_node;
  }
  ~WiderScope() { world_.in_scope = kept_; }
  WiderScope(const WiderScope&) = delete;
  WiderScope& operator=(const WiderScope&) = delete;

 private:
  World& world_;
  std::vector<bool> kept_;
};

void WarnOfSources(World* world) {
  std::map<std::string, uint64_t> unknown;
  for (const model::Observation& o : world->set.observations) {
    const std::string source = world->Name(o.source);
    if (world->pack.sources.count(source) == 0) ++unknown[source];
  }
  for (const auto& [source, count] : unknown) {
    world->warnings.push_back(fmt::format("{} observation{} of source \"{}\", which no pack declares", count,
                                          count == 1 ? " is" : "s are", source));
  }
}

// ---- system columns --------------------------------------------------------

int64_t SkewOf(const World& world, const model::Clock& clock) {
  if (!world.set.skew) {
    for (const syntax::Skew& skew : world.pack.skews) {
      if (!skew.clock.empty() && skew.clock == clock.name) return skew.nanos;
    }
  }
  return world.skew;
}

void FillTime(const World& world, const model::Observation& o, Row* row) {
  row->span.begin_lo = row->span.end_lo = o.time.lo;
  row->span.begin_hi = row->span.end_hi = o.time.hi;
  row->span.precision = o.time.precision;
  const model::Clock& clock = world.set.clocks[o.clock];
  const uint32_t observer = o.observer != kNoId ? o.observer : o.node;
  const std::string who = observer != kNoId ? "node " + world.Name(observer) : "source " + world.Name(o.source);
  row->span.clock = who + " clock " + clock.name;
  if (!clock.tied) row->span.tie = clock.name;
  row->span.skew = SkewOf(world, clock);
  if (o.stream != kNoId) row->span.stream = world.Name(o.stream);
  row->span.position = o.position;
  if (observer != kNoId) row->observer = Text(Type::kNode, world.Name(observer));
}

const Value* FieldNamed(const Row& row, const std::string& name) {
  auto it = row.fields.find(name);
  return it == row.fields.end() || !it->second.present ? nullptr : &it->second;
}

std::string SingleNode(const World& world) {
  return world.set.attempt.nodes.size() == 1 ? world.Name(world.set.attempt.nodes[0].node) : "";
}

void FillPlace(World& world, const model::Observation& o, Row* row) {
  std::string node = world.Name(o.node != kNoId ? o.node : world.set.NodeOfRank(o.rank));
  int64_t rank = o.rank;
  if (const Value* field = FieldNamed(*row, "rank")) {
    rank = field->number;
    const uint32_t holder = rank <= INT32_MAX ? world.set.NodeOfRank(static_cast<int32_t>(rank)) : kNoId;
    if (holder != kNoId) node = world.Name(holder);
  }
  if (const Value* field = FieldNamed(*row, "node")) node = field->text;
  if (node.empty()) node = SingleNode(world);
  if (!node.empty()) row->node = Text(Type::kNode, node);
  if (rank >= 0) row->rank = Number(Type::kRank, rank);
  for (auto& [name, value] : row->fields) {
    if (value.present && value.type == Type::kGpu) value.text = world.GpuNamed(node, value.text);
  }
  if (const Value* field = FieldNamed(*row, "gpu")) {
    row->gpu = *field;
  } else if (o.gpu != kNoId) {
    row->gpu = Text(Type::kGpu, world.Name(o.gpu));
  }
}

// ---- one row ---------------------------------------------------------------

/// False when a required field has no value: then there is no event.
bool ReadFields(World& world, const Candidate& c, Row* row) {
  for (const Field& field : c.event->fields) {
    Value value = Missing(field.type);
    if (field.from == From::kInherited) value = c.parent->fields.at(field.name);
    if (field.from == From::kGroup) value = ReadGroup(world, c, field.source, field.type, field.unit);
    if (field.from == From::kAttribute) value = ReadAttribute(world, c, field.source, field.type, field.unit);
    if (field.from == From::kBuiltin) value = ReadProperty(world, c, field.source, field.type, field.unit);
    if (field.from == From::kExpression || field.from == From::kFold) continue;
    if (!value.present && !field.optional && field.from != From::kInherited) return false;
    row->fields[field.name] = std::move(value);
  }
  return true;
}

bool ComputeFields(World& world, const Candidate& c, Row* row) {
  for (const Field& field : c.event->fields) {
    if (field.from != From::kExpression || (c.event->decl->over && AsksWindow(*field.value))) continue;
    const EventScope scope(world, c, *row);
    Value value = Evaluator(world, c.event->pack, scope).Eval(*field.value, field.type).value;
    if (field.type == Type::kFloat && value.type != Type::kFloat) {
      value = value.present ? Real(static_cast<double>(value.number)) : Missing(Type::kFloat);
    }
    value.type = field.type;
    if (!value.present && !field.optional) return false;
    row->fields[field.name] = std::move(value);
  }
  return true;
}

void MoveBegin(World& world, const Candidate& c, Row* row) {
  if (!c.event->decl->since) return;
  const EventScope scope(world, c, *row);
  const Value since = Evaluator(world, c.event->pack, scope).Eval(*c.event->decl->since, Type::kTime).value;
  const bool known = since.present && since.number <= row->span.end_hi && since.number > kBeforeAll;
  row->span.begin_lo = known ? since.number : kBeforeAll;
  row->span.begin_hi = known ? since.number : kAfterAll;
}

std::optional<Row> MakeRow(World& world, const Candidate& c, uint32_t observation) {
  Row row;
  row.observation = observation;
  row.records = {observation};
  if (!ReadFields(world, c, &row)) return std::nullopt;
  FillTime(world, *c.record, &row);
  FillPlace(world, *c.record, &row);
  if (!ComputeFields(world, c, &row)) return std::nullopt;
  for (const syntax::ExprPtr& where : c.event->decl->where) {
    if (c.event->decl->over && AsksWindow(*where)) continue;  // of windows, not of samples
    const EventScope scope(world, c, row);
    if (!Evaluator(world, c.event->pack, scope).Condition(*where).must) return std::nullopt;
  }
  if (c.parent != nullptr) {
    row.span.begin_lo = c.parent->span.begin_lo;
    row.span.begin_hi = c.parent->span.begin_hi;
  }
  MoveBegin(world, c, &row);
  return row;
}

/// The rows of one record: one, or one for each match of `each`.
void AddRows(World& world, const Event& event, uint32_t observation, const Row* parent, std::vector<Row>* out) {
  const Candidate start{&event, &world.set.observations[observation], parent, {}};
  for (const Candidate& candidate : MatchTexts(world, start)) {
    if (auto row = MakeRow(world, candidate, observation)) out->push_back(std::move(*row));
  }
}

bool Reads(const World& world, const Event& event, uint32_t observation) {
  const model::Observation& record = world.set.observations[observation];
  for (const syntax::SourceRef& ref : event.decl->sources) {
    for (size_t a = 0; a < ref.alternatives.size(); ++a) {
      if (IsOf(world, ref.alternatives[a], record) && IsCarried(world, ref, a, observation)) return true;
    }
  }
  return false;
}

void AddPhantoms(const World& world, const Event& event, std::vector<Row>* rows) {
  std::vector<const syntax::SourceRef*> refs;
  for (uint32_t root : event.roots) {
    for (const syntax::SourceRef& ref : world.pack.events[root].decl->sources) refs.push_back(&ref);
  }
  for (const syntax::SourceRef* ref : refs) {
    for (const BlindTime& blind : BlindTimes(world, *ref)) {
      Row row;
      row.kind = RowKind::kPhantom;
      row.bits = kUnknown;
      row.gaps = {{ref->alternatives[0].source.text, blind.node}};
      row.span.begin_lo = row.span.end_lo = blind.from;
      row.span.begin_hi = row.span.end_hi = blind.to;
      row.span.clock = "phantom";
      row.span.skew = world.skew;
      row.span.stream = blind.stream;
      const std::string node = blind.node.empty() && !blind.another ? SingleNode(world) : blind.node;
      if (!node.empty()) row.node = Text(Type::kNode, node);
      if (blind.rank >= 0) row.rank = Number(Type::kRank, blind.rank);
      for (const Field& field : event.fields) row.fields[field.name] = Missing(field.type);
      rows->push_back(std::move(row));
    }
  }
}

void FillRows(World* world, uint32_t index, std::vector<bool>* done);

/// All rows of all members, record by record, with what all of them have.
std::vector<Row> UnionRows(World* world, const Event& event, std::vector<bool>* done) {
  std::vector<Row> out;
  for (uint32_t member : event.members) FillRows(world, member, done);
  for (uint32_t o = 0; o < world->set.observations.size(); ++o) {
    bool taken = false;  // one record is one event, the first member's
    for (uint32_t member : event.members) {
      const bool another = taken;
      for (Row row : world->rows[member]) {
        if (row.observation != o || another) continue;
        taken = true;
        std::map<std::string, Value> fields;
        for (const Field& field : event.fields) fields[field.name] = row.fields.at(field.name);
        row.fields = std::move(fields);
        out.push_back(std::move(row));
      }
    }
  }
  return out;
}

void FillRows(World* world, uint32_t index, std::vector<bool>* done) {
  if ((*done)[index]) return;
  (*done)[index] = true;
  const Event& event = world->pack.events[index];
  if (event.origin != Origin::kRecords) {
    if (event.origin != Origin::kFindings) world->rows[index] = StandingRows(*world, event);
    return;
  }
  const WiderScope wider(world, event.roots);
  std::vector<Row> rows;
  if (!event.members.empty()) {
    rows = UnionRows(world, event, done);
  } else if (event.parent != kNone) {
    FillRows(world, event.parent, done);
    for (const Row& parent : world->lines[event.parent]) AddRows(*world, event, parent.observation, &parent, &rows);
  } else {
    for (uint32_t o = 0; o < world->set.observations.size(); ++o) {
      if (world->in_scope[o] && Reads(*world, event, o)) AddRows(*world, event, o, nullptr, &rows);
    }
  }
  world->lines[index] = rows;
  if (event.members.empty()) {
    if (event.decl->closed_by) FillRows(world, event.closed_by, done);
    rows = FoldEvent(*world, event, world->lines[index]);
  }
  AddPhantoms(*world, event, &rows);
  for (Row& row : rows) row.event = index;
  world->rows[index] = std::move(rows);
}

}  // namespace

std::string World::GpuNamed(const std::string& node, std::string_view name) {
  const uint32_t id = node.empty() ? kNoId : set.names.Find(node);
  return Name(set.ResolveGpu(id, name));
}

const RE2& World::Regex(const std::string& text) {
  std::unique_ptr<RE2>& regex = regexes_[text];
  if (regex == nullptr) regex = std::make_unique<RE2>(Re2Text(text), RE2::Quiet);
  if (!regex->ok()) throw std::runtime_error("bad expression /" + text + "/");
  return *regex;
}

void Populate(World* world) {
  world->skew = 5'000'000'000;
  for (const syntax::Skew& skew : world->pack.skews) {
    if (skew.clock.empty()) world->skew = skew.nanos;
  }
  if (world->set.skew) world->skew = *world->set.skew;
  JudgeScope(world);
  JudgeCoverage(world);
  WarnOfSources(world);
  world->rows.resize(world->pack.events.size());
  world->lines.resize(world->pack.events.size());
  std::vector<bool> done(world->pack.events.size());
  for (uint32_t e = 0; e < world->pack.events.size(); ++e) FillRows(world, e, &done);
}

}  // namespace attr::oracle
