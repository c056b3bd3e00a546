// The nibble scanner: a four-byte window of each literal goes into one of eight
// buckets, and 32 places at once are looked up by the halves of their bytes. What
// passes is compared. For few literals only: with many, most places pass. Why
// besides Vectorscan: for the 26 literals of an application log that one takes 1 ns
// a byte and wants the records copied behind each other (2026-11-30), this 0.2 ns
// where they lie. The method is Teddy's, from the same library.
#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/match/literal_scan.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace attr::match {

#ifdef __x86_64__
namespace {

constexpr size_t kMostLiterals = 64;
constexpr size_t kWidth = 4;                    // bytes of a window
constexpr size_t kBuckets = 8;                  // bits of a byte
constexpr size_t kLanes = 32;                   // places looked up at once
constexpr size_t kReach = kLanes + kWidth - 1;  // bytes that one look-up reads
constexpr uint32_t kFoldAll = 0x20202020U;

/// How often a byte stands in logs, roughly, in parts of a thousand.
double Share(unsigned char c) {
  if (c >= 'a' && c <= 'z') return std::strchr("etaoinsr", c) != nullptr ? 50 : 18;
  if (c >= '0' && c <= '9') return 20;
  if (c == ' ') return 100;
  if (c >= 'A' && c <= 'Z') return 6;
  return c > ' ' && c < 0x7F ? 8 : 1;
}

uint32_t LoadWindow(const char* p) {
  uint32_t value = 0;
  std::memcpy(&value, p, kWidth);
  return value;
}

/// How often a window stands in sample records, whatever its case. `NCCL` is rare in
/// texts and in every second line of a log of its own.
class Seldom {
 public:
  explicit Seldom(std::span<const std::string_view> sample) : counts_(kSlots, 0) {
    for (const std::string_view text : sample)
      for (size_t i = 0; i + kWidth <= text.size(); ++i) ++counts_[Slot(text.data() + i)];
  }
  uint32_t Count(const char* window) const { return counts_[Slot(window)]; }

