// One record against one event: text, unless, captures, conversions. What follows
// (expressions, where, since) works on whole tables, see finish.h.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "runtime/match/match.h"
#include "runtime/match/places.h"
#include "runtime/match/program.h"

namespace attr::match {

/// Rows of one event before `where`: columns by field index, filled where the
/// field comes from the record.
struct RowSet {
  std::vector<uint32_t> observation;
  std::vector<uint32_t> parent_row;  // of a child event
  std::vector<eval::Column> fields;
};

/// Matches of `each` that count of one record; further ones are cut off.
inline constexpr size_t kMostMatches = 256;

class RecordMatcher {
 public:
  /// `dictionary` takes the ids of texts: the evaluation's, or one thread's own.
  RecordMatcher(const eval::Context& context, Places& places, Interner& dictionary, size_t record_bytes)
      : context_(context), places_(places), dictionary_(dictionary), record_bytes_(record_bytes) {
    recent_.fill(Interner::kNone);
  }

  /// Appends a row when the record gives the event, with `each` one for every match. `parent_row` is a row of the
  /// parent's finished table (kNone: a root event).
  bool Try(const EventProgram& program, uint32_t observation, uint64_t alternatives, uint32_t parent_row, RowSet& rows);

  uint64_t failed_conversions() const { return failed_; }
  uint64_t left_missing() const { return left_missing_; }
  const std::vector<ConversionCounts>& conversions() const { return conversions_; }
  uint64_t cut_records() const { return cut_; }
  bool IsLong(const model::Observation& observation) const { return observation.text.size() > record_bytes_; }

 private:
  struct Subject {
    const EventProgram* program = nullptr;
    const model::Observation* observation = nullptr;
    uint32_t number = 0;  // of the observation
    uint32_t parent_row = plan::kNone;
    std::string_view text;  // cut to record_bytes
  };
  std::string_view Cut(std::string_view text) const;
  bool MatchTexts(const Subject& subject, uint64_t alternatives, bool on_record);
  bool TryEach(const Subject& subject, RowSet& rows);
  bool Excluded(const Subject& subject) const;
  bool AddRow(const Subject& subject, RowSet& rows);
  bool MatchClause(const Subject& subject, uint32_t clause, uint64_t alternatives);
  std::optional<std::string_view> TextOf(const Subject& subject, uint32_t column);
  std::optional<int64_t> Convert(const Subject& subject, size_t field, bool& given);
  uint32_t Intern(std::string_view text);
  std::optional<int64_t> FromText(const plan::Field& field, std::string_view text);
  std::optional<int64_t> FromAttribute(const Subject& subject, const plan::Field& field, bool& given);
  std::optional<int64_t> FromList(const Subject& subject, const plan::Field& field, bool& given);
  std::optional<int64_t> FromBuiltin(const Subject& subject, const plan::Field& field, bool& given);
  std::optional<int64_t> FromNumber(const plan::Field& field, double value);
  const model::Attribute* FindAttribute(const Subject& subject, const plan::Field& field) const;
  std::string_view BuiltinText(const model::Observation& observation, std::string_view name) const;

  const eval::Context& context_;
  Places& places_;
  Interner& dictionary_;
  size_t record_bytes_;
  std::vector<std::string_view> captures_;  // by field index; null data: not captured
  std::vector<std::string_view> regions_;   // whole lines that a text clause matched
  std::vector<std::optional<int64_t>> values_;
  std::array<uint32_t, 64> recent_;  // dictionary ids of texts met lately
  ConversionCounts& CountsOf(uint32_t event) {
    if (conversions_.size() <= event) conversions_.resize(event + 1);
    return conversions_[event];
  }
  uint64_t failed_ = 0, left_missing_ = 0, cut_ = 0;
  std::vector<ConversionCounts> conversions_;  // by event
};

}  // namespace attr::match
