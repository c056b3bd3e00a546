// Events of the plan to programs.
#include "runtime/match/program.h"

#include <algorithm>

#include "runtime/match/expression_columns.h"

namespace attr::match {

namespace {

using plan::kNone;

bool NamesPlace(const plan::Plan& plan, const plan::Field& field) {
  const std::string_view name = plan.Str(field.name);
  return name == "node" || name == "rank" || name == "gpu";
}

ExpressionColumns NeedsOf(const plan::Plan& plan, const plan::Event& event, bool all) {
  ExpressionColumns needs(plan, event);
  for (size_t f = 0; f < event.fields.size(); ++f)
    if (all || event.fields[f].used || NamesPlace(plan, event.fields[f])) needs.Column(event.FieldColumn(f));
  for (size_t d = 0; d < event.derived.size(); ++d) needs.Column(event.DerivedColumn(d));
  for (const plan::TextClause& clause : event.texts)
    if (clause.field != kNone) needs.Column(clause.field);
  needs.Expr(event.where);
  needs.Expr(event.since);
  needs.Expr(event.fold.where);
  needs.Expr(event.fold.having);
  for (const uint32_t key : event.fold.keys) needs.Column(key);
  for (const plan::EqualKey& key : event.fold.same) needs.Column(key.left);
  return needs;
}

/// A text group that takes part in every match cannot fail.
bool CanFail(const plan::Plan& plan, const plan::Event& event, const plan::Field& field) {
  if (field.from != plan::FieldFrom::kGroup || field.type != plan::Type::kText) return true;
  const std::string opener = "<" + std::string(plan.Str(field.source)) + ">";
  for (const plan::TextClause& clause : event.texts) {
    if (clause.optional) continue;
    bool always = true;
    for (const plan::Pattern& pattern : clause.patterns) {
      const PatternFacts facts = FactsOf(plan.Str(pattern.regex));
      bool here = false;
      for (size_t g = 0; g < facts.openers.size(); ++g) {
        const std::string_view text = plan.Str(pattern.regex).substr(facts.openers[g].first, facts.openers[g].second);
        here = here || (facts.always_captures[g] && text.ends_with(opener));
      }
      always = always && here;
    }
    if (always) return false;
  }
  return true;
}

void AddFields(const plan::Plan& plan, const ExpressionColumns& needs, EventProgram& program) {
  const plan::Event& event = *program.event;
  for (size_t f = 0; f < event.fields.size(); ++f) {
    const plan::Field& field = event.fields[f];
    FieldProgram entry{&field, event.FieldColumn(f), needs[event.FieldColumn(f)], false};
    entry.checked =
        !entry.stored && !field.optional && field.from != plan::FieldFrom::kInherited && CanFail(plan, event, field);
    program.fields.push_back(entry);
    const bool in_record = field.from == plan::FieldFrom::kGroup || field.from == plan::FieldFrom::kAttribute ||
                           field.from == plan::FieldFrom::kBuiltin;
    if (entry.read() && in_record) program.from_record.push_back(static_cast<uint32_t>(f));
  }
}

void AddPatterns(const plan::Plan& plan, EventProgram& program) {
  std::vector<LazyRegex::Wanted> wanted;
  for (uint32_t f = 0; f < program.fields.size(); ++f) {
    const FieldProgram& field = program.fields[f];
    if (field.read() && field.field->from == plan::FieldFrom::kGroup)
      wanted.push_back({std::string(plan.Str(field.field->source)), f});
  }
  for (const plan::TextClause& clause : program.event->texts) {
    ClauseProgram entry{&clause, {}};
    for (const plan::Pattern& pattern : clause.patterns)
      entry.alternatives.push_back(std::make_unique<LazyRegex>(plan.Str(pattern.regex), wanted));
    program.clauses.push_back(std::move(entry));
  }
  for (const plan::Pattern& pattern : program.event->each)
    program.each = std::make_unique<LazyRegex>(plan.Str(pattern.regex), wanted);
  for (const plan::Pattern& pattern : program.event->unless)
    program.unless.push_back(std::make_unique<LazyRegex>(plan.Str(pattern.regex), std::vector<LazyRegex::Wanted>{}));
}

/// The clause whose rarest-looking literals are longest.
void ChooseFilter(const plan::Plan& plan, EventProgram& program) {
  size_t best = 0;
  for (uint32_t c = 0; c <= program.clauses.size(); ++c) {
    const bool last = c == program.clauses.size();
    const std::vector<plan::Pattern>& patterns = last ? program.event->each : program.clauses[c].clause->patterns;
    if (patterns.empty()) continue;
    if (!last && (program.clauses[c].clause->optional || program.clauses[c].clause->field != kNone)) continue;
    std::vector<std::vector<Literal>> literals;
    size_t shortest = SIZE_MAX;
    for (const plan::Pattern& pattern : patterns) {
      literals.push_back(FactsOf(plan.Str(pattern.regex)).any_of);
      if (literals.back().empty()) shortest = 0;
      for (const Literal& literal : literals.back()) shortest = std::min(shortest, literal.text.size());
    }
    if (shortest <= best) continue;
    best = shortest;
    program.filter = c;
    program.filter_literals = std::move(literals);
  }
}

std::vector<bool> ActiveEvents(const plan::Plan& plan, uint32_t only) {
  std::vector<bool> active(plan.events.size(), only == kNone);
  for (uint32_t e = 0; e < plan.events.size(); ++e) {
    if (plan.events[e].origin != plan::EventOrigin::kObservations) active[e] = false;
  }
  for (uint32_t e = only; e != kNone; e = plan.events[e].parent) active[e] = true;
  for (uint32_t e = static_cast<uint32_t>(plan.events.size()); e-- > 0;) {
    for (const uint32_t member : plan.events[e].members) active[member] = active[member] || active[e];
  }
  return active;
}

std::vector<bool> BoundEvents(const plan::Plan& plan) {
  std::vector<bool> bound(plan.events.size(), false);
  for (const plan::Rule& rule : plan.rules)
    for (const plan::Binding& binding : rule.bindings) {
      bound[binding.event] = true;
      const plan::Event& event = plan.events[binding.event];
      const bool stall = event.origin == plan::EventOrigin::kStalled || event.origin == plan::EventOrigin::kNotStalled;
      if (stall) bound[event.of] = true;
    }
  return bound;
}

}  // namespace

std::vector<EventProgram> MakePrograms(const plan::Plan& plan, const ProgramOptions& options) {
  const std::vector<bool> active = ActiveEvents(plan, options.only_event);
  const std::vector<bool> bound = BoundEvents(plan);
  std::vector<ExpressionColumns> needs;
  for (uint32_t e = 0; e < plan.events.size(); ++e)
    needs.push_back(NeedsOf(plan, plan.events[e], options.only_event == e));
  for (uint32_t e = static_cast<uint32_t>(plan.events.size()); e-- > 0;) {  // children stand after their parents
    const plan::Event& event = plan.events[e];
    if (!active[e]) continue;
    for (const uint32_t member : event.members) {
      for (size_t f = 0; f < event.fields.size(); ++f)
        if (needs[e][event.FieldColumn(f)]) needs[member].Column(plan.events[member].FindColumn(event.fields[f].name));
    }
    for (const plan::EqualKey& key : event.fold.same) needs[event.fold.closed_by].Column(key.right);
    if (event.parent == kNone) continue;
    for (size_t f = 0; f < event.fields.size(); ++f)
      if (event.fields[f].from == plan::FieldFrom::kInherited && needs[e][event.FieldColumn(f)])
        needs[event.parent].Column(event.FieldColumn(f));
  }
  std::vector<EventProgram> programs(plan.events.size());
  for (uint32_t e = 0; e < plan.events.size(); ++e) {
    EventProgram& program = programs[e];
    program.event = &plan.events[e];
    program.index = e;
    program.root = plan.events[e].parent == kNone ? e : programs[plan.events[e].parent].root;
    program.active = active[e];
    program.phantoms = bound[e];
    if (program.event->parent != kNone) programs[program.event->parent].extended = true;
    if (!program.active) continue;
    AddFields(plan, needs[e], program);
    AddPatterns(plan, program);
    if (program.root == e) ChooseFilter(plan, program);
  }
  return programs;
}

}  // namespace attr::match
