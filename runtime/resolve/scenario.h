// For tests: a plan, an observation set and an evaluation written by hand, as
// resolution meets them. Rules stand in the order of their declaration: declare
// outcomes first, then causes and symptoms by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/resolve/resolve.h"

namespace attr::resolve {

inline constexpr uint8_t kSure = eval::kAllBits;
inline constexpr uint8_t kPresumed = eval::kPresumedBit | eval::kMayBit;
inline constexpr uint8_t kPossible = eval::kMayBit;

class Scenario {
 public:
  Scenario();

  uint32_t Domain(std::string_view path);
  uint32_t Cause(std::string_view name, const std::vector<std::string>& domains,
                 const std::vector<std::string>& tags = {});
  uint32_t Symptom(std::string_view name, const std::vector<std::string>& suggests = {});
  uint32_t Outcome(plan::TerminalState state);
  /// Returns the demotion's index.
  uint32_t Demotes(uint32_t source, std::vector<uint32_t> targets, std::string_view because = "");
  void RulePair(uint32_t above, uint32_t below) {
    Pair({plan::SideKind::kRule, above}, {plan::SideKind::kRule, below});
  }
  void TagPair(std::string_view above, std::string_view below);
  void DomainPair(std::string_view above, std::string_view below);
  void AllAboveTag(std::string_view below);

  /// A finding of one event at `seconds` on `node` ("" is no node), which it blames when it is a cause.
  uint32_t Find(uint32_t rule, std::string_view node, int64_t seconds, uint8_t bits = kSure);
  /// A gap of a source (node "": everywhere) and an unevaluable finding that needs it.
  uint32_t Unevaluable(uint32_t rule, std::string_view source, std::string_view node = "");
  uint32_t Gap(std::string_view source, std::string_view node = "");
  /// By a demotion of the origin's rule.
  void Edge(uint32_t from, uint32_t to, uint8_t bits = kSure);
  void Limit(uint32_t rule) { evaluation.limits.push_back({rule, "candidate pairs", 200, 100}); }

  model::Verdict Resolve();

  plan::Plan plan;
  model::ObservationSet set;
  eval::Context context;
  eval::Evaluation evaluation;
  match::MatchResult matched;

 private:
  plan::StrId Str(std::string_view text);
  uint32_t Rule(plan::RuleKind kind, std::string_view name);
  void Pair(plan::OrderSide above, plan::OrderSide below);
  void AddRow(uint32_t observation, int64_t nanos, std::string_view node);
};

}  // namespace attr::resolve
