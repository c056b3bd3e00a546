// What resolution works on: one evaluation, digested once (Problem), and one way
// to read its unknowns (Assignment). Certainty and would_change run the same
// steps on other assignments, so there is one implementation of every rule.
//
// An *entity* is a finding or, behind them, an unevaluable cause that is tried
// (semantics.md S1): a finding without times, places and fields, whose own
// demotions all hold and against which nothing is certain.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/eval/findings.h"
#include "runtime/plan/graph.h"
#include "runtime/resolve/kleene.h"

namespace attr::resolve {

/// Order::Above, asked once per pair of rules.
class AboveMemo {
 public:
  explicit AboveMemo(const plan::Plan& plan);
  bool Above(plan::Level level, uint32_t x, uint32_t y) const;
  bool Empty(plan::Level level) const { return order_.Empty(level); }
  /// The pairs that put x above y, as written.
  std::string Text(plan::Level level, uint32_t x, uint32_t y) const;

 private:
  const plan::Plan* plan_;
  plan::Order order_;
  mutable std::vector<uint8_t> memo_[plan::kLevelCount];  // 0 unknown, 1 no, 2 yes
};

struct Problem {
  explicit Problem(const eval::Context& context, const eval::Evaluation& evaluation);

  const eval::Context& context;
  const plan::Plan& plan;
  const eval::Evaluation& evaluation;
  AboveMemo order;
  std::vector<uint32_t> canonical;                 // findings by (begin, rule name, keys as text)
  std::vector<uint32_t> rank;                      // place of each finding in it
  std::vector<std::vector<std::string>> key_text;  // per finding
  std::vector<uint32_t> edges;                     // by (to, from, demotion)
  std::vector<std::vector<uint32_t>> targets;      // per rule: rules that its demotions name, ascending
  std::vector<std::vector<uint32_t>> rule_gaps;    // per rule: gaps of its unevaluable findings, ascending
  std::vector<uint32_t> unevaluable;               // rules with something unevaluable, ascending
  std::vector<uint32_t> tried;                     // of those: causes that are tried, ascending

  size_t FindingCount() const { return evaluation.findings.size(); }
  size_t EntityCount() const { return FindingCount() + tried.size(); }
  bool IsTried(size_t entity) const { return entity >= FindingCount(); }
  uint32_t RuleOf(size_t entity) const {
    return IsTried(entity) ? tried[entity - FindingCount()] : evaluation.findings[entity].rule;
  }
  bool IsCause(size_t entity) const { return plan.rules[RuleOf(entity)].kind == plan::RuleKind::kCause; }
  bool IsSymptom(size_t finding) const {
    return plan.rules[evaluation.findings[finding].rule].kind == plan::RuleKind::kSymptom;
  }
};

/// Existence of everything, on three readings.
struct Assignment {
  std::vector<Bits> finding;  // unevaluable ones: no
  std::vector<Bits> edge;     // by index in Evaluation::edges, whether or not its ends exist
  std::vector<Bits> tried;    // by index in Problem::tried
  std::vector<Bits> outcome;  // by rule; other kinds: no
};

/// What evaluation says. Tried causes may be.
Assignment Bounds(const Problem& problem);
/// The nominal reading of it: everything known.
Assignment Decided(const Assignment& bounds);

}  // namespace attr::resolve
