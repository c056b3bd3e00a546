// One pattern of an event, prepared on its first use, with the groups that somebody
// reads. Most are matched directly (direct_matcher.h); RE2 is compiled where that
// is not possible or gives up. RE2 finds up to four groups in one pass over the
// text and takes several times as long for more, so further groups are a second
// expression with other groups open.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/match/direct_matcher.h"
#include "runtime/match/regex.h"

namespace attr::match {

class LazyRegex {
 public:
  struct Wanted {
    std::string name;   // of the group
    uint32_t slot = 0;  // where its text goes
  };
  LazyRegex(std::string_view pattern, std::vector<Wanted> wanted) : pattern_(pattern), wanted_(std::move(wanted)) {}

  /// Finds the leftmost match. `whole` (may be null) is the matched text; `captures`
  /// (may be null) is indexed by Wanted::slot: only groups that took part are written,
  /// and only where nothing is yet (of several clauses the first that captured counts).
  /// False also when the pattern does not compile: see error().
  bool Match(std::string_view text, std::string_view* whole, std::string_view* captures) const;
  /// The leftmost match that begins at `from` or later; what stands before is seen by `^` and `\b`.
  bool MatchFrom(std::string_view text, size_t from, std::string_view* whole, std::string_view* captures) const;
  bool Matches(std::string_view text) const { return Match(text, nullptr, nullptr); }
  /// Empty unless it was used and did not compile.
  std::string error() const;
  std::string_view pattern() const { return pattern_; }

 private:
  struct Part {
    std::unique_ptr<RE2> regex;
    std::vector<std::pair<int, uint32_t>> groups;  // capture number, slot
    int submatches = 0;                            // highest capture number
  };
  void Prepare() const;
  void Compile() const;
  void Split(const struct PatternFacts& facts) const;
  bool MatchByRe2(std::string_view text, size_t from, std::string_view* whole, std::string_view* captures) const;
  Part MakePart(std::string_view pattern, const Wanted* begin, const Wanted* end) const;
  bool Find(const RE2& regex, std::string_view text, size_t from, re2::StringPiece* submatches, int count) const;

  std::string_view pattern_;
  std::vector<Wanted> wanted_;
  mutable std::once_flag prepared_, compiled_;
  mutable std::atomic<bool> ready_{
      false};  // prepared: asked on every record, where a once_flag costs as much as a step
  mutable std::unique_ptr<DirectMatcher> direct_;
  mutable std::vector<std::pair<size_t, uint32_t>> direct_slots_;  // of the direct matcher's spans, to slots
  mutable std::vector<Part> parts_;
  mutable std::string prefix_;
  mutable std::string error_;
};

}  // namespace attr::match
