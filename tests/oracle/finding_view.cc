// What a finding shows of itself (docs/verdict.md, "A finding").
#include <algorithm>
#include <bit>

#include "runtime/base/fold_names.h"
#include "runtime/model/time_text.h"
#include "tests/oracle/oracle.h"

namespace attr::oracle {

namespace {

constexpr size_t kEvidenceBytes = 2000;

/// At most `bytes`, at a character's border, with "…" where something is missing.
std::string Cut(const std::string& text, size_t bytes) {
  if (text.size() <= bytes) return text;
  size_t end = bytes - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

std::string AttributeText(const model::Attribute& a) {
  using AttributeKind = model::Attribute::Kind;
  const std::string key = std::string(a.key) + "=";
  switch (a.kind) {
    case AttributeKind::kNull:
      return key + "null";
    case AttributeKind::kBool:
      return key + (a.number != 0 ? "true" : "false");
    case AttributeKind::kInt:
      return key + std::to_string(a.number);
    case AttributeKind::kFloat:
      return key + PrintReal(std::bit_cast<double>(a.number));
    default:
      return key + std::string(a.text);
  }
}

/// The record's text, else what it has: name, value, attributes.
std::string RecordText(const model::ObservationSet& set, const model::Observation& o) {
  if (!o.text.empty()) return Cut(std::string(o.text), kEvidenceBytes);
  std::vector<std::string> parts;
  if (!o.name.empty()) parts.emplace_back(o.name);
  if (o.has_value) parts.push_back("value=" + PrintReal(o.value) + (o.unit.empty() ? "" : " " + std::string(o.unit)));
  for (uint32_t a = o.attributes_begin; a < o.attributes_end; ++a) parts.push_back(AttributeText(set.attributes[a]));
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : " ") + part;
  return Cut(out, kEvidenceBytes);
}

std::string NamesText(const std::vector<std::string>& names) { return names.empty() ? "?" : FoldNames(names, 8); }

/// The first member of each binding, for placeholders.
RuleScope FirstMembers(const Resolution& r, const Finding& f) {
  RuleScope scope(r.pack, {}, true);
  const std::vector<Slot>& slots = r.found.slots[f.rule];
  for (size_t s = 0; s < slots.size(); ++s) {
    const std::vector<const Row*> seen = SeenOf(f.members[s]);
    scope.Add({slots[s].name, slots[s].event, seen.empty() ? nullptr : seen.front()});
  }
  return scope;
}

std::string ExpressionText(const Resolution& r, const Finding& f, const syntax::Expr& expr) {
  const RuleScope scope = FirstMembers(r, f);
  const Operand result = Evaluator(r.world, r.pack.rules[f.rule].pack, scope).Eval(expr);
  int64_t precision = 1;
  for (size_t s = 0; s < scope.bound().size(); ++s) {
    if ((result.bindings >> s & 1U) != 0 && scope.bound()[s].row != nullptr) {
      precision = scope.bound()[s].row->span.precision;
    }
  }
  return Cut(Print(result.value, precision), 500);
}

std::string PlaceholderText(const Resolution& r, const Finding& f, const syntax::Expr& expr) {
  const Rule& rule = r.pack.rules[f.rule];
  if (const auto* ref = std::get_if<syntax::RefExpr>(&expr.node); ref != nullptr && ref->parts.size() == 1) {
    const std::string& name = ref->parts[0].text;
    for (const auto& [key, value] : rule.keys) {
      if (key != name) continue;
      if (value != nullptr) return ExpressionText(r, f, *value);
      const RuleScope scope = FirstMembers(r, f);
      return Cut(scope.bound()[0].row == nullptr ? "?" : Print(scope.bound()[0].row->node, 1), 500);
    }
    for (const auto& [made, value] : rule.exports) {
      if (made == name) return Cut(Print(RowOfFinding(r.world, r.found.slots[f.rule], f, 0).fields.at(made), 1), 500);
    }
    if (name == "count") return std::to_string(CountOf(FirstOf(r.found.slots[f.rule], f.members)));
    if (name == "first") return f.begin.Unknown() ? "?" : model::FormatMoment(f.begin);
    if (name == "last") return f.end.Unknown() ? "?" : model::FormatMoment(f.end);
    if (name == "nodes") return NamesText(f.nodes);
    if (name == "gpus") return NamesText(f.gpus);
    std::vector<std::string> ranks;
    for (int64_t rank : f.ranks) ranks.push_back(std::to_string(rank));
    if (name == "ranks") return NamesText(ranks);
  }
  if (const auto* call = std::get_if<syntax::CallExpr>(&expr.node)) {
    const std::string& name = std::get<syntax::RefExpr>(call->arguments[0]->node).parts[0].text;
    const std::vector<Slot>& slots = r.found.slots[f.rule];
    for (size_t s = 0; s < slots.size(); ++s) {
      if (slots[s].name == name) return std::to_string(CountOf(f.members[s]));
    }
  }
  return ExpressionText(r, f, expr);
}

}  // namespace

std::string Explain(const Resolution& r, const Finding& finding) {
  std::string out;
  for (const Segment& segment : r.pack.rules[finding.rule].explain) {
    out += segment.placeholder ? PlaceholderText(r, finding, *segment.placeholder) : segment.literal;
  }
  return out;
}

model::FindingView ViewOf(const Resolution& r, uint32_t index, bool with_evidence) {
  const Finding& f = r.found.findings[index];
  const Rule& rule = r.pack.rules[f.rule];
  model::FindingView out;
  out.rule = rule.qualified;
  out.title = rule.title;
  out.doc = rule.doc;
  out.truth = f.bits.must ? model::Truth::kConfirmed : model::Truth::kPresumed;
  for (size_t k = 0; k < rule.keys.size(); ++k) out.keys.emplace_back(rule.keys[k].first, r.key_text[index][k]);
  out.explanation = Explain(r, f);
  out.count = CountOf(FirstOf(r.found.slots[f.rule], f.members));
  out.first = f.begin;
  out.last = f.end;
  out.nodes = f.nodes;
  out.gpus = f.gpus;
  for (int64_t rank : f.ranks) out.ranks.push_back(std::to_string(rank));
  out.open_places = f.open_places;
  std::set<uint32_t> records;
  for (const std::vector<Member>& members : f.members) {
    for (const Row* row : SeenOf(members)) records.insert(row->records.begin(), row->records.end());
  }
  out.evidence_total = records.size();
  if (!with_evidence) return out;
  const model::ObservationSet& set = r.world.set;
  size_t at = 0;
  for (uint32_t record : records) {
    if (at++ >= 8 && at != records.size()) continue;
    const model::Observation& o = set.observations[record];
    out.evidence.push_back(
        {set.IdOf(record), r.world.Name(o.source), r.world.Name(o.node), o.time, RecordText(set, o)});
  }
  return out;
}

}  // namespace attr::oracle
