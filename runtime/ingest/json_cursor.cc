#include "runtime/ingest/json_cursor.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace attr::ingest {

namespace {

constexpr int kMaxDepth = 64;

std::string_view Trimmed(std::string_view token) {
  while (!token.empty() &&
         (token.back() == ' ' || token.back() == '\t' || token.back() == '\r' || token.back() == '\n')) {
    token.remove_suffix(1);
  }
  return token;
}

size_t CountDigits(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  return end - at;
}

/// JSON's own grammar of numbers, which from_chars does not keep.
bool IsNumber(std::string_view text, bool* integer) {
  size_t at = !text.empty() && text[0] == '-' ? 1 : 0;
  size_t digits = CountDigits(text, at);
  if (digits == 0 || (digits > 1 && text[at] == '0')) return false;
  at += digits;
  *integer = at == text.size();
  if (at < text.size() && text[at] == '.') {
    digits = CountDigits(text, ++at);
    if (digits == 0) return false;
    at += digits;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    digits = CountDigits(text, at);
    if (digits == 0) return false;
    at += digits;
  }
  return at == text.size();
}

}  // namespace

Error Cursor::PlaceOf(const char* at) const {
  Error place;
  size_t offset = 0;
  if (at >= piece_->data && at <= piece_->data + piece_->size) offset = static_cast<size_t>(at - piece_->data);
  int64_t shift = 0;
  for (const auto& [where, by] : piece_->repairs) {
    if (where > offset) break;
    shift = by;
  }
  place.file = *piece_->file;
  place.line = piece_->line;
  if (!piece_->one_line) {
    const auto& written = piece_->written_line_ends;
    const auto before = std::count_if(written.begin(), written.end(), [&](size_t end) { return end < offset; });
    place.line += static_cast<uint64_t>(std::count(piece_->data, piece_->data + offset, '\n') - before);
  }
  place.byte = piece_->byte + offset + static_cast<uint64_t>(shift);
  return place;
}

bool Cursor::RepairedWithin(const char* begin, const char* end) const {
  auto from = static_cast<size_t>(begin - piece_->data);
  auto to = static_cast<size_t>(end - piece_->data);
  auto it = std::upper_bound(piece_->repairs.begin(), piece_->repairs.end(), from,
                             [](size_t offset, const auto& repair) { return offset < repair.first; });
  return it != piece_->repairs.end() && it->first <= to;
}

bool Cursor::Fail(const char* at, std::string message, std::string help) {
  if (error) return false;
  error = PlaceOf(at);
  error->message = ordinal == 0 ? std::move(message) : "observation " + std::to_string(ordinal) + ": " + message;
  error->help = std::move(help);
  return false;
}

bool Cursor::FailJson(simdjson::error_code code, const char* at) {
  using simdjson::error_code;
  if (code == error_code::UNESCAPED_CHARS || code == error_code::UNCLOSED_STRING) {
    const char* found = FindStringError(piece_->data, piece_->size);
    if (found != nullptr && *found != '"') {
      char name[3] = {"0123456789abcdef"[(*found >> 4) & 15], "0123456789abcdef"[*found & 15], 0};
      return Fail(found, std::string("a control character (0x") + name + ") stands unescaped in a string",
                  *found == 0 ? "the file holds NUL bytes; was it truncated or is it binary?"
                              : "write it as a JSON escape, such as \\n");
    }
    if (found != nullptr) {
      if (piece_->cut_off) return Fail(found, "the last line is cut off inside a string");
      return Fail(found, "malformed JSON: a string is not closed");
    }
  }
  switch (code) {
    case error_code::CAPACITY:
      return Fail(at, "one JSON document is larger than 4 GiB", "write it as NDJSON, one observation a line");
    case error_code::EMPTY:
      return Fail(at, "there is no JSON value");
    case error_code::DEPTH_ERROR:
      return Fail(at, "values are nested too deeply");
    case error_code::MEMALLOC:
      return Fail(at, "not enough memory to parse it");
    case error_code::INCORRECT_TYPE:
      return Fail(at, "malformed JSON: an object is expected here");
    default:
      return FailAtFault(at);
  }
}

