// Why not that rule: what became of its findings or, when it found nothing, the
// first condition that failed on the nearest candidate.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/eval/aggregates.h"
#include "runtime/eval/extremes.h"
#include "runtime/eval/rule_groups.h"
#include "runtime/explain/explainer.h"
#include "runtime/resolve/telemetry.h"
#include "runtime/resolve/values.h"

namespace attr::explain {

namespace {

constexpr uint64_t kBudget = 100'000, kBriefBudget = 2'000;  // candidates of one rule
constexpr size_t kMaxGroups = 1'000;                         // looked at for `having`
constexpr size_t kMaxEvents = 4;                             // named of one source

std::string ValuesText(const Condition& condition) {
  std::string out;
  for (const ReadValue& value : condition.values) {
    out += (out.empty() ? "" : ", ") + value.name + " is " + (value.text == "?" ? "missing" : value.text);
  }
  return out;
}

std::string_view KindOf(Part::Kind kind, bool place) {
  switch (kind) {
    case Part::Kind::kWhere:
      return "where";
    case Part::Kind::kKey:
      return place ? "place" : "key";
    case Part::Kind::kRelation:
      return "time";
    case Part::Kind::kDiffer:
      return "same observation";
    case Part::Kind::kResidual:
      break;
  }
  return "condition";
}

class RuleAnswer {
 public:
  RuleAnswer(const Explainer& e, uint32_t rule, bool brief)
      : e_(e), rule_(e.plan().rules[rule]), index_(rule), brief_(brief) {
    static constexpr const char* kKinds[] = {"cause", "symptom", "outcome"};
    out_.rule = e.RuleName(rule);
    out_.title = e.RuleTitle(rule);
    out_.kind = kKinds[static_cast<size_t>(rule_.kind)];
  }

  WhyNot Answer() {
    if (!Limited() && !Found()) Silent();
    return std::move(out_);
  }

 private:
  void Say(std::string state, std::string sentence) {
    out_.state = std::move(state);
    out_.sentence = std::move(sentence);
  }

  bool Limited() {
    for (const eval::Limit& limit : e_.evaluation.limits) {
      if (limit.rule != index_) continue;
      Say("limit",
          fmt::format("it would exceed the limit on {}: {} of at most {}", limit.name, limit.value, limit.bound));
      return true;
    }
    return false;
  }

  /// By its findings: the one that got furthest is told of.
  bool Found() {
    uint32_t best = plan::kNone;
    size_t count = 0;
    for (const uint32_t f : e_.problem().canonical) {
      if (e_.evaluation.findings[f].rule != index_ || e_.evaluation.findings[f].bits == 0) continue;
      ++count;
      if (best == plan::kNone || RankOf(f) < RankOf(best)) best = f;
    }
    if (best == plan::kNone) return false;
    Tell(best);
    if (count > 1) out_.sentence += fmt::format(" ({} findings; the one that got furthest)", count);
    return true;
  }

  int RankOf(uint32_t f) const {
    if (e_.IsRoot(f)) return e_.resolution.flow.dropped_at[f] == resolve::kNoLevel ? 0 : 1;
    if (e_.Exists(f)) return 2;
    return e_.evaluation.findings[f].event_bound ? 3 : 4;
  }

  std::string Where(uint32_t f) const {
    const std::string place = e_.PlaceOf(f);
    return place.empty() ? "" : " " + place;
  }

