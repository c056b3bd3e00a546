// Which literals stand in which records. Three methods with one answer: 32 places at
// once by nibbles, for few literals; a bloom filter over four-byte windows, ready in
// microseconds; and Vectorscan's literal matcher, which takes milliseconds to compile
// and pays on megabytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/match/literals.h"

namespace attr::match {

struct Hit {
  uint32_t record = 0;   // index in the scanned span
  uint32_t literal = 0;  // index in the scanner's list
};

class LiteralScanner {
 public:
  /// Working memory of one thread.
  class Scratch {
   public:
    virtual ~Scratch() = default;
  };
  virtual ~LiteralScanner() = default;
  virtual std::unique_ptr<Scratch> MakeScratch() const = 0;
  /// Appends hits in ascending order of records; a literal stands at most once per record.
  virtual void Scan(std::span<const std::string_view> records, Scratch& scratch, std::vector<Hit>& hits) const = 0;
};

std::unique_ptr<LiteralScanner> MakeWindowScanner(std::vector<Literal> literals);
/// Null for many or very short literals and where the CPU has no AVX2; use another then.
/// `sample`: some of the records, to see what is rare in them.
std::unique_ptr<LiteralScanner> MakeNibbleScanner(const std::vector<Literal>& literals,
                                                  std::span<const std::string_view> sample);
/// Null where the CPU or the library refuses; use the window scanner then.
std::unique_ptr<LiteralScanner> MakeVectorScanner(const std::vector<Literal>& literals);

}  // namespace attr::match
