// A finding as a row that other rules bind: its truth, its places, its span, its
// keys and what it exports (language.md section 4).
#include <algorithm>
#include <functional>

#include "tests/oracle/aggregates.h"

namespace attr::oracle {

namespace {

/// The value of an export or a key on the finding's first members; an aggregate
/// that the unknowns leave open is missing.
Value ValueOn(World& world, const Rule& rule, const std::vector<Slot>& slots,
              const std::vector<std::vector<Member>>& members, const syntax::Expr& expr) {
  if (const auto* call = std::get_if<syntax::CallExpr>(&expr.node); call != nullptr && IsAggregate(call->callee.text)) {
    const Asked asked{world, rule, slots, members};
    const Type type = TypeOfAggregate(asked, *call);
    const Bounds bounds = Aggregate(asked, *call);
    if (!bounds.lo || !bounds.hi || Order(*bounds.lo, *bounds.hi) != 0) return Missing(type);
    return type == Type::kFloat ? Real(bounds.lo->real) : Number(type, static_cast<int64_t>(bounds.lo->whole));
  }
  RuleScope scope(world.pack, {}, true);
  for (size_t s = 0; s < slots.size(); ++s) {
    const std::vector<const Row*> seen = SeenOf(members[s]);
    scope.Add({slots[s].name, slots[s].event, seen.empty() ? nullptr : seen.front()});
  }
  return Evaluator(world, rule.pack, scope).Eval(expr).value;
}

Value MomentValueOf(const model::Moment& moment) {
  return moment.lo == moment.hi ? Number(Type::kTime, moment.lo) : Missing(Type::kTime);
}

template <class T, class Make>
Value SetOfAll(Type type, const std::vector<T>& list, Make make) {
  std::vector<Value> items;
  for (const T& one : list) items.push_back(make(one));
  return SetOf(type, std::move(items));
}

void AddPlaces(const Finding& finding, Row* row) {
  auto text = [](Type type) { return [type](const std::string& name) { return Text(type, name); }; };
  row->nodes = finding.nodes;
  row->gpus = finding.gpus;
  row->ranks = finding.ranks;
  if (row->nodes.size() == 1 && !finding.place_open) row->node = Text(Type::kNode, row->nodes[0]);
  if (row->gpus.size() == 1) row->gpu = Text(Type::kGpu, row->gpus[0]);
  if (row->ranks.size() == 1) row->rank = Number(Type::kRank, row->ranks[0]);
  row->fields["nodes"] = SetOfAll(Type::kNode, row->nodes, text(Type::kNode));
  row->fields["gpus"] = SetOfAll(Type::kGpu, row->gpus, text(Type::kGpu));
  row->fields["ranks"] = SetOfAll(Type::kRank, row->ranks, [](int64_t rank) { return Number(Type::kRank, rank); });
}

}  // namespace

Row RowOfFinding(World& world, const std::vector<Slot>& slots, const Finding& finding, uint32_t number) {
  const Rule& rule = world.pack.rules[finding.rule];
  Row row;
  row.kind = RowKind::kFinding;
  row.rule = finding.rule;
  row.number = number;
  row.bits = finding.bits;
  row.gaps = finding.gaps;
  row.span = finding.span;
  row.begin = finding.begin;
  row.end = finding.end;
  AddPlaces(finding, &row);
  for (size_t s = 0; s < finding.members.size(); ++s) {
    for (const Row* member : SeenOf(finding.members[s]))
      row.records.insert(member->records.begin(), member->records.end());
  }
  row.fields["first"] = MomentValueOf(finding.begin);
  row.fields["last"] = MomentValueOf(finding.end);
  row.fields["count"] = Number(Type::kInt, static_cast<int64_t>(CountOf(FirstOf(slots, finding.members))));
  for (size_t k = 0; k < rule.keys.size(); ++k) {
    row.fields[rule.keys[k].first] = finding.keys[k];
    if (rule.keys[k].first == "node" && finding.keys[k].present) row.node = finding.keys[k];
  }
  for (const auto& [name, expr] : rule.exports) {
    row.fields[name] = ValueOn(world, rule, slots, finding.members, *expr);
  }
  return row;
}

namespace {

const Binding* FirstPositive(const std::vector<Binding>& alternative) {
  for (const Binding& binding : alternative) {
    if (binding.word == Word::kPositive) return &binding;
  }
  return nullptr;
}

}  // namespace

std::vector<Slot> SlotsOf(const Rule& rule) {
  std::vector<Slot> slots;
  for (const std::vector<Binding>& alternative : rule.alternatives) {
    for (const Binding& binding : alternative) {
      if (binding.word != Word::kPositive && binding.word != Word::kWith) continue;
      auto slot = std::find_if(slots.begin(), slots.end(), [&](const Slot& s) { return s.name == binding.name; });
      if (slot == slots.end()) {
        slots.push_back({binding.name, binding.event, binding.word == Word::kWith});
        slot = slots.end() - 1;
      }
      slot->first = slot->first || &binding == FirstPositive(alternative);
    }
  }
  return slots;
}

/// No earlier outcome of another state holds.
static Bits Decides(const Pack& pack, const Findings& found, uint32_t outcome) {
  Bits other = kNo;
  for (uint32_t r = 0; r < outcome; ++r) {
    if (pack.rules[r].kind != Kind::kOutcome || pack.rules[r].state == pack.rules[outcome].state) continue;
    for (const Finding& finding : found.of[r]) other = Or(other, finding.bits);
    for (const LimitHit& limit : found.limits) other = limit.rule == r ? Or(other, kUnknown) : other;
  }
  return Not(other);
}

std::vector<Row> RowsOfFindings(World& world, const Findings& found, const Event& event) {
  std::vector<Row> out;
  std::set<Gap> unevaluable;
  bool any = false;
  for (const uint32_t rule : event.rules) {
    for (uint32_t f = 0; f < found.of[rule].size(); ++f) {
      const Finding& finding = found.of[rule][f];
      if (finding.event_bound) {
        Row row = RowOfFinding(world, found.slots[rule], finding, f);
        if (event.decides) row.bits = And(row.bits, Decides(world.pack, found, rule));
        for (const Field& field : event.fields) row.fields.emplace(field.name, Missing(field.type));
        if (row.bits.may) out.push_back(std::move(row));
        continue;
      }
      any = true;
      unevaluable.insert(finding.gaps.begin(), finding.gaps.end());
    }
    any = any || std::any_of(found.limits.begin(), found.limits.end(), [&](const auto& l) { return l.rule == rule; });
  }
  if (!any) return out;
  Row row;
  row.kind = RowKind::kPhantom;
  row.bits = kUnknown;
  row.gaps = unevaluable;
  row.span.clock = "phantom";
  row.span.skew = world.skew;
  for (const Field& field : event.fields) row.fields[field.name] = Missing(field.type);
  out.push_back(std::move(row));
  return out;
}

/// Keys, exports and what every finding has, with types; of several rules what all have.
void ReadFindingFields(Pack* pack) {
  model::ObservationSet nothing;
  std::vector<bool> done(pack->events.size());
  std::function<void(uint32_t)> read = [&](uint32_t index) {
    Event& event = pack->events[index];
    if (event.origin != Origin::kFindings || done[index]) return;
    done[index] = true;
    std::map<std::string, std::pair<Type, size_t>> seen;
    for (const uint32_t r : event.rules) {
      const Rule& rule = pack->rules[r];
      const std::vector<Slot> slots = SlotsOf(rule);
      for (const Slot& slot : slots) read(slot.event);
      World world(*pack, nothing, {});
      const std::vector<std::vector<Member>> none(slots.size());
      std::map<std::string, Type> own{{"first", Type::kTime}, {"last", Type::kTime}, {"count", Type::kInt},
                                      {"nodes", Type::kNode}, {"gpus", Type::kGpu},  {"ranks", Type::kRank}};
      for (const auto& [name, expr] : rule.keys) {
        own[name] = expr == nullptr ? Type::kNode : ValueOn(world, rule, slots, none, *expr).type;
      }
      for (const auto& [name, expr] : rule.exports) own[name] = ValueOn(world, rule, slots, none, *expr).type;
      for (const auto& [name, type] : own) {
        auto& entry = seen.emplace(name, std::make_pair(type, size_t{0})).first->second;
        entry.second += entry.first == type ? 1 : 0;
      }
    }
    for (const auto& [name, entry] : seen) {
      if (entry.second != event.rules.size()) continue;
      Field field;
      field.name = name;
      field.type = entry.first;
      field.optional = true;
      event.fields.push_back(std::move(field));
    }
  };
  for (uint32_t e = 0; e < pack->events.size(); ++e) read(e);
}

}  // namespace attr::oracle
