// What telemetry would change the verdict: every unknown that keeps it open, with the
// reasons that `would_change` folds into words (semantics.md S18).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "runtime/explain/explainer.h"

namespace attr::explain {

namespace {

constexpr size_t kMaxUnknowns = 64;
constexpr size_t kMaxReasons = 16;

class Unknowns {
 public:
  Unknowns(const Explainer& e, Explanation* out) : e_(e), out_(*out) {}

  void Build() {
    for (const uint32_t f : e_.problem().canonical) AddFinding(f);
    AddEdges();
    for (const uint32_t rule : e_.problem().tried) AddRule(rule);
    for (uint32_t r = 0; r < e_.resolution.bounds.outcome.size(); ++r) {
      const resolve::Bits bits = e_.resolution.bounds.outcome[r];
      if (!resolve::IsKnown(bits) && !HasFinding(r)) AddRule(r);
    }
  }

 private:
  void Add(Unknown unknown) {
    if (out_.unknowns.size() == kMaxUnknowns) {
      ++out_.unknowns_more;
      return;
    }
    if (unknown.reasons.size() > kMaxReasons) {
      unknown.reasons_more = unknown.reasons.size() - kMaxReasons;
      unknown.reasons.resize(kMaxReasons);
    }
    out_.unknowns.push_back(std::move(unknown));
  }

  Unknown Of(uint32_t rule, std::string what, std::string truth) const {
    Unknown out{e_.RuleName(rule), e_.RuleTitle(rule), std::move(what), std::move(truth), {}, {}, 0};
    for (const model::WouldChange& change : out_.verdict.would_change) {
      const bool named = std::find(change.rules.begin(), change.rules.end(), out.rule) != change.rules.end();
      const bool known = std::find(out.verdicts.begin(), out.verdicts.end(), change.verdict) != out.verdicts.end();
      if (named && !known) out.verdicts.push_back(change.verdict);
    }
    return out;
  }

  bool HasFinding(uint32_t rule) const {
    return std::any_of(e_.evaluation.findings.begin(), e_.evaluation.findings.end(),
                       [rule](const eval::Finding& f) { return f.rule == rule && f.event_bound; });
  }

  void AddFinding(uint32_t f) {
    const eval::Finding& finding = e_.evaluation.findings[f];
    const bool outcome = e_.plan().rules[finding.rule].kind == plan::RuleKind::kOutcome;
    const resolve::Bits bits = outcome ? finding.bits : e_.resolution.bounds.finding[f];
    if (resolve::IsKnown(bits) || !finding.event_bound) return;
    const bool presumed = Explainer::Nominal(bits);
    const std::string place = e_.PlaceOf(f);
    Unknown unknown =
        Of(finding.rule, "a finding" + (place.empty() ? "" : " " + place), presumed ? "presumed" : "possible");
    AddGaps(finding.gaps, &unknown.reasons);
    AddRows(finding, &unknown.reasons);
    Add(std::move(unknown));
  }

  /// Edges of one clause between two rules are one unknown; its reasons are those of the first.
  void AddEdges() {
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::pair<uint32_t, uint64_t>> kinds;
    for (const uint32_t edge : e_.problem().edges) {
      const eval::Edge& one = e_.evaluation.edges[edge];
      if (resolve::IsKnown(e_.resolution.bounds.edge[edge]) || !e_.Exists(one.from)) continue;
      auto& kind = kinds[{e_.problem().RuleOf(one.from), e_.problem().RuleOf(one.to), one.demotion}];
      if (kind.second++ == 0) kind.first = edge;
    }
    for (const auto& [key, kind] : kinds) {
      const eval::Edge& one = e_.evaluation.edges[kind.first];
      const std::string target = e_.RuleName(std::get<1>(key));
      Unknown unknown = Of(std::get<0>(key),
                           kind.second == 1 ? "whether it demotes " + target
                                            : fmt::format("whether it demotes {} findings of {}", kind.second, target),
                           Explainer::Nominal(e_.resolution.bounds.edge[kind.first]) ? "presumed" : "possible");
      AddRows(e_.evaluation.findings[one.to], &unknown.reasons);
      AddRows(e_.evaluation.findings[one.from], &unknown.reasons);
      Add(std::move(unknown));
    }
  }

