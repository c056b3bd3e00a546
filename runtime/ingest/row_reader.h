// Observations of a set, one JSON object at a time: typed fields, places through
// the inventory, attributes flattened, duplicate ids dropped or refused. Internal
// to this room.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/ingest/finish.h"
#include "runtime/ingest/header.h"
#include "runtime/ingest/json_cursor.h"
#include "runtime/ingest/name_cache.h"
#include "runtime/ingest/row_draft.h"
#include "runtime/ingest/row_plain.h"
#include "runtime/ingest/stamp_reader.h"
#include "runtime/model/observation_set.h"

namespace attr::ingest {

class RowReader {
 public:
  explicit RowReader(model::ObservationSet* set);

  /// Of the file under way.
  void SetTimeUnit(std::optional<int64_t> unit) { time_unit_ = unit; }
  /// Appends one observation. `begin` is where its object starts.
  bool Read(Cursor* cursor, simdjson::ondemand::object object, const char* begin);
  /// The same without the parser where that is possible: where the line ends, or
  /// nullptr (row_plain.h). FinishPlain appends the row.
  const char* ScanPlain(const char* begin, const char* end) {
    return plain_.Scan(begin, end, time_unit_, &draft_, &set_->attributes);
  }
  bool FinishPlain(Cursor* cursor, const char* begin) {
    cursor_ = cursor;
    return Finish(begin);
  }
  /// After the row that the last Read appended (or dropped) was read from [begin, end).
  void CountReplaced(bool replaced) { set_->counts.invalid_utf8 += replaced ? 1 : 0; }
  /// Fields that were seen in no place known: for warnings.
  const UnknownKeys& unknown() const { return unknown_; }
  const RowFacts& facts() const { return facts_; }
  /// How an id's first observation is found again: by where its id's bytes stand.
  using Locate = std::string (*)(void* context, const char* at);
  void SetLocate(Locate locate, void* context) {
    locate_ = locate;
    locate_context_ = context;
  }

 private:
  bool Field(RowKey key, std::string_view name, Cursor::Value value);
  bool Rank(Cursor::Value value);
  bool Sequence(Cursor::Value value);
  bool Number(Cursor::Value value);
  bool NoteUnknown(std::string_view name);
  bool ReadText(Cursor::Value value, std::string_view what, std::string_view* out);
  bool Time(Cursor::Value value);
  bool TimeEnd(Cursor::Value value, std::string_view what, std::optional<model::Moment>* out);
  bool TimeRange(Cursor::Value value);
  bool Attributes(Cursor::Value value, int depth);
  bool AttributeValue(Cursor::Value value, std::string_view key, int depth);
  bool AppendAttribute(Cursor::Value value, std::string_view key);
  bool FinishAttributes(const char* begin);
  bool Finish(const char* begin);
  bool FinishPlace();
  bool DropDuplicate(bool* dropped, const char* begin);
  void GrowIds();

  RowKey KeyOf(std::string_view name, size_t position);
  uint32_t Node(std::string_view name);
  uint32_t Gpu(uint32_t node, std::string_view name);
  uint32_t StreamOf(const model::Observation& row);

  model::ObservationSet* set_;
  Cursor* cursor_ = nullptr;
  RowDraft draft_;
  PlainScanner plain_;
  StampReader stamps_;
  std::optional<int64_t> time_unit_;
  std::array<RowKey, 32> guess_;  // the keys of the row before, in its order
  NameCache names_;
  std::vector<uint32_t> node_of_name_;                  // by interner id of the written name
  std::unordered_map<uint64_t, uint32_t> gpu_of_name_;  // node, written name
  std::unordered_map<uint64_t, uint32_t> stream_of_;    // observer, source
  /// The hash beside the row, so that a probe touches the row only when it is the one.
  struct IdSlot {
    uint32_t row = model::kNoId;
    uint32_t hash = 0;
  };
  std::vector<IdSlot> ids_;  // open addressing; at most 2^27 slots (ReadLimits), so 32 bits of hash are enough
  size_t id_count_ = 0;
  std::string path_;  // of the attribute under way
  UnknownKeys unknown_;
  std::vector<std::string> unknown_here_;  // of the row under way
  RowFacts facts_;
  Locate locate_ = nullptr;
  void* locate_context_ = nullptr;
};

}  // namespace attr::ingest
