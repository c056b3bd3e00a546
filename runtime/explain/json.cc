// An explanation as JSON: docs/schema/explain.schema.json, explained in
// docs/explain.md. The order of the calls is the order of the keys.
#include "runtime/explain/explain.h"
#include "runtime/report/json_writer.h"

namespace attr::explain {

namespace {

using report::JsonWriter;

template <class T, class F>
void List(std::string_view key, const std::vector<T>& items, JsonWriter* w, F&& write) {
  w->Key(key);
  w->BeginArray();
  for (const T& item : items) {
    w->BeginObject();
    write(item);
    w->EndObject();
  }
  w->EndArray();
}

void WriteValues(std::string_view key, const std::vector<ReadValue>& values, JsonWriter* w) {
  List(key, values, w, [&](const ReadValue& value) {
    w->Field("name", value.name);
    w->Field("value", value.text);
  });
}

void WriteConditions(const std::vector<Condition>& conditions, JsonWriter* w) {
  List("conditions", conditions, w, [&](const Condition& condition) {
    w->Field("text", condition.text);
    w->Field("truth", condition.truth);
    w->FieldOrNull("missed_by", condition.missed_by);
    WriteValues("values", condition.values, w);
  });
}

void WriteBindings(const std::vector<Bound>& bindings, JsonWriter* w) {
  List("bindings", bindings, w, [&](const Bound& bound) {
    w->Field("binding", bound.binding);
    w->Field("event", bound.event);
    w->Field("events", bound.events);
    List("observations", bound.observations, w, [&](const model::Evidence& e) {
      w->Field("observation", e.observation);
      w->Field("source", e.source);
      w->FieldOrNull("node", e.node);
      w->Field("time", e.time);
      w->Field("text", e.text);
    });
  });
}

void WriteVerdict(const model::Verdict& v, JsonWriter* w) {
  w->Key("verdict");
  w->BeginObject();
  w->Field("attempt", v.attempt);
  w->Field("status", model::Name(v.status));
  w->FieldOrNull("domain", v.domain);
  w->Field("certainty", v.settled ? "settled" : "provisional");
  w->Field("terminal_state", v.terminal_state);
  w->EndObject();
}

void WriteSteps(const Explanation& e, JsonWriter* w) {
  List("steps", e.steps, w, [&](const Step& step) {
    w->Field("rule", step.rule);
    w->Field("title", step.title);
    w->Field("role", step.role);
    w->Field("truth", step.truth);
    WriteValues("keys", step.keys, w);
    w->Field("nodes", step.nodes);
    w->Field("first", step.first);
    w->Field("last", step.last);
    WriteBindings(step.bindings, w);
    WriteConditions(step.conditions, w);
    List("demotes", step.demotes, w, [&](const Demotion& d) {
      w->Field("step", static_cast<uint64_t>(d.to));
      w->Field("rule", d.rule);
      w->Field("clause", d.clause);
      w->FieldOrNull("because", d.because);
      w->Field("place", d.place);
      w->Field("truth", d.truth);
      w->FieldOrNull("distance", d.distance);
    });
    w->Field("demotes_more", step.demotes_more);
  });
  w->Field("steps_more", e.steps_more);
}

void WriteOrder(const Explanation& e, JsonWriter* w) {
  List("outranked", e.outranked, w, [&](const Outranked& o) {
    w->Field("rule", o.rule);
    w->Field("by_rule", o.by_rule);
    w->Field("level", o.level);
    w->Field("clause", o.clause);
    w->FieldOrNull("because", o.because);
    w->Field("nodes", o.nodes);
  });
  w->Field("outranked_more", e.outranked_more);
  List("stay_two", e.stay_two, w, [&](const StayTwo& pair) {
    w->Field("rules", std::vector<std::string>{pair.rule, pair.other});
    w->Field("clause", pair.clause);
    w->FieldOrNull("because", pair.because);
  });
}

void WriteRules(const Explanation& e, JsonWriter* w) {
  List("rules", e.rules, w, [&](const WhyNot& rule) {
    w->Field("rule", rule.rule);
    w->Field("title", rule.title);
    w->Field("kind", rule.kind);
    w->Field("state", rule.state);
    w->Field("sentence", rule.sentence);
    w->FieldOrNull("failed", rule.failed);
    w->FieldOrNull("binding", rule.binding);
    WriteBindings(rule.bindings, w);
    WriteConditions(rule.conditions, w);
    w->Field("sources", rule.sources);
    w->Field("looked_at", rule.looked_at);
    w->Key("more");
    w->Bool(rule.more);
  });
  List("silent", e.silent, w, [&](const WhyNot& rule) {
    w->Field("rule", rule.rule);
    w->Field("title", rule.title);
    w->FieldOrNull("failed", rule.failed);
    w->Field("sentence", rule.sentence);
  });
  w->Field("silent_more", e.silent_more);
}

void WriteUnknowns(const Explanation& e, JsonWriter* w) {
  List("unknowns", e.unknowns, w, [&](const Unknown& unknown) {
    w->Field("rule", unknown.rule);
    w->Field("title", unknown.title);
    w->Field("what", unknown.what);
    w->Field("truth", unknown.truth);
    w->Field("verdicts", unknown.verdicts);
    List("reasons", unknown.reasons, w, [&](const Reason& reason) {
      w->Field("kind", reason.kind);
      w->FieldOrNull("source", reason.source);
      w->FieldOrNull("place", reason.place);
      w->Field("from", reason.from);
      w->Field("to", reason.to);
      w->FieldOrNull("observation", reason.observation);
      w->FieldOrNull("name", reason.name);
    });
    w->Field("reasons_more", unknown.reasons_more);
  });
  w->Field("unknowns_more", e.unknowns_more);
  List("conversions", e.conversions, w, [&](const Conversions& c) {
    w->Field("event", c.event);
    w->Field("dropped", c.dropped);
    w->Field("left_missing", c.left_missing);
  });
}

}  // namespace

std::string ToJson(const Explanation& e) {
  JsonWriter w;
  w.BeginObject();
  w.Field("schema", "attribution/explain/v1");
  WriteVerdict(e.verdict, &w);
  WriteSteps(e, &w);
  WriteOrder(e, &w);
  WriteRules(e, &w);
  WriteUnknowns(e, &w);
  w.Key("pack");
  w.BeginObject();
  w.Field("name", e.verdict.pack.name);
  w.Field("version", e.verdict.pack.version);
  w.FieldOrNull("sha256", e.verdict.pack.sha256);
  w.EndObject();
  w.Field("engine", e.verdict.engine);
  w.Field("input_sha256", e.verdict.input_sha256);
  w.EndObject();
  return w.Take();
}

}  // namespace attr::explain
