#include "runtime/ingest/json_fault.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace attr::ingest {

namespace {

class FaultScan {
 public:
  FaultScan(const char* begin, const char* end, std::string open, const ResolvedStrings& resolved)
      : at_(begin), end_(end), open_(std::move(open)), resolved_(resolved) {}

  JsonFault Run() {
    Next next = Next::kValue;
    bool first = false;  // right after an opening bracket, where the closing one may stand
    for (;;) {
      SkipBlanks();
      if (at_ == end_) return next == Next::kEnd ? JsonFault{} : JsonFault{at_, Expected(next, first)};
      if (!Step(&next, &first)) return {at_, Expected(next, first)};
    }
  }

 private:
  enum class Next { kValue, kKey, kColon, kComma, kEnd };

  std::string Expected(Next next, bool first) const {
    switch (next) {
      case Next::kValue:
        return first ? "a value or ']'" : "a value";
      case Next::kKey:
        return first ? "a key or '}'" : "a key";
      case Next::kColon:
        return "':'";
      case Next::kComma:
        return open_.back() == '{' ? "',' or '}'" : "',' or ']'";
      case Next::kEnd:
        return "the end";
    }
    return {};
  }

  void SkipBlanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
  }

  bool Step(Next* next, bool* first) {
    bool may_close = *first || *next == Next::kComma;
    if (may_close && !open_.empty() && *at_ == (open_.back() == '{' ? '}' : ']')) {
      open_.pop_back();
      return Done(1, next, first, AfterValue());
    }
    switch (*next) {
      case Next::kValue:
        return Value(next, first);
      case Next::kKey:
        return *at_ == '"' && String() && Done(0, next, first, Next::kColon);
      case Next::kColon:
        return *at_ == ':' && Done(1, next, first, Next::kValue);
      case Next::kComma:
        return *at_ == ',' && Done(1, next, first, open_.back() == '{' ? Next::kKey : Next::kValue);
      case Next::kEnd:
        return false;
    }
    return false;
  }

  bool Done(size_t bytes, Next* next, bool* first, Next then) {
    at_ += bytes;
    *next = then;
    *first = false;
    return true;
  }
  Next AfterValue() const { return open_.empty() ? Next::kEnd : Next::kComma; }

  bool Value(Next* next, bool* first) {
    if (*at_ == '{' || *at_ == '[') {
      open_ += *at_++;
      *next = open_.back() == '{' ? Next::kKey : Next::kValue;
      *first = true;
      return true;
    }
    return (*at_ == '"' ? String() : Word()) && Done(0, next, first, AfterValue());
  }

  /// Whether a string ends is the first thing that the parser looks at.
  bool String() {
    auto known = std::lower_bound(resolved_.begin(), resolved_.end(), std::pair(at_ + 1, at_ + 1));
    const char* at = known != resolved_.end() && known->first == at_ + 1 ? known->second : at_ + 1;
    while (at < end_ && *at != '"') at += *at == '\\' ? 2 : 1;
    at_ = std::min(at + 1, end_);
    return true;
  }

  /// A number or a word; that it is a right one the reader has said.
  bool Word() {
    const char* begin = at_;
    while (at_ < end_ &&
           (std::isalnum(static_cast<unsigned char>(*at_)) != 0 || *at_ == '-' || *at_ == '+' || *at_ == '.'))
      ++at_;
    std::string_view word(begin, static_cast<size_t>(at_ - begin));
    bool good = word == "true" || word == "false" || word == "null" || (!word.empty() && IsNumberStart(word));
    if (!good) at_ = begin;
    return good;
  }
  static bool IsNumberStart(std::string_view word) { return word[0] == '-' || (word[0] >= '0' && word[0] <= '9'); }

  const char* at_;
  const char* end_;
  std::string open_;
  const ResolvedStrings& resolved_;
};

}  // namespace

JsonFault FindJsonFault(const char* begin, const char* end, std::string open, const ResolvedStrings& resolved) {
  return FaultScan(begin, end, std::move(open), resolved).Run();
}

}  // namespace attr::ingest
