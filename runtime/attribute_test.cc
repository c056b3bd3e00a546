// The whole runtime behind one call: engines, threads, the host's floating-point
// environment, errors as values.
#include "runtime/attribute.h"

#include <doctest.h>

#include <cfenv>

#include "runtime/engine_choice.h"
#include "runtime/model/canonical.h"
#include "runtime/report/report.h"

namespace attr {

namespace {

using plan::kSecond;
constexpr int64_t kNoon = 1'772'452'800 * kSecond;

class PlanMaker {
 public:
  plan::StrId Str(const std::string& text) {
    plan.strings.push_back(text);
    return static_cast<plan::StrId>(plan.strings.size() - 1);
  }
  uint32_t Event(const std::string& name, const std::string& source, const std::string& regex) {
    plan::Event event;
    event.name = Str(name);
    plan::SourceRef ref;
    ref.alternatives = {{Str(source), 0}};
    event.sources = {ref};
    plan::TextClause clause;
    clause.patterns = {{Str(regex)}};
    event.texts = {clause};
    plan.events.push_back(event);
    return static_cast<uint32_t>(plan.events.size() - 1);
  }
  plan::Rule Rule(plan::RuleKind kind, const std::string& name, uint32_t event) {
    plan::Rule rule;
    rule.kind = kind;
    rule.name = Str(name);
    rule.title = Str("Title of " + name);
    plan::Binding binding;
    binding.name = Str("x");
    binding.event = event;
    rule.bindings = {binding};
    rule.keys = {{Str("node"), {0, plan::kNode}}};
    return rule;
  }
  plan::Plan plan;
};

// A fault demotes stalls within two minutes.
plan::Plan FaultPlan() {
  PlanMaker m;
  m.plan.meta.name = m.Str("test.pack");
  m.plan.meta.version = m.Str("1.0.0");
  m.plan.sources = {m.Str("kernel"), m.Str("application")};
  plan::Domain domain;
  domain.path = m.Str("fabric");
  m.plan.domains = {domain};
  uint32_t fault = m.Event("test.pack::fault_line", "kernel", "link down");
  uint32_t stall = m.Event("test.pack::stall_line", "application", "stalled");
  plan::Rule cause = m.Rule(plan::RuleKind::kCause, "test.pack::fault", fault);
  cause.domains = {0};
  cause.blame = {{plan::BlameKind::kNode, {0, plan::kNode}}};
  m.plan.rules.push_back(cause);
  m.plan.rules.push_back(m.Rule(plan::RuleKind::kSymptom, "test.pack::stall", stall));
  plan::Demotion demotion;
  demotion.source = 0;
  demotion.targets = {1};
  demotion.target_text = m.Str("stall");
  demotion.because = m.Str("all wait");
  demotion.join.relations = {{plan::RelationKind::kDemote, 120 * kSecond, 0}};
  m.plan.demotions.push_back(demotion);
  return m.plan;
}

void Add(model::ObservationSet* set, const char* source, const char* node, int64_t seconds, const char* text) {
  model::Observation o;
  o.source = set->names.Intern(source);
  o.node = o.observer = set->names.Intern(node);
  int64_t nanos = kNoon + seconds * kSecond;
  o.time = {nanos, nanos, kSecond};
  o.text = text;
  set->observations.push_back(o);
}

model::ObservationSet FaultSet() {
  model::ObservationSet set;
  set.attempt.id = "a1";
  for (const char* source : {"application", "kernel"}) {
    model::Coverage row;
    row.source = set.names.Intern(source);
    set.coverage.push_back(row);
  }
  Add(&set, "kernel", "n1", 1, "nvlink: link down");
  for (int i = 0; i < 40; ++i) Add(&set, "application", i % 2 == 0 ? "n1" : "n2", 30 + i, "rank stalled");
  return set;
}

std::string VerdictOf(EngineChoice engine, unsigned threads) {
  plan::Plan plan = FaultPlan();
  model::ObservationSet set = FaultSet();
  AttributeOptions options;
  options.engine = engine;
  options.threads = threads;
  auto verdict = Attribute(plan, set, options);
  REQUIRE_MESSAGE(verdict.ok(), (verdict.ok() ? "" : verdict.error().message));
  return report::ToJson(*verdict);
}

}  // namespace

TEST_CASE("a fault is named, its node blamed, the stalls kept under it") {
  plan::Plan plan = FaultPlan();
  model::ObservationSet set = FaultSet();
  Stats stats;
  auto verdict = Attribute(plan, set, {}, &stats);
  REQUIRE(verdict.ok());
  CHECK(verdict->status == model::VerdictStatus::kAttributed);
  CHECK(verdict->domain == "fabric");
  REQUIRE(verdict->affected_nodes.size() == 1);
  CHECK(verdict->affected_nodes[0].first == "n1");
  REQUIRE(verdict->symptoms.size() == 2);
  CHECK(verdict->symptoms[0].finding.count == 20);
  CHECK(verdict->symptoms[0].demoted_by[0].because == "all wait");
  CHECK(stats.findings == 3);
  CHECK(stats.edges == 2);
  CHECK(stats.engine.rfind("interpreter (auto", 0) == 0);
  CHECK(stats.phases.size() >= 3);
}

TEST_CASE("engines and threads give the same bytes") {
  std::string expected = VerdictOf(EngineChoice::kInterpreter, 1);
  CHECK(VerdictOf(EngineChoice::kInterpreter, 2) == expected);
  CHECK(VerdictOf(EngineChoice::kNative, 1) == expected);
  CHECK(VerdictOf(EngineChoice::kAuto, 2) == expected);
}

TEST_CASE("the host's rounding mode changes nothing and comes back") {
  std::string expected = VerdictOf(EngineChoice::kInterpreter, 1);
  std::fesetround(FE_UPWARD);
  std::string upward = VerdictOf(EngineChoice::kInterpreter, 1);
  CHECK(std::fegetround() == FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  CHECK(upward == expected);
}

TEST_CASE("an empty set gives an unattributed verdict that lists what it lacked") {
  plan::Plan plan = FaultPlan();
  model::ObservationSet set;
  auto verdict = Attribute(plan, set, {});
  REQUIRE(verdict.ok());
  CHECK(verdict->status == model::VerdictStatus::kUnattributed);
  CHECK(verdict->unevaluable.size() == 2);
  CHECK(verdict->coverage.size() == 2);
  CHECK(verdict->coverage[0].status == "absent");
}

TEST_CASE("native code pays for many rows, sooner when it is cached") {
  plan::Plan plan = FaultPlan();
  eval::Context context;
  context.plan = &plan;
  context.events.resize(2);
  eval::KernelList kernels;
  kernels.scans.push_back({0, {0, 1, 2}});
  for (int i = 0; i < 3; ++i) plan.exprs.push_back({plan::Op::kInt, plan::Type::kInt});
  context.events[0].rows = 100;
  CHECK(EstimateCost(context, kernels, true).saved < EstimateCost(context, kernels, true).native);
  context.events[0].rows = 100'000'000;
  CHECK(EstimateCost(context, kernels, false).saved > EstimateCost(context, kernels, false).native);
  CHECK(EstimateCost(context, kernels, true).native < EstimateCost(context, kernels, false).native);
}

}  // namespace attr
