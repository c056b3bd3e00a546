// Wires match, engine, evaluation and resolution. No rule of any of them is here.
#include "runtime/attribute.h"

#include <chrono>

#include "runtime/engine_choice.h"
#include "runtime/eval/evaluate.h"
#include "runtime/guarded.h"
#include "runtime/match/match.h"
#include "runtime/resolve/resolve.h"

namespace attr {

namespace {

class Timer {
 public:
  Timer(Stats* stats, const char* name) : stats_(stats), name_(name) {}
  ~Timer() {
    auto nanos = std::chrono::nanoseconds(std::chrono::steady_clock::now() - start_).count();
    stats_->phases.push_back({name_, static_cast<uint64_t>(nanos)});
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  Stats* stats_;
  const char* name_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Result<model::Verdict> Run(const plan::Plan& plan, const model::ObservationSet& set, const AttributeOptions& options,
                           Stats* stats) {
  eval::Context context;
  context.plan = &plan;
  context.set = &set;
  match::MatchOptions match_options;
  match_options.threads = options.threads;
  Result<match::MatchResult> matched = [&] {
    Timer timer(stats, "match");
    return match::Match(context, match_options, stats);
  }();
  if (!matched.ok()) return matched.error();
  stats->observations = matched->scope.in;

  auto engine = MakeEngine(context, options, stats);
  if (!engine.ok()) return engine.error();
  const eval::Evaluation evaluation = eval::Evaluate(context, **engine, eval::Limits(), stats);

  Timer timer(stats, "resolve");
  return resolve::Resolve(context, evaluation, *matched, options);
}

}  // namespace

Result<model::Verdict> Attribute(const plan::Plan& plan, const model::ObservationSet& set,
                                 const AttributeOptions& options, Stats* stats) {
  Stats unread;
  return Guarded("evaluation", [&] { return Run(plan, set, options, stats != nullptr ? stats : &unread); });
}

}  // namespace attr