bool Cursor::FailAtFault(const char* at) {
  const char* end = piece_->data + piece_->size;
  JsonFault fault = FindJsonFault(fault_begin_, end, std::string(fault_open_), resolved_);
  if (fault.at == nullptr) return Fail(at, "malformed JSON");
  if (fault.at != end) return Fail(fault.at, "malformed JSON: " + fault.expected + " is expected here");
  end = piece_->data + Trimmed({piece_->data, piece_->size}).size();
  return Fail(end, piece_->cut_off ? "malformed JSON: the input ends inside a value, it may be cut off"
                                   : "malformed JSON: an object or array is not closed");
}

bool Cursor::Open(simdjson::ondemand::parser* parser, std::vector<std::unique_ptr<std::string>>* buffers,
                  simdjson::ondemand::document* document, simdjson::ondemand::object* object) {
  auto iterate = [&] {
    simdjson::padded_string_view text(piece_->data, piece_->size, piece_->capacity);
    return parser->iterate(text).get(*document);
  };
  StartAt(piece_->data, {});
  simdjson::error_code code = iterate();
  if (code == simdjson::UTF8_ERROR) {
    RepairUtf8(piece_, buffers);
    StartAt(piece_->data, {});
    code = iterate();
  }
  if (code != simdjson::SUCCESS) return FailJson(code, piece_->data);
  code = document->get_object().get(*object);
  if (code != simdjson::SUCCESS) {
    const char* at = piece_->data;
    while (at < piece_->data + piece_->size && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) ++at;
    if (at < piece_->data + piece_->size && *at != '{') return Fail(at, "malformed JSON: an object is expected here");
    return FailJson(code, at);
  }
  return true;
}

bool Cursor::Close(simdjson::ondemand::document* document) {
  const char* at = nullptr;
  if (document->current_location().get(at) == simdjson::OUT_OF_BOUNDS) return true;
  if (at == nullptr) at = piece_->data;
  return Fail(at, "malformed JSON: something stands after the end of the object");
}

bool Cursor::ReadString(const char* token, size_t size, std::string_view* out) {
  // token[0] is the opening quote; the closing one is the token's last byte.
  const char* begin = token + 1;
  const char* end = token + size - 1;
  last_end_ = end;
  if (std::memchr(begin, '\\', static_cast<size_t>(end - begin)) == nullptr) {
    *out = {begin, static_cast<size_t>(end - begin)};
    return true;
  }
  char* target = piece_->data + (begin - piece_->data);
  if (!in_place_) {
    scratch_.push_back(std::make_unique<std::string>(begin, end));
    target = scratch_.back()->data();
  }
  const char* bad = token;
  std::optional<size_t> length = Unescape(begin, end, target, &replaced_escapes_, &bad);
  if (!length) return Fail(bad, "malformed JSON: a string with a bad escape");
  if (in_place_) {
    resolved_.emplace_back(begin, end);
    NoteLineEnds(target, *length);
  }
  *out = {target, *length};
  return true;
}

/// Line ends of the text are none of the file.
void Cursor::NoteLineEnds(const char* text, size_t length) {
  if (piece_->one_line) return;
  for (size_t i = 0; i < length; ++i) {
    if (text[i] == '\n') piece_->written_line_ends.push_back(static_cast<size_t>(text + i - piece_->data));
  }
}

bool Cursor::KeyWithEscapes(const char* begin, std::string_view* out) {
  const char* end = begin;
  for (; *end != '"'; ++end) {
    if (*end == '\\') ++end;
  }
  return ReadString(begin - 1, static_cast<size_t>(end - begin) + 2, out);
}

