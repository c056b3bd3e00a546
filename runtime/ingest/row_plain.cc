#include "runtime/ingest/row_plain.h"

#include <array>
#include <cstring>
#include <string>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "runtime/ingest/header.h"

namespace attr::ingest {

namespace {

/// A key with quotes and colon, compared sixteen bytes at once.
struct KeyPattern {
  std::array<uint64_t, 2> bytes{};
  std::array<uint64_t, 2> mask{};
  size_t size = 0;

  bool At(const char* at) const {
    std::array<uint64_t, 2> seen;
    std::memcpy(seen.data(), at, sizeof seen);
    return (((seen[0] ^ bytes[0]) & mask[0]) | ((seen[1] ^ bytes[1]) & mask[1])) == 0;
  }
};

std::array<KeyPattern, kRowKeys.size()> MakePatterns() {
  std::array<KeyPattern, kRowKeys.size()> patterns;
  for (size_t i = 0; i < patterns.size(); ++i) {
    std::string text = '"' + std::string(kRowKeys[i]) + "\":";
    std::string ones(text.size(), '\xFF');
    std::memcpy(patterns[i].bytes.data(), text.data(), text.size());
    std::memcpy(patterns[i].mask.data(), ones.data(), ones.size());
    patterns[i].size = text.size();
  }
  return patterns;
}
const std::array<KeyPattern, kRowKeys.size()> kPatterns = MakePatterns();

/// The quote that closes the string whose first byte is at `at`, or nullptr when a
/// backslash, a control character or a byte beyond ASCII comes first. Stops at the
/// zeros that stand behind every input.
const char* PlainStringEnd(const char* at) {
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i blank = _mm_set1_epi8(' ');
  for (;; at += 16) {
    __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    __m128i bad = _mm_or_si128(_mm_cmpeq_epi8(bytes, backslash), _mm_cmplt_epi8(bytes, blank));  // signed: >= 0x80 too
    __m128i quotes = _mm_cmpeq_epi8(bytes, quote);
    auto found = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(bad, quotes)));
    if (found == 0) continue;
    int first = __builtin_ctz(found);
    return (static_cast<unsigned>(_mm_movemask_epi8(quotes)) >> first & 1) != 0 ? at + first : nullptr;
  }
#else
  while (*at != '"' && *at != '\\' && static_cast<unsigned char>(*at - ' ') < 0x80 - ' ') ++at;
  return *at == '"' ? at : nullptr;
#endif
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool InNumber(char c) { return IsDigit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; }

const char* PlainNumber(const char* at, ScalarValue* out) {
  constexpr ptrdiff_t kSafeDigits = 18;
  const char* begin = at;
  uint64_t value = 0;
  for (; IsDigit(*at) && at - begin <= kSafeDigits; ++at) value = value * 10 + static_cast<uint64_t>(*at - '0');
  if (at > begin && at - begin <= kSafeDigits && !InNumber(*at) && (*begin != '0' || at == begin + 1)) {
    out->kind = Scalar::kInt;
    out->integer = static_cast<int64_t>(value);
    out->number = static_cast<double>(out->integer);
    return at;
  }
  while (InNumber(*at)) ++at;
  return ParseNumber({begin, static_cast<size_t>(at - begin)}, out) == NumberError::kNone ? at : nullptr;
}

const char* PlainWord(const char* at, ScalarValue* out) {
  if (std::memcmp(at, "null", 4) == 0) return at + 4;
  out->kind = Scalar::kBool;
  if (std::memcmp(at, "true", 4) == 0) {
    out->integer = 1;
    return at + 4;
  }
  return std::memcmp(at, "false", 5) == 0 ? at + 5 : nullptr;
}

/// After a value of one piece, or nullptr. `out` is as Cursor::Read leaves it.
const char* PlainScalar(const char* at, ScalarValue* out) {
  *out = {};
  if (*at == '"') {
    const char* end = PlainStringEnd(++at);
    if (end == nullptr) return nullptr;
    out->kind = Scalar::kText;
    out->text = {at, static_cast<size_t>(end - at)};
    return end + 1;
  }
  if (IsDigit(*at) || *at == '-') return PlainNumber(at, out);
  return PlainWord(at, out);
}

const char* SkipBlank(const char* at) { return at + (*at == ' ' ? 1 : 0); }

/// One scan: what it reads into, and a function for each kind of piece.
class RowScan {
 public:
  RowScan(std::array<RowKey, kRowKeys.size() + 1>* next, StampReader* stamps, std::optional<int64_t> time_unit,
          RowDraft* draft, std::vector<model::Attribute>* attributes)
      : next_(next), stamps_(stamps), time_unit_(time_unit), draft_(draft), attributes_(attributes) {}

