// Events, parents first; fields before anything that reads them. Derived columns
// come later, when rules ask for them.
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
    LowerTexts();
    for (const sema::Field& field : event_.fields) LowerField(field);
    LowerConditions();
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
    for (const std::string& regex : event_.unless) Target().unless.push_back({builder_.Str(regex)});
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
    if (field.value) {
      target.expr = lowering_.Checked(ExprLowering(builder_, frame_).Value(*field.value), field.span);
    }
    Target().fields.push_back(target);
  }

  void LowerConditions() {
    std::vector<plan::ExprId> all;
    for (const sema::TypedPtr& where : event_.where) all.push_back(ExprLowering(builder_, frame_).Condition(*where));
    if (!all.empty()) {
      Target().where = lowering_.Checked(builder_.Join(plan::Op::kAnd, all), event_.where[0]->span);
    }
    if (event_.since) {
      Target().since = lowering_.Checked(ExprLowering(builder_, frame_).Value(*event_.since), event_.since->span);
    }
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
}

}  // namespace attr::lower