NumberError ParseNumber(std::string_view token, ScalarValue* out) {
  bool integer = false;
  if (!IsNumber(token, &integer)) return NumberError::kMalformed;
  if (integer) {
    auto parsed = std::from_chars(token.data(), token.data() + token.size(), out->integer);
    out->kind = parsed.ec == std::errc() ? Scalar::kInt : Scalar::kBigInt;
    out->text = token;
    out->number = static_cast<double>(out->integer);
    if (out->kind == Scalar::kInt) return NumberError::kNone;
  } else {
    out->kind = Scalar::kFloat;
  }
  auto parsed = std::from_chars(token.data(), token.data() + token.size(), out->number);
  return parsed.ec == std::errc() ? NumberError::kNone : NumberError::kRange;
}

bool Cursor::ReadNumber(std::string_view token, ScalarValue* out) {
  NumberError failed = ParseNumber(token, out);
  if (failed == NumberError::kNone) return true;
  return Fail(token.data(), failed == NumberError::kMalformed ? "malformed JSON: not a value"
                                                              : "a number out of the range of a double");
}

bool Cursor::Read(Value value, ScalarValue* out) {
  std::string_view token = Trimmed(value.raw_json_token());
  *out = {};
  if (token.empty()) return FailJson(simdjson::TAPE_ERROR, value.raw_json_token().data());
  if (token[0] == '"') {
    out->kind = Scalar::kText;
    if (token.size() < 2 || token.back() != '"') return FailJson(simdjson::STRING_ERROR, token.data());
    return ReadString(token.data(), token.size(), &out->text);
  }
  if (token == "null") return true;
  if (token == "true" || token == "false") {
    out->kind = Scalar::kBool;
    out->integer = token == "true" ? 1 : 0;
    return true;
  }
  if (token[0] == '{' || token[0] == '[') return Fail(token.data(), "a single value is expected here");
  return ReadNumber(token, out);
}

bool Cursor::WrongType(Value value, std::string_view what, std::string_view expected) {
  return Fail(Token(value), '"' + std::string(what) + "\" must be " + std::string(expected));
}

bool Cursor::ReadText(Value value, std::string_view what, std::optional<std::string_view>* out) {
  char first = *Token(value);
  if (first != '"' && first != 'n') return WrongType(value, what, "a string");
  ScalarValue scalar;
  if (!Read(value, &scalar)) return false;
  if (scalar.kind == Scalar::kText) *out = scalar.text;
  return true;
}

bool Cursor::ReadInt(Value value, std::string_view what, std::optional<int64_t>* out) {
  if (IsObject(value) || IsArray(value)) return WrongType(value, what, "an integer");
  ScalarValue scalar;
  if (!Read(value, &scalar)) return false;
  if (scalar.kind == Scalar::kNull) return true;
  if (scalar.kind != Scalar::kInt) return WrongType(value, what, "a 64-bit integer");
  *out = scalar.integer;
  return true;
}

bool Cursor::ReadBool(Value value, std::string_view what, std::optional<bool>* out) {
  if (IsObject(value) || IsArray(value)) return WrongType(value, what, "true or false");
  ScalarValue scalar;
  if (!Read(value, &scalar)) return false;
  if (scalar.kind == Scalar::kNull) return true;
  if (scalar.kind != Scalar::kBool) return WrongType(value, what, "true or false");
  *out = scalar.integer != 0;
  return true;
}

bool Cursor::Skip(Value value, int depth) {
  const char* at = Token(value);
  if (depth > kMaxDepth) return Fail(at, "values are nested more than 64 deep");
  if (IsObject(value)) {
    simdjson::ondemand::object object;
    if (auto code = value.get_object().get(object)) return FailJson(code, at);
    for (auto item : object) {
      simdjson::ondemand::field field;
      if (auto code = std::move(item).get(field)) return FailJson(code, at);
      if (!Skip(field.value(), depth + 1)) return false;
    }
    return true;
  }
  if (IsArray(value)) {
    simdjson::ondemand::array array;
    if (auto code = value.get_array().get(array)) return FailJson(code, at);
    for (auto item : array) {
      Value element;
      if (auto code = std::move(item).get(element)) return FailJson(code, at);
      if (!Skip(element, depth + 1)) return false;
    }
    return true;
  }
  ScalarValue scalar;
  return Read(value, &scalar);
}

}  // namespace attr::ingest