  void Tell(uint32_t f) {
    const eval::Finding& finding = e_.evaluation.findings[f];
    const resolve::Flow& flow = e_.resolution.flow;
    if (!finding.event_bound) return Say("unevaluable", "it could not be evaluated: " + Lacks(f));
    if (rule_.kind == plan::RuleKind::kOutcome) return TellOutcome(f);
    if (!e_.Exists(f)) return Say("possible", "it found something only possible" + Where(f) + ": " + Lacks(f));
    if (e_.Demoted(f)) return TellDemoted(f);
    if (rule_.kind == plan::RuleKind::kSymptom)
      return Say("symptom", "it was found" + Where(f) + "; nothing explains it");
    if (!e_.IsRoot(f)) return Say("closed", "it was found" + Where(f) + " and closed before what it could explain");
    if (flow.dropped_at[f] != resolve::kNoLevel) {
      return Say("outranked", fmt::format("it was found{}, and gives way to {} on the level of {}: {}", Where(f),
                                          e_.RuleName(flow.dropped_by[f]), LevelWord(f), e_.DroppedBy(f)));
    }
    if (Explainer::Nominal(flow.bystander[f])) {
      return Say("bystander", "it was found" + Where(f) + ", but explains nothing, and another cause does");
    }
    if (e_.resolution.summary.status == model::VerdictStatus::kNoFailure) {
      return Say("notable", "it was found" + Where(f) + "; the attempt succeeded");
    }
    Say("cause", "it was found" + Where(f) + " and is a cause of this verdict");
  }

  std::string LevelWord(uint32_t f) const {
    const std::string level = e_.LevelOf(f);
    return level == "ambiguity" ? "ambiguity clauses" : level + " pairs";
  }

  void TellOutcome(uint32_t f) {
    const std::string state(plan::Name(rule_.state));
    if (!e_.Exists(f)) return Say("possible", "the state " + state + " is only possible: " + Lacks(f));
    if (e_.resolution.terminal.state == rule_.state) return Say("terminal state", "it is the terminal state");
    Say("outranked",
        fmt::format("it holds, but an earlier outcome does too: {}", plan::Name(e_.resolution.terminal.state)));
  }

  void TellDemoted(uint32_t f) {
    std::string by;
    for (const uint32_t edge : e_.problem().edges) {
      const eval::Edge& one = e_.evaluation.edges[edge];
      if (one.to != f || !e_.Holds(edge)) continue;
      const plan::Demotion& clause = e_.plan().demotions[one.demotion];
      by = fmt::format("{}{} demotes it: `{}`", e_.RuleName(e_.problem().RuleOf(one.from)), Where(one.from),
                       e_.ClauseOf(clause));
      if (clause.because != 0) by += ", because " + std::string(e_.plan().Str(clause.because));
      break;
    }
    if (by.empty()) by = "a cause that could not be evaluated may demote it";
    Say("demoted", "it was found" + Where(f) + ", and " + by);
  }

  std::string Lacks(uint32_t f) const {
    const resolve::Telemetry needs = resolve::NeededBy(e_.problem(), e_.evaluation.findings[f]);
    std::string out = "it needs " + needs.source;
    if (needs.places.empty()) return out;
    out += " on " + needs.places.front();
    if (needs.places.size() > 1) out += fmt::format(" and {} more", needs.places.size() - 1);
    return out;
  }

  // ---- a rule that found nothing ------------------------------------------------

  void Silent() {
    out_.state = "silent";
    const TracedRule traced = TraceRule(e_.context, e_.memberships, index_);
    const Nearest nearest = FindNearest(e_.context, traced, brief_ ? kBriefBudget : kBudget);
    out_.looked_at = nearest.looked_at;
    out_.more = nearest.more;
    if (nearest.failed != plan::kNone) {
      if (nearest.rows[nearest.failed] == kNoRow) return NoEvent(traced, nearest);
      return Failed(traced, nearest);
    }
    if (nearest.taken_by != plan::kNone) return Taken(traced, nearest);
    NoGroup(traced);
  }

  void ShowRows(const TracedRule& traced, const Nearest& nearest) {
    if (brief_) return;
    for (uint32_t b = 0; b < traced.sides.size(); ++b) {
      if (nearest.rows[b] == kNoRow) continue;
      Bound bound;
      bound.binding = traced.names[b].name;
      bound.event = std::string(e_.plan().Str(traced.names[b].event->name));
      bound.events = traced.sides[b].table->first_phantom;
      AddObservations(e_.context, *traced.sides[b].table, nearest.rows[b], &bound.observations);
      out_.bindings.push_back(std::move(bound));
    }
  }

