// The hand-made scenario of resolution's tests (scenario.h). Named _test so that it
// stays out of the library.
#include "runtime/resolve/scenario.h"

#include <algorithm>

namespace attr::resolve {

namespace {
constexpr int64_t kNoon = 1'772'452'800 * plan::kSecond;  // 2026-03-02T12:00:00Z
}

Scenario::Scenario() {
  plan.meta.name = Str("test.pack");
  plan.meta.version = Str("1.0.0");
  plan::Event event;
  event.name = Str("test.pack::line");
  plan.events.push_back(event);
  eval::Table table;
  table.columns.resize(plan::kSystemColumns);
  context.events.push_back(std::move(table));
  set.attempt.id = "attempt-1";
}

plan::StrId Scenario::Str(std::string_view text) {
  auto at = std::find(plan.strings.begin(), plan.strings.end(), text);
  if (at == plan.strings.end()) at = plan.strings.insert(at, std::string(text));
  return static_cast<plan::StrId>(at - plan.strings.begin());
}

uint32_t Scenario::Domain(std::string_view path) {
  for (uint32_t d = 0; d < plan.domains.size(); ++d) {
    if (plan.Str(plan.domains[d].path) == path) return d;
  }
  plan::Domain domain;
  size_t dot = path.rfind('.');
  if (dot != std::string_view::npos) domain.parent = Domain(path.substr(0, dot));
  domain.path = Str(path);
  plan.domains.push_back(domain);
  return static_cast<uint32_t>(plan.domains.size() - 1);
}

uint32_t Scenario::Rule(plan::RuleKind kind, std::string_view name) {
  plan::Rule rule;
  rule.kind = kind;
  rule.name = Str("test.pack::" + std::string(name));
  rule.title = Str("Title of " + std::string(name));
  plan::Binding binding;
  binding.name = Str("x");
  binding.event = 0;
  rule.bindings.push_back(binding);
  rule.keys.push_back({Str("node"), {0, plan::kNode}});
  plan.rules.push_back(std::move(rule));
  return static_cast<uint32_t>(plan.rules.size() - 1);
}

uint32_t Scenario::Cause(std::string_view name, const std::vector<std::string>& domains,
                         const std::vector<std::string>& tags) {
  uint32_t rule = Rule(plan::RuleKind::kCause, name);
  for (const std::string& d : domains) plan.rules[rule].domains.push_back(Domain(d));
  for (const std::string& t : tags) plan.rules[rule].tags.push_back(Str(t));
  return rule;
}

uint32_t Scenario::Symptom(std::string_view name, const std::vector<std::string>& suggests) {
  uint32_t rule = Rule(plan::RuleKind::kSymptom, name);
  for (const std::string& d : suggests) plan.rules[rule].suggests.push_back(Domain(d));
  return rule;
}

uint32_t Scenario::Outcome(plan::TerminalState state) {
  uint32_t rule = Rule(plan::RuleKind::kOutcome, "outcome#" + std::to_string(plan.rules.size()));
  plan.rules[rule].state = state;
  plan.rules[rule].keys.clear();
  return rule;
}

uint32_t Scenario::Demotes(uint32_t source, std::vector<uint32_t> targets, std::string_view because) {
  plan::Demotion d;
  d.source = source;
  d.targets = std::move(targets);
  d.because = Str(because);
  plan.demotions.push_back(std::move(d));
  return static_cast<uint32_t>(plan.demotions.size() - 1);
}

void Scenario::Pair(plan::OrderSide above, plan::OrderSide below) {
  auto name = [&](const plan::OrderSide& side) -> std::string {
    switch (side.kind) {
      case plan::SideKind::kRule:
        return std::string(plan.Str(plan.rules[side.id].name));
      case plan::SideKind::kTag:
        return "tag " + std::string(plan.Str(side.id));
      case plan::SideKind::kDomain:
        return std::string(plan.Str(plan.domains[side.id].path));
      case plan::SideKind::kAll:
        break;
    }
    return "*";
  };
  plan::OrderPair pair;
  pair.above = above;
  pair.below = below;
  pair.text = Str(name(above) + " > " + name(below));
  plan.order.push_back(pair);
}

void Scenario::TagPair(std::string_view above, std::string_view below) {
  Pair({plan::SideKind::kTag, Str(above)}, {plan::SideKind::kTag, Str(below)});
}
void Scenario::DomainPair(std::string_view above, std::string_view below) {
  Pair({plan::SideKind::kDomain, Domain(above)}, {plan::SideKind::kDomain, Domain(below)});
}
void Scenario::AllAboveTag(std::string_view below) {
  Pair({plan::SideKind::kAll, 0}, {plan::SideKind::kTag, Str(below)});
}

void Scenario::AddRow(uint32_t observation, int64_t nanos, std::string_view node) {
  eval::Table& table = context.events[0];
  size_t row = table.rows++;
  table.first_phantom = table.rows;
  table.observation.push_back(observation);
  for (uint32_t c = 0; c < plan::kSystemColumns; ++c) {
    eval::Column& column = table.columns[c];
    column.slots.push_back(0);
    column.present.resize(eval::WordsFor(table.rows));
    if (c != plan::kNode) eval::Set(column.present, row);
  }
  for (uint32_t c : {plan::kBeginLo, plan::kBeginHi, plan::kEndLo, plan::kEndHi}) table.columns[c].slots[row] = nanos;
  if (node.empty()) return;
  table.columns[plan::kNode].slots[row] = context.dictionary.Intern(node);
  eval::Set(table.columns[plan::kNode].present, row);
}

uint32_t Scenario::Find(uint32_t rule, std::string_view node, int64_t seconds, uint8_t bits) {
  int64_t nanos = kNoon + seconds * plan::kSecond;
  model::Observation o;
  o.source = set.names.Intern("kernel");
  o.node = o.observer = node.empty() ? model::kNoId : set.names.Intern(node);
  o.time = {nanos, nanos, plan::kSecond};
  o.id = "o-1";
  o.text = "a line";
  uint32_t observation = static_cast<uint32_t>(set.observations.size());
  set.observations.push_back(o);
  AddRow(observation, nanos, node);

  eval::Finding f;
  f.rule = rule;
  f.bits = bits;
  f.event_bound = true;
  f.begin = f.end = o.time;
  if (!plan.rules[rule].keys.empty()) {
    f.keys.push_back({plan::Type::kNode, !node.empty(), node.empty() ? 0 : context.dictionary.Intern(node)});
  }
  eval::Members m;
  m.must = (bits & eval::kMustBit) != 0;
  m.presumed = (bits & eval::kPresumedBit) != 0;
  m.may = 1;
  m.rows.push_back(observation);
  f.members.push_back(m);
  if (!node.empty()) f.nodes.push_back(context.dictionary.Intern(node));
  if (plan.rules[rule].kind == plan::RuleKind::kCause) f.blamed_nodes = f.nodes;
  evaluation.findings.push_back(std::move(f));
  return static_cast<uint32_t>(evaluation.findings.size() - 1);
}

uint32_t Scenario::Gap(std::string_view source, std::string_view node) {
  eval::Gap gap;
  gap.source = Str(source);
  if (!node.empty()) gap.node = set.names.Intern(node);
  context.gaps.push_back(gap);
  return static_cast<uint32_t>(context.gaps.size() - 1);
}

uint32_t Scenario::Unevaluable(uint32_t rule, std::string_view source, std::string_view node) {
  eval::Finding f;
  f.rule = rule;
  f.bits = kPossible;
  f.gaps.push_back(Gap(source, node));
  evaluation.findings.push_back(std::move(f));
  return static_cast<uint32_t>(evaluation.findings.size() - 1);
}

void Scenario::Edge(uint32_t from, uint32_t to, uint8_t bits) {
  uint32_t demotion = plan::kNone;
  for (uint32_t d = 0; d < plan.demotions.size(); ++d) {
    const plan::Demotion& demotes = plan.demotions[d];
    const auto& targets = demotes.targets;
    bool fits = std::find(targets.begin(), targets.end(), evaluation.findings[to].rule) != targets.end();
    if (demotes.source == evaluation.findings[from].rule && fits && demotion == plan::kNone) demotion = d;
  }
  if (demotion == plan::kNone) demotion = Demotes(evaluation.findings[from].rule, {evaluation.findings[to].rule});
  evaluation.edges.push_back({from, to, demotion, bits});
}

model::Verdict Scenario::Resolve() {
  context.plan = &plan;
  context.set = &set;
  AttributeOptions options;
  options.pack_sha256 = "pack";
  return resolve::Resolve(context, evaluation, matched, options);
}

}  // namespace attr::resolve
