#include "runtime/eval/evaluate.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "runtime/attribute.h"
#include "runtime/eval/bound_findings.h"
#include "runtime/eval/demotion.h"
#include "runtime/eval/rule_findings.h"
#include "runtime/plan/graph.h"

namespace attr::eval {
namespace {

class Timer {
 public:
  Timer(Stats* stats, const char* name) : stats_(stats), name_(name), start_(std::chrono::steady_clock::now()) {}
  ~Timer() {
    if (stats_ == nullptr) return;
    const auto nanos = std::chrono::steady_clock::now() - start_;
    stats_->phases.push_back({name_, static_cast<uint64_t>(nanos / std::chrono::nanoseconds(1))});
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  Stats* stats_;
  const char* name_;
  std::chrono::steady_clock::time_point start_;
};

class Run {
 public:
  Run(Context& context, const Engine& engine, const Limits& limits, Stats* stats)
      : context_(context), engine_(engine), limits_(limits), stats_(stats) {}

  Evaluation Go() {
    const KernelList kernels = KernelsOf(*context_.plan);
    std::optional<Memberships> memberships;
    {
      const Timer timer(stats_, "scan");
      memberships.emplace(context_, engine_, kernels);
    }
    {
      const Timer timer(stats_, "join");
      Rules(*memberships);
    }
    {
      const Timer timer(stats_, "demote");
      DropLimited();
      Demotions();
    }
    if (stats_ != nullptr) {
      stats_->candidate_pairs += pairs_;
      stats_->findings += out_.findings.size();
      stats_->edges += out_.edges.size();
    }
    return std::move(out_);
  }

 private:
  void Rules(Memberships& memberships) {
    const std::vector<plan::Rule>& rules = context_.plan->rules;
    std::vector<size_t> first_kernel;
    for (const plan::Rule& rule : rules) {
      first_kernel.push_back(first_demotion_kernel_);
      first_demotion_kernel_ += rule.joins.size();
    }
    BoundFindings bound(context_);
    std::vector<RuleOutcome> outcomes(rules.size());
    for (const uint32_t r : plan::EvaluationOrder(*context_.plan)) {
      for (const plan::Binding& binding : rules[r].bindings) {
        if (bound.Make(binding.event)) memberships.Bind(binding.event);
      }
      std::vector<Side> of_bindings;
      for (const plan::Binding& binding : rules[r].bindings) of_bindings.push_back(memberships.Of(binding));
      RuleSides sides = SidesOf(rules[r], r, std::move(of_bindings));
      sides.bound = bound.Binds(r);
      outcomes[r] = EvaluateRule(context_, sides, engine_, first_kernel[r], limits_);
      NumberClocks(outcomes[r].findings);
      bound.Done(r, outcomes[r]);
      pairs_ += outcomes[r].pairs;
    }
    for (RuleOutcome& outcome : outcomes) {
      for (Finding& finding : outcome.findings) out_.findings.push_back(std::move(finding));
      for (Limit& limit : outcome.limits) out_.limits.push_back(std::move(limit));
    }
  }

  std::vector<std::vector<uint32_t>> ByRule() const {
    std::vector<std::vector<uint32_t>> of_rule(context_.plan->rules.size());
    for (uint32_t f = 0; f < out_.findings.size(); ++f) of_rule[out_.findings[f].rule].push_back(f);
    return of_rule;
  }

  DemotionJoin JoinOf(uint32_t demotion, const std::vector<std::vector<uint32_t>>& of_rule) const {
    return {context_, engine_, first_demotion_kernel_ + demotion, demotion, out_.findings, of_rule};
  }

  bool Idle(uint32_t demotion, const std::vector<std::vector<uint32_t>>& of_rule) const {
    const plan::Demotion& d = context_.plan->demotions[demotion];
    if (of_rule[d.source].empty()) return true;
    return std::all_of(d.targets.begin(), d.targets.end(), [&](uint32_t rule) { return of_rule[rule].empty(); });
  }

  /// A rule whose demotions cost too much has no findings: half of its edges would
  /// be a different verdict, not a smaller one.
  void DropLimited() {
    const auto of_rule = ByRule();
    std::vector<uint8_t> limited(context_.plan->rules.size());
    for (uint32_t d = 0; d < context_.plan->demotions.size(); ++d) {
      if (Idle(d, of_rule)) continue;
      const uint64_t sources = of_rule[context_.plan->demotions[d].source].size();
      if (sources * out_.findings.size() <= limits_.candidate_pairs && !Exploded(d)) continue;
      const uint64_t pairs = JoinOf(d, of_rule).pairs();
      if (pairs <= limits_.candidate_pairs) continue;
      const uint32_t rule = context_.plan->demotions[d].source;
      if (limited[rule] == 0) out_.limits.push_back({rule, "candidate pairs", pairs, limits_.candidate_pairs});
      limited[rule] = 1;
    }
    std::erase_if(out_.findings, [&](const Finding& finding) { return limited[finding.rule] != 0; });
    std::stable_sort(out_.limits.begin(), out_.limits.end(),
                     [](const Limit& a, const Limit& b) { return a.rule < b.rule; });
  }
  bool Exploded(uint32_t demotion) const { return context_.plan->demotions[demotion].on != plan::DemoteOn::kAny; }

  void Demotions() {
    const auto of_rule = ByRule();
    for (uint32_t d = 0; d < context_.plan->demotions.size(); ++d) {
      if (Idle(d, of_rule)) continue;
      DemotionJoin join = JoinOf(d, of_rule);
      pairs_ += join.pairs();
      join.Run(&out_.edges);
    }
    SortEdges(out_.findings.size(), &out_.edges);
  }

  /// A finding over several clocks is on a clock of its own, far from what an input names.
  void NumberClocks(std::vector<Finding>& findings) {
    for (Finding& finding : findings) {
      const int64_t own = kMixed / 2 + own_clocks_++;
      if (finding.clock == kMixed) finding.clock = own;
      if (finding.tie == kMixed) finding.tie = own;
    }
  }

  Context& context_;
  const Engine& engine_;
  const Limits& limits_;
  Stats* stats_;
  Evaluation out_;
  uint64_t pairs_ = 0;
  int64_t own_clocks_ = 0;
  size_t first_demotion_kernel_ = 0;
};

}  // namespace

Evaluation Evaluate(Context& context, const Engine& engine, const Limits& limits, Stats* stats) {
  return Run(context, engine, limits, stats).Go();
}

}  // namespace attr::eval
