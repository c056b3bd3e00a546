// Rules in the order in which they need each other: a rule that binds findings, or
// asks for the terminal state, after those (semantics.md S14).
#include <algorithm>

#include "tests/oracle/rule_finder.h"

namespace attr::oracle {

namespace {

class Strata {
 public:
  explicit Strata(World& world) : world_(world), rules_(world.pack.rules) {
    for (const Rule& rule : rules_) out_.slots.push_back(SlotsOf(rule));
    out_.of.resize(rules_.size());
    done_.resize(rules_.size());
    filled_.resize(world.pack.events.size());
  }

  Findings Run() {
    for (uint32_t r = 0; r < rules_.size(); ++r) Evaluate(r);
    for (std::vector<Finding>& of : out_.of) {
      for (Finding& finding : of) out_.findings.push_back(std::move(finding));
    }
    std::stable_sort(out_.limits.begin(), out_.limits.end(),
                     [](const LimitHit& a, const LimitHit& b) { return a.rule < b.rule; });
    return std::move(out_);
  }

 private:
  void Evaluate(uint32_t index) {
    if (done_[index]) return;
    done_[index] = true;
    const Rule& rule = rules_[index];
    for (const std::vector<Binding>& alternative : rule.alternatives) {
      for (const Binding& binding : alternative) Fill(binding.event);
    }
    if (rule.when_expr != nullptr) {
      if (auto finding = FindStalled(world_, index)) out_.of[index].push_back(std::move(*finding));
    } else {
      RuleFinder(world_, index, out_.slots[index]).Run(&out_);
    }
    // A finding over several clocks is on a clock of its own.
    for (size_t f = 0; f < out_.of[index].size(); ++f) {
      Span& span = out_.of[index][f].span;
      const std::string own = " " + std::to_string(index) + " " + std::to_string(f);
      if (span.clock == "mixed") span.clock += own;
      if (span.tie == "mixed") span.tie += own;
    }
  }

  void Fill(uint32_t index) {
    const Event& event = world_.pack.events[index];
    if (event.origin != Origin::kFindings || filled_[index]) return;
    filled_[index] = true;
    for (const uint32_t rule : event.rules) Evaluate(rule);
    for (uint32_t r = 0; event.decides && r < rules_.size(); ++r) {
      if (rules_[r].kind == Kind::kOutcome) Evaluate(r);
    }
    world_.rows[index] = RowsOfFindings(world_, out_, event);
  }

  World& world_;
  const std::vector<Rule>& rules_;
  Findings out_;
  std::vector<bool> done_, filled_;
};

}  // namespace

Findings Find(World& world) {
  Findings out = Strata(world).Run();
  FindClosings(world, &out);
  DrawEdges(world, &out);
  return out;
}

}  // namespace attr::oracle
