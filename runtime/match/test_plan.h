// Plans and observation sets by hand, for the tests of this room.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "runtime/attribute.h"
#include "runtime/match/match.h"
#include "runtime/model/canonical.h"

namespace attr::match::testing {

using plan::kNone;
using plan::kSecond;
using plan::Op;
using plan::Type;

/// An event under construction: everything optional is set on `plan.events[index]`.
class TestPlan {
 public:
  plan::Plan plan;

  plan::StrId Str(std::string_view text) {
    plan.strings.emplace_back(text);
    return static_cast<plan::StrId>(plan.strings.size() - 1);
  }
  /// "kernel|syslog", "metric:UTIL"
  plan::SourceRef Source(std::string_view text) {
    plan::SourceRef source;
    while (!text.empty()) {
      const std::string_view one = text.substr(0, text.find('|'));
      text.remove_prefix(std::min(text.size(), one.size() + 1));
      const size_t colon = one.find(':');
      plan::SourceAlternative alternative;
      alternative.source = Str(one.substr(0, colon));
      if (colon != std::string_view::npos) alternative.metric = Str(one.substr(colon + 1));
      source.alternatives.push_back(alternative);
    }
    return source;
  }
  /// An event and a rule that binds it, so that it has phantoms.
  uint32_t Event(std::string_view name, const std::vector<std::string>& sources, uint32_t parent = kNone) {
    plan::Event event;
    event.name = Str(name);
    event.parent = parent;
    for (const std::string& source : sources) event.sources.push_back(Source(source));
    plan.events.push_back(event);
    plan::Rule rule;
    rule.bindings.push_back({0, plan::BindKind::kPositive, static_cast<uint32_t>(plan.events.size() - 1), kNone});
    plan.rules.push_back(rule);
    return static_cast<uint32_t>(plan.events.size() - 1);
  }
  void Text(uint32_t event, const std::vector<std::string>& patterns, bool optional = false, uint32_t field = kNone) {
    plan::TextClause clause;
    clause.optional = optional;
    clause.field = field;
    for (const std::string& pattern : patterns) clause.patterns.push_back({Str(pattern)});
    plan.events[event].texts.push_back(clause);
  }
  void Unless(uint32_t event, std::string_view pattern) { plan.events[event].unless.push_back({Str(pattern)}); }
  /// Returns the field's column.
  uint32_t Field(uint32_t event, std::string_view name, Type type, bool optional = false,
                 plan::FieldFrom from = plan::FieldFrom::kGroup, std::string_view source = {}, int64_t unit = 1) {
    plan::Field field;
    field.name = Str(name);
    field.type = type;
    field.optional = optional;
    field.from = from;
    field.source = Str(source.empty() ? name : source);
    field.unit = unit;
    plan.events[event].fields.push_back(field);
    return plan.events[event].FieldColumn(plan.events[event].fields.size() - 1);
  }
  plan::ExprId Add(plan::Expr expr) {
    plan.exprs.push_back(expr);
    return static_cast<plan::ExprId>(plan.exprs.size() - 1);
  }
  plan::ExprId Column(uint32_t column, Type type) { return Add({Op::kColumn, type, 0, column}); }
  plan::ExprId Int(int64_t value, Type type = Type::kInt) { return Add({Op::kInt, type, kNone, kNone, kNone, value}); }
  plan::ExprId Binary(Op op, plan::ExprId a, plan::ExprId b, Type type = Type::kBool) { return Add({op, type, a, b}); }
  plan::ExprId Constant(std::string_view text, Type type = Type::kText) {
    plan.constants.push_back({type, Str(text)});
    return Add({Op::kConstant, type, static_cast<uint32_t>(plan.constants.size() - 1)});
  }
};

class TestSet {
 public:
  model::ObservationSet set;

  model::Observation& Line(std::string_view source, std::string_view node, int64_t seconds, std::string_view text) {
    model::Observation observation;
    observation.source = set.names.Intern(source);
    if (!node.empty()) observation.node = observation.observer = set.names.Intern(node);
    observation.time = {seconds * kSecond, seconds * kSecond, kSecond};
    observation.text = Keep(text);
    set.observations.push_back(observation);
    return set.observations.back();
  }
  model::InventoryNode& Node(std::string_view name, std::vector<int32_t> ranks = {},
                             std::vector<std::string> aliases = {}) {
    model::InventoryNode node;
    node.node = set.names.Intern(name);
    node.ranks = std::move(ranks);
    node.aliases = std::move(aliases);
    set.attempt.nodes.push_back(node);
    return set.attempt.nodes.back();
  }
  void Window(int64_t from, int64_t to) {
    set.attempt.start = {from * kSecond, from * kSecond, kSecond};
    set.attempt.end = {to * kSecond, to * kSecond, kSecond};
  }
  model::Coverage& Cover(std::string_view source, model::CoverageStatus status, std::string_view node = {}) {
    model::Coverage row;
    row.source = set.names.Intern(source);
    row.status = status;
    if (!node.empty()) row.node = set.names.Intern(node);
    set.coverage.push_back(row);
    return set.coverage.back();
  }
  void Attribute(std::string_view key, std::string_view text) {
    model::Attribute attribute;
    attribute.key = Keep(key);
    attribute.kind = model::Attribute::Kind::kText;
    attribute.text = Keep(text);
    Add(attribute);
  }
  void Attribute(std::string_view key, int64_t number) {
    model::Attribute attribute;
    attribute.key = Keep(key);
    attribute.kind = model::Attribute::Kind::kInt;
    attribute.number = number;
    Add(attribute);
  }
  std::string_view Keep(std::string_view text) {
    set.buffers.push_back(std::make_unique<std::string>(text));
    return *set.buffers.back();
  }
  void Index() { model::IndexInventory(&set); }

 private:
  /// To the last observation.
  void Add(const model::Attribute& attribute) {
    model::Observation& last = set.observations.back();
    if (last.attributes_begin == last.attributes_end)
      last.attributes_begin = last.attributes_end = static_cast<uint32_t>(set.attributes.size());
    set.attributes.push_back(attribute);
    last.attributes_end = static_cast<uint32_t>(set.attributes.size());
  }
};

/// A matched set, with readable cells.
struct Matched {
  eval::Context context;
  MatchResult result;
  std::string error;

  size_t Rows(uint32_t event) const { return context.events[event].first_phantom; }
  size_t Phantoms(uint32_t event) const { return context.events[event].rows - context.events[event].first_phantom; }
  bool Has(uint32_t event, uint32_t column, size_t row) const {
    const eval::Column& cells = context.events[event].columns[column];
    return !cells.slots.empty() && eval::Test(cells.present, row);
  }
  /// kNone-like -1 for missing.
  int64_t Slot(uint32_t event, uint32_t column, size_t row) const {
    return Has(event, column, row) ? context.events[event].columns[column].slots[row] : -1;
  }
  std::string Text(uint32_t event, uint32_t column, size_t row) const {
    if (!Has(event, column, row)) return "?";
    return std::string(context.dictionary.Text(static_cast<uint32_t>(Slot(event, column, row))));
  }
};

inline std::unique_ptr<Matched> Run(const TestPlan& plan, const TestSet& set, MatchOptions options = {},
                                    Stats* stats = nullptr) {
  auto matched = std::make_unique<Matched>();
  matched->context.plan = &plan.plan;
  matched->context.set = &set.set;
  auto result = Match(matched->context, options, stats);
  if (result) {
    matched->result = *result;
  } else {
    matched->error = result.error().message;
  }
  return matched;
}

}  // namespace attr::match::testing
