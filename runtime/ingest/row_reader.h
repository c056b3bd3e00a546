// Observations of a set, one JSON object at a time: typed fields, places through
// the inventory, attributes flattened, duplicate ids dropped or refused. Internal
// to this room.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/ingest/header.h"
#include "runtime/ingest/json_cursor.h"
#include "runtime/ingest/stamp_reader.h"
#include "runtime/model/observation_set.h"

namespace attr::ingest {

enum class RowKey : uint8_t {
  kId,
  kSource,
  kTime,
  kTimeRange,
  kObserver,
  kNode,
  kRank,
  kGpu,
  kStream,
  kSeq,
  kClock,
  kName,
  kValue,
  kUnit,
  kSeverity,
  kText,
  kAttrs,
  kAttempt,
  kJob,
  kUnknown,
};
inline constexpr std::array<std::string_view, 19> kRowKeys{
    "id",    "source", "time",  "time_range", "observer", "node", "rank",  "gpu",     "stream", "seq",
    "clock", "name",   "value", "unit",       "severity", "text", "attrs", "attempt", "job"};

inline constexpr size_t kMaxAttributes = UINT32_MAX - 1;
model::Attribute AttributeOf(std::string_view key, const ScalarValue& scalar);

class RowReader {
 public:
  explicit RowReader(model::ObservationSet* set);
  RowReader(const RowReader&) = delete;  // it holds places inside itself
  RowReader& operator=(const RowReader&) = delete;

  /// Of the file under way.
  void SetTimeUnit(std::optional<int64_t> unit) { time_unit_ = unit; }
  /// Appends one observation. `begin` is where its object starts.
  bool Read(Cursor* cursor, simdjson::ondemand::object object, const char* begin);
  /// The same without the JSON parser for a row written as nearly all are
  /// (row_plain.cc). Where the row's line ends (after the line end), or nullptr:
  /// nothing has changed, the parser has to read it. FinishPlain appends the row.
  const char* ScanPlain(const char* begin, const char* end);
  bool FinishPlain(Cursor* cursor, const char* begin) {
    cursor_ = cursor;
    return Finish(begin);
  }
  /// After the row that the last Read appended (or dropped) was read from [begin, end).
  void CountReplaced(bool replaced) { set_->counts.invalid_utf8 += replaced ? 1 : 0; }
  /// Fields that were seen in no place known: for warnings.
  const UnknownKeys& unknown() const { return unknown_; }
  /// How an id's first observation is found again: by where its id's bytes stand.
  using Locate = std::string (*)(void* context, const char* at);
  void SetLocate(Locate locate, void* context) {
    locate_ = locate;
    locate_context_ = context;
  }

 private:
  struct Raw {          // one row's names before they are ids
    uint32_t seen = 0;  // bit per RowKey
    std::string_view source, observer, node, gpu, stream, clock, attempt, job;
  };
  void StartRow();
  bool Field(RowKey key, std::string_view name, Cursor::Value value);
  bool Rank(Cursor::Value value);
  bool Sequence(Cursor::Value value);
  bool Number(Cursor::Value value);
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
  const char* PlainKey(const char* at, RowKey* key);
  const char* PlainValue(const char* at, RowKey key);
  const char* PlainTime(const char* at);
  const char* PlainNumberOf(const char* at, RowKey key);
  const char* PlainAttributes(const char* at);
  const char* PlainFields(const char* at);
  bool DropDuplicate(bool* dropped, const char* begin);
  void GrowIds();

  RowKey KeyOf(std::string_view name, size_t position);
  /// Interner::Intern behind a small direct-mapped cache: names repeat.
  uint32_t Name(std::string_view name);
  uint32_t Node(std::string_view name);
  uint32_t Gpu(uint32_t node, std::string_view name);
  uint32_t StreamOf(const model::Observation& row);

  model::ObservationSet* set_;
  Cursor* cursor_ = nullptr;
  model::Observation row_;
  Raw raw_;
  std::array<std::string_view*, kRowKeys.size() + 1> texts_{};  // where a key's text goes; null: it is no text
  std::array<RowKey, kRowKeys.size() + 1> next_;                // the key that followed this one in the row before
  StampReader stamps_;
  std::optional<int64_t> time_unit_;
  std::array<RowKey, 32> guess_;  // the keys of the row before, in its order
  std::vector<std::pair<std::string_view, uint32_t>> recent_names_;
  std::vector<uint32_t> node_of_name_;                  // by interner id of the written name
  std::unordered_map<uint64_t, uint32_t> gpu_of_name_;  // node, written name
  std::unordered_map<uint64_t, uint32_t> stream_of_;    // observer, source
  std::vector<uint32_t> ids_;                           // open addressing, rows by hash of id
  size_t id_count_ = 0;
  std::string path_;  // of the attribute under way
  UnknownKeys unknown_;
  Locate locate_ = nullptr;
  void* locate_context_ = nullptr;
};

}  // namespace attr::ingest
