// Two passes: the headers of all inputs, so that units, inventory and clocks are
// known, then the observations. Where lines are split and what completes a set.
#include "runtime/ingest/observation_reader.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <new>

#include "runtime/ingest/finish.h"
#include "runtime/ingest/header.h"
#include "runtime/ingest/huge_pages.h"
#include "runtime/ingest/json_cursor.h"
#include "runtime/ingest/row_reader.h"
#include "runtime/model/canonical.h"

namespace attr::ingest {

namespace {

static_assert(kInputPadding >= simdjson::SIMDJSON_PADDING);
constexpr size_t kSampleRows = 4096;  // after so many the number of attributes is extrapolated

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// After the line end of the line at `at`.
const char* LineEnd(const char* at, const char* end) {
  const void* found = std::memchr(at, '\n', static_cast<size_t>(end - at));
  return found == nullptr ? end : static_cast<const char*>(found) + 1;
}

/// One input: its bytes (now the set's) and how far it was read.
struct File {
  std::string name;
  char* data = nullptr;
  size_t size = 0;
  bool lines = false;     // NDJSON
  Piece header;           // the header's line, or the whole document
  size_t rows_begin = 0;  // NDJSON: after the header's line
  uint64_t rows_line = 1;
};

/// The object that starts at `at` ends within its line.
bool EndsInLine(const char* at, const char* end) {
  int64_t depth = 0;
  bool quoted = false;
  for (; at < end && *at != '\n'; ++at) {
    if (quoted) {
      if (*at == '\\') ++at;
      quoted = *at != '"';
    } else if (*at == '"') {
      quoted = true;
    } else if (*at == '{' || *at == '[') {
      ++depth;
    } else if ((*at == '}' || *at == ']') && --depth == 0) {
      return true;
    }
  }
  return false;
}

class SetReader {
 public:
  explicit SetReader(const ReadLimits& limits) : limits_(limits) {}

  /// `ids`, where it is given, gets the attempts that are listed; `at` says which to read.
  Result<model::ObservationSet> Run(std::vector<Input> inputs, size_t at, std::vector<std::string>* ids) {
    files_.reserve(inputs.size());
    for (Input& input : inputs) {
      if (auto error = TakeOver(std::move(input))) return *error;
    }
    for (File& file : files_) {
      if (auto error = ReadHeaderOf(&file)) return *error;
    }
    if (headers_.empty()) {
      Error error;
      error.message = "no input";
      return error;
    }
    auto listed = ListedAttempts(headers_);
    if (!listed.ok()) return listed.error();
    if (listed->size() > 1 && ids == nullptr) {
      Error error = headers_.front().PlaceOf(headers_.front().piece->data);
      error.message = "the set lists " + std::to_string(listed->size()) + " attempts, and one is read here";
      return error;
    }
    if (!listed->empty()) headers_ = WithAttempt(headers_, listed->at(at));
    if (ids != nullptr) *ids = std::move(*listed);
    if (Status merged = MergeHeaders(headers_, &set_); !merged.ok()) return merged.error();
    if (auto error = ReadRows()) return *error;
    AppendUnknownKeyWarnings(unknown_header_keys_, "the header", HeaderKeys(), &set_.warnings);
    Finish(&set_, facts_);
    return std::move(set_);
  }

