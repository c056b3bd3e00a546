#include "runtime/resolve/resolve.h"

#include "runtime/resolve/certainty.h"
#include "runtime/resolve/flow.h"
#include "runtime/resolve/verdict_builder.h"

namespace attr::resolve {

model::Verdict Resolve(const eval::Context& context, const eval::Evaluation& evaluation,
                       const match::MatchResult& matched, const AttributeOptions& options) {
  Problem problem(context, evaluation);
  Assignment bounds = Bounds(problem);
  Flow flow = Run(problem, bounds);
  problem.tried = FindTried(problem, flow, bounds);
  if (!problem.tried.empty()) {
    bounds.tried.assign(problem.tried.size(), eval::kMayBit);
    flow = Run(problem, bounds);
  }
  const Terminal terminal = FindTerminal(problem, bounds.outcome);
  const Summary summary = Summarize(problem, flow, eval::kPresumedBit, terminal.state);

  Building b{problem, bounds, flow, terminal, summary, {}, {}};
  model::Verdict& v = b.verdict;
  v.status = summary.status;
  if (summary.domain != plan::kNone)
    v.domain = std::string(problem.plan.Str(problem.plan.domains[summary.domain].path));
  v.terminal_state = std::string(plan::Name(terminal.state));
  for (uint32_t rule : terminal.unknown_before) {
    std::string state(plan::Name(problem.plan.rules[rule].state));
    auto& list = v.terminal_state_unknown_before;
    if (state != v.terminal_state && (list.empty() || list.back() != state)) list.push_back(state);
  }
  v.settled = IsSettled(problem, flow, terminal);
  BuildSymptoms(&b);
  BuildCauses(&b);
  BuildCandidates(&b);
  BuildUnevaluable(&b);
  if (!v.settled) v.would_change = FindWouldChange(problem, bounds, &v.would_change_more);
  BuildScope(matched, options.pack_sha256, &b);
  return std::move(b.verdict);
}

}  // namespace attr::resolve
