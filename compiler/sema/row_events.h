// Events that nobody declares: what a rule binds besides matched observations, as
// rows with fields (plan::EventOrigin). Each is made when it is first bound, and once.
#pragma once

#include "compiler/sema/context.h"

namespace attr::sema {

/// Findings of one rule, whose keys and exports are its fields. The rule was analyzed
/// before (rule_order.cc).
uint32_t EventOfRule(Context& context, uint32_t rule);
/// Findings of every rule that carries the tag, with the fields that all have.
uint32_t EventOfTag(Context& context, const std::string& tag);
/// The attempt, when this is its terminal state.
uint32_t EventOfOutcome(Context& context, plan::TerminalState state);

/// `inventory.node`, `inventory.rank`, `inventory.gpu`; nullopt: none of these names.
std::optional<uint32_t> EventOfInventory(Context& context, std::string_view what);
/// Rows of a table, a field a column.
uint32_t EventOfTable(Context& context, uint32_t table);
/// `stalled(event, duration)`, or that it is not.
uint32_t EventOfStall(Context& context, uint32_t event, int64_t duration, bool negated);

/// The system column that a binding of the event has under that name.
std::optional<uint32_t> SystemColumnOf(const Event* event, std::string_view name);
/// "event `x` has", "findings of `r` have": for messages.
std::string WhoHas(const Context& context, const Event& event);

/// The terminal state of that name; nullopt after a diagnostic.
std::optional<plan::TerminalState> FindState(Context& context, const syntax::Name& name);

}  // namespace attr::sema
