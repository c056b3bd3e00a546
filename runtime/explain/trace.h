// Conditions taken apart: what a binding, a pair of rows or a group has to satisfy,
// one condition each, with its truth, what it read and how far it was missed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/eval/membership.h"
#include "runtime/explain/explanation.h"
#include "runtime/plan/dump_expr.h"

namespace attr::explain {

/// A rule with its bindings' tables and scans.
struct TracedRule {
  const plan::Rule* rule = nullptr;
  uint32_t index = 0;
  std::vector<eval::Side> sides;  // per binding
  std::vector<plan::PrintedBinding> names;
};
TracedRule TraceRule(const eval::Context& context, const eval::Memberships& memberships, uint32_t rule);

/// A part of a rule's condition: an expression, a key, a relation, or that two rows differ.
struct Part {
  enum class Kind : uint8_t { kWhere, kKey, kRelation, kResidual, kDiffer };
  Kind kind = Kind::kWhere;
  uint32_t binding = 0;                 // it belongs to
  uint32_t left = 0;                    // kKey, kRelation, kDiffer: the other binding
  plan::ExprId expr = plan::kNone;      // kWhere, kResidual
  std::vector<uint32_t> frame;          // expression's bindings, as the rule numbers them
  const plan::EqualKey* key = nullptr;  // kKey
  const plan::TimeRelation* relation = nullptr;
};
/// All parts of one binding: its own first, then those against bindings on its left.
std::vector<Part> PartsOf(const plan::Plan& plan, const plan::Rule& rule, uint32_t binding);

/// `rows`: by the rule's binding; those that the part reads are there.
uint8_t BitsOf(const eval::Context& context, const TracedRule& rule, const Part& part,
               const std::vector<uint32_t>& rows);
/// How far a relation of time was missed, in nanoseconds; 0 for all else.
int64_t MissOf(const TracedRule& rule, const Part& part, const std::vector<uint32_t>& rows);
Condition Show(const eval::Context& context, const TracedRule& rule, const Part& part,
               const std::vector<uint32_t>& rows);

/// "true", "undecided", "unknown", "false".
std::string TruthOf(uint8_t bits);
/// The conjuncts of a condition, left to right.
std::vector<plan::ExprId> ConjunctsOf(const plan::Plan& plan, plan::ExprId root);
/// Value of a column of one row; "?" where it is missing.
std::string ColumnText(const eval::Context& context, const plan::Event& event, const eval::Table& table, uint32_t row,
                       uint32_t column);
/// Columns of `binding` that the expression reads, also through derived ones.
void ColumnsOf(const plan::Plan& plan, plan::ExprId expr, uint32_t binding, const plan::Event& event,
               std::vector<uint32_t>* out);
/// Begin and end of a row: "12:10:02Z", "12:10:02Z to 12:20:03Z".
std::string WhenOf(const eval::Table& table, uint32_t row);
/// "b within 60s after a".
std::string RelationText(const plan::TimeRelation& relation, const std::string& left, const std::string& right);
/// The observations behind a row.
void AddObservations(const eval::Context& context, const eval::Table& table, uint32_t row,
                     std::vector<model::Evidence>* out);

}  // namespace attr::explain