 private:
  std::optional<Error> TakeOver(Input input) {
    File file;
    file.name = std::move(input.name);
    size_t size = input.bytes.size();
    Error error;
    error.file = file.name;
    if (size > limits_.input_bytes) {
      error.message = "larger than the limit of " + std::to_string(limits_.input_bytes) + " bytes";
      return error;
    }
    input.bytes.Reserve(size + kInputPadding);
    std::memset(input.bytes.data() + size, 0, kInputPadding);
    set_.inputs.push_back(std::move(input.bytes));
    set_.counts.bytes += size;
    file.data = set_.inputs.back().data();
    file.size = size;
    size_t begin = size >= 3 && std::memcmp(file.data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    uint64_t line = 1;
    for (; begin < size && IsBlank(file.data[begin]); ++begin) line += file.data[begin] == '\n' ? 1 : 0;
    if (begin == size) {
      error.message = "is empty";
      error.help = "an observation set has at least its header";
      return error;
    }
    Recognize(&file, begin, line);
    files_.push_back(std::move(file));
    return std::nullopt;
  }

  /// NDJSON when the first object ends in its line and something follows.
  void Recognize(File* file, size_t begin, uint64_t line) {
    char* end = file->data + file->size;
    char* at = file->data + begin;
    auto* line_end = static_cast<char*>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
    size_t next = line_end == nullptr ? file->size : static_cast<size_t>(line_end - file->data) + 1;
    bool more = std::any_of(file->data + next, end, [](char c) { return !IsBlank(c); });
    file->lines = more && EndsInLine(at, end);
    file->rows_begin = next;
    file->rows_line = line + 1;
    file->header.data = at;
    file->header.size = file->lines ? static_cast<size_t>(line_end - at) : static_cast<size_t>(end - at);
    file->header.capacity = static_cast<size_t>(end + kInputPadding - at);
    file->header.byte = begin;
    file->header.line = line;
    file->header.cut_off = !file->lines;
  }

  std::optional<Error> ReadHeaderOf(File* file) {
    file->header.file = &file->name;
    Cursor cursor(&file->header, false);
    simdjson::ondemand::document document;
    simdjson::ondemand::object object;
    Header header;
    header.file = file->name;
    header.piece = &file->header;
    bool good = cursor.Open(&parser_, &set_.buffers, &document, &object) &&
                ReadHeader(&cursor, object, &header, &unknown_header_keys_) && cursor.Close(&document);
    if (!good) return cursor.error;
    if (file->lines && header.has_observations) {
      Error error = cursor.PlaceOf(file->data + file->rows_begin);
      error.file = file->name;
      error.message = "something stands after the document that holds \"observations\"";
      error.line = file->rows_line;
      error.byte = file->rows_begin;
      return error;
    }
    headers_.push_back(std::move(header));
    return std::nullopt;
  }

  std::optional<Error> ReadRows() {
    RowReader rows(&set_);
    rows.SetLocate([](void* self, const char* at) { return static_cast<SetReader*>(self)->PlaceOf(at); }, this);
    ReserveRows();
    std::vector<std::optional<int64_t>> units = TimeUnits(headers_);
    for (size_t i = 0; i < files_.size(); ++i) {
      rows.SetTimeUnit(units[i]);
      if (files_[i].lines) {
        if (auto error = ReadLines(files_[i], &rows)) return error;
      } else if (headers_[i].has_observations) {
        if (auto error = ReadDocument(&files_[i], &rows)) return error;
      }
    }
    facts_ = rows.facts();
    AppendUnknownKeyWarnings(rows.unknown(), "observations", {kRowKeys.begin(), kRowKeys.end()}, &set_.warnings);
    return std::nullopt;
  }

  /// From samples: to count every line would cost a twentieth of the reading.
  void ReserveRows() {
    constexpr size_t kSamples = 64;
    constexpr size_t kSampleBytes = 32 * 1024;
    for (const File& file : files_) {
      if (!file.lines) continue;
      const char* begin = file.data + file.rows_begin;
      size_t rest = file.size - file.rows_begin;
      size_t step = std::max(rest / kSamples, kSampleBytes);
      uint64_t seen = 1;
      uint64_t lines = 1;
      for (size_t at = 0; at < rest; at += step) {
        size_t size = std::min(kSampleBytes, rest - at);
        lines += static_cast<uint64_t>(std::count(begin + at, begin + at + size, '\n'));
        seen += size;
      }
      double expected = static_cast<double>(lines) * static_cast<double>(rest) / static_cast<double>(seen);
      expected_rows_ += std::min<uint64_t>(static_cast<uint64_t>(expected * 1.03), rest / 64) + 64;
    }
    set_.observations.reserve(static_cast<size_t>(std::min(expected_rows_, limits_.observations)) + 1);
    AdviseHugePages(set_.observations.data(), set_.observations.capacity() * sizeof(model::Observation));
  }

  std::optional<Error> ReadLines(const File& file, RowReader* rows) {
    char* end = file.data + file.size;
    Piece piece;
    piece.file = &file.name;
    piece.line = file.rows_line;
    piece.one_line = true;
    Cursor cursor(&piece, true);
    for (char* at = file.data + file.rows_begin; at < end; ++piece.line) {
      const char* next = limits_.plain_rows ? rows->ScanPlain(at, end) : nullptr;
      bool plain = next != nullptr;
      if (!plain) next = LineEnd(at, end);
      piece.cut_off = next[-1] != '\n';
      piece.data = at;
      piece.size = static_cast<size_t>(next - at) - (piece.cut_off ? 0 : 1);
      piece.capacity = static_cast<size_t>(end - at) + kInputPadding;
      piece.byte = static_cast<uint64_t>(at - file.data);
      at += next - at;
      if (!plain && IsBlank(*piece.data) && std::all_of(piece.data, piece.data + piece.size, IsBlank)) continue;
      ++cursor.ordinal;
      if (piece.size > limits_.line_bytes) {
        cursor.Fail(piece.data, "the line is longer than " + std::to_string(limits_.line_bytes) + " bytes");
        return cursor.error;
      }
      bool good = plain ? rows->FinishPlain(&cursor, piece.data) && Count(&cursor, piece.data)
                        : ReadLine(&piece, &cursor, rows);
      if (!good) return cursor.error;
    }
    return std::nullopt;
  }

  bool ReadLine(Piece* piece, Cursor* cursor, RowReader* rows) {
    simdjson::ondemand::document document;
    simdjson::ondemand::object object;
    uint64_t escapes = cursor->replaced_escapes();
    uint64_t kept = set_.observations.size();
    bool good = cursor->Open(&parser_, &set_.buffers, &document, &object);
    if (!piece->repairs.empty()) repaired_.push_back(*piece);
    good = good && rows->Read(cursor, object, piece->data) && cursor->Close(&document) && Count(cursor, piece->data);
    if (!good) return false;
    bool replaced = !piece->repairs.empty() || cursor->replaced_escapes() > escapes;
    rows->CountReplaced(replaced && set_.observations.size() > kept);
    piece->repairs.clear();
    return true;
  }

  std::optional<Error> ReadDocument(File* file, RowReader* rows) {
    Cursor cursor(&file->header, true);
    simdjson::ondemand::document document;
    simdjson::ondemand::object object;
    if (!cursor.Open(&parser_, &set_.buffers, &document, &object)) return cursor.error;
    for (auto item : object) {
      simdjson::ondemand::field field;
      if (auto code = std::move(item).get(field)) {
        cursor.FailJson(code, file->header.data);
        return cursor.error;
      }
      std::string_view key;
      if (!cursor.Key(&field, &key)) return cursor.error;
      if (key != "observations") continue;
      if (!ReadList(&cursor, field.value(), rows)) return cursor.error;
      break;  // the first pass has read the rest
    }
    return std::nullopt;
  }

  bool ReadList(Cursor* cursor, simdjson::ondemand::value value, RowReader* rows) {
    const char* at = cursor->Token(value);
    simdjson::ondemand::array array;
    if (auto code = value.get_array().get(array)) return cursor->FailJson(code, at);
    for (auto item : array) {
      ++cursor->ordinal;
      simdjson::ondemand::value element;
      if (auto code = std::move(item).get(element)) return cursor->FailJson(code, at);
      at = cursor->Token(element);
      if (*at != '{') return cursor->Fail(at, "an object is expected here");
      cursor->StartAt(at, "{[");
      simdjson::ondemand::object object;
      if (auto code = element.get_object().get(object)) return cursor->FailJson(code, at);
      uint64_t kept = set_.observations.size();
      uint64_t escapes = cursor->replaced_escapes();
      if (!rows->Read(cursor, object, at) || !Count(cursor, at)) return false;
      bool replaced = cursor->replaced_escapes() > escapes || cursor->RepairedWithin(at, cursor->LastStringEnd());
      rows->CountReplaced(replaced && set_.observations.size() > kept);
    }
    return true;
  }

  bool Count(Cursor* cursor, const char* begin) {
    if (++set_.counts.observations > limits_.observations) {
      return cursor->Fail(begin, "more than " + std::to_string(limits_.observations) + " observations");
    }
    if (set_.observations.size() == kSampleRows && set_.attributes.capacity() < expected_rows_) {
      uint64_t expected = set_.attributes.size() * (expected_rows_ / kSampleRows + 1);
      set_.attributes.reserve(static_cast<size_t>(expected + expected / 64));
    }
    return true;
  }

  /// "file:line" of bytes that the set owns.
  std::string PlaceOf(const char* at) {
    auto text = [](const Error& place) { return place.file + ':' + std::to_string(place.line); };
    for (Piece& piece : repaired_) {
      if (at >= piece.data && at < piece.data + piece.size) return text(Cursor(&piece, false).PlaceOf(at));
    }
    for (File& file : files_) {
      Piece& document = file.header;
      if (!file.lines && at >= document.data && at < document.data + document.size) {
        return text(Cursor(&document, false).PlaceOf(at));
      }
      if (at < file.data || at >= file.data + file.size) continue;
      return LineOf(file, static_cast<size_t>(at - file.data));
    }
    return "another place";
  }

  /// Texts were unescaped where they stood, line ends among them: the lines are counted
  /// in the file. Of standard input the byte says where.
  static std::string LineOf(const File& file, size_t offset) {
    if (file.name == "-") return file.name + " (byte " + std::to_string(offset) + ")";
    std::ifstream again(file.name, std::ios::binary);
    if (!again) return file.name + ':' + std::to_string(1 + std::count(file.data, file.data + offset, '\n'));
    uint64_t line = 1;
    std::vector<char> block(1 << 16);
    while (offset != 0 && again.read(block.data(), static_cast<std::streamsize>(std::min(offset, block.size())))) {
      line += static_cast<uint64_t>(std::count(block.begin(), block.begin() + again.gcount(), '\n'));
      offset -= static_cast<size_t>(again.gcount());
    }
    return file.name + ':' + std::to_string(line);
  }

  ReadLimits limits_;
  model::ObservationSet set_;
  simdjson::ondemand::parser parser_;
  std::vector<File> files_;
  std::vector<Header> headers_;
  std::vector<Piece> repaired_;
  UnknownKeys unknown_header_keys_;
  RowFacts facts_;
  uint64_t expected_rows_ = 0;
};

}  // namespace

namespace {

Result<model::ObservationSet> Read(std::vector<Input> inputs, const ReadLimits& limits, size_t at,
                                   std::vector<std::string>* ids) {
  try {
    return SetReader(limits).Run(std::move(inputs), at, ids);
  } catch (const std::bad_alloc&) {
    Error error;
    error.message = "not enough memory to read the observations";
    return error;
  } catch (const simdjson::simdjson_error& failure) {
    Error error;
    error.kind = ErrorKind::kInternal;
    error.message = std::string("the JSON parser failed: ") + failure.what();
    return error;
  }
}

/// Reading takes bytes over and writes in them: only inputs that may list attempts are copied.
bool MayListAttempts(const std::vector<Input>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [](const Input& input) {
    return input.bytes.view().find("\"attempts\"") != std::string_view::npos;
  });
}

}  // namespace

Result<model::ObservationSet> ReadObservations(std::vector<Input> inputs, const ReadLimits& limits) {
  return Read(std::move(inputs), limits, 0, nullptr);
}

Result<std::optional<model::ObservationSet>> AttemptReader::Next() {
  std::optional<model::ObservationSet> none;
  if (next_ != 0 && next_ >= ids_.size()) return none;
  const bool last = next_ == 0 ? !MayListAttempts(inputs_) : next_ + 1 == ids_.size();
  auto set = Read(last ? std::move(inputs_) : inputs_, limits_, next_++, &ids_);
  if (!set.ok()) return set.error();
  return std::optional<model::ObservationSet>(std::move(*set));
}

}  // namespace attr::ingest
