// From findings to survivors: roots, bystanders, sieves, status, certainty on
// bounds, and what would change it (language.md section 6, semantics.md S1, S7).
#pragma once

#include <array>

#include "runtime/model/verdict.h"
#include "tests/oracle/findings.h"
#include "tests/oracle/precedence.h"

namespace attr::oracle {

/// Telemetry that would decide an unknown (S18).
struct Telemetry {
  std::string source;
  std::vector<std::string> places;  // natural order; empty: everywhere
};

/// Existence of everything on three readings. Entities are findings, then the
/// unevaluable causes that are tried.
struct Reading {
  std::vector<Bits> finding, edge, tried, outcome, closed;
};

struct Flow {
  std::vector<Bits> demoted, root, explains, bystander, survivor;  // by entity
  std::vector<Bits> closed;                                        // by finding: it gave way to what closed it
  std::vector<std::optional<Level>> dropped_at;                    // nominal
  std::vector<uint32_t> dropped_by;                                // rule
  std::vector<std::string> dropped_clause;                         // of ambiguity
  std::map<std::pair<size_t, size_t>, Bits> stay_two;              // pairs that no level below asks about
};

struct Answer {
  model::VerdictStatus status = model::VerdictStatus::kUnattributed;
  std::string domain;
  std::set<uint32_t> rules;
  std::set<std::string> blamed;
  std::string state;
  bool operator==(const Answer&) const = default;
};

class Resolution {
 public:
  Resolution(World& world, const Findings& found);

  World& world;
  const Pack& pack;
  const Findings& found;
  Precedence precedence;
  std::vector<uint32_t> canonical;  // findings by (begin, rule, keys as text)
  std::vector<uint32_t> rank;
  std::vector<std::vector<std::string>> key_text;
  std::vector<uint32_t> unevaluable;          // rules
  std::map<uint32_t, std::set<Gap>> lacking;  // rule: what its unevaluable findings lack
  std::vector<uint32_t> tried;                // rules
  Reading bounds;
  Flow flow;
  Terminal terminal;
  Answer nominal;

  uint32_t RuleOf(size_t entity) const {
    return entity < found.findings.size() ? found.findings[entity].rule : tried[entity - found.findings.size()];
  }
  size_t Entities() const { return found.findings.size() + tried.size(); }
  bool Is(size_t finding, Kind kind) const { return pack.rules[found.findings[finding].rule].kind == kind; }
  std::set<uint32_t> TargetsOf(uint32_t rule) const;

  Flow Run(const Reading& reading) const;
  Terminal TerminalOf(const Reading& reading) const;
  /// `which`: 0 surely, 1 nominal, 2 maybe.
  Answer Summarize(const Flow& of, int which, const std::string& state) const;
  bool IsSettled(const Reading& reading) const;
  /// Every combination of at most `most` unknowns gives one answer; nullopt: more unknowns.
  std::optional<bool> IsSettledByAllCombinations(size_t most) const;
  std::string CommonDomain(const std::set<uint32_t>& rules) const;

  std::vector<Telemetry> LackedBy(uint32_t rule) const;
  Telemetry NeededBy(const Finding& finding) const;
  Telemetry NeededByEdge(const Edge& edge) const;
  std::vector<model::WouldChange> WouldChange(uint64_t* more) const;

 private:
  void SortCanonically();
  void FindRoots(const Reading& reading, Flow* out) const;
  void RunLevel(const Reading& reading, Level level, Flow* out) const;
  void RunAmbiguity(Flow* out) const;
  void RunPreferences(Flow* out) const;
  Bits Prefers(const Preference& preference, size_t over, size_t under) const;
  Bits StillExplains(const Reading& reading, size_t finding) const;
  void Speak(const Clause& clause, size_t x, size_t y, const std::vector<Bits>& before, std::vector<Bits>* dropped,
             Flow* out) const;
  Bits Later(size_t x, size_t y, int64_t apart) const;
  Bits Share(const Reading& reading, size_t x, size_t y) const;
  std::vector<uint32_t> FindTried() const;
};

int Compare(const std::string& a, const std::string& b);  // natural order

}  // namespace attr::oracle
