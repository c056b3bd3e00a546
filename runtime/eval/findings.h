// What evaluation hands to resolution: findings of every rule, demotion edges
// between them, and what could not be evaluated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/eval/tables.h"

namespace attr::eval {

/// A column value outside a table: slot and presence, typed by the plan.
struct Value {
  plan::Type type = plan::Type::kText;
  bool present = false;
  int64_t slot = 0;
};

struct Members {
  uint64_t must = 0, presumed = 0, may = 0;  // distinct events in satisfying tuples, by bits
  bool unbounded = false;                    // a phantom is among may: the count has no upper bound
  std::vector<uint32_t> rows;                // the first 8 and the last seen (presumed, else may) rows, canonical order
};

struct Finding {
  uint32_t rule = 0;
  uint8_t bits = 0;                // TruthBits after `having`
  bool event_bound = false;        // some real event supports it; false: unevaluable
  std::vector<Value> keys;         // as Rule::keys
  std::vector<Value> exports;      // as Rule::exports
  std::vector<Members> members;    // per binding
  uint64_t records = 0;            // distinct observations behind the seen members of all bindings
  std::vector<uint32_t> evidence;  // all of them, ascending; only where another rule binds the finding
  // Span over presumed members (may members when there are none): begin of the earliest, end of the latest.
  model::Moment begin, end;
  int64_t clock = 0, tie = 0, skew = 0;
  std::vector<uint32_t> nodes, gpus;  // dictionary ids, natural order of their text
  std::vector<int64_t> ranks;         // ascending
  std::vector<uint32_t> blamed_nodes, blamed_gpus;
  bool place_open = false;            // S6: folded because one placeless event fits several; blames nobody
  std::vector<uint32_t> open_places;  // nodes among which it could not choose
  std::vector<uint32_t> gaps;         // unevaluable or possible: gaps whose phantoms it needs, ascending
};

struct Edge {
  uint32_t from = 0, to = 0;  // findings
  uint32_t demotion = 0;      // plan demotion
  uint8_t bits = 0;
};

struct Limit {
  uint32_t rule = 0;
  std::string name;  // "candidate pairs"
  uint64_t value = 0, bound = 0;
};

struct Evaluation {
  std::vector<Finding> findings;  // by rule, then canonical key order (begin, keys as text)
  std::vector<Edge> edges;        // by (to, from, demotion); at most one per triple
  std::vector<Limit> limits;      // rules over a limit have no findings and count as unevaluable
};

}  // namespace attr::eval
