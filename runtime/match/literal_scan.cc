// The window scanner: each literal is found by its rarest four-byte window, case
// folded, through a bit table that stays in the first-level cache.
#include "runtime/match/literal_scan.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace attr::match {

namespace {

constexpr uint32_t kFold = 0x20202020U;
constexpr size_t kChains = 4096;

uint32_t Load4(const char* p) {
  uint32_t value = 0;
  std::memcpy(&value, p, 4);
  return value | kFold;
}
uint32_t Load3(const char* p) {
  uint32_t value = 0;
  std::memcpy(&value, p, 3);
  return value | kFold;  // the fourth byte is always a blank
}
uint32_t Hash(uint32_t key) { return key * 0x9E3779B1U >> 16; }

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

/// Rough rarity in logs: blanks and lower case are everywhere, capitals and marks are not.
int Rarity(char c) {
  if (c >= 'a' && c <= 'z') return std::strchr("etaoinsr", c) != nullptr ? 1 : 2;
  if (c == ' ' || c == ':' || c == '.') return 1;
  return 3;
}

class WindowScanner : public LiteralScanner {
 public:
  explicit WindowScanner(std::vector<Literal> literals) : literals_(std::move(literals)), heads_(kChains, kEnd) {
    for (uint32_t i = 0; i < literals_.size(); ++i) Add(i);
  }

  std::unique_ptr<Scratch> MakeScratch() const override {
    auto scratch = std::make_unique<Seen>();
    scratch->record.assign(literals_.size(), UINT32_MAX);
    return scratch;
  }

  void Scan(std::span<const std::string_view> records, Scratch& scratch, std::vector<Hit>& hits) const override {
    std::vector<uint32_t>& seen = static_cast<Seen&>(scratch).record;
    std::fill(seen.begin(), seen.end(), UINT32_MAX);
    for (uint32_t r = 0; r < records.size(); ++r) ScanOne(records[r], r, seen, hits);
  }

 private:
  static constexpr uint32_t kEnd = UINT32_MAX;
  struct Seen : Scratch {
    std::vector<uint32_t> record;  // by literal: the last record it was reported for
  };
  struct Entry {
    uint32_t key = 0, literal = 0, offset = 0, next = kEnd;
  };

  void Add(uint32_t index) {
    const std::string& text = literals_[index].text;
    if (text.size() < 3) {
      short_.push_back(index);
      return;
    }
    const size_t width = text.size() >= 4 ? 4 : 3;
    size_t best = 0;
    int best_rarity = -1;
    for (size_t at = 0; at + width <= text.size(); ++at) {
      int rarity = 0;
      for (size_t k = 0; k < width; ++k) rarity += Rarity(text[at + k]);
      if (rarity > best_rarity) {
        best = at;
        best_rarity = rarity;
      }
    }
    const uint32_t key = width == 4 ? Load4(text.data() + best) : Load3(text.data() + best);
    (width == 4 ? bits4_ : bits3_)[Hash(key) / 64] |= uint64_t{1} << Hash(key) % 64;
    any3_ = any3_ || width == 3;
    uint32_t& head = heads_[Hash(key) % kChains];
    entries_.push_back({key, index, static_cast<uint32_t>(best), head});
    head = static_cast<uint32_t>(entries_.size() - 1);
  }

  void ScanOne(std::string_view text, uint32_t record, std::vector<uint32_t>& seen, std::vector<Hit>& hits) const {
    const char* p = text.data();
    if (text.size() >= 4 && !entries_.empty()) {
      const size_t end = text.size() - 3;
      for (size_t i = 0; i < end; ++i) {
        const uint32_t key = Load4(p + i);
        const uint32_t h = Hash(key);
        if ((bits4_[h / 64] >> h % 64 & 1U) != 0) Check(key, text, i, record, seen, hits);
      }
    }
    if (any3_ && text.size() >= 3) {
      for (size_t i = 0; i + 3 <= text.size(); ++i) {
        const uint32_t key = Load3(p + i);
        const uint32_t h = Hash(key);
        if ((bits3_[h / 64] >> h % 64 & 1U) != 0) Check(key, text, i, record, seen, hits);
      }
    }
    for (const uint32_t literal : short_) {
      if (text.find(literals_[literal].text) != std::string_view::npos) Report(literal, record, seen, hits);
    }
  }

  void Check(uint32_t key, std::string_view text, size_t at, uint32_t record, std::vector<uint32_t>& seen,
             std::vector<Hit>& hits) const {
    for (uint32_t e = heads_[Hash(key) % kChains]; e != kEnd; e = entries_[e].next) {
      const Entry& entry = entries_[e];
      if (entry.key != key || seen[entry.literal] == record || at < entry.offset) continue;
      const Literal& literal = literals_[entry.literal];
      const size_t begin = at - entry.offset;
      if (text.size() - begin < literal.text.size()) continue;
      if (Equal(text.data() + begin, literal)) Report(entry.literal, record, seen, hits);
    }
  }

  static bool Equal(const char* p, const Literal& literal) {
    if (!literal.caseless) return std::memcmp(p, literal.text.data(), literal.text.size()) == 0;
    for (size_t i = 0; i < literal.text.size(); ++i)
      if (Lower(p[i]) != literal.text[i]) return false;
    return true;
  }

  static void Report(uint32_t literal, uint32_t record, std::vector<uint32_t>& seen, std::vector<Hit>& hits) {
    if (seen[literal] == record) return;
    seen[literal] = record;
    hits.push_back({record, literal});
  }

  std::vector<Literal> literals_;
  std::array<uint64_t, 1024> bits4_{};
  std::array<uint64_t, 1024> bits3_{};
  std::vector<uint32_t> heads_;
  std::vector<Entry> entries_;
  std::vector<uint32_t> short_;
  bool any3_ = false;
};

}  // namespace

std::unique_ptr<LiteralScanner> MakeWindowScanner(std::vector<Literal> literals) {
  return std::make_unique<WindowScanner>(std::move(literals));
}

}  // namespace attr::match
