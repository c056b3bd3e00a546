// From an assignment to survivors and a status: roots, bystanders, levels
// (semantics.md S7), terminal state and status table (S15, S22). Every vector is
// by entity.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/model/verdict.h"
#include "runtime/resolve/problem.h"

namespace attr::resolve {

inline constexpr uint8_t kNoLevel = UINT8_MAX;
inline constexpr uint8_t kAmbiguityLevel = plan::kLevelCount;

/// Causes that an ambiguity clause keeps apart, in the nominal reading.
struct StayTwo {
  uint32_t a = 0, b = 0;  // rules, a < b
  uint32_t clause = 0;
  bool operator==(const StayTwo&) const = default;
};

struct Flow {
  std::vector<Bits> demoted;  // some edge leads into it
  std::vector<Bits> root;
  std::vector<Bits> explains;  // some edge leads from it to a finding that exists
  std::vector<Bits> bystander;
  std::vector<Bits> survivor;            // root, no bystander, left by every level
  std::vector<uint8_t> dropped_at;       // nominal: plan::Level, kAmbiguityLevel, kNoLevel
  std::vector<uint32_t> dropped_by;      // nominal: rule of the first root that stood above
  std::vector<uint32_t> dropped_clause;  // nominal: ambiguity clause, on its level
  std::vector<StayTwo> stay_two;         // each pair of rules and clause once
  std::vector<eval::Limit> ambiguity_limits;
};

Flow Run(const Problem& problem, const Assignment& assignment);

/// roots.cc: demoted, root, explains, bystander; survivor before the levels.
void FindRoots(const Problem& problem, const Assignment& assignment, Flow* flow);
/// levels.cc: the sieves.
void RunLevels(const Problem& problem, const Assignment& assignment, Flow* flow);

struct Terminal {
  plan::TerminalState state = plan::TerminalState::kUnknown;  // nominal
  std::vector<plan::TerminalState> possible;                  // every one that it may be, ascending
  std::vector<uint32_t> unknown_before;                       // outcome rules that may come first
};
Terminal FindTerminal(const Problem& problem, const std::vector<Bits>& outcome);

/// What `settled` compares. Of a success only the state counts.
struct Summary {
  model::VerdictStatus status = model::VerdictStatus::kUnattributed;
  uint32_t domain = plan::kNone;
  std::vector<uint32_t> rules;   // of survivors, ascending
  std::vector<uint32_t> blamed;  // nodes, dictionary ids, ascending
  plan::TerminalState state = plan::TerminalState::kUnknown;
  bool operator==(const Summary&) const = default;
};
/// On the reading that `mask` (one TruthBits) selects.
Summary Summarize(const Problem& problem, const Flow& flow, Bits mask, plan::TerminalState state);

/// The domain that rules with these alternatives are attributed to, or kNone (S15).
uint32_t CommonDomain(const plan::Plan& plan, const std::vector<uint32_t>& rules);

}  // namespace attr::resolve
