#include "compiler/sema/row_events.h"

#include <algorithm>
#include <array>

#include "fmt/format.h"

namespace attr::sema {

namespace {

using plan::EventOrigin;
using plan::Type;

struct SystemName {
  std::string_view name;
  uint32_t column;
};
constexpr std::array<SystemName, 6> kSystem = {{{"node", plan::kNode},
                                                {"rank", plan::kRank},
                                                {"gpu", plan::kGpu},
                                                {"observer", plan::kObserver},
                                                {"begin", plan::kBegin},
                                                {"end", plan::kEnd}}};

Field RowField(const std::string& name, Type type) {
  Field field;
  field.name = name;
  field.type = type;
  field.optional = true;
  field.from = plan::FieldFrom::kRow;
  return field;
}

/// Keys and exports; places are system columns.
std::vector<Field> FieldsOf(const Rule& rule) {
  std::vector<Field> fields;
  for (const Key& key : rule.keys) {
    if (!key.value->poison() && !SystemColumnOf(nullptr, key.name)) {
      fields.push_back(RowField(key.name, key.value->type));
    }
  }
  for (const Export& exported : rule.exports) fields.push_back(RowField(exported.name, exported.values[0]->type));
  return fields;
}

void AddOwnFields(Event* event) {
  for (const auto& [name, type] : {std::pair("first", Type::kTime), {"last", Type::kTime}, {"count", Type::kInt}}) {
    if (event->FindField(name) == plan::kNone) event->fields.push_back(RowField(name, type));
  }
}

/// The event of that name, new or there already.
uint32_t Made(Context& context, const std::string& name, EventOrigin origin, bool* is_new) {
  auto& events = context.program.events;
  const auto [it, added] = context.program.row_events.try_emplace(name, static_cast<uint32_t>(events.size()));
  *is_new = added;
  if (!added) return it->second;
  Event& event = events.emplace_back();
  event.qualified = name;
  event.origin = origin;
  return it->second;
}

bool Known(const Rule& rule) { return !rule.cyclic && (rule.decl == nullptr || !rule.bindings.empty()); }

}  // namespace

uint32_t EventOfRule(Context& context, uint32_t rule) {
  bool is_new = false;
  // An event of the pack cannot have the rule's name.
  const uint32_t index = Made(context, context.program.rules[rule].qualified, EventOrigin::kFindings, &is_new);
  if (!is_new) return index;
  Event& event = context.program.events[index];
  event.rules.push_back(rule);
  event.fields = FieldsOf(context.program.rules[rule]);
  event.poisoned = !Known(context.program.rules[rule]);
  AddOwnFields(&event);
  return index;
}

uint32_t EventOfTag(Context& context, const std::string& tag) {
  bool is_new = false;
  const uint32_t index = Made(context, "tag::" + tag, EventOrigin::kFindings, &is_new);
  if (!is_new) return index;
  Event& event = context.program.events[index];
  const std::vector<Rule>& rules = context.program.rules;
  for (uint32_t r = 0; r < rules.size(); ++r) {
    if (!rules[r].decl || !CarriesTag(*rules[r].decl, tag)) continue;
    event.poisoned = event.poisoned || !Known(rules[r]);
    std::vector<Field> fields = FieldsOf(rules[r]);
    const auto missing = [&](const Field& field) {
      return std::none_of(fields.begin(), fields.end(),
                          [&](const Field& other) { return other.name == field.name && other.type == field.type; });
    };
    if (event.rules.empty()) {
      event.fields = std::move(fields);
    } else {
      std::erase_if(event.fields, missing);
    }
    event.rules.push_back(r);
  }
  AddOwnFields(&event);
  return index;
}

uint32_t EventOfOutcome(Context& context, plan::TerminalState state) {
  bool is_new = false;
  const std::string name = fmt::format("outcome::{}", plan::Name(state));
  const uint32_t index = Made(context, name, EventOrigin::kFindings, &is_new);
  if (!is_new) return index;
  Event& event = context.program.events[index];
  const std::vector<Rule>& rules = context.program.rules;
  for (uint32_t r = 0; r < rules.size(); ++r) {
    if (rules[r].outcome && rules[r].outcome->name.text == plan::Name(state)) event.rules.push_back(r);
  }
  AddOwnFields(&event);
  return index;
}

std::optional<uint32_t> EventOfInventory(Context& context, std::string_view what) {
  bool is_new = false;
  for (const auto& [name, origin] :
       {std::pair("node", EventOrigin::kNodes), {"rank", EventOrigin::kRanks}, {"gpu", EventOrigin::kGpus}}) {
    if (what == name) return Made(context, fmt::format("attempt::{}", what), origin, &is_new);
  }
  return std::nullopt;
}

uint32_t EventOfTable(Context& context, uint32_t table) {
  bool is_new = false;
  const Table& from = context.program.tables[table];
  const uint32_t index = Made(context, from.qualified, EventOrigin::kTable, &is_new);
  if (!is_new) return index;
  Event& event = context.program.events[index];
  event.of = table;
  event.poisoned = from.poisoned;
  for (const TableColumn& column : from.columns) event.fields.push_back(RowField(column.name, column.type));
  return index;
}

uint32_t EventOfStall(Context& context, uint32_t event, int64_t duration, bool negated) {
  bool is_new = false;
  const std::string name = fmt::format("outcome::{}_{}_{}", negated ? "goes_on" : "stalled", event, duration);
  const EventOrigin origin = negated ? EventOrigin::kNotStalled : EventOrigin::kStalled;
  const uint32_t index = Made(context, name, origin, &is_new);
  context.program.events[index].of = event;
  context.program.events[index].duration = duration;
  return index;
}

std::optional<uint32_t> SystemColumnOf(const Event* event, std::string_view name) {
  const EventOrigin origin = event ? event->origin : EventOrigin::kObservations;
  if (origin == EventOrigin::kTable) return std::nullopt;
  for (const SystemName& system : kSystem) {
    if (system.name != name) continue;
    const bool place = system.column == plan::kNode || system.column == plan::kRank || system.column == plan::kGpu;
    if (plan::IsTimeless(origin) && !place) return std::nullopt;
    return system.column;
  }
  return std::nullopt;
}

std::string WhoHas(const Context& context, const Event& event) {
  if (event.decl) return fmt::format("event `{}` has", event.decl->name.text);
  switch (event.origin) {
    case EventOrigin::kFindings: {
      const bool outcome = event.qualified.rfind("outcome::", 0) == 0;
      if (outcome) return "an outcome has";
      if (event.qualified.rfind("tag::", 0) == 0) {
        return fmt::format("findings of tag `{}` share", event.qualified.substr(5));
      }
      return fmt::format("a finding of `{}` has", context.program.rules[event.rules[0]].decl->name.text);
    }
    case EventOrigin::kTable:
      return fmt::format("table `{}` has", context.program.tables[event.of].decl->name.text);
    default:
      return "the inventory has";
  }
}

std::optional<plan::TerminalState> FindState(Context& context, const syntax::Name& name) {
  std::vector<std::string_view> names;
  for (uint8_t i = 0; i < plan::kTerminalStateCount; ++i) {
    names.push_back(plan::Name(static_cast<plan::TerminalState>(i)));
    if (names.back() == name.text) return static_cast<plan::TerminalState>(i);
  }
  context.Error(Code::kUnknownState, name.span, fmt::format("unknown terminal state `{}`", name.text), "",
                DidYouMean(name.text, names));
  return std::nullopt;
}

}  // namespace attr::sema
