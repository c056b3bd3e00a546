// Object files in a folder of the user, by key. A checksum finds accidents, not
// attackers: who can write the folder can run code, so a folder that is not the
// user's own, or that others can write, is refused (semantics.md J4). Nothing
// here fails an evaluation: without the cache, code is compiled in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/sha256.h"

namespace attr::jit {

class ObjectCache {
 public:
  static constexpr uint64_t kMaxBytes = 256ULL << 20;

  /// Creates the folder (0700, parents too) when `create` is set.
  static ObjectCache Open(const std::string& folder, bool create, uint64_t max_bytes = kMaxBytes);
  static ObjectCache Off(std::string why);
  ObjectCache(ObjectCache&& other) noexcept;
  ObjectCache& operator=(ObjectCache&&) = delete;
  ~ObjectCache();

  bool on() const { return folder_ >= 0; }
  const std::string& why_off() const { return why_off_; }

  /// nullopt when there is no entry, or when it is damaged, foreign or writable by others.
  std::optional<std::string> Load(const Sha256::Digest& key) const;
  /// Header and size only.
  bool Holds(const Sha256::Digest& key) const;
  /// Written aside and renamed: readers and other writers see the whole file or
  /// none. Deletes the entries used longest ago when the folder outgrows its
  /// bound. Returns why it could not, else an empty string.
  std::string Store(const Sha256::Digest& key, std::string_view object) const;

  /// Name of an entry inside the folder.
  static std::string FileName(const Sha256::Digest& key);

 private:
  ObjectCache(int folder, std::string why_off, uint64_t max_bytes);
  int OpenEntry(const Sha256::Digest& key, uint64_t* size) const;
  void Prune(const std::string& keep) const;

  int folder_;  // -1: off
  std::string why_off_;
  uint64_t max_bytes_;
};

}  // namespace attr::jit
