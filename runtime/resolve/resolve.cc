#include "runtime/resolve/resolve.h"

#include "runtime/resolve/certainty.h"
#include "runtime/resolve/resolution.h"
#include "runtime/resolve/verdict_builder.h"

namespace attr::resolve {

Resolution::Resolution(const eval::Context& context, const eval::Evaluation& evaluation)
    : problem(context, evaluation), bounds(Bounds(problem)), flow(Run(problem, bounds)) {
  problem.tried = FindTried(problem, flow, bounds);
  if (!problem.tried.empty()) {
    bounds.tried.assign(problem.tried.size(), eval::kMayBit);
    flow = Run(problem, bounds);
  }
  terminal = FindTerminal(problem, bounds.outcome);
  summary = Summarize(problem, flow, eval::kPresumedBit, terminal.state);
}

model::Verdict BuildVerdict(const Resolution& r, const match::MatchResult& matched, const AttributeOptions& options) {
  const Problem& problem = r.problem;
  Building b{problem, r.bounds, r.flow, r.terminal, r.summary, {}, {}};
  model::Verdict& v = b.verdict;
  v.status = r.summary.status;
  if (r.summary.domain != plan::kNone)
    v.domain = std::string(problem.plan.Str(problem.plan.domains[r.summary.domain].path));
  v.terminal_state = std::string(plan::Name(r.terminal.state));
  for (uint32_t rule : r.terminal.unknown_before) {
    std::string state(plan::Name(problem.plan.rules[rule].state));
    auto& list = v.terminal_state_unknown_before;
    if (state != v.terminal_state && (list.empty() || list.back() != state)) list.push_back(state);
  }
  v.settled = IsSettled(problem, r.flow, r.terminal);
  BuildSymptoms(&b);
  BuildCauses(&b);
  BuildCandidates(&b);
  BuildUnevaluable(&b);
  if (!v.settled) v.would_change = FindWouldChange(problem, r.bounds, &v.would_change_more);
  BuildScope(matched, options.pack_sha256, &b);
  return std::move(b.verdict);
}

model::Verdict Resolve(const eval::Context& context, const eval::Evaluation& evaluation,
                       const match::MatchResult& matched, const AttributeOptions& options) {
  return BuildVerdict(Resolution(context, evaluation), matched, options);
}

}  // namespace attr::resolve
