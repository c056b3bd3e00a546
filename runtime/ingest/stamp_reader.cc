#include "runtime/ingest/stamp_reader.h"

#include "runtime/ingest/header.h"

namespace attr::ingest {

bool StampReader::WithinMinute(std::string_view text, model::Moment* out) const {
  size_t size = text.size();
  if (size < kMinute + 3 || size > kMinute + 13 || text[size - 1] != 'Z') return false;
  if (std::memcmp(text.data(), minute_.data(), kMinute) != 0) return false;
  unsigned tens = static_cast<unsigned char>(text[kMinute]) - '0';
  unsigned ones = static_cast<unsigned char>(text[kMinute + 1]) - '0';
  if (tens > 5 || ones > 9) return false;
  int64_t precision = plan::kSecond;
  int64_t fraction = 0;
  if (size > kMinute + 3) {
    if (text[kMinute + 2] != '.' || size == kMinute + 4) return false;
    for (size_t i = kMinute + 3; i < size - 1; ++i) {
      unsigned digit = static_cast<unsigned char>(text[i]) - '0';
      if (digit > 9) return false;
      fraction = fraction * 10 + digit;
      precision /= 10;
    }
  }
  int64_t nanos = begin_ + static_cast<int64_t>(tens * 10 + ones) * plan::kSecond + fraction * precision;
  *out = {nanos, nanos, precision};
  return true;
}

std::optional<model::Moment> StampReader::ReadAnew(std::string_view text) {
  std::optional<model::Moment> moment = TimeOf(text);
  if (!moment || text.back() != 'Z') return moment;
  // The minute counts only when all of it can be told apart.
  std::string first(text.substr(0, kMinute));
  std::optional<model::Moment> begin = TimeOf(first + "00Z");
  if (!begin || !TimeOf(first + "59.999999999Z")) return moment;
  std::memcpy(minute_.data(), text.data(), kMinute);
  begin_ = begin->lo;
  return moment;
}

}  // namespace attr::ingest
