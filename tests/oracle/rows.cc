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

/// What is known to lie outside takes no part; nothing unknown excludes.
void JudgeScope(World* world) {
  const model::ObservationSet& set = world->set;
  const int64_t from = set.attempt.start.lo - world->pack.grace, to = set.attempt.end.hi + world->pack.grace;
  for (const model::Observation& o : set.observations) {
    const bool history = world->Name(o.source) == "history";
    const bool other_attempt =
        !set.attempt.id.empty() && o.attempt != kNoId && world->Name(o.attempt) != set.attempt.id;
    const bool other_node = !set.attempt.nodes.empty() && o.node != kNoId &&
                            std::none_of(set.attempt.nodes.begin(), set.attempt.nodes.end(),
                                         [&](const auto& n) { return n.node == o.node; });
    uint64_t ScopeCounts::*count = &ScopeCounts::in;
    if (!history && other_attempt) {
      count = &ScopeCounts::other_attempt;
    } else if (!history && o.time.hi < from) {
      count = &ScopeCounts::before;
    } else if (!history && o.time.lo > to) {
      count = &ScopeCounts::after;
    } else if (other_node) {
      count = &ScopeCounts::other_node;
    }
    ++(world->scope.*count);
    world->in_scope.push_back(count == &ScopeCounts::in);
  }
}

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

// ---- text ------------------------------------------------------------------

/// The whole lines that hold text[begin, end).
std::string LinesAround(const std::string& text, size_t begin, size_t end) {
  size_t from = begin;
  while (from > 0 && text[from - 1] != '\n') --from;
  size_t to = end;
  if (end > begin && text[end - 1] == '\n') {
    to = end - 1;  // the line end that the match took along ends its own last line
  } else {
    while (to < text.size() && text[to] != '\n') ++to;
  }
  return text.substr(from, to - from);
}

bool MatchOne(World& world, const std::string& regex, const std::string& text, Candidate* candidate,
              std::string* lines) {
  const RE2& re2 = world.Regex(regex);
  std::vector<re2::StringPiece> parts(static_cast<size_t>(re2.NumberOfCapturingGroups()) + 1);
  if (!re2.Match(text, 0, text.size(), RE2::UNANCHORED, parts.data(), static_cast<int>(parts.size()))) return false;
  const auto begin = static_cast<size_t>(parts[0].data() - text.data());
  *lines = LinesAround(text, begin, begin + parts[0].size());
  for (const auto& [name, number] : re2.NamedCapturingGroups()) {
    const re2::StringPiece& part = parts[static_cast<size_t>(number)];
    std::optional<std::string>& capture = candidate->captures[name];
    if (!capture && part.data() != nullptr) capture = std::string(part);
  }
  return true;
}

/// The text that `text f /…/` looks at.
std::optional<std::string> TextOfField(World& world, const Candidate& c, const std::string& name) {
  const Field* field = c.event->Find(name);
  if (field->from == From::kInherited) {
    const Value& value = c.parent->fields.at(name);
    return value.present ? std::optional(value.text) : std::nullopt;
  }
  if (field->from == From::kAttribute) {
    for (uint32_t a = c.record->attributes_begin; a < c.record->attributes_end; ++a) {
      const model::Attribute& attribute = world.set.attributes[a];
      if (attribute.key == field->source && attribute.kind == model::Attribute::Kind::kText)
        return std::string(attribute.text);
    }
    return std::nullopt;
  }
  const Value value = ReadProperty(world, c, field->source, Type::kText, 1);
  return value.present ? std::optional(value.text) : std::nullopt;
}

bool MatchTexts(World& world, Candidate* c) {
  const syntax::EventDecl& decl = *c->event->decl;
  const std::string record(c->record->text);
  std::vector<std::string> regions;
  for (const syntax::TextClause& clause : decl.texts) {
    const std::optional<std::string> text =
        clause.field ? TextOfField(world, *c, clause.field->text) : std::optional(record);
    bool matched = false;
    for (const syntax::Text& regex : clause.regexes) {
      std::string lines;
      if (!text || !MatchOne(world, regex.value, *text, c, &lines)) continue;
      matched = true;
      if (!clause.field && !clause.optional) regions.push_back(lines);
      break;
    }
    if (!matched && !clause.optional) return false;
  }
  if (regions.empty()) regions.push_back(record);
  for (const std::string& region : regions) {
    for (const syntax::Text& unless : decl.unless) {
      if (RE2::PartialMatch(region, world.Regex(unless.value))) return false;
    }
  }
  return true;
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
    if (field.from == From::kExpression) continue;
    if (!value.present && !field.optional && field.from != From::kInherited) return false;
    row->fields[field.name] = std::move(value);
  }
  return true;
}

