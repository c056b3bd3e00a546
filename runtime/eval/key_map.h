// Tuples of slots to dense ids in order of first appearance. Open addressing over
// a flat array: the one hash of this room. Ids follow row order, so they may only
// be used where row order may.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attr::eval {

class KeyMap {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  explicit KeyMap(size_t width) : width_(width) {}
  uint32_t Intern(const int64_t* tuple) {
    if ((count_ + 1) * 2 > buckets_.size()) Grow();
    size_t at = Hash(tuple) & (buckets_.size() - 1);
    for (; buckets_[at] != kNone; at = (at + 1) & (buckets_.size() - 1)) {
      if (Equal(buckets_[at], tuple)) return buckets_[at];
    }
    buckets_[at] = count_;
    tuples_.insert(tuples_.end(), tuple, tuple + width_);
    return count_++;
  }
  uint32_t Find(const int64_t* tuple) const {
    if (buckets_.empty()) return kNone;
    size_t at = Hash(tuple) & (buckets_.size() - 1);
    for (; buckets_[at] != kNone; at = (at + 1) & (buckets_.size() - 1)) {
      if (Equal(buckets_[at], tuple)) return buckets_[at];
    }
    return kNone;
  }
  const int64_t* Tuple(uint32_t id) const { return tuples_.data() + id * width_; }
  uint32_t size() const { return count_; }

 private:
  uint64_t Hash(const int64_t* tuple) const {
    uint64_t h = 0x9E3779B97F4A7C15ULL;
    for (size_t i = 0; i < width_; ++i) {
      h = (h ^ static_cast<uint64_t>(tuple[i])) * 0xFF51AFD7ED558CCDULL;
      h ^= h >> 32;
    }
    return h;
  }
  bool Equal(uint32_t id, const int64_t* tuple) const {
    for (size_t i = 0; i < width_; ++i) {
      if (tuples_[id * width_ + i] != tuple[i]) return false;
    }
    return true;
  }
  void Grow() {
    buckets_.assign(buckets_.empty() ? 16 : buckets_.size() * 2, kNone);
    for (uint32_t id = 0; id < count_; ++id) {
      size_t at = Hash(Tuple(id)) & (buckets_.size() - 1);
      while (buckets_[at] != kNone) at = (at + 1) & (buckets_.size() - 1);
      buckets_[at] = id;
    }
  }

  size_t width_;
  uint32_t count_ = 0;
  std::vector<int64_t> tuples_;
  std::vector<uint32_t> buckets_;
};

}  // namespace attr::eval
