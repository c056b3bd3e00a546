// What `attrc explain` says: why this verdict, why not that rule, what telemetry
// would change it. A plain document, resolved to text and numbers; text.cc and
// json.cc decide how it looks. Every list is in canonical order and bounded; what a
// bound leaves out is counted beside it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/model/verdict.h"

namespace attr::explain {

/// One thing that a condition reads: "x.code" is "79"; "?" where it is missing.
struct ReadValue {
  std::string name, text;
};
struct Condition {
  std::string text;   // as the language writes it: "x.code == 149", "b within 60s after a"
  std::string truth;  // true, undecided (time or place), unknown (a value is missing), false
  std::vector<ReadValue> values;
  std::string missed_by;  // how far a relation of time was missed: "23s"; else empty
};
/// One binding of a rule, and observations bound to it.
struct Bound {
  std::string binding, event;
  uint64_t events = 0;                        // members of the finding, or events that there are
  std::vector<model::Evidence> observations;  // some of them
};
/// A demotion that holds between two steps.
struct Demotion {
  uint32_t to = 0;       // index in Explanation::steps
  std::string rule;      // of that step
  std::string clause;    // "demote tag collective within 2m"
  std::string because;   // empty: the clause gives none
  std::string place;     // "std.nvlink/links.attr:41"
  std::string truth;     // confirmed, presumed
  std::string distance;  // "begins 1.5s after", empty where a time is not known
};
/// A finding on the way from causes to symptoms.
struct Step {
  std::string rule, title;
  std::string role;   // cause, demoted cause, symptom, bystander, outranked, notable, closed, possible
  std::string truth;  // confirmed, presumed, possible
  std::vector<ReadValue> keys;
  std::vector<std::string> nodes;
  model::Moment first, last;
  std::vector<Bound> bindings;
  std::vector<Condition> conditions;  // of the first tuple that satisfies the rule
  std::vector<Demotion> demotes;
  uint64_t demotes_more = 0;
};
/// A root that precedence dropped.
struct Outranked {
  std::string rule, by_rule;
  std::string level;   // rule, ambiguity, tag, domain, prefer
  std::string clause;  // the pairs, or the clause of an ambiguity
  std::string because;
  std::vector<std::string> nodes;
};
/// Two causes that an ambiguity clause keeps apart.
struct StayTwo {
  std::string rule, other, clause, because;
};
/// What became of a rule, and of one that found nothing the first condition that failed.
struct WhyNot {
  std::string rule, title, kind;  // kind: cause, symptom, outcome
  /// cause, symptom, terminal state, demoted, outranked, bystander, notable, closed, possible,
  /// unevaluable, limit, silent
  std::string state;
  std::string sentence;  // the answer in one
  /// Of a silent rule: event, where, key, time, place, condition, same observation, without,
  /// unless, having; else empty.
  std::string failed;
  std::string binding;                // at which it failed
  std::vector<Bound> bindings;        // the nearest candidate: what the bindings were tried with
  std::vector<Condition> conditions;  // those that failed on it, then others of the same binding
  std::vector<std::string> sources;   // no event: what there is of what it reads, a sentence a source
  uint64_t looked_at = 0;             // candidates; with `more`: there were more
  bool more = false;
};
/// Why something is unknown (semantics.md S18).
struct Reason {
  std::string kind;         // coverage, time, place, field, label, inventory, limit
  std::string source;       // coverage: of telemetry; else of the record
  std::string place;        // coverage: node, empty everywhere
  model::Moment from, to;   // coverage
  std::string observation;  // id
  std::string name;         // field: "x.code"; limit
};
struct Unknown {
  std::string rule, title;
  std::string what;                   // "a finding on n1", "demotes nccl_timeout", "could not be evaluated"
  std::string truth;                  // presumed, possible, unevaluable
  std::vector<std::string> verdicts;  // statuses that deciding it leads to; jointly: only with others
  std::vector<Reason> reasons;
  uint64_t reasons_more = 0;
};
/// Values that could not be read.
struct Conversions {
  std::string event;
  uint64_t dropped = 0;       // a required field: no event
  uint64_t left_missing = 0;  // an optional one
};

struct Explanation {
  model::Verdict verdict;
  std::vector<Step> steps;  // causes first, then what they demote, breadth first
  uint64_t steps_more = 0;
  std::vector<Outranked> outranked;
  uint64_t outranked_more = 0;
  std::vector<StayTwo> stay_two;
  std::vector<WhyNot> rules;   // asked for
  std::vector<WhyNot> silent;  // all other causes that found nothing, in short
  uint64_t silent_more = 0;
  std::vector<Unknown> unknowns;
  uint64_t unknowns_more = 0;
  std::vector<Conversions> conversions;
};

}  // namespace attr::explain
