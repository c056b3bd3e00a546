// Strings to dense ids and back. Ids follow first use, so they depend on the
// input's order: no output may be ordered by them. Strings live in blocks that
// never move; a view stays valid as long as the interner.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attr {

class Interner {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t Intern(std::string_view text);
  /// kNone when it was never interned.
  uint32_t Find(std::string_view text) const;
  std::string_view Text(uint32_t id) const { return texts_[id]; }
  uint32_t size() const { return static_cast<uint32_t>(texts_.size()); }

 private:
  std::string_view Store(std::string_view text);
  std::unordered_map<std::string_view, uint32_t> ids_;
  std::vector<std::string_view> texts_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t used_ = 0;
  size_t capacity_ = 0;
};

/// "n2" before "n10": digit runs compare as numbers, ties by bytes. A total order.
bool NaturalLess(std::string_view a, std::string_view b);

}  // namespace attr
