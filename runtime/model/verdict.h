// The verdict of one attempt (language.md section 9): a plain document, ready to
// be printed. Everything is resolved to text and numbers here; report/ decides
// only how it looks. Order of every list is canonical.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/model/observation_set.h"

namespace attr::model {

enum class VerdictStatus : uint8_t { kAttributed, kAmbiguous, kUnattributed, kNoFailure };
std::string_view Name(VerdictStatus status);
enum class Truth : uint8_t { kConfirmed, kPresumed, kPossible, kUnevaluable };
std::string_view Name(Truth truth);

struct Evidence {
  std::string observation;  // id
  std::string source;
  std::string node;  // empty: not known
  Moment time;
  std::string text;  // the record's text or a rendering of its attributes; at most 2,000 bytes
};
/// What a finding shows of itself wherever it is listed.
struct FindingView {
  std::string rule, title, doc;
  Truth truth = Truth::kConfirmed;
  std::vector<std::pair<std::string, std::string>> keys;  // "node" -> "n1"
  std::string explanation;
  uint64_t count = 0;  // distinct events of the first binding
  Moment first, last;
  std::vector<std::string> nodes, gpus, ranks;
  std::vector<std::string> open_places;  // nodes among which it could not choose; it then blames nobody
  std::vector<Evidence> evidence;        // the first 8 and the last
  uint64_t evidence_total = 0;
};
struct CauseView {
  FindingView finding;
  std::vector<std::string> domains;  // one, or alternatives
  std::vector<std::string> advise;
  std::vector<std::string> blamed_nodes, blamed_gpus;
  std::vector<uint32_t> explains;                                // indices into Verdict::symptoms, direct edges
  std::vector<std::pair<std::string, uint64_t>> explains_total;  // rule -> findings, direct edges, all of them
};
struct DemotedBy {
  std::string rule;
  std::string because;
  Truth truth = Truth::kConfirmed;  // of the edge
};
/// A symptom, or a cause that another finding demoted.
struct SymptomView {
  FindingView finding;
  bool is_cause = false;
  std::vector<std::string> suggests;
  std::vector<DemotedBy> demoted_by;  // empty: nothing explains it
  std::optional<uint32_t> parent;     // symptom index that it is printed under, when its demoter is one
  std::vector<std::string> blamed_nodes;
};
/// Findings of one rule fold into one line when there are many.
struct SymptomGroup {
  std::string rule, title;
  uint64_t findings = 0, events = 0;
  uint64_t unexplained = 0;  // findings that nothing demotes
  Moment first, last;
  std::vector<std::string> nodes;  // all, natural order
};
struct Candidate {
  std::string domain;
  std::vector<std::string> suggested_by;  // symptom rules
  std::vector<std::string> needs;         // evidence that would decide: "kernel on n2..n9"
};
struct FirstFailure {
  std::string rule, title;
  Moment time;
  std::vector<std::string> nodes;
  bool blames = false;  // it blames them; else it was seen there
};
struct Outranked {
  CauseView cause;
  std::string by_rule;
  std::string pair;             // "tag hardware > tag software"
  std::string clause, because;  // of an ambiguity clause: as it is written, and its reason; not in the JSON form
};
/// Two causes that an ambiguity clause keeps apart. Not in the JSON form; `attrc explain` has it.
struct StayTwo {
  std::string rule, other;
  std::string clause, because;
};
struct CoverageView {
  std::string source;
  std::string status;
  std::vector<std::string> nodes;  // empty: all
  Moment from, to;
  uint64_t observations = 0;
  std::string reason;
};
struct Unevaluable {
  std::string rule, title;
  std::string domain;
  std::vector<std::pair<std::string, std::vector<std::string>>> lacked;  // source -> places (empty: everywhere)
};
struct LimitView {
  std::string rule, limit;
  uint64_t value = 0, bound = 0;
};
struct WouldChange {
  std::string source;                                      // telemetry that would decide
  std::vector<std::string> places;                         // natural order; empty: everywhere
  std::vector<std::pair<std::string, uint64_t>> leads_to;  // domain or status -> number of causes
  std::vector<std::string> rules;
  std::string verdict;  // status the set would get; "jointly" for what only acts together
};
struct ScopeCount {
  std::string reason;  // "before the attempt", "after the attempt", "other node", "other attempt"
  uint64_t count = 0;
};
struct PackView {
  std::string name, version, sha256;
  std::vector<std::pair<std::string, std::string>> imports;  // name, version
};

struct Verdict {
  std::string attempt, job;
  Moment start, end;
  std::string terminal_state;
  std::vector<std::string> terminal_state_unknown_before;
  VerdictStatus status = VerdictStatus::kUnattributed;
  std::string domain;  // empty unless attributed
  bool settled = true;
  std::vector<CauseView> causes;
  std::vector<Candidate> candidates;
  std::optional<FirstFailure> first_failure;
  std::vector<SymptomView> symptoms;  // at most 9 per rule; groups count them all
  std::vector<SymptomGroup> symptom_groups;
  std::vector<std::pair<std::string, std::vector<std::string>>> affected_nodes;  // node -> cause rules
  std::vector<CauseView> bystanders, notable;
  std::vector<Outranked> outranked;
  std::vector<StayTwo> stay_two;
  std::vector<CauseView> possible;  // causes that are only possible: the first 8. Not in the JSON form either
  uint64_t possible_more = 0;
  std::vector<CoverageView> coverage;
  std::vector<Unevaluable> unevaluable;
  std::vector<LimitView> limits;
  std::vector<WouldChange> would_change;
  uint64_t would_change_more = 0;
  uint64_t observations_in = 0, observations_out = 0;
  std::vector<ScopeCount> out_of_scope;
  std::vector<std::string> warnings;
  PackView pack;
  std::string engine;  // version of attrc, never which engine ran: the bytes are the same
  std::string input_sha256;
};

}  // namespace attr::model
