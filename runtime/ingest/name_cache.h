// Interner::Intern behind a small direct-mapped cache: the names of rows repeat.
// Internal to this room.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "runtime/base/interner.h"

namespace attr::ingest {

class NameCache {
 public:
  explicit NameCache(Interner* names) : names_(names), entries_(size_t{1} << kBits) {}

  uint32_t Intern(std::string_view name) {
    Key key = KeyOf(name);
    Entry& entry = entries_[((key.head ^ key.tail * kMix) * kMix) >> (64 - kBits)];
    bool same = entry.key.size == key.size && entry.key.head == key.head && entry.key.tail == key.tail;
    // Up to sixteen bytes the key is the name.
    if (same && !name.empty() && (name.size() <= 16 || names_->Text(entry.id) == name)) return entry.id;
    entry = {key, names_->Intern(name)};
    return entry.id;
  }

 private:
  static constexpr unsigned kBits = 12;
  static constexpr uint64_t kMix = 0x9E3779B97F4A7C15ULL;
  struct Key {
    uint64_t head = 0, tail = 0, size = 0;
  };
  struct Entry {
    Key key;
    uint32_t id = 0;
  };

  template <class T>
  static uint64_t Load(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  /// Overlapping loads, so that no byte beyond the name is read.
  static Key KeyOf(std::string_view name) {
    const char* begin = name.data();
    const char* end = begin + name.size();
    if (name.size() >= 8) return {Load<uint64_t>(begin), Load<uint64_t>(end - 8), name.size()};
    if (name.size() >= 4) return {Load<uint32_t>(begin) | Load<uint32_t>(end - 4) << 32, 0, name.size()};
    if (name.empty()) return {};
    return {Load<uint8_t>(begin) | Load<uint8_t>(begin + name.size() / 2) << 8 | Load<uint8_t>(end - 1) << 16, 0,
            name.size()};
  }

  Interner* names_;
  std::vector<Entry> entries_;
};

}  // namespace attr::ingest
