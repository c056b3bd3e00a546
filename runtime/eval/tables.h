// The columns that evaluation works on: event tables (from match/) and finding
// tables (from grouping). A table is a vector of 64-bit slot columns with
// presence bits; 64 rows share one presence word.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/base/interner.h"
#include "runtime/model/observation_set.h"
#include "runtime/plan/plan.h"

namespace attr::eval {

/// 64 rows a word, row i is bit i % 64 of word i / 64; bits past the end are 0.
using Bitmap = std::vector<uint64_t>;
inline size_t WordsFor(size_t rows) { return (rows + 63) / 64; }
inline bool Test(const Bitmap& bits, size_t i) { return (bits[i / 64] >> (i % 64) & 1U) != 0; }
inline void Set(Bitmap& bits, size_t i) { bits[i / 64] |= uint64_t{1} << (i % 64); }

struct Column {
  std::vector<int64_t> slots;  // empty when the plan says that nobody reads it
  Bitmap present;
  /// Whether the row has a value here; an empty bitmap means that every row has one.
  bool Has(size_t row) const { return !slots.empty() && (present.empty() || Test(present, row)); }
};

/// Three planes of one condition; must is a subset of presumed, presumed of may.
struct Planes {
  Bitmap must, presumed, may;
};
/// The same for one row or pair, as bits.
enum TruthBits : uint8_t { kMayBit = 1, kPresumedBit = 2, kMustBit = 4, kAllBits = 7 };

/// A finding as a row: all its places, and how exactly either end is known.
struct FindingExtent {
  std::vector<uint32_t> nodes, gpus;
  std::vector<int64_t> ranks;
  int64_t begin_precision = 0, end_precision = 0;
};

struct Table {
  size_t rows = 0;
  std::vector<Column> columns;        // as plan::Event numbers them
  std::vector<uint32_t> observation;  // per row; model::kNoId for phantoms and findings
  /// Row i is a phantom of coverage gap phantom_gap[i - first_phantom].
  size_t first_phantom = 0;           // == rows when there are none
  std::vector<uint32_t> phantom_gap;  // indices into Gaps::gaps
  uint64_t window_samples = 0;        // of an event with windows: in the largest one

  // Of rows that are no observations (plan::EventOrigin), each per row; else empty.
  std::vector<uint8_t> bits;                    // how true the row is: TruthBits
  std::vector<uint32_t> identity;               // what tells it from the rows of related events
  std::vector<std::vector<uint32_t>> lacks;     // gaps that leave it less than certain
  std::vector<std::vector<uint32_t>> evidence;  // observations behind it, ascending
  std::vector<FindingExtent> extents;           // of findings: what their columns cannot hold
  bool timeless = false;                        // plan::IsTimeless: no moment, not even an unknown one

  uint32_t IdentityOf(size_t row) const { return identity.empty() ? observation[row] : identity[row]; }
  /// Gaps that a phantom, or a row that is not certain, stands for.
  void AppendGaps(size_t row, std::vector<uint32_t>* out) const {
    if (!lacks.empty()) {
      out->insert(out->end(), lacks[row].begin(), lacks[row].end());
    } else if (row >= first_phantom) {
      out->push_back(phantom_gap[row - first_phantom]);
    }
  }
  /// Observations behind a real row.
  void AppendEvidence(size_t row, std::vector<uint32_t>* out) const {
    if (!evidence.empty()) {
      out->insert(out->end(), evidence[row].begin(), evidence[row].end());
    } else if (row < observation.size() && observation[row] != model::kNoId) {
      out->push_back(observation[row]);
    }
  }
};

/// One blind time (semantics.md S4): no covering interval of any carrier holds it.
struct Gap {
  plan::StrId source = 0;        // first alternative's name, as reported
  uint32_t node = model::kNoId;  // ObservationSet::names id; kNoId: a source without place
  int64_t from = plan::kBeforeAll, to = plan::kAfterAll;
};

/// Text, node, gpu and domain values of one evaluation. Ids depend on the input
/// and reach no output order.
struct Context {
  const plan::Plan* plan = nullptr;
  const model::ObservationSet* set = nullptr;
  Interner dictionary;
  /// Plan::constants as dictionary ids; behind them the elements of sets (DerivedKind::kSetSpan).
  std::vector<int64_t> constants;
  std::vector<Table> events;  // by plan event index
  /// While events are matched: what folded ones were before, for those that extend them.
  std::vector<Table> lines;
  /// The rows that an event which extends this one refines.
  const Table& LinesOf(uint32_t event) const {
    return event < lines.size() && !lines[event].columns.empty() ? lines[event] : events[event];
  }
  std::vector<Gap> gaps;
  int64_t default_skew = 0;
  /// Fills the derived columns of a table made after matching; set by match::Match.
  std::function<void(const plan::Event&, Table&)> derive;
};

}  // namespace attr::eval
