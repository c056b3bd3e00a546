#include "runtime/ingest/row_reader.h"

#include <algorithm>
#include <functional>

#include "runtime/model/canonical.h"

namespace attr::ingest {

namespace {

using model::kNoId;
using model::Moment;
using model::Observation;

constexpr uint32_t kUnset = UINT32_MAX - 1;

uint64_t Pair(uint32_t a, uint32_t b) { return static_cast<uint64_t>(a) << 32 | b; }

}  // namespace

RowReader::RowReader(model::ObservationSet* set) : set_(set), names_(&set->names) { guess_.fill(RowKey::kUnknown); }

/// Rows of one file have their keys in one order nearly always.
RowKey RowReader::KeyOf(std::string_view name, size_t position) {
  RowKey guess = position < guess_.size() ? guess_[position] : RowKey::kUnknown;
  if (guess != RowKey::kUnknown && kRowKeys[static_cast<size_t>(guess)] == name) return guess;
  for (size_t i = 0; i < kRowKeys.size(); ++i) {
    if (kRowKeys[i] != name) continue;
    if (position < guess_.size()) guess_[position] = static_cast<RowKey>(i);
    return static_cast<RowKey>(i);
  }
  return RowKey::kUnknown;
}

bool RowReader::Read(Cursor* cursor, simdjson::ondemand::object object, const char* begin) {
  cursor_ = cursor;
  draft_.Start(set_->attributes.size());
  unknown_here_.clear();
  size_t position = 0;
  for (auto item : object) {
    simdjson::ondemand::field field;
    if (auto code = std::move(item).get(field)) return cursor->FailJson(code, begin);
    std::string_view name;
    const char* at = field.key().raw();
    if (!cursor->Key(&field, &name)) return false;
    RowKey key = KeyOf(name, position++);
    uint32_t bit = 1U << static_cast<unsigned>(key);
    if (key != RowKey::kUnknown && (draft_.names.seen & bit) != 0) {
      return cursor->Fail(at, "the key \"" + std::string(name) + "\" stands twice");
    }
    draft_.names.seen |= bit;
    if (key == RowKey::kUnknown && !NoteUnknown(name)) {
      return cursor->Fail(at, "the key \"" + std::string(name) + "\" stands twice");
    }
    if (!Field(key, name, field.value())) return false;
  }
  return Finish(begin);
}

/// False: the row has had it already.
bool RowReader::NoteUnknown(std::string_view name) {
  if (std::find(unknown_here_.begin(), unknown_here_.end(), name) != unknown_here_.end()) return false;
  unknown_here_.emplace_back(name);
  return true;
}

bool RowReader::ReadText(Cursor::Value value, std::string_view what, std::string_view* out) {
  if (cursor_->ReadPlainText(value, out)) return true;
  std::optional<std::string_view> text;
  if (!cursor_->ReadText(value, what, &text)) return false;
  if (text) *out = *text;
  return true;
}

bool RowReader::Field(RowKey key, std::string_view name, Cursor::Value value) {
  if (std::string_view* text = draft_.Text(key)) return ReadText(value, name, text);
  switch (key) {
    case RowKey::kTime:
      return Time(value);
    case RowKey::kTimeRange:
      return TimeRange(value);
    case RowKey::kRank:
      return Rank(value);
    case RowKey::kSeq:
      return Sequence(value);
    case RowKey::kValue:
      return Number(value);
    case RowKey::kAttrs:
      if (*cursor_->Token(value) == 'n') return cursor_->Skip(value);
      if (!cursor_->IsObject(value)) return cursor_->WrongType(value, name, "an object");
      path_.clear();
      return Attributes(value, 0);
    default:
      if (name == "schema") {
        return cursor_->Fail(cursor_->Token(value), "a second header in one file",
                             "pass the files one by one: each has its own header");
      }
      ++unknown_[std::string(name)];
      return cursor_->Skip(value);
  }
}

bool RowReader::Rank(Cursor::Value value) {
  std::optional<int64_t> rank;
  if (!cursor_->ReadInt(value, "rank", &rank)) return false;
  if (!rank) return true;
  if (*rank < 0 || *rank >= INT32_MAX) return cursor_->Fail(cursor_->Token(value), "\"rank\" is out of range");
  draft_.row.rank = static_cast<int32_t>(*rank);
  return true;
}

bool RowReader::Sequence(Cursor::Value value) {
  std::optional<int64_t> position;
  if (!cursor_->ReadInt(value, "seq", &position)) return false;
  if (!position) return true;
  if (*position < 0 || *position == INT64_MAX) return cursor_->Fail(cursor_->Token(value), "\"seq\" is out of range");
  draft_.row.position = *position;
  return true;
}

bool RowReader::Number(Cursor::Value value) {
  if (cursor_->IsObject(value) || cursor_->IsArray(value)) return cursor_->WrongType(value, "value", "a number");
  ScalarValue scalar;
  if (!cursor_->Read(value, &scalar)) return false;
  if (scalar.kind == Scalar::kNull) return true;
  if (scalar.kind == Scalar::kText || scalar.kind == Scalar::kBool) {
    return cursor_->WrongType(value, "value", "a number");
  }
  draft_.row.value = scalar.number;
  draft_.row.has_value = true;
  return true;
}

bool RowReader::TimeEnd(Cursor::Value value, std::string_view what, std::optional<Moment>* out) {
  constexpr std::string_view kTypes = "an RFC 3339 string or an integer";
  if (cursor_->IsObject(value) || cursor_->IsArray(value)) return cursor_->WrongType(value, what, kTypes);
  ScalarValue scalar;
  if (!cursor_->Read(value, &scalar)) return false;
  if (scalar.kind == Scalar::kNull) return true;
  if (scalar.kind == Scalar::kText) {
    *out = stamps_.Read(scalar.text);
  } else if (scalar.kind == Scalar::kInt) {
    if (!time_unit_) {
      return cursor_->Fail(cursor_->Token(value), "an integer time without \"time_unit\" in the header",
                           "add \"time_unit\":\"ns\" (or us, ms, s)");
    }
    *out = TimeOf(scalar.integer, *time_unit_);
  } else if (scalar.kind != Scalar::kBigInt) {
    return cursor_->WrongType(value, what, kTypes);
  }
  if (!*out) draft_.row.input_time_unreadable = true;
  return true;
}

bool RowReader::Time(Cursor::Value value) {
  std::optional<Moment> moment;
  if (!TimeEnd(value, "time", &moment)) return false;
  if (moment) draft_.row.time = *moment;
  return true;
}

bool RowReader::TimeRange(Cursor::Value value) {
  const char* at = cursor_->Token(value);
  if (*at == 'n') return cursor_->Skip(value);
  if (!cursor_->IsArray(value)) return cursor_->WrongType(value, "time_range", "a list of two times");
  simdjson::ondemand::array array;
  if (auto code = value.get_array().get(array)) return cursor_->FailJson(code, at);
  std::array<std::optional<Moment>, 2> ends;
  size_t count = 0;
  for (auto item : array) {
    Cursor::Value element;
    if (auto code = std::move(item).get(element)) return cursor_->FailJson(code, at);
    if (count == ends.size()) return cursor_->Fail(at, "\"time_range\" has more than two times");
    if (!TimeEnd(element, "time_range", &ends[count++])) return false;
  }
  if (count != ends.size()) return cursor_->Fail(at, "\"time_range\" has less than two times");
  Moment& time = draft_.row.time;
  if (ends[0]) time = {ends[0]->lo, plan::kAfterAll, ends[0]->precision};
  if (ends[1]) {
    time.hi = ends[1]->lo;
    time.precision = std::max(time.precision, ends[1]->precision);
  }
  if (time.lo > time.hi) {
    // An end written to the second may be any moment of it.
    int64_t latest = ends[1]->lo + ends[1]->precision - 1;
    if (latest < time.lo) return cursor_->Fail(at, "\"time_range\" ends before it begins");
    time.hi = latest;
  }
  return true;
}

uint32_t RowReader::Node(std::string_view name) {
  uint32_t written = names_.Intern(name);
  if (written >= node_of_name_.size()) node_of_name_.resize(written + written / 2 + 64, kUnset);
  uint32_t& node = node_of_name_[written];
  if (node == kUnset) node = set_->ResolveNode(name);
  return node;
}

uint32_t RowReader::Gpu(uint32_t node, std::string_view name) {
  auto [it, added] = gpu_of_name_.emplace(Pair(node, names_.Intern(name)), kNoId);
  if (added) it->second = set_->ResolveGpu(node, name);
  return it->second;
}

/// Positions without a named stream count what one observer wrote as one source.
uint32_t RowReader::StreamOf(const Observation& row) {
  auto [it, added] = stream_of_.emplace(Pair(row.observer, row.source), kNoId);
  if (added) {
    std::string name(set_->NameOf(row.observer));
    name.append("/").append(set_->NameOf(row.source));
    it->second = set_->names.Intern(name);
  }
  return it->second;
}

bool RowReader::FinishPlace() {
  const RowDraft::Names& raw = draft_.names;
  if (!raw.node.empty()) {
    draft_.row.node = Node(raw.node);
  } else if (draft_.row.rank >= 0) {
    draft_.row.node = set_->NodeOfRank(draft_.row.rank);
  }
  if (draft_.row.node == kNoId && set_->attempt.nodes.size() == 1) draft_.row.node = set_->attempt.nodes.front().node;
  draft_.row.observer = raw.observer.empty() ? draft_.row.node : Node(raw.observer);
  if (!raw.gpu.empty()) draft_.row.gpu = Gpu(draft_.row.node, raw.gpu);
  if (!raw.stream.empty()) {
    draft_.row.stream = names_.Intern(raw.stream);
  } else if (draft_.row.position >= 0) {
    draft_.row.stream = StreamOf(draft_.row);
  }
  if (!raw.attempt.empty()) draft_.row.attempt = names_.Intern(raw.attempt);
  if (!raw.job.empty()) draft_.row.job = names_.Intern(raw.job);
  if (raw.clock.empty()) return true;
  for (uint32_t i = 0; i < set_->clocks.size(); ++i) {
    if (set_->clocks[i].name != raw.clock) continue;
    draft_.row.clock = i;
    return true;
  }
  return cursor_->Fail(
      raw.clock.data(), "the clock \"" + std::string(raw.clock) + "\" is not declared",
      "declare it in the header: \"clocks\":[{\"name\":\"" + std::string(raw.clock) + "\",\"tied\":false}]");
}

bool RowReader::Finish(const char* begin) {
  constexpr uint32_t kBothTimes =
      1U << static_cast<unsigned>(RowKey::kTime) | 1U << static_cast<unsigned>(RowKey::kTimeRange);
  if (draft_.names.source.empty()) return cursor_->Fail(begin, "an observation without \"source\"");
  if ((draft_.names.seen & kBothTimes) == kBothTimes) return cursor_->Fail(begin, "both \"time\" and \"time_range\"");
  draft_.row.source = names_.Intern(draft_.names.source);
  if (!FinishPlace() || !FinishAttributes(begin)) return false;
  bool dropped = false;
  if (!draft_.row.id.empty() && !DropDuplicate(&dropped, begin)) return false;
  if (dropped) {
    set_->attributes.resize(draft_.row.attributes_begin);
    ++set_->counts.duplicates_dropped;
    return true;
  }
  if (draft_.row.input_time_unreadable) ++set_->counts.unreadable_times;
  facts_.positions = facts_.positions || draft_.row.position >= 0;
  // That of another attempt says nothing about this one's end.
  const bool own = draft_.names.attempt.empty() || draft_.names.attempt == set_->attempt.id;
  facts_.job_end = facts_.job_end || (own && draft_.row.name == "job_end" && draft_.names.source == "scheduler");
  set_->observations.push_back(draft_.row);
  return true;
}

void RowReader::GrowIds() {
  std::vector<IdSlot> old = std::move(ids_);
  ids_.assign(std::max<size_t>(1024, old.size() * 2), {});
  for (const IdSlot& known : old) {
    if (known.row == kNoId) continue;
    size_t slot = known.hash & (ids_.size() - 1);
    while (ids_[slot].row != kNoId) slot = (slot + 1) & (ids_.size() - 1);
    ids_[slot] = known;
  }
}

bool RowReader::DropDuplicate(bool* dropped, const char* begin) {
  if (id_count_ * 2 >= ids_.size()) GrowIds();
  auto hash = static_cast<uint32_t>(std::hash<std::string_view>()(draft_.row.id));
  size_t slot = hash & (ids_.size() - 1);
  for (; ids_[slot].row != kNoId; slot = (slot + 1) & (ids_.size() - 1)) {
    if (ids_[slot].hash != hash) continue;
    const Observation& known = set_->observations[ids_[slot].row];
    if (known.id != draft_.row.id) continue;
    *dropped = model::SameContent(*set_, known, draft_.row);
    if (*dropped) return true;
    return cursor_->Fail(begin, "the id \"" + std::string(draft_.row.id) +
                                    "\" stands twice with different content; first at " +
                                    locate_(locate_context_, known.id.data()));
  }
  ids_[slot] = {static_cast<uint32_t>(set_->observations.size()), hash};
  ++id_count_;
  return true;
}

}  // namespace attr::ingest
