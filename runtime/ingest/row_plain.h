// Rows as nearly all producers write them, read in one pass without the JSON
// parser: known keys in any order, strings of printable ASCII without escapes,
// numbers, words, flat `attrs`, at most one blank after a colon or comma. What is
// accepted here is JSON and means what the parser would have read; at anything
// else the scan gives up, and the parser reads the line from its beginning.
// Internal to this room.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "runtime/ingest/row_draft.h"
#include "runtime/ingest/stamp_reader.h"

namespace attr::ingest {

class PlainScanner {
 public:
  PlainScanner() { next_.fill(RowKey::kUnknown); }

  /// Where the line ends (after its line end) that starts at `begin`, with its row in
  /// `draft`; or nullptr, with `attributes` as they were. Zeros stand behind `end`.
  const char* Scan(const char* begin, const char* end, std::optional<int64_t> time_unit, RowDraft* draft,
                   std::vector<model::Attribute>* attributes);

 private:
  std::array<RowKey, kRowKeys.size() + 1> next_;  // the key that followed this one in the row before
  StampReader stamps_;
};

}  // namespace attr::ingest
