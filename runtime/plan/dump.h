// A plan as text for people: what `attrc inspect` shows. Close to the language,
// but of the lowered plan; nothing reads it back. The plan must be verified.
#pragma once

#include <string>
#include <string_view>

#include "runtime/plan/plan.h"

namespace attr::plan {

/// The whole pack: head, vocabulary, tables (without their rows), events, rules, precedence.
std::string Dump(const Plan& plan);
/// One rule with its conditions, the events it reads, its demotions either way and its precedence.
std::string DumpRule(const Plan& plan, uint32_t rule);
std::string DumpEvent(const Plan& plan, uint32_t event);

/// In double quotes; controls, also those that turn the direction of text, as \uXXXX.
std::string Quoted(std::string_view text);

}  // namespace attr::plan