  void Failed(const TracedRule& traced, const Nearest& nearest) {
    const uint32_t binding = nearest.failed;
    out_.binding = traced.names[binding].name;
    std::vector<Condition> others;
    for (const Part& part : PartsOf(e_.plan(), *traced.rule, binding)) {
      Condition condition = Show(e_.context, traced, part, nearest.rows);
      if (condition.truth != "false") {
        others.push_back(std::move(condition));
        continue;
      }
      if (out_.conditions.empty()) {
        out_.failed = KindOf(part.kind, part.kind == Part::Kind::kKey && part.key->place);
        out_.sentence = part.kind == Part::Kind::kDiffer
                            ? traced.names[part.left].name + " and " + out_.binding + " would take one observation"
                            : SentenceOf(traced, binding, condition);
      }
      out_.conditions.push_back(std::move(condition));
    }
    if (brief_) out_.conditions.clear();
    if (!brief_) out_.conditions.insert(out_.conditions.end(), others.begin(), others.end());
    ShowRows(traced, nearest);
  }

  std::string SentenceOf(const TracedRule& traced, uint32_t binding, const Condition& condition) const {
    const std::string event(e_.plan().Str(traced.names[binding].event->name));
    std::string out = fmt::format("no {} meets `{}`", event, condition.text);
    const std::string values = ValuesText(condition);
    if (!condition.missed_by.empty()) return out + "; the nearest misses it by " + condition.missed_by;
    return values.empty() ? out : out + "; of the nearest " + values;
  }

  /// No row was met at this binding: its event did not happen.
  void NoEvent(const TracedRule& traced, const Nearest& nearest) {
    const uint32_t binding = nearest.failed;
    const plan::Event& event = *traced.names[binding].event;
    const std::string name(e_.plan().Str(event.name));
    out_.binding = traced.names[binding].name;
    out_.failed = nearest.more ? "limit" : "event";
    out_.sentence = nearest.more ? "nothing was found among the candidates that were looked at"
                                 : fmt::format("there is no {} (binding {})", name, out_.binding);
    if (brief_ || nearest.more) return;
    ShowRows(traced, nearest);
    if (event.parent != plan::kNone) DescribeParent(event);
    DescribeSources(rule_.bindings[binding].event);
  }

  /// Rows of the event that this one refines: what of its `where` they fail.
  void DescribeParent(const plan::Event& event) {
    const plan::Event& parent = e_.plan().events[event.parent];
    const eval::Table& table = e_.context.events[event.parent];
    const std::string name(e_.plan().Str(parent.name));
    out_.sources.push_back(fmt::format("{} of event {}, which it extends", table.first_phantom, name));
    const plan::PrintedBinding own{out_.binding, &event};
    for (const plan::ExprId expr : ConjunctsOf(e_.plan(), event.where)) {
      std::vector<uint32_t> columns;
      ColumnsOf(e_.plan(), expr, 0, event, &columns);
      const bool inherited = std::all_of(columns.begin(), columns.end(),
                                         [&](uint32_t column) { return column < parent.DerivedColumn(0); });
      Condition condition;
      condition.text = plan::PrintExpr(e_.plan(), expr, {own});
      condition.truth = "false";
      if (inherited && table.first_phantom != 0) {
        for (const uint32_t column : columns) {
          condition.values.push_back(
              {plan::PrintColumn(e_.plan(), column, own), ColumnText(e_.context, parent, table, 0, column)});
        }
      }
      out_.conditions.push_back(std::move(condition));
    }
    if (table.first_phantom == 0) out_.conditions.clear();
  }

  void DescribeSources(uint32_t index) {
    const plan::Event& event = e_.plan().events[index];
    const model::ObservationSet& set = *e_.context.set;
    for (const plan::SourceRef& reference : event.sources) {
      for (const plan::SourceAlternative& alternative : reference.alternatives) {
        const std::string_view source = e_.plan().Str(alternative.source);
        const uint32_t id = set.names.Find(source);
        const auto count = std::count_if(set.observations.begin(), set.observations.end(),
                                         [&](const model::Observation& o) { return o.source == id; });
        const uint64_t seen = id == Interner::kNone ? 0 : static_cast<uint64_t>(count);
        out_.sources.push_back(
            fmt::format("{} observations of source {}{}", seen, source, GivenBy(alternative.source)));
      }
    }
    if (index >= e_.matched.conversions.size() || e_.matched.conversions[index].failed == 0) return;
    out_.sources.push_back(fmt::format("{} records match its text, but a field that it needs could not be read",
                                       e_.matched.conversions[index].failed));
  }

