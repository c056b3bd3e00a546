// Causes and the roots that are none: bystanders, outranked, notable. Every root
// is listed; evidence stands with the first 8 and the last of each rule.
#include <algorithm>
#include <map>

#include "runtime/base/interner.h"
#include "runtime/model/time_text.h"
#include "runtime/resolve/verdict_builder.h"

namespace attr::resolve {

namespace {

constexpr size_t kWithEvidence = 8;

struct NaturalOrder {
  bool operator()(const std::string& a, const std::string& b) const { return NaturalLess(a, b); }
};

class Causes {
 public:
  explicit Causes(Building* b) : b_(*b), p_(b->problem) {
    CountExplained();
    ListExplained();
    by_rule_.resize(p_.plan.rules.size());
    for (uint32_t f = 0; f < p_.FindingCount(); ++f) {
      if (b_.IsRoot(f)) ++by_rule_[p_.RuleOf(f)].total;
    }
  }

  void Build() {
    bool succeeded = b_.summary.status == model::VerdictStatus::kNoFailure;
    for (uint32_t f : p_.canonical) {
      if (!b_.IsRoot(f)) continue;
      if (succeeded) {
        b_.verdict.notable.push_back(View(f));
      } else if ((b_.flow.bystander[f] & eval::kPresumedBit) != 0) {
        b_.verdict.bystanders.push_back(View(f));
      } else if (b_.flow.dropped_at[f] != kNoLevel) {
        AddOutranked(f);
      } else {
        b_.verdict.causes.push_back(View(f));
      }
    }
    AddStayTwo();
    AddPossible();
    std::map<std::string, std::vector<std::string>, NaturalOrder> affected;
    for (const model::CauseView& cause : b_.verdict.causes) {
      for (const std::string& node : cause.blamed_nodes) {
        std::vector<std::string>& rules = affected[node];
        if (std::find(rules.begin(), rules.end(), cause.finding.rule) == rules.end())
          rules.push_back(cause.finding.rule);
      }
    }
    b_.verdict.affected_nodes.assign(affected.begin(), affected.end());
  }

 private:
  struct Listed {
    size_t total = 0, seen = 0;
  };

  void AddStayTwo() {
    for (const StayTwo& pair : b_.flow.stay_two) {
      const auto& rules = b_.summary.rules;
      const bool both = std::binary_search(rules.begin(), rules.end(), pair.a) &&
                        std::binary_search(rules.begin(), rules.end(), pair.b);
      if (!both) continue;
      const plan::AmbiguityClause& clause = p_.plan.ambiguity[pair.clause];
      b_.verdict.stay_two.push_back({std::string(p_.plan.Str(p_.plan.rules[pair.a].name)),
                                     std::string(p_.plan.Str(p_.plan.rules[pair.b].name)), ClauseText(p_.plan, clause),
                                     std::string(p_.plan.Str(clause.because))});
    }
  }

  /// No roots, but what was seen of them is worth a look.
  void AddPossible() {
    for (uint32_t f : p_.canonical) {
      if (!p_.IsCause(f) || b_.bounds.finding[f] == kNo || b_.Exists(f)) continue;
      if (b_.verdict.possible.size() == kWithEvidence) {
        ++b_.verdict.possible_more;
        continue;
      }
      b_.verdict.possible.push_back(CauseOf(p_, f, true));
      b_.verdict.possible.back().finding.truth = model::Truth::kPossible;
    }
  }

  void AddOutranked(uint32_t f) {
    const bool clause = b_.flow.dropped_at[f] == kAmbiguityLevel;
    const auto level = static_cast<plan::Level>(b_.flow.dropped_at[f]);
    uint32_t by = b_.flow.dropped_by[f];
    model::Outranked out;
    out.cause = View(f);
    out.by_rule = std::string(p_.plan.Str(p_.plan.rules[by].name));
    out.pair = clause ? std::string(p_.plan.Str(p_.plan.ambiguity[b_.flow.dropped_clause[f]].text))
                      : p_.order.Text(level, by, p_.RuleOf(f));
    if (clause) {
      const plan::AmbiguityClause& spoke = p_.plan.ambiguity[b_.flow.dropped_clause[f]];
      out.clause = ClauseText(p_.plan, spoke);
      out.because = std::string(p_.plan.Str(spoke.because));
    }
    b_.verdict.outranked.push_back(std::move(out));
  }

  model::CauseView View(uint32_t f) {
    Listed& listed = by_rule_[p_.RuleOf(f)];
    bool with_evidence = listed.seen < kWithEvidence || listed.seen + 1 == listed.total;
    ++listed.seen;
    model::CauseView out = CauseOf(p_, f, with_evidence);
    auto begin = totals_.lower_bound({f, 0});
    for (auto at = begin; at != totals_.end() && at->first.first == f; ++at) {
      out.explains_total.emplace_back(p_.plan.Str(p_.plan.rules[at->first.second].name), at->second);
    }
    auto list = explains_.find(f);
    if (list != explains_.end()) out.explains = list->second;
    return out;
  }

  // Two demotions may join the same pair; edges stand by (to, from).
  template <class F>
  void EachPair(F&& f) const {
    const eval::Edge* last = nullptr;
    for (uint32_t i : p_.edges) {
      const eval::Edge& e = p_.evaluation.edges[i];
      if ((b_.EdgeBits(i) & eval::kPresumedBit) == 0 || !b_.IsRoot(e.from) || !b_.Exists(e.to)) continue;
      if (last != nullptr && last->to == e.to && last->from == e.from) continue;
      last = &e;
      f(e);
    }
  }

  void CountExplained() {
    EachPair([&](const eval::Edge& e) { ++totals_[{e.from, p_.RuleOf(e.to)}]; });
  }

  void ListExplained() {
    EachPair([&](const eval::Edge& e) {
      if (b_.shown[e.to] != kNotShown) explains_[e.from].push_back(b_.shown[e.to]);
    });
    for (auto& [cause, list] : explains_) std::sort(list.begin(), list.end());
  }

  Building& b_;
  const Problem& p_;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> totals_;  // (root, rule) -> findings
  std::map<uint32_t, std::vector<uint32_t>> explains_;
  std::vector<Listed> by_rule_;
};

}  // namespace

std::string ClauseText(const plan::Plan& plan, const plan::AmbiguityClause& clause) {
  static constexpr const char* kThen[] = {"", " then earliest", " then latest"};
  std::string out(plan.Str(clause.text));
  if (clause.within != plan::kNoWindow) out += " within " + model::FormatDuration(clause.within);
  if (clause.apart != plan::kNoWindow) out += " unless apart " + model::FormatDuration(clause.apart);
  return out + kThen[static_cast<size_t>(clause.then)];
}

void BuildCauses(Building* building) { Causes(building).Build(); }

}  // namespace attr::resolve
