// What binds like an event and is none of its own: findings, tables, the inventory.
#include <algorithm>

#include "tests/oracle/pack_reader.h"

namespace attr::oracle {

uint32_t PackReader::EventOf(const Rule& rule, const syntax::Binding& decl) {
  if (decl.finding_tag) return EventOfFindings(kNone, decl.finding_tag->text);
  if (decl.finding) return EventOfFindings(pack_.FindRule(rule.pack, decl.event), "");
  const uint32_t event = pack_.FindEvent(rule.pack, decl.event);
  if (event != kNone) return event;
  const uint32_t table = pack_.FindTable(rule.pack, decl.event.pack, decl.event.name);
  if (table != kNone) return EventOfTable(table);
  const std::string& name = decl.event.name;
  return name.rfind("inventory.", 0) == 0 ? EventOfInventory(name.substr(10)) : kNone;
}

/// One event for each name; asked for again, the same.
uint32_t PackReader::AddEvent(Event event) {
  for (uint32_t e = 0; e < pack_.events.size(); ++e) {
    if (pack_.events[e].qualified == event.qualified) return e;
  }
  pack_.events.push_back(std::move(event));
  return static_cast<uint32_t>(pack_.events.size() - 1);
}

/// Findings of one rule (`rule`), or of all that carry the tag. What their fields
/// are is seen when the rules are evaluated.
uint32_t PackReader::EventOfFindings(uint32_t rule, const std::string& tag) {
  Event event;
  event.origin = Origin::kFindings;
  event.qualified = tag.empty() ? "finding " + pack_.rules[rule].qualified : "finding tag " + tag;
  for (uint32_t r = 0; r < pack_.rules.size(); ++r) {
    if (tag.empty() ? r == rule : pack_.rules[r].tags.count(tag) != 0) event.rules.push_back(r);
  }
  return AddEvent(std::move(event));
}

/// The finding of the outcome that decides, where the attempt ended in this state.
uint32_t PackReader::EventOfOutcome(const std::string& state) {
  Event event;
  event.origin = Origin::kFindings;
  event.qualified = "outcome " + state;
  event.decides = true;
  for (uint32_t r = 0; r < pack_.rules.size(); ++r) {
    if (pack_.rules[r].kind == Kind::kOutcome && pack_.rules[r].state == state) event.rules.push_back(r);
  }
  return AddEvent(std::move(event));
}

uint32_t PackReader::EventOfTable(uint32_t table) {
  Event event;
  event.origin = Origin::kTable;
  event.qualified = "table " + std::to_string(table);
  event.table = table;
  const Table& of = pack_.tables[table];
  for (size_t c = 0; c < of.columns.size(); ++c) {
    Field field;
    field.name = of.columns[c];
    field.type = of.types[c];
    event.fields.push_back(std::move(field));
  }
  return AddEvent(std::move(event));
}

uint32_t PackReader::EventOfInventory(const std::string& what) {
  Event event;
  event.origin = Origin::kInventory;
  event.qualified = "inventory." + what;
  event.inventory = what;
  return AddEvent(std::move(event));
}

}  // namespace attr::oracle
