#include "runtime/explain/explain.h"

#include "runtime/explain/explainer.h"
#include "runtime/guarded.h"

namespace attr::explain {

namespace {

constexpr size_t kMaxSilent = 256;

void ExplainRules(const Explainer& e, const std::vector<uint32_t>& rules, Explanation* out) {
  for (const uint32_t rule : rules) out->rules.push_back(ExplainRule(e, rule, false));
  std::vector<bool> told(e.plan().rules.size());
  for (const uint32_t rule : rules) told[rule] = true;
  for (const eval::Finding& finding : e.evaluation.findings) told[finding.rule] = true;
  for (uint32_t r = 0; r < e.plan().rules.size(); ++r) {
    if (told[r] || e.plan().rules[r].kind != plan::RuleKind::kCause) continue;
    if (out->silent.size() == kMaxSilent) {
      ++out->silent_more;
    } else {
      out->silent.push_back(ExplainRule(e, r, true));
    }
  }
}

void AddConversions(const plan::Plan& plan, const match::MatchResult& matched, Explanation* out) {
  for (uint32_t event = 0; event < matched.conversions.size(); ++event) {
    const match::ConversionCounts& counts = matched.conversions[event];
    if (counts.failed == 0 && counts.left_missing == 0) continue;
    out->conversions.push_back({std::string(plan.Str(plan.events[event].name)), counts.failed, counts.left_missing});
  }
}

Result<Explanation> Run(const plan::Plan& plan, const model::ObservationSet& set, const std::vector<uint32_t>& rules,
                        const AttributeOptions& options) {
  eval::Context context;
  context.plan = &plan;
  context.set = &set;
  match::MatchOptions match_options;
  match_options.threads = options.threads;
  Result<match::MatchResult> matched = match::Match(context, match_options, nullptr);
  if (!matched.ok()) return matched.error();
  const eval::KernelList kernels = eval::KernelsOf(plan);
  const std::unique_ptr<eval::Engine> engine = eval::MakeInterpreter(plan, kernels);
  const eval::Evaluation evaluation = eval::Evaluate(context, *engine, eval::Limits(), nullptr);
  const eval::Memberships memberships(context, *engine, kernels);
  const resolve::Resolution resolution(context, evaluation);
  const Explainer explainer{context, *engine, kernels, memberships, evaluation, resolution, *matched};
  Explanation out;
  out.verdict = resolve::BuildVerdict(resolution, *matched, options);
  ExplainVerdict(explainer, &out);
  ExplainRules(explainer, rules, &out);
  ExplainUnknowns(explainer, &out);
  AddConversions(plan, *matched, &out);
  return out;
}

}  // namespace

Result<Explanation> Explain(const plan::Plan& plan, const model::ObservationSet& set,
                            const std::vector<uint32_t>& rules, const AttributeOptions& options) {
  return Guarded("explaining", [&] { return Run(plan, set, rules, options); });
}

}  // namespace attr::explain
