#include "runtime/base/interner.h"

#include <algorithm>
#include <cstring>

namespace attr {

namespace {

constexpr size_t kBlockBytes = 64 * 1024;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

size_t SkipZeros(std::string_view s, size_t i) {
  while (i < s.size() && s[i] == '0') ++i;
  return i;
}

size_t DigitsEnd(std::string_view s, size_t i) {
  while (i < s.size() && IsDigit(s[i])) ++i;
  return i;
}

}  // namespace

uint32_t Interner::Intern(std::string_view text) {
  auto it = ids_.find(text);
  if (it != ids_.end()) return it->second;
  std::string_view stored = Store(text);
  uint32_t id = size();
  texts_.push_back(stored);
  ids_.emplace(stored, id);
  return id;
}

uint32_t Interner::Find(std::string_view text) const {
  auto it = ids_.find(text);
  return it == ids_.end() ? kNone : it->second;
}

std::string_view Interner::Store(std::string_view text) {
  if (text.empty()) return "";
  if (capacity_ - used_ < text.size()) {
    capacity_ = std::max(kBlockBytes, text.size());
    blocks_.push_back(std::make_unique<char[]>(capacity_));
    used_ = 0;
  }
  char* place = blocks_.back().get() + used_;
  std::memcpy(place, text.data(), text.size());
  used_ += text.size();
  return {place, text.size()};
}

bool NaturalLess(std::string_view a, std::string_view b) {
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (!IsDigit(a[i]) || !IsDigit(b[j])) {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i;
      ++j;
      continue;
    }
    size_t ai = SkipZeros(a, i);
    size_t bj = SkipZeros(b, j);
    size_t ae = DigitsEnd(a, ai);
    size_t be = DigitsEnd(b, bj);
    if (ae - ai != be - bj) return ae - ai < be - bj;
    int order = a.substr(ai, ae - ai).compare(b.substr(bj, be - bj));
    if (order != 0) return order < 0;
    i = ae;
    j = be;
  }
  if (i < a.size() || j < b.size()) return i >= a.size();
  return a < b;
}

}  // namespace attr
