// Lines to rows: episodes, lines with their recovery, runs of true windows
// (semantics.md S16). Stamps are compared as they are: matching is two-valued and
// knows no tolerance.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/eval/tables.h"

namespace attr::match {

/// What becomes one row: the first line's fields, with another span.
struct FoldedRow {
  uint32_t first = 0;              // row of the lines' table: the line whose fields it has
  uint32_t span_first = 0;         // row whose begin it has: `first`, or the first of a run's first window
  uint32_t span_last = 0;          // row whose end it has
  uint32_t last = 0;               // its last line, or the line that ends its last window
  uint32_t count = 0;              // lines, or windows
  uint32_t closing = plan::kNone;  // row of the closing event
  bool one_clock = true;           // of all its lines
  int64_t skew = 0;                // the largest of them
};

/// Rows of the lines with equal keys and one tie, key by key; a missing key is a value.
/// Inside a key they stand by begin, then by row.
std::vector<std::vector<uint32_t>> KeyedLines(const eval::Table& lines, const std::vector<uint32_t>& keys);

/// `closing` (may be null) is the closing event's finished table. Ascending by `first`.
std::vector<FoldedRow> FoldLines(const plan::Fold& fold, const eval::Table& lines, const eval::Table* closing);

/// Known from one moment to another: the line takes part in silences and orders.
bool IsTimed(const eval::Table& lines, uint32_t row);

}  // namespace attr::match