  void AddRule(uint32_t rule) {
    Unknown unknown = Of(rule, "could not be evaluated", "unevaluable");
    AddGaps(e_.problem().rule_gaps[rule], &unknown.reasons);
    for (const eval::Limit& limit : e_.evaluation.limits) {
      if (limit.rule != rule) continue;
      Reason reason;
      reason.kind = "limit";
      reason.name = fmt::format("{}: {} of at most {}", limit.name, limit.value, limit.bound);
      unknown.reasons.push_back(std::move(reason));
    }
    Add(std::move(unknown));
  }

  void AddGaps(const std::vector<uint32_t>& gaps, std::vector<Reason>* out) const {
    for (const uint32_t index : gaps) {
      const eval::Gap& gap = e_.context.gaps[index];
      Reason reason;
      reason.source = std::string(e_.plan().Str(gap.source));
      reason.kind = reason.source == "inventory" ? "inventory" : "coverage";
      if (gap.node != model::kNoId) reason.place = std::string(e_.context.set->NameOf(gap.node));
      reason.from = {gap.from, gap.from, 0};  // as many digits as it has
      reason.to = {gap.to, gap.to, 0};
      out->push_back(std::move(reason));
    }
    std::stable_sort(out->begin(), out->end(), [](const Reason& a, const Reason& b) {
      if (a.source != b.source) return NaturalLess(a.source, b.source);
      if (a.place != b.place) return NaturalLess(a.place, b.place);
      return a.from.lo < b.from.lo;
    });
  }

  /// What the records of a finding lack: times, places, fields that the rule reads.
  void AddRows(const eval::Finding& finding, std::vector<Reason>* out) const {
    const TracedRule traced = TraceRule(e_.context, e_.memberships, finding.rule);
    for (uint32_t b = 0; b < finding.members.size() && b < traced.sides.size(); ++b) {
      if (traced.rule->bindings[b].kind == plan::BindKind::kWith) continue;  // it decides nothing
      const std::vector<uint32_t> columns = ColumnsRead(traced, b);
      for (const uint32_t row : finding.members[b].rows) AddRow(traced, b, row, columns, out);
    }
  }

  std::vector<uint32_t> ColumnsRead(const TracedRule& traced, uint32_t binding) const {
    std::vector<uint32_t> columns;
    const plan::Event& event = *traced.names[binding].event;
    for (uint32_t b = 0; b < traced.sides.size(); ++b) {
      for (const Part& part : PartsOf(e_.plan(), *traced.rule, b)) {
        if (part.kind == Part::Kind::kKey) {
          if (part.binding == binding) columns.push_back(part.key->right);
          if (part.left == binding) columns.push_back(part.key->left);
        }
        for (uint32_t i = 0; i < part.frame.size(); ++i) {
          if (part.frame[i] == binding) ColumnsOf(e_.plan(), part.expr, i, event, &columns);
        }
      }
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
  }

  void AddRow(const TracedRule& traced, uint32_t binding, uint32_t row, const std::vector<uint32_t>& columns,
              std::vector<Reason>* out) const {
    const eval::Table& table = *traced.sides[binding].table;
    std::vector<model::Evidence> evidence;
    AddObservations(e_.context, table, row, &evidence);
    if (evidence.empty()) return;
    const auto add = [&](const char* kind, const std::string& name) {
      Reason reason;
      reason.kind = kind;
      reason.source = evidence.front().source;
      reason.observation = evidence.front().observation;
      reason.name = name;
      out->push_back(std::move(reason));
    };
    const auto slot = [&](uint32_t column) { return table.columns[column].slots[row]; };
    const bool stamp = slot(plan::kBeginLo) == slot(plan::kBeginHi) && slot(plan::kEndLo) == slot(plan::kEndHi);
    if (!stamp) add("time", "");
    if (!table.columns[plan::kNode].Has(row)) add("place", "");
    for (const uint32_t column : columns) {
      if (column < plan::kSystemColumns || table.columns[column].Has(row)) continue;
      const plan::Event& event = *traced.names[binding].event;
      const bool label = column >= event.DerivedColumn(0) &&
                         event.derived[column - event.DerivedColumn(0)].kind == plan::DerivedKind::kLabel;
      add(label ? "label" : "field", plan::PrintColumn(e_.plan(), column, traced.names[binding]));
    }
  }

  const Explainer& e_;
  Explanation& out_;
};

}  // namespace

void ExplainUnknowns(const Explainer& explainer, Explanation* out) {
  if (!out->verdict.settled) Unknowns(explainer, out).Build();
}

}  // namespace attr::explain
