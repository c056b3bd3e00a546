// Escapes of JSON strings, and where a string went wrong.
#include <cstring>

#include "runtime/ingest/json_cursor.h"

namespace attr::ingest {

namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The code unit of four hex digits at `at`, or -1.
int CodeUnit(const char* at, const char* end) {
  if (end - at < 4) return -1;
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    int digit = HexDigit(at[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

char* PutUtf8(uint32_t code, char* out) {
  if (code < 0x80) {
    *out++ = static_cast<char>(code);
  } else if (code < 0x800) {
    *out++ = static_cast<char>(0xC0 | (code >> 6));
    *out++ = static_cast<char>(0x80 | (code & 63));
  } else if (code < 0x10000) {
    *out++ = static_cast<char>(0xE0 | (code >> 12));
    *out++ = static_cast<char>(0x80 | ((code >> 6) & 63));
    *out++ = static_cast<char>(0x80 | (code & 63));
  } else {
    *out++ = static_cast<char>(0xF0 | (code >> 18));
    *out++ = static_cast<char>(0x80 | ((code >> 12) & 63));
    *out++ = static_cast<char>(0x80 | ((code >> 6) & 63));
    *out++ = static_cast<char>(0x80 | (code & 63));
  }
  return out;
}

/// After "\u" at `*at`; moves past what it read.
bool UnicodeEscape(const char** at, const char* end, char** out, uint64_t* replaced) {
  int unit = CodeUnit(*at, end);
  if (unit < 0) return false;
  *at += 4;
  auto code = static_cast<uint32_t>(unit);
  if (unit >= 0xD800 && unit < 0xDC00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
    int low = CodeUnit(*at + 2, end);
    if (low >= 0xDC00 && low < 0xE000) {
      *at += 6;
      code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<uint32_t>(low) - 0xDC00);
    }
  }
  if (code >= 0xD800 && code < 0xE000) {
    code = 0xFFFD;
    ++*replaced;
  }
  *out = PutUtf8(code, *out);
  return true;
}

char Simple(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case '"':
    case '\\':
    case '/':
      return c;
    default:
      return 0;
  }
}

/// Bytes of the valid sequence at `at`, or minus the bytes of an invalid one (its longest valid beginning).
int Utf8Sequence(const unsigned char* at, size_t left) {
  if (at[0] < 0x80) return 1;
  int length = at[0] >= 0xC2 && at[0] <= 0xDF ? 2 : (at[0] >= 0xE0 && at[0] <= 0xEF ? 3 : 4);
  if (at[0] < 0xC2 || at[0] > 0xF4) return -1;
  unsigned char low = at[0] == 0xE0 ? 0xA0 : (at[0] == 0xF0 ? 0x90 : 0x80);
  unsigned char high = at[0] == 0xED ? 0x9F : (at[0] == 0xF4 ? 0x8F : 0xBF);
  for (int i = 1; i < length; ++i) {
    if (static_cast<size_t>(i) >= left || at[i] < low || at[i] > high) return -i;
    low = 0x80;
    high = 0xBF;
  }
  return length;
}

}  // namespace

void RepairUtf8(Piece* piece, std::vector<std::unique_ptr<std::string>>* buffers) {
  auto repaired = std::make_unique<std::string>();
  repaired->reserve(piece->size + piece->size / 8 + 2 * simdjson::SIMDJSON_PADDING);
  const auto* bytes = reinterpret_cast<const unsigned char*>(piece->data);
  size_t copied = 0;
  for (size_t i = 0; i < piece->size;) {
    int length = Utf8Sequence(bytes + i, piece->size - i);
    if (length > 0) {
      i += static_cast<size_t>(length);
      continue;
    }
    repaired->append(piece->data + copied, i - copied);
    repaired->append("\xEF\xBF\xBD");
    i += static_cast<size_t>(-length);
    copied = i;
    piece->repairs.emplace_back(repaired->size(), static_cast<int64_t>(i) - static_cast<int64_t>(repaired->size()));
  }
  repaired->append(piece->data + copied, piece->size - copied);
  piece->size = repaired->size();
  repaired->append(simdjson::SIMDJSON_PADDING, '\0');
  piece->data = repaired->data();
  piece->capacity = repaired->size();
  buffers->push_back(std::move(repaired));
}

std::optional<size_t> Unescape(const char* begin, const char* end, char* out, uint64_t* replaced, const char** bad) {
  char* start = out;
  const char* at = begin;
  while (at < end) {
    const void* found = std::memchr(at, '\\', static_cast<size_t>(end - at));
    const char* stop = found == nullptr ? end : static_cast<const char*>(found);
    std::memmove(out, at, static_cast<size_t>(stop - at));
    out += stop - at;
    at = stop;
    if (at == end) break;
    *bad = at;
    if (end - at < 2) return std::nullopt;
    char kind = at[1];
    at += 2;
    if (kind == 'u') {
      if (!UnicodeEscape(&at, end, &out, replaced)) return std::nullopt;
      continue;
    }
    char c = Simple(kind);
    if (c == 0) return std::nullopt;
    *out++ = c;
  }
  return static_cast<size_t>(out - start);
}

const char* FindStringError(const char* data, size_t size) {
  const char* quote = nullptr;
  for (const char* at = data; at < data + size; ++at) {
    if (quote == nullptr) {
      if (*at == '"') quote = at;
    } else if (*at == '\\') {
      ++at;
    } else if (*at == '"') {
      quote = nullptr;
    } else if (static_cast<unsigned char>(*at) < 0x20) {
      return at;
    }
  }
  return quote;
}

}  // namespace attr::ingest