bool ComputeFields(World& world, const Candidate& c, Row* row) {
  for (const Field& field : c.event->fields) {
    if (field.from != From::kExpression) continue;
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

std::optional<Row> MakeRow(World& world, Candidate c, uint32_t observation) {
  if (!MatchTexts(world, &c)) return std::nullopt;
  Row row;
  row.observation = observation;
  row.records = {observation};
  if (!ReadFields(world, c, &row)) return std::nullopt;
  FillTime(world, *c.record, &row);
  FillPlace(world, *c.record, &row);
  if (!ComputeFields(world, c, &row)) return std::nullopt;
  for (const syntax::ExprPtr& where : c.event->decl->where) {
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
      const std::string node = blind.node.empty() ? SingleNode(world) : blind.node;
      if (!node.empty()) row.node = Text(Type::kNode, node);
      if (blind.rank >= 0) row.rank = Number(Type::kRank, blind.rank);
      for (const Field& field : event.fields) row.fields[field.name] = Missing(field.type);
      rows->push_back(std::move(row));
    }
  }
}

/// Rows of a table, and of what the attempt runs on.
std::vector<Row> StandingRows(World& world, const Event& event) {
  std::vector<Row> out;
  auto add = [&](Row row, RowKind kind) {
    row.kind = kind;
    row.number = static_cast<uint32_t>(out.size());
    out.push_back(std::move(row));
  };
  if (event.origin == Origin::kTable) {
    const Table& table = world.pack.tables[event.table];
    for (const std::vector<Value>& cells : table.rows) {
      Row row;
      for (size_t c = 0; c < cells.size(); ++c) {
        Value value = cells[c];
        if (value.present && value.type == Type::kNode) value.text = world.NodeNamed(value.text);
        row.fields[table.columns[c]] = std::move(value);
      }
      add(std::move(row), RowKind::kTable);
    }
    return out;
  }
  for (const model::InventoryNode& node : world.set.attempt.nodes) {
    Row row;
    row.node = Text(Type::kNode, world.Name(node.node));
    if (event.inventory == "node") add(row, RowKind::kInventory);
    for (const int32_t rank : node.ranks) {
      row.rank = Number(Type::kRank, rank);
      if (event.inventory == "rank") add(row, RowKind::kInventory);
    }
    row.rank = Missing(Type::kRank);
    for (const auto& [gpu, aliases] : node.gpus) {
      row.gpu = Text(Type::kGpu, world.Name(gpu));
      if (event.inventory == "gpu") add(row, RowKind::kInventory);
    }
  }
  if (!out.empty()) return out;
  Row unknown;  // an inventory that was not given
  unknown.kind = RowKind::kPhantom;
  unknown.bits = kUnknown;
  unknown.gaps = {{"inventory", ""}};
  return {unknown};
}

void FillRows(World* world, uint32_t index, std::vector<bool>* done);

/// All rows of all members, record by record, with what all of them have.
std::vector<Row> UnionRows(World* world, const Event& event, std::vector<bool>* done) {
  std::vector<Row> out;
  for (uint32_t member : event.members) FillRows(world, member, done);
  for (uint32_t o = 0; o < world->set.observations.size(); ++o) {
    bool taken = false;  // one record is one event, the first member's
    for (uint32_t member : event.members) {
      for (Row row : world->rows[member]) {
        if (row.observation != o || taken) continue;
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
  std::vector<Row> rows;
  if (!event.members.empty()) {
    rows = UnionRows(world, event, done);
  } else if (event.parent != kNone) {
    FillRows(world, event.parent, done);
    for (const Row& parent : world->rows[event.parent]) {
      if (parent.IsPhantom()) continue;
      const model::Observation& record = world->set.observations[parent.observation];
      if (auto row = MakeRow(*world, {&event, &record, &parent, {}}, parent.observation)) rows.push_back(*row);
    }
  } else {
    for (uint32_t o = 0; o < world->set.observations.size(); ++o) {
      if (!world->in_scope[o] || !Reads(*world, event, o)) continue;
      if (auto row = MakeRow(*world, {&event, &world->set.observations[o], nullptr, {}}, o)) rows.push_back(*row);
    }
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
  std::vector<bool> done(world->pack.events.size());
  for (uint32_t e = 0; e < world->pack.events.size(); ++e) FillRows(world, e, &done);
}

}  // namespace attr::oracle
