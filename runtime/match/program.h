// The plan's events prepared for matching: which columns must exist, which groups
// each pattern captures, which events read which source with which literals.
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/eval/tables.h"
#include "runtime/match/carriers.h"
#include "runtime/match/lazy_regex.h"
#include "runtime/match/literal_scan.h"

namespace attr::match {

struct ClauseProgram {
  const plan::TextClause* clause = nullptr;
  std::vector<std::unique_ptr<LazyRegex>> alternatives;
};

struct FieldProgram {
  const plan::Field* field = nullptr;
  uint32_t column = 0;
  bool stored = false;   // somebody reads the column
  bool checked = false;  // required, and its conversion can fail: read even when not stored
  bool read() const { return stored || checked; }
};

struct EventProgram {
  const plan::Event* event = nullptr;
  uint32_t index = 0, root = 0;
  bool active = false;    // wanted by this run
  bool phantoms = false;  // some rule binds it
  std::vector<ClauseProgram> clauses;
  std::unique_ptr<LazyRegex> each;  // null: one row a record
  std::vector<std::unique_ptr<LazyRegex>> unless;
  std::vector<FieldProgram> fields;
  std::vector<uint32_t> from_record;  // fields that are read and stand in the record itself
  bool extended = false;              // others extend it
  /// A required clause on the record's text whose alternatives all have literals, or
  /// one past the clauses for `each`;
  /// kNone: every record of the sources is tried.
  uint32_t filter = plan::kNone;
  std::vector<std::vector<Literal>> filter_literals;  // by alternative
};

struct ProgramOptions {
  uint32_t only_event = plan::kNone;  // this event and its ancestors; all its fields are stored
};

/// By plan event index. Fields named node, rank and gpu are always read: they place the event.
std::vector<EventProgram> MakePrograms(const plan::Plan& plan, const ProgramOptions& options);

/// The events that read one source.
class SourceProgram {
 public:
  struct Condition {
    std::string_view metric;                 // empty: any name
    const eval::Bitmap* admitted = nullptr;  // null: all
  };
  struct Reader {
    uint32_t event = 0;
    std::vector<Condition> conditions;  // one of them holds
  };
  struct Item {
    uint32_t observation = 0, event = 0;
    uint64_t alternatives = 0;  // of the filter clause, by bit; the last bit stands for all further ones
  };

  void Add(uint32_t event, Condition condition);
  /// Some records of the source; decides on the scanner, not on what it finds.
  struct Sample {
    std::vector<std::string_view> texts;
    size_t all_bytes = 0;  // of all its records, about
  };
  void Prepare(const std::vector<EventProgram>& programs, const Sample& sample);

  /// Working memory of one thread.
  struct Scratch {
    std::vector<uint32_t> observations;
    std::vector<std::string_view> texts;
    std::vector<Hit> hits;
    std::unique_ptr<LiteralScanner::Scratch> scanner;
  };
  Scratch MakeScratch() const;
  /// Appends what may match among scratch.observations, in their order.
  void Scan(const model::ObservationSet& set, Scratch& scratch, std::vector<Item>& items) const;

 private:
  static bool Holds(const Reader& reader, const model::Observation& observation, uint32_t index);
  void Emit(const model::ObservationSet& set, uint32_t observation, const Hit* begin, const Hit* end,
            std::vector<Item>& items) const;

  std::vector<Reader> readers_;
  std::vector<uint32_t> unfiltered_;                                       // readers tried on every record
  std::unordered_map<std::string_view, std::vector<uint32_t>> by_metric_;  // readers without a filter, by name
  struct Target {
    uint32_t reader = 0;
    uint64_t alternatives = 0;
  };
  std::vector<std::vector<Target>> targets_;  // by literal
  std::unique_ptr<LiteralScanner> scanner_;
};

}  // namespace attr::match