  const char* Fields(const char* at) {
    if (*at != '{') return nullptr;
    ++at;
    RowKey key = RowKey::kUnknown;
    for (;;) {
      at = Key(at, &key);
      if (at == nullptr) return nullptr;
      uint32_t bit = 1U << static_cast<unsigned>(key);
      if ((draft_->names.seen & bit) != 0) return nullptr;
      draft_->names.seen |= bit;
      at = Value(at, key);
      if (at == nullptr) return nullptr;
      if (*at == '}') return at + 1;
      if (*at != ',') return nullptr;
      at = SkipBlank(at + 1);
    }
  }

 private:
  /// After the colon of the key at `at`. Tries the key that followed the same one in the row before.
  const char* Key(const char* at, RowKey* key) {
    RowKey& next = (*next_)[static_cast<size_t>(*key)];
    if (next == RowKey::kUnknown || !kPatterns[static_cast<size_t>(next)].At(at)) {
      size_t i = 0;
      while (i < kPatterns.size() && !kPatterns[i].At(at)) ++i;
      if (i == kPatterns.size()) return nullptr;
      next = static_cast<RowKey>(i);
    }
    *key = next;
    return SkipBlank(at + kPatterns[static_cast<size_t>(next)].size);
  }

  const char* Time(const char* at) {
    ScalarValue scalar;
    at = PlainScalar(at, &scalar);
    if (at == nullptr || scalar.kind == Scalar::kNull) return at;
    std::optional<model::Moment> moment;
    if (scalar.kind == Scalar::kText) {
      moment = stamps_->Read(scalar.text);
    } else if (scalar.kind == Scalar::kInt && time_unit_) {
      moment = TimeOf(scalar.integer, *time_unit_);
    } else {
      return nullptr;
    }
    if (moment) {
      draft_->row.time = *moment;
    } else {
      draft_->row.input_time_unreadable = true;
    }
    return at;
  }

  const char* NumberOf(const char* at, RowKey key) {
    ScalarValue scalar;
    at = PlainScalar(at, &scalar);
    if (at == nullptr || scalar.kind == Scalar::kNull) return at;
    bool integer = scalar.kind == Scalar::kInt;
    if (key == RowKey::kValue) {
      if (!integer && scalar.kind != Scalar::kFloat && scalar.kind != Scalar::kBigInt) return nullptr;
      draft_->row.value = scalar.number;
      draft_->row.has_value = true;
      return at;
    }
    if (!integer || scalar.integer < 0) return nullptr;
    if (key == RowKey::kSeq) {
      if (scalar.integer == INT64_MAX) return nullptr;
      draft_->row.position = scalar.integer;
      return at;
    }
    if (scalar.integer >= INT32_MAX) return nullptr;
    draft_->row.rank = static_cast<int32_t>(scalar.integer);
    return at;
  }

  const char* Attributes(const char* at) {
    if (*at == 'n') return std::memcmp(at, "null", 4) == 0 ? at + 4 : nullptr;
    if (*at != '{') return nullptr;
    if (*++at == '}') return at + 1;
    for (;;) {
      if (*at != '"') return nullptr;
      const char* key = at + 1;
      const char* key_end = PlainStringEnd(key);
      if (key_end == nullptr || key_end[1] != ':') return nullptr;
      ScalarValue scalar;
      at = PlainScalar(SkipBlank(key_end + 2), &scalar);
      if (at == nullptr) return nullptr;
      if (attributes_->size() >= kMaxAttributes) return nullptr;
      attributes_->push_back(AttributeOf({key, static_cast<size_t>(key_end - key)}, scalar));
      if (*at == '}') return at + 1;
      if (*at != ',') return nullptr;
      at = SkipBlank(at + 1);
    }
  }

  const char* Value(const char* at, RowKey key) {
    if (std::string_view* text = draft_->Text(key)) {
      if (*at != '"') return std::memcmp(at, "null", 4) == 0 ? at + 4 : nullptr;
      const char* end = PlainStringEnd(++at);
      if (end == nullptr) return nullptr;
      *text = {at, static_cast<size_t>(end - at)};
      return end + 1;
    }
    switch (key) {
      case RowKey::kTime:
        return Time(at);
      case RowKey::kRank:
      case RowKey::kSeq:
      case RowKey::kValue:
        return NumberOf(at, key);
      case RowKey::kAttrs:
        return Attributes(at);
      default:
        return nullptr;
    }
  }

  std::array<RowKey, kRowKeys.size() + 1>* next_;
  StampReader* stamps_;
  std::optional<int64_t> time_unit_;
  RowDraft* draft_;
  std::vector<model::Attribute>* attributes_;
};

}  // namespace

const char* PlainScanner::Scan(const char* begin, const char* end, std::optional<int64_t> time_unit, RowDraft* draft,
                               std::vector<model::Attribute>* attributes) {
  draft->Start(attributes->size());
  const char* at = RowScan(&next_, &stamps_, time_unit, draft, attributes).Fields(begin);
  if (at != nullptr) {
    if (*at == '\r') ++at;
    if (at == end) return at;
    if (*at == '\n') return at + 1;
  }
  attributes->resize(draft->row.attributes_begin);
  return nullptr;
}

}  // namespace attr::ingest
