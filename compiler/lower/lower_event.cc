// Events, parents first; fields before anything that reads them. Derived columns
// come later, when rules ask for them.
#include <algorithm>

#include "compiler/lower/lowering.h"

namespace attr::lower {

namespace {

class EventLowering {
 public:
  EventLowering(Lowering& lowering, uint32_t index)
      : lowering_(lowering),
        builder_(lowering.builder),
        event_(lowering.program.events[index]),
        plan_index_(static_cast<uint32_t>(builder_.plan.events.size())) {}

  void Lower() {
    builder_.plan.events.emplace_back();
    frame_.bindings.push_back({0, plan_index_});
    frame_.marks = false;
    Target().name = builder_.Str(event_.qualified);
    Target().doc = builder_.Str(event_.doc);
    if (event_.parent != plan::kNone) Target().parent = lowering_.event_index[event_.parent];
    for (const uint32_t member : event_.members) Target().members.push_back(lowering_.event_index[member]);
    LowerSources();
    Target().scope = event_.scope;
    LowerTexts();
    for (const sema::Field& field : event_.fields) LowerField(field);
    // Derived columns stand behind the fields: all of these must be there first.
    for (size_t f = 0; f < event_.fields.size(); ++f) LowerValue(f);
    LowerConditions();
    LowerFold();
    LowerRows();
  }

 private:
  plan::Event& Target() { return builder_.plan.events[plan_index_]; }

  void LowerSources() {
    for (const auto& alternatives : event_.sources) {
      plan::SourceRef source;
      for (const auto& [name, metric] : alternatives) {
        source.alternatives.push_back({builder_.Str(name), builder_.Str(metric)});
      }
      Target().sources.push_back(std::move(source));
    }
  }

  void LowerTexts() {
    for (const sema::TextClause& clause : event_.texts) {
      plan::TextClause text;
      text.optional = clause.optional;
      text.field = clause.field;
      for (const std::string& regex : clause.regexes) text.patterns.push_back({builder_.Str(regex)});
      Target().texts.push_back(std::move(text));
    }
    if (event_.each) Target().each.push_back({builder_.Str(*event_.each)});
    for (const std::string& regex : event_.unless) Target().unless.push_back({builder_.Str(regex)});
  }

  /// Rows that are no observations. Rules and tables have the same numbers in the plan.
  void LowerRows() {
    using plan::EventOrigin;
    Target().origin = event_.origin;
    Target().rules = event_.rules;
    Target().duration = event_.duration;
    if (event_.origin == EventOrigin::kTable) Target().of = event_.of;
    if (event_.origin == EventOrigin::kStalled || event_.origin == EventOrigin::kNotStalled) {
      Target().of = lowering_.event_index[event_.of];
    }
    const bool inventory = event_.origin >= EventOrigin::kNodes && event_.origin <= EventOrigin::kGpus;
    if (inventory) Target().lacks = builder_.Str("inventory");
  }

  void LowerField(const sema::Field& field) {
    plan::Field target;
    target.name = builder_.Str(field.name);
    target.type = field.type;
    target.optional = field.optional;
    target.hidden = field.hidden;
    target.used = false;
    target.from = field.from;
    target.source = builder_.Str(field.source);
    target.unit = field.unit;
    target.window = field.window;
    target.peers = field.peers;
    Target().fields.push_back(target);
  }

  void LowerValue(size_t f) {
    const sema::Field& field = event_.fields[f];
    if (!field.value) return;
    ExprLowering lower(builder_, frame_);
    const bool condition = field.from == plan::FieldFrom::kWindow && field.window == plan::WindowKind::kPortion;
    const plan::ExprId expr = condition ? lower.Condition(*field.value) : lower.Value(*field.value);
    Target().fields[f].expr = lowering_.Checked(expr, field.span);
  }

  void LowerConditions() {
    const plan::ExprId where = All(event_.where);
    Target().where = where;
    if (!event_.since) return;
    const plan::ExprId since = ExprLowering(builder_, frame_).Value(*event_.since);
    Target().since = lowering_.Checked(since, event_.since->span);
  }

  plan::ExprId All(const std::vector<sema::TypedPtr>& conditions) {
    std::vector<plan::ExprId> all;
    for (const sema::TypedPtr& one : conditions) all.push_back(ExprLowering(builder_, frame_).Condition(*one));
    return all.empty() ? plan::kNone : lowering_.Checked(builder_.Join(plan::Op::kAnd, all), conditions[0]->span);
  }

  void LowerFold() {
    const sema::Fold& from = event_.fold;
    if (from.kind == plan::FoldKind::kUnfolded) return;
    plan::Fold fold;
    fold.kind = from.kind;
    fold.span = from.span;
    fold.records = from.records;
    fold.keys = from.keys;
    // An example's event stands alone, without the one that closes it.
    if (from.closed_by != plan::kNone) fold.closed_by = lowering_.event_index[from.closed_by];
    for (const sema::SameField& same : from.same) {
      if (fold.closed_by != plan::kNone) fold.same.push_back({same.left, same.right, same.place});
    }
    fold.fields = static_cast<uint32_t>(
        std::count_if(event_.fields.begin(), event_.fields.end(), [](const auto& field) { return field.stage == 0; }));
    fold.where = All(from.where);
    if (from.having) {
      fold.having = lowering_.Checked(ExprLowering(builder_, frame_).Condition(*from.having), from.having->span);
    }
    Target().fold = std::move(fold);
  }

  Lowering& lowering_;
  Builder& builder_;
  const sema::Event& event_;
  uint32_t plan_index_;
  Frame frame_;
};

}  // namespace

void LowerEvent(Lowering& lowering, uint32_t event) {
  const auto& events = lowering.program.events;
  lowering.event_index.resize(events.size(), plan::kNone);
  std::vector<uint32_t> chain;
  for (uint32_t at = event; at != plan::kNone && lowering.event_index[at] == plan::kNone; at = events[at].parent) {
    chain.push_back(at);
  }
  for (; !chain.empty(); chain.pop_back()) {
    lowering.event_index[chain.back()] = static_cast<uint32_t>(lowering.builder.plan.events.size());
    EventLowering(lowering, chain.back()).Lower();
  }
}

void LowerEvents(Lowering& lowering) {
  for (const uint32_t event : lowering.program.event_order) LowerEvent(lowering, event);
  const auto& events = lowering.program.events;
  for (uint32_t event = 0; event < events.size(); ++event) {
    if (events[event].origin != plan::EventOrigin::kObservations) LowerEvent(lowering, event);
  }
}

}  // namespace attr::lower