  /// What the observations of a source did give.
  std::string GivenBy(plan::StrId source) const {
    std::vector<std::pair<uint64_t, std::string_view>> events;
    for (uint32_t i = 0; i < e_.plan().events.size(); ++i) {
      const plan::Event& event = e_.plan().events[i];
      const bool reads = std::any_of(event.sources.begin(), event.sources.end(), [&](const plan::SourceRef& ref) {
        return std::any_of(ref.alternatives.begin(), ref.alternatives.end(),
                           [&](const plan::SourceAlternative& a) { return a.source == source; });
      });
      if (reads && e_.context.events[i].first_phantom != 0) {
        events.emplace_back(e_.context.events[i].first_phantom, e_.plan().Str(event.name));
      }
    }
    std::sort(events.begin(), events.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::string out;
    for (size_t i = 0; i < events.size() && i < kMaxEvents; ++i) {
      out += fmt::format("{}{} of {}", i == 0 ? "; they gave " : ", ", events[i].first, events[i].second);
    }
    return events.size() > kMaxEvents ? out + ", and other events" : out;
  }

  void Taken(const TracedRule& traced, const Nearest& nearest) {
    const uint32_t binding = nearest.taken_by;
    const bool unless = rule_.bindings[binding].kind == plan::BindKind::kUnless;
    out_.failed = unless ? "unless" : "without";
    out_.binding = traced.names[binding].name;
    out_.sentence = fmt::format("`{} {}: {}` takes every candidate away", out_.failed, out_.binding,
                                e_.plan().Str(traced.names[binding].event->name));
    if (brief_) return;
    ShowRows(traced, nearest);
    for (const Part& part : PartsOf(e_.plan(), *traced.rule, binding)) {
      out_.conditions.push_back(Show(e_.context, traced, part, nearest.rows));
    }
  }

  /// Tuples there are, so it is `having` that no group meets.
  void NoGroup(const TracedRule& traced) {
    if (rule_.having == plan::kNone) return Say("silent", "its findings were folded into another's");
    out_.failed = "having";
    out_.sentence = "no group meets `having`";
    const eval::RuleSides sides = eval::SidesOf(rule_, index_, traced.sides);
    size_t kernel = 0;
    while (kernel < e_.kernels.joins.size() &&
           (rule_.joins.empty() || e_.kernels.joins[kernel] != rule_.joins.data())) {
      ++kernel;
    }
    eval::RuleGroups groups(e_.context, sides, e_.engine, kernel);
    groups.Prepare();
    std::vector<Condition> conditions;
    size_t best_fails = SIZE_MAX;
    std::string best_keys;
    for (uint32_t g = 0; g < groups.size() && g < kMaxGroups; ++g) {
      eval::GroupMembers members = groups.Collect({g});
      eval::NarrowToExtremes(sides, &members);
      if (members.bits == 0) continue;
      std::vector<Condition> shown = ShowHaving(sides, traced, members);
      const auto fails = static_cast<size_t>(
          std::count_if(shown.begin(), shown.end(), [](const Condition& c) { return c.truth == "false"; }));
      if (fails >= best_fails) continue;
      best_fails = fails;
      conditions = std::move(shown);
      best_keys.clear();
      for (const eval::Value& key : groups.Keys(g)) {
        best_keys += (best_keys.empty() ? "" : ", ") + resolve::ValueText(e_.context, key);
      }
    }
    out_.more = out_.more || groups.size() > kMaxGroups;
    for (const Condition& condition : conditions) {
      if (condition.truth != "false") continue;
      out_.sentence = fmt::format("no group meets `{}`; of the nearest{} {}", condition.text,
                                  best_keys.empty() ? "" : " (" + best_keys + ")", ValuesText(condition));
      break;
    }
    if (!brief_) out_.conditions = std::move(conditions);
  }

  std::vector<Condition> ShowHaving(const eval::RuleSides& sides, const TracedRule& traced,
                                    const eval::GroupMembers& members) const {
    std::vector<eval::Members> counts;
    for (size_t b = 0; b < sides.sides.size(); ++b) counts.push_back(CountOf(sides.sides[b], members.bindings[b]));
    std::vector<Condition> out;
    for (const plan::ExprId expr : ConjunctsOf(e_.plan(), rule_.having)) {
      plan::Rule one = rule_;
      one.having = expr;
      eval::RuleSides part = sides;
      part.rule = &one;
      Condition condition;
      condition.text = HavingText(traced, expr);
      condition.truth = TruthOf(eval::HavingBits(e_.context, part, members, counts));
      std::vector<uint32_t> bindings;
      BindingsOf(expr, &bindings);
      for (const uint32_t b : bindings)
        condition.values.push_back({"count(" + traced.names[b].name + ")", Range(counts[b])});
      out.push_back(std::move(condition));
    }
    return out;
  }

  static eval::Members CountOf(const eval::Side& side, const std::vector<eval::Member>& rows) {
    eval::Members out;
    for (const eval::Member& member : rows) {
      if (!side.real(member.row)) {
        out.unbounded = true;
        continue;
      }
      ++out.may;
      out.presumed += (member.bits & eval::kPresumedBit) != 0 ? 1 : 0;
      out.must += (member.bits & eval::kMustBit) != 0 ? 1 : 0;
    }
    return out;
  }

  static std::string Range(const eval::Members& members) {
    if (members.unbounded) return fmt::format("{} or more", members.must);
    if (members.must == members.may) return std::to_string(members.may);
    return fmt::format("{} to {}", members.must, members.may);
  }

  void BindingsOf(plan::ExprId id, std::vector<uint32_t>* out) const {
    const plan::Expr& e = e_.plan().exprs[id];
    const auto add = [out](uint32_t binding) {
      if (std::find(out->begin(), out->end(), binding) == out->end()) out->push_back(binding);
    };
    if (e.op == plan::Op::kAnd || e.op == plan::Op::kOr) {
      BindingsOf(e.a, out);
      BindingsOf(e.b, out);
    } else if (e.op == plan::Op::kCountCmp) {
      add(e.a);
    } else if (e.op == plan::Op::kAggregateCmp) {
      add(rule_.aggregates[e.a].binding);
      if (e.index != plan::kNone) add(rule_.aggregates[e.index].binding);
    }
  }

  std::string AggregateText(const TracedRule& traced, uint32_t index) const {
    const plan::Aggregate& aggregate = rule_.aggregates[index];
    const plan::PrintedBinding& of = traced.names[aggregate.binding];
    return fmt::format("{}({})", plan::Name(aggregate.kind),
                       aggregate.column == plan::kNone ? of.name : plan::PrintColumn(e_.plan(), aggregate.column, of));
  }

  std::string HavingText(const TracedRule& traced, plan::ExprId id) const {
    static constexpr const char* kSigns[] = {"==", "!=", "<", "<=", ">", ">="};
    const plan::Expr& e = e_.plan().exprs[id];
    if (e.op == plan::Op::kOr || e.op == plan::Op::kAnd) {
      return fmt::format("({} {} {})", HavingText(traced, e.a), e.op == plan::Op::kOr ? "or" : "and",
                         HavingText(traced, e.b));
    }
    if (e.op != plan::Op::kAggregateCmp) return plan::PrintExpr(e_.plan(), id, traced.names);
    const std::string right =
        e.index != plan::kNone ? AggregateText(traced, e.index) : resolve::SlotText(e_.context, e.type, e.imm, 1);
    return fmt::format("{} {} {}", AggregateText(traced, e.a), kSigns[e.b], right);
  }

  const Explainer& e_;
  const plan::Rule& rule_;
  uint32_t index_;
  bool brief_;
  WhyNot out_;
};

}  // namespace

WhyNot ExplainRule(const Explainer& explainer, uint32_t rule, bool brief) {
  return RuleAnswer(explainer, rule, brief).Answer();
}

}  // namespace attr::explain