 private:
  static constexpr size_t kSlots = 1 << 14;
  static size_t Slot(const char* p) { return (LoadWindow(p) | kFoldAll) * 0x9E3779B1U >> 18; }
  std::vector<uint32_t> counts_;
};

bool HasTwoCases(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char Folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

/// Which bytes a bucket lets through at each place of the window, by their halves.
struct Halves {
  std::array<uint16_t, kWidth> low{}, high{};

  void Add(const Literal& literal, size_t offset) {
    for (size_t k = 0; k < kWidth; ++k) {
      AddByte(k, literal.text[offset + k]);
      if (literal.caseless && HasTwoCases(literal.text[offset + k])) AddByte(k, literal.text[offset + k] ^ 0x20);
    }
  }
  void AddByte(size_t k, int byte) {
    low[k] |= static_cast<uint16_t>(1U << (byte & 15));
    high[k] |= static_cast<uint16_t>(1U << (byte >> 4 & 15));
  }
  /// The share of places that pass, roughly.
  double Passing() const {
    double share = 1;
    for (size_t k = 0; k < kWidth; ++k) {
      double here = 0;
      for (unsigned c = 0; c < 256; ++c)
        if ((low[k] >> (c & 15U) & 1U) != 0 && (high[k] >> (c >> 4U) & 1U) != 0)
          here += Share(static_cast<unsigned char>(c));
      share *= here / 1000;
    }
    return share;
  }
};

class NibbleScanner : public LiteralScanner {
 public:
  NibbleScanner(std::vector<Literal> literals, const Seldom& sample) : literals_(std::move(literals)) {
    for (uint32_t i = 0; i < literals_.size(); ++i) Place(i, sample);
    for (size_t b = 0; b < kBuckets; ++b) {
      for (size_t k = 0; k < kWidth; ++k) {
        for (size_t half = 0; half < 16; ++half) {
          const auto bit = static_cast<uint8_t>(1U << b);
          if ((halves_[b].low[k] >> half & 1U) != 0) low_[k][half] |= bit;
          if ((halves_[b].high[k] >> half & 1U) != 0) high_[k][half] |= bit;
        }
      }
    }
  }

  std::unique_ptr<Scratch> MakeScratch() const override {
    auto scratch = std::make_unique<Seen>();
    scratch->record.assign(literals_.size(), UINT32_MAX);
    return scratch;
  }

  __attribute__((target("avx2"))) void Scan(std::span<const std::string_view> records, Scratch& scratch,
                                            std::vector<Hit>& hits) const override {
    constexpr size_t kAhead = 8;  // records whose bytes are asked for before they are needed
    std::vector<uint32_t>& seen = static_cast<Seen&>(scratch).record;
    std::fill(seen.begin(), seen.end(), UINT32_MAX);
    const Tables tables(*this);
    Work work{seen, hits, 0, {}};
    for (; work.record < records.size(); ++work.record) {
      if (work.record + kAhead < records.size()) Prefetch(records[work.record + kAhead]);
      work.text = records[work.record];
      if (work.text.size() >= kReach) {
        const char* const last = work.text.data() + work.text.size() - kReach;
        const char* p = work.text.data();
        for (; p < last; p += kLanes) {
          const __m256i passed = tables.Passed(p);
          if (_mm256_testz_si256(passed, passed) == 0) Look(passed, p, p, work);
        }
        const __m256i passed = tables.Passed(last);  // overlaps the block before it
        if (_mm256_testz_si256(passed, passed) == 0) Look(passed, last, last, work);
      } else if (work.text.size() >= kWidth) {
        char padded[kReach] = {};
        std::memcpy(padded, work.text.data(), work.text.size());
        Look(tables.Passed(padded), padded, work.text.data(), work);
      }
    }
  }

 private:
  struct Seen : Scratch {
    std::vector<uint32_t> record;  // by literal: the last record it was reported for
  };
  struct Entry {
    uint32_t key = 0, fold = 0;  // the window, with the bits of `fold` set
    uint32_t literal = 0, offset = 0;
  };
  struct Work {
    std::vector<uint32_t>& seen;
    std::vector<Hit>& hits;
    uint32_t record;
    std::string_view text;
  };

  /// The window and the bucket that let least through.
  void Place(uint32_t index, const Seldom& sample) {
    const Literal& literal = literals_[index];
    size_t offset = 0;
    double rarest = UINT32_MAX;
    for (size_t at = 0; at + kWidth <= literal.text.size(); ++at) {
      Halves alone;
      alone.Add(literal, at);
      const double rarity = alone.Passing() + sample.Count(literal.text.data() + at);
      if (rarity >= rarest) continue;
      rarest = rarity;
      offset = at;
    }
    size_t bucket = 0;
    double least = 2;
    for (size_t b = 0; b < kBuckets; ++b) {
      Halves with = halves_[b];
      with.Add(literal, offset);
      const double more = with.Passing() - (buckets_[b].empty() ? 0 : halves_[b].Passing());
      if (more >= least) continue;
      least = more;
      bucket = b;
    }
    halves_[bucket].Add(literal, offset);
    const uint32_t fold = literal.caseless ? kFoldAll : 0;
    buckets_[bucket].push_back(
        {LoadWindow(literal.text.data() + offset) | fold, fold, index, static_cast<uint32_t>(offset)});
  }

  static void Prefetch(std::string_view text) {
    constexpr size_t kLine = 64, kMost = 4;
    for (size_t at = 0; at < std::min(text.size(), kLine * kMost); at += kLine) __builtin_prefetch(text.data() + at);
  }

  /// The scanner's tables in registers.
  struct Tables {
    __attribute__((target("avx2"))) explicit Tables(const NibbleScanner& scanner) {
      for (size_t k = 0; k < kWidth; ++k) {
        low[k] = Twice(scanner.low_[k]);
        high[k] = Twice(scanner.high_[k]);
      }
    }
    __attribute__((target("avx2"))) static __m256i Twice(const std::array<uint8_t, 16>& table) {
      return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(table.data())));
    }
    /// By place: the buckets that let its window through.
    __attribute__((target("avx2"), always_inline)) __m256i Passed(const char* p) const {
      const __m256i nibble = _mm256_set1_epi8(15);
      __m256i passed = _mm256_set1_epi8(-1);
#pragma GCC unroll 4
      for (size_t k = 0; k < kWidth; ++k) {
        const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + k));
        const __m256i lows = _mm256_shuffle_epi8(low[k], _mm256_and_si256(v, nibble));
        const __m256i highs = _mm256_shuffle_epi8(high[k], _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble));
        passed = _mm256_and_si256(passed, _mm256_and_si256(lows, highs));
      }
      return passed;
    }
    __m256i low[kWidth], high[kWidth];
  };

  /// Compares where something passed. The places from `bytes` on are those from `at` on in the text.
  __attribute__((target("avx2"), noinline)) void Look(__m256i passed, const char* bytes, const char* at,
                                                      Work& work) const {
    const __m256i none = _mm256_cmpeq_epi8(passed, _mm256_setzero_si256());
    alignas(32) std::array<uint8_t, kLanes> buckets;
    _mm256_store_si256(reinterpret_cast<__m256i*>(buckets.data()), passed);
    for (auto places = ~static_cast<uint32_t>(_mm256_movemask_epi8(none)); places != 0; places &= places - 1) {
      const auto place = static_cast<size_t>(__builtin_ctz(places));
      for (unsigned bits = buckets[place]; bits != 0; bits &= bits - 1)
        Check(buckets_[static_cast<size_t>(__builtin_ctz(bits))], LoadWindow(bytes + place), at + place, work);
    }
  }

  void Check(const std::vector<Entry>& bucket, uint32_t window, const char* at, Work& work) const {
    for (const Entry& entry : bucket) {
      if ((window | entry.fold) != entry.key || work.seen[entry.literal] == work.record) continue;
      const Literal& literal = literals_[entry.literal];
      const auto place = static_cast<size_t>(at - work.text.data());
      if (place < entry.offset || work.text.size() - (place - entry.offset) < literal.text.size()) continue;
      if (!Equal(at - entry.offset, literal)) continue;
      work.seen[entry.literal] = work.record;
      work.hits.push_back({work.record, entry.literal});
    }
  }

  static bool Equal(const char* p, const Literal& literal) {
    if (!literal.caseless) return std::memcmp(p, literal.text.data(), literal.text.size()) == 0;
    return std::equal(literal.text.begin(), literal.text.end(), p, [](char want, char c) { return Folded(c) == want; });
  }

  std::vector<Literal> literals_;
  std::array<Halves, kBuckets> halves_;
  std::array<std::vector<Entry>, kBuckets> buckets_;
  alignas(16) std::array<std::array<uint8_t, 16>, kWidth> low_{}, high_{};
};

}  // namespace

std::unique_ptr<LiteralScanner> MakeNibbleScanner(const std::vector<Literal>& literals,
                                                  std::span<const std::string_view> sample) {
  const bool fits = !literals.empty() && literals.size() <= kMostLiterals &&
                    std::all_of(literals.begin(), literals.end(),
                                [](const Literal& literal) { return literal.text.size() >= kWidth; });
  if (!fits || !__builtin_cpu_supports("avx2")) return nullptr;
  return std::make_unique<NibbleScanner>(literals, Seldom(sample));
}
#else
std::unique_ptr<LiteralScanner> MakeNibbleScanner(const std::vector<Literal>&, std::span<const std::string_view>) {
  return nullptr;
}
#endif

}  // namespace attr::match
