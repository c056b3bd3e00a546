// Values of one JSON text (a line, or a whole document) over simdjson On-Demand:
// strings as views into the input's own bytes, numbers and words checked in
// full, errors with file, line and byte. Internal to this room.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/ingest/json_fault.h"

namespace attr::ingest {

/// One JSON text and where it stands. `data` has simdjson::SIMDJSON_PADDING
/// readable bytes after `size`.
struct Piece {
  const std::string* file = nullptr;
  char* data = nullptr;
  size_t size = 0;
  size_t capacity = 0;   // size and what is readable after it
  uint64_t byte = 0;     // of data[0] in the file
  uint64_t line = 1;     // of data[0]
  bool cut_off = false;  // where it ends inside a value, the file was cut off
  bool one_line = false;
  /// Line ends that unescaping wrote into `data`: offsets. Not of one line.
  std::vector<size_t> written_line_ends;
  // Where invalid bytes were replaced: offset in `data` after the replacement,
  // and what to add to it for the offset in the file. Ascending.
  std::vector<std::pair<size_t, int64_t>> repairs;
};

enum class Scalar : uint8_t { kNull, kBool, kInt, kFloat, kBigInt, kText };

struct ScalarValue {
  Scalar kind = Scalar::kNull;
  int64_t integer = 0;    // bool, int
  double number = 0;      // int, float
  std::string_view text;  // text; of a big integer its digits
};

enum class NumberError : uint8_t { kNone, kMalformed, kRange };
/// A number of JSON's grammar, the whole of `token`.
NumberError ParseNumber(std::string_view token, ScalarValue* out);

class Cursor {
 public:
  using Value = simdjson::ondemand::value;

  explicit Cursor(Piece* piece, bool in_place) : piece_(piece), in_place_(in_place) {}

  /// Starts the document and gives its top object.
  /// Invalid UTF-8 is repaired first, into a new string in `buffers`.
  bool Open(simdjson::ondemand::parser* parser, std::vector<std::unique_ptr<std::string>>* buffers,
            simdjson::ondemand::document* document, simdjson::ondemand::object* object);
  /// Nothing may stand after the top object.
  bool Close(simdjson::ondemand::document* document);

  /// What was read before is right: from `at` on, inside the brackets `open`, a fault is looked for.
  void StartAt(const char* at, std::string_view open) {
    fault_begin_ = at;
    fault_open_ = open;
    resolved_.clear();
  }

  /// A string without its quotes. With in_place its escapes are resolved where it
  /// stands in the input (the result is never longer); else into `scratch`.
  bool Key(simdjson::ondemand::field* field, std::string_view* out) {
    const char* begin = field->key().raw();
    const char* end = begin;
    while (*end != '"' && *end != '\\') ++end;
    if (*end == '\\') return KeyWithEscapes(begin, out);
    *out = {begin, static_cast<size_t>(end - begin)};
    return true;
  }
  bool Read(Value value, ScalarValue* out);
  /// A string without escapes, which nearly all are. False: ask ReadText.
  bool ReadPlainText(Value value, std::string_view* out) {
    std::string_view token = value.raw_json_token();
    size_t size = token.size();
    while (size > 0 && static_cast<unsigned char>(token[size - 1]) <= ' ') --size;
    if (size < 2 || token[0] != '"' || token[size - 1] != '"') return false;
    if (size > 2 && std::memchr(token.data() + 1, '\\', size - 2) != nullptr) return false;
    *out = token.substr(1, size - 2);
    last_end_ = token.data() + size - 1;
    return true;
  }
  /// `what` names the value in the message, as "text" or "attempt.id"; null reads as absent.
  bool ReadText(Value value, std::string_view what, std::optional<std::string_view>* out);
  bool ReadInt(Value value, std::string_view what, std::optional<int64_t>* out);
  bool ReadBool(Value value, std::string_view what, std::optional<bool>* out);
  bool IsObject(Value value) const { return *Token(value) == '{'; }
  bool IsArray(Value value) const { return *Token(value) == '['; }
  const char* Token(Value value) const { return value.raw_json_token().data(); }
  /// Reads a value only to check it.
  bool Skip(Value value, int depth = 0);

  const char* Begin() const { return piece_->data; }
  bool Fail(const char* at, std::string message, std::string help = {});
  bool FailJson(simdjson::error_code code, const char* at);
  bool WrongType(Value value, std::string_view what, std::string_view expected);

  /// Where `at` (inside the piece) stands, as an error without message.
  Error PlaceOf(const char* at) const;
  bool RepairedWithin(const char* begin, const char* end) const;
  uint64_t replaced_escapes() const { return replaced_escapes_; }
  /// Where the last string that was read ended: invalid bytes stand only in strings.
  const char* LastStringEnd() const { return last_end_; }

  /// Of the observation under way, from 1, for messages; 0 in a header.
  uint64_t ordinal = 0;
  std::optional<Error> error;

 private:
  bool FailAtFault(const char* at);
  void NoteLineEnds(const char* text, size_t length);
  bool KeyWithEscapes(const char* begin, std::string_view* out);
  bool ReadString(const char* token, size_t size, std::string_view* out);
  bool ReadNumber(std::string_view token, ScalarValue* out);

  Piece* piece_;
  bool in_place_;
  uint64_t replaced_escapes_ = 0;
  const char* last_end_ = nullptr;
  const char* fault_begin_ = nullptr;
  std::string_view fault_open_;
  ResolvedStrings resolved_;  // since StartAt
  std::vector<std::unique_ptr<std::string>> scratch_;
};

/// Resolves JSON escapes of [begin, end) into `out` (which may be `begin`).
/// A surrogate without its half becomes U+FFFD. The length; or nullopt and in
/// `bad` the escape that is none.
std::optional<size_t> Unescape(const char* begin, const char* end, char* out, uint64_t* replaced, const char** bad);

/// Replaces each invalid UTF-8 sequence by U+FFFD: moves the piece's text into a
/// new buffer and notes where, so that errors still name bytes of the file.
void RepairUtf8(Piece* piece, std::vector<std::unique_ptr<std::string>>* buffers);

/// Where the first stage of the parser stumbled: a control character in a
/// string, or the quote of a string that never ends.
const char* FindStringError(const char* data, size_t size);

}  // namespace attr::ingest
