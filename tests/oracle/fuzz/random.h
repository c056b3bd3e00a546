// Small choices from one seed, the same on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attr::oracle {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 0x1234567U) {}

  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15U;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  /// 0 .. n-1
  size_t Below(size_t n) { return static_cast<size_t>(Next() % n); }
  int64_t Between(int64_t lo, int64_t hi) { return lo + static_cast<int64_t>(Below(static_cast<size_t>(hi - lo + 1))); }
  bool Chance(int percent) { return Below(100) < static_cast<size_t>(percent); }
  template <class T>
  const T& Of(const std::vector<T>& list) {
    return list[Below(list.size())];
  }
  std::string Word(std::initializer_list<const char*> words) { return *(words.begin() + Below(words.size())); }

 private:
  uint64_t state_;
};

}  // namespace attr::oracle
