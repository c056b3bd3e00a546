// What a finding shows of itself: keys, explanation, counts, places, evidence.
#include <algorithm>

#include "runtime/eval/finding_table.h"
#include "runtime/resolve/values.h"
#include "runtime/resolve/verdict_builder.h"

namespace attr::resolve {

namespace {

constexpr size_t kEvidenceFirst = 8;
constexpr size_t kEvidenceBytes = 2000;

uint64_t CountOf(const eval::Members& m) {
  if (m.presumed != 0) return m.presumed;
  return m.unbounded ? m.rows.size() : std::max<uint64_t>(m.may, m.rows.size());
}

std::string AttributeText(const model::Attribute& a) {
  using Kind = model::Attribute::Kind;
  std::string out = std::string(a.key) + "=";
  switch (a.kind) {
    case Kind::kNull:
      return out + "null";
    case Kind::kBool:
      return out + (a.number != 0 ? "true" : "false");
    case Kind::kInt:
      return out + std::to_string(a.number);
    case Kind::kFloat:
      return out + FloatText(a.number);
    case Kind::kText:
      break;
  }
  return out + std::string(a.text);
}

// A record without text is shown by what it has: name, value, attributes.
std::string TextOf(const model::ObservationSet& set, const model::Observation& o) {
  if (!o.text.empty()) return Shortened(o.text, kEvidenceBytes);
  std::string out(o.name);
  auto add = [&](const std::string& part) { out += (out.empty() ? "" : " ") + part; };
  if (o.has_value) add("value=" + FloatText(o.value) + (o.unit.empty() ? "" : " " + std::string(o.unit)));
  for (uint32_t i = o.attributes_begin; i < o.attributes_end && out.size() < kEvidenceBytes; ++i) {
    add(AttributeText(set.attributes[i]));
  }
  return Shortened(out, kEvidenceBytes);
}

void AddEvidence(const Problem& p, const eval::Finding& f, bool with_evidence, model::FindingView* out) {
  std::vector<uint32_t> observations = eval::ObservationsBehind(p.context, f);
  out->evidence_total = std::max<uint64_t>(f.records, observations.size());
  if (!with_evidence) return;
  for (size_t i = 0; i < observations.size(); ++i) {
    if (i < kEvidenceFirst || i + 1 == observations.size()) {
      out->evidence.push_back(EvidenceOf(*p.context.set, observations[i]));
    }
  }
}

}  // namespace

model::Evidence EvidenceOf(const model::ObservationSet& set, uint32_t observation) {
  const model::Observation& o = set.observations[observation];
  model::Evidence out;
  out.observation = set.IdOf(observation);
  out.source = std::string(set.NameOf(o.source));
  out.node = std::string(set.NameOf(o.node));
  out.time = o.time;
  out.text = TextOf(set, o);
  return out;
}

std::vector<std::string> DomainTexts(const plan::Plan& plan, const std::vector<uint32_t>& domains) {
  std::vector<std::string> out;
  for (uint32_t d : domains) out.emplace_back(plan.Str(plan.domains[d].path));
  return out;
}

std::vector<uint32_t> FirstBindings(const plan::Rule& rule) {
  std::vector<uint32_t> out;
  for (uint32_t a = 0; a < rule.AlternativeCount(); ++a) {
    const uint32_t at = plan::StoredAt(rule, plan::BindingsOf(rule, a).first);
    if (std::find(out.begin(), out.end(), at) == out.end()) out.push_back(at);
  }
  return out;
}

model::FindingView ViewOf(const Problem& p, uint32_t finding, bool with_evidence) {
  const eval::Finding& f = p.evaluation.findings[finding];
  const plan::Rule& rule = p.plan.rules[f.rule];
  model::FindingView out;
  out.rule = std::string(p.plan.Str(rule.name));
  out.title = std::string(p.plan.Str(rule.title));
  out.doc = std::string(p.plan.Str(rule.doc));
  out.truth = (f.bits & eval::kMustBit) != 0 ? model::Truth::kConfirmed : model::Truth::kPresumed;
  for (size_t k = 0; k < rule.keys.size() && k < p.key_text[finding].size(); ++k) {
    out.keys.emplace_back(p.plan.Str(rule.keys[k].name), p.key_text[finding][k]);
  }
  out.explanation = Explain(p, f);
  for (uint32_t b : FirstBindings(rule)) out.count += b < f.members.size() ? CountOf(f.members[b]) : 0;
  out.first = f.begin;
  out.last = f.end;
  out.nodes = NameTexts(p.context, f.nodes);
  out.gpus = NameTexts(p.context, f.gpus);
  for (int64_t rank : f.ranks) out.ranks.push_back(std::to_string(rank));
  if (f.place_open) out.open_places = NameTexts(p.context, f.open_places);
  AddEvidence(p, f, with_evidence, &out);
  return out;
}

model::CauseView CauseOf(const Problem& p, uint32_t finding, bool with_evidence) {
  const eval::Finding& f = p.evaluation.findings[finding];
  const plan::Rule& rule = p.plan.rules[f.rule];
  model::CauseView out;
  out.finding = ViewOf(p, finding, with_evidence);
  out.domains = DomainTexts(p.plan, rule.domains);
  for (plan::StrId advice : rule.advise) out.advise.emplace_back(p.plan.Str(advice));
  if (f.place_open) return out;
  out.blamed_nodes = NameTexts(p.context, f.blamed_nodes);
  out.blamed_gpus = NameTexts(p.context, f.blamed_gpus);
  return out;
}

}  // namespace attr::resolve
