// Symptoms and demoted causes, with who demoted them: all are counted by rule, at
// most nine of a rule are shown.
#include <algorithm>
#include <optional>

#include "runtime/resolve/values.h"
#include "runtime/resolve/verdict_builder.h"

namespace attr::resolve {

namespace {

constexpr size_t kShownFirst = 8;

void Widen(const eval::Finding& f, model::SymptomGroup* group) {
  if (group->findings == 0) {
    group->first = f.begin;
    group->last = f.end;
  } else if (!f.end.Unknown() && (group->last.Unknown() || f.end.hi > group->last.hi)) {
    group->last = f.end;
  }
}

class Symptoms {
 public:
  explicit Symptoms(Building* b) : b_(*b), p_(b->problem) {
    by_rule_.resize(p_.plan.rules.size());
    for (uint32_t f : p_.canonical) {
      bool listed = b_.Exists(f) && (p_.IsSymptom(f) || (p_.IsCause(f) && b_.Demoted(f)));
      if (!listed) continue;
      if (by_rule_[p_.RuleOf(f)].empty()) rules_.push_back(p_.RuleOf(f));
      by_rule_[p_.RuleOf(f)].push_back(f);
    }
  }

  void Build() {
    for (uint32_t rule : rules_) AddGroup(rule);
    std::vector<uint32_t> sample;
    for (uint32_t rule : rules_) AddSample(by_rule_[rule], &sample);
    std::sort(sample.begin(), sample.end(), [&](uint32_t x, uint32_t y) { return p_.rank[x] < p_.rank[y]; });
    b_.shown.assign(p_.FindingCount(), kNotShown);
    for (uint32_t i = 0; i < sample.size(); ++i) b_.shown[sample[i]] = i;
    for (uint32_t f : sample) b_.verdict.symptoms.push_back(View(f));
  }

 private:
  void AddGroup(uint32_t rule) {
    model::SymptomGroup group;
    group.rule = std::string(p_.plan.Str(p_.plan.rules[rule].name));
    group.title = std::string(p_.plan.Str(p_.plan.rules[rule].title));
    std::vector<uint32_t> nodes;
    for (uint32_t f : by_rule_[rule]) {
      const eval::Finding& finding = p_.evaluation.findings[f];
      Widen(finding, &group);
      ++group.findings;
      for (uint32_t b : FirstBindings(p_.plan.rules[rule])) {
        if (b < finding.members.size()) group.events += finding.members[b].presumed;
      }
      if (!b_.Demoted(f)) ++group.unexplained;
      nodes.insert(nodes.end(), finding.nodes.begin(), finding.nodes.end());
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    group.nodes = NameTexts(p_.context, nodes);
    b_.verdict.symptom_groups.push_back(std::move(group));
  }

  // The first eight and the last; where all of these are explained and some are
  // not, the first unexplained one takes the eighth place.
  void AddSample(const std::vector<uint32_t>& findings, std::vector<uint32_t>* out) const {
    std::vector<uint32_t> mine(findings.begin(), findings.begin() + std::min(findings.size(), kShownFirst));
    if (findings.size() > kShownFirst) {
      mine.push_back(findings.back());
      auto open = [&](uint32_t f) { return !b_.Demoted(f); };
      auto first = std::find_if(findings.begin(), findings.end(), open);
      if (first != findings.end() && std::none_of(mine.begin(), mine.end(), open)) mine[kShownFirst - 1] = *first;
    }
    out->insert(out->end(), mine.begin(), mine.end());
  }

  // Edges that hold into a finding, by the canonical order of their origins.
  std::vector<uint32_t> EdgesInto(uint32_t f) const {
    const auto& edges = p_.evaluation.edges;
    auto begin = std::lower_bound(p_.edges.begin(), p_.edges.end(), f,
                                  [&](uint32_t edge, uint32_t to) { return edges[edge].to < to; });
    std::vector<uint32_t> out;
    for (auto at = begin; at != p_.edges.end() && edges[*at].to == f; ++at) {
      if ((b_.EdgeBits(*at) & eval::kPresumedBit) != 0) out.push_back(*at);
    }
    std::stable_sort(out.begin(), out.end(),
                     [&](uint32_t x, uint32_t y) { return p_.rank[edges[x].from] < p_.rank[edges[y].from]; });
    return out;
  }

  model::SymptomView View(uint32_t f) const {
    const eval::Finding& finding = p_.evaluation.findings[f];
    const plan::Rule& rule = p_.plan.rules[finding.rule];
    model::SymptomView out;
    out.finding = ViewOf(p_, f, true);
    out.is_cause = rule.kind == plan::RuleKind::kCause;
    out.suggests = DomainTexts(p_.plan, rule.suggests);
    if (!finding.place_open) out.blamed_nodes = NameTexts(p_.context, finding.blamed_nodes);
    std::vector<uint32_t> edges = EdgesInto(f);
    out.parent = ParentOf(edges);
    std::vector<uint32_t> seen;
    for (uint32_t edge : edges) {
      const eval::Edge& e = p_.evaluation.edges[edge];
      uint32_t demoter = p_.RuleOf(e.from);
      if (std::find(seen.begin(), seen.end(), demoter) != seen.end()) continue;
      seen.push_back(demoter);
      model::DemotedBy by;
      by.rule = std::string(p_.plan.Str(p_.plan.rules[demoter].name));
      by.because = std::string(p_.plan.Str(p_.plan.demotions[e.demotion].because));
      by.truth = (b_.EdgeBits(edge) & eval::kMustBit) != 0 ? model::Truth::kConfirmed : model::Truth::kPresumed;
      out.demoted_by.push_back(std::move(by));
    }
    return out;
  }

  // The first parent that is printed somewhere: a root has its own place.
  std::optional<uint32_t> ParentOf(const std::vector<uint32_t>& edges) const {
    for (uint32_t edge : edges) {
      uint32_t from = p_.evaluation.edges[edge].from;
      if (b_.IsRoot(from)) return std::nullopt;
      if (b_.shown[from] != kNotShown) return b_.shown[from];
    }
    return std::nullopt;
  }

  Building& b_;
  const Problem& p_;
  std::vector<std::vector<uint32_t>> by_rule_;
  std::vector<uint32_t> rules_;  // by their first finding
};

}  // namespace

void BuildSymptoms(Building* building) { Symptoms(building).Build(); }

}  // namespace attr::resolve
