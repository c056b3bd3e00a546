// A verdict as JSON: docs/schema/verdict.schema.json, explained in docs/verdict.md.
// The order of the calls is the order of the keys, and part of the format.
#include "runtime/report/json_writer.h"
#include "runtime/report/report.h"

namespace attr::report {

namespace {

void WriteEvidence(const model::Evidence& e, JsonWriter* w) {
  w->BeginObject();
  w->Field("observation", e.observation);
  w->Field("source", e.source);
  w->FieldOrNull("node", e.node);
  w->Field("time", e.time);
  w->Field("text", e.text);
  w->EndObject();
}

void WriteIdentity(const model::FindingView& f, JsonWriter* w) {
  w->Field("rule", f.rule);
  w->Field("title", f.title);
}

void WriteFinding(const model::FindingView& f, JsonWriter* w) {
  w->Field("truth", model::Name(f.truth));
  w->Field("doc", f.doc);
  w->Key("keys");
  w->BeginObject();
  for (const auto& [key, value] : f.keys) w->Field(key, value);
  w->EndObject();
  w->Field("nodes", f.nodes);
  w->Field("gpus", f.gpus);
  w->Field("ranks", f.ranks);
  w->Field("open_places", f.open_places);
  w->Field("count", f.count);
  w->Field("first", f.first);
  w->Field("last", f.last);
  w->Field("evidence_total", f.evidence_total);
  w->Key("evidence");
  w->BeginArray();
  for (const model::Evidence& e : f.evidence) WriteEvidence(e, w);
  w->EndArray();
  w->Field("explanation", f.explanation);
}

void WriteCauseFields(const model::CauseView& c, JsonWriter* w) {
  WriteIdentity(c.finding, w);
  w->FieldOrNull("domain", c.domains.size() == 1 ? std::string_view(c.domains.front()) : std::string_view());
  w->Field("domains", c.domains);
  WriteFinding(c.finding, w);
  w->Field("advise", c.advise);
  w->Field("blamed_nodes", c.blamed_nodes);
  w->Field("blamed_gpus", c.blamed_gpus);
  w->Key("explains");
  w->Numbers(c.explains);
  w->Key("explains_total");
  w->BeginArray();
  for (const auto& [rule, count] : c.explains_total) {
    w->BeginObject();
    w->Field("rule", rule);
    w->Field("findings", count);
    w->EndObject();
  }
  w->EndArray();
}

void WriteCauses(std::string_view key, const std::vector<model::CauseView>& causes, JsonWriter* w) {
  w->Key(key);
  w->BeginArray();
  for (const model::CauseView& cause : causes) {
    w->BeginObject();
    WriteCauseFields(cause, w);
    w->EndObject();
  }
  w->EndArray();
}

void WriteCandidates(const model::Verdict& v, JsonWriter* w) {
  w->Key("candidates");
  w->BeginArray();
  for (const model::Candidate& c : v.candidates) {
    w->BeginObject();
    w->Field("domain", c.domain);
    w->Field("suggested_by", c.suggested_by);
    w->Field("needs", c.needs);
    w->EndObject();
  }
  w->EndArray();
  w->Key("first_failure");
  if (!v.first_failure) return w->Null();
  w->BeginObject();
  w->Field("rule", v.first_failure->rule);
  w->Field("title", v.first_failure->title);
  w->Field("time", v.first_failure->time);
  w->Field("nodes", v.first_failure->nodes);
  w->EndObject();
}

void WriteSymptom(const model::SymptomView& s, JsonWriter* w) {
  w->BeginObject();
  WriteIdentity(s.finding, w);
  w->Field("kind", s.is_cause ? "cause" : "symptom");
  w->Key("demoted_by");
  w->BeginArray();
  for (const model::DemotedBy& by : s.demoted_by) {
    w->BeginObject();
    w->Field("rule", by.rule);
    w->FieldOrNull("because", by.because);
    w->Field("truth", model::Name(by.truth));
    w->EndObject();
  }
  w->EndArray();
  w->Key("parent");
  s.parent ? w->Number(*s.parent) : w->Null();
  w->Field("suggests", s.suggests);
  WriteFinding(s.finding, w);
  w->Field("blamed_nodes", s.blamed_nodes);
  w->EndObject();
}

void WriteSymptoms(const model::Verdict& v, JsonWriter* w) {
  w->Key("symptoms");
  w->BeginArray();
  for (const model::SymptomView& s : v.symptoms) WriteSymptom(s, w);
  w->EndArray();
  w->Key("symptom_groups");
  w->BeginArray();
  for (const model::SymptomGroup& g : v.symptom_groups) {
    w->BeginObject();
    w->Field("rule", g.rule);
    w->Field("title", g.title);
    w->Field("findings", g.findings);
    w->Field("unexplained", g.unexplained);
    w->Field("events", g.events);
    w->Field("first", g.first);
    w->Field("last", g.last);
    w->Field("nodes", g.nodes);
    w->EndObject();
  }
  w->EndArray();
  w->Key("affected_nodes");
  w->BeginArray();
  for (const auto& [node, causes] : v.affected_nodes) {
    w->BeginObject();
    w->Field("node", node);
    w->Field("causes", causes);
    w->EndObject();
  }
  w->EndArray();
}

void WriteOutranked(const model::Verdict& v, JsonWriter* w) {
  w->Key("outranked");
  w->BeginArray();
  for (const model::Outranked& o : v.outranked) {
    w->BeginObject();
    w->Field("by_rule", o.by_rule);
    w->Field("pair", o.pair);
    WriteCauseFields(o.cause, w);
    w->EndObject();
  }
  w->EndArray();
}

void WriteCoverage(const model::Verdict& v, JsonWriter* w) {
  w->Key("coverage");
  w->BeginArray();
  for (const model::CoverageView& c : v.coverage) {
    w->BeginObject();
    w->Field("source", c.source);
    w->Field("status", c.status);
    w->Field("nodes", c.nodes);
    w->Field("from", c.from);
    w->Field("to", c.to);
    w->Field("observations", c.observations);
    w->FieldOrNull("reason", c.reason);
    w->EndObject();
  }
  w->EndArray();
}

void WriteUnevaluable(const model::Verdict& v, JsonWriter* w) {
  w->Key("unevaluable");
  w->BeginArray();
  for (const model::Unevaluable& u : v.unevaluable) {
    w->BeginObject();
    w->Field("rule", u.rule);
    w->Field("title", u.title);
    w->FieldOrNull("domain", u.domain);
    w->Key("lacked");
    w->BeginArray();
    for (const auto& [source, places] : u.lacked) {
      w->BeginObject();
      w->Field("source", source);
      w->Field("places", places);
      w->EndObject();
    }
    w->EndArray();
    w->EndObject();
  }
  w->EndArray();
  w->Key("limits");
  w->BeginArray();
  for (const model::LimitView& l : v.limits) {
    w->BeginObject();
    w->Field("rule", l.rule);
    w->Field("limit", l.limit);
    w->Field("value", l.value);
    w->Field("bound", l.bound);
    w->EndObject();
  }
  w->EndArray();
}

void WriteWouldChange(const model::Verdict& v, JsonWriter* w) {
  w->Key("would_change");
  w->BeginArray();
  for (const model::WouldChange& c : v.would_change) {
    w->BeginObject();
    w->Field("source", c.source);
    w->Field("places", c.places);
    w->Field("verdict", c.verdict);
    w->Key("leads_to");
    w->BeginArray();
    for (const auto& [where, causes] : c.leads_to) {
      w->BeginObject();
      w->Field("to", where);
      w->Field("rules", causes);
      w->EndObject();
    }
    w->EndArray();
    w->Field("rules", c.rules);
    w->EndObject();
  }
  w->EndArray();
  w->Field("would_change_more", v.would_change_more);
}

void WriteScope(const model::Verdict& v, JsonWriter* w) {
  w->Key("scope");
  w->BeginObject();
  w->Field("observations_in", v.observations_in);
  w->Field("observations_out", v.observations_out);
  w->Key("out");
  w->BeginArray();
  for (const model::ScopeCount& s : v.out_of_scope) {
    w->BeginObject();
    w->Field("reason", s.reason);
    w->Field("count", s.count);
    w->EndObject();
  }
  w->EndArray();
  w->Field("warnings", v.warnings);
  w->EndObject();
}

void WritePack(const model::Verdict& v, JsonWriter* w) {
  w->Key("pack");
  w->BeginObject();
  w->Field("name", v.pack.name);
  w->Field("version", v.pack.version);
  w->FieldOrNull("sha256", v.pack.sha256);
  w->Key("imports");
  w->BeginArray();
  for (const auto& [name, version] : v.pack.imports) {
    w->BeginObject();
    w->Field("name", name);
    w->Field("version", version);
    w->EndObject();
  }
  w->EndArray();
  w->EndObject();
  w->Field("engine", v.engine);
  w->Field("input_sha256", v.input_sha256);
}

void WriteHead(const model::Verdict& v, JsonWriter* w) {
  w->Field("schema", "attribution/verdict/v1");
  w->Key("attempt");
  w->BeginObject();
  w->Field("id", v.attempt);
  w->FieldOrNull("job", v.job);
  w->Field("start", v.start);
  w->Field("end", v.end);
  w->EndObject();
  w->Field("terminal_state", v.terminal_state);
  w->Field("terminal_state_unknown_before", v.terminal_state_unknown_before);
  w->Field("status", model::Name(v.status));
  w->FieldOrNull("domain", v.domain);
  w->Field("certainty", v.settled ? "settled" : "provisional");
}

}  // namespace

std::string ToJson(const model::Verdict& v) {
  JsonWriter w;
  w.BeginObject();
  WriteHead(v, &w);
  WriteCauses("causes", v.causes, &w);
  WriteCandidates(v, &w);
  WriteSymptoms(v, &w);
  WriteCauses("bystanders", v.bystanders, &w);
  WriteCauses("notable", v.notable, &w);
  WriteOutranked(v, &w);
  WriteCoverage(v, &w);
  WriteUnevaluable(v, &w);
  WriteWouldChange(v, &w);
  WriteScope(v, &w);
  WritePack(v, &w);
  w.EndObject();
  return w.Take();
}

}  // namespace attr::report
