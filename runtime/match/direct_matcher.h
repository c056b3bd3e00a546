// Patterns of log lines, matched directly: literals, runs of one set, groups,
// alternatives, by backtracking in the order that RE2 calls leftmost-first, so that
// the result is RE2's. Where the sets of what may follow exclude each other, no
// choice is noted, so that most lines are one pass without going back. Work is
// bounded: past a budget linear in the text, or with too many choices open, it gives
// up and RE2 decides. Why: five groups of a watchdog line cost RE2 4 to 8 us
// (2026-11-30), here a seventh of one, and a third of a cascade's lines are such.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/match/regex_tree.h"

namespace attr::match {

class DirectMatcher {
 public:
  enum class Outcome : uint8_t { kNo, kYes, kGaveUp };
  struct Span {
    int64_t begin, end;  // -1: took no part
  };
  static constexpr size_t kMostGroups = 32;
  /// The whole match, then the wanted captures in their order.
  using Spans = std::array<Span, 1 + kMostGroups>;

  /// Null when the pattern has something that is not modelled. `wanted`: capture
  /// numbers, each at most once; `prefix`: every match begins with it.
  static std::unique_ptr<DirectMatcher> Make(const RegexTree& tree, const std::vector<int>& wanted, std::string prefix);

  /// Writes `spans` when it says yes.
  Outcome Match(std::string_view text, Spans& spans) const;

 private:
  friend class DirectCompiler;
  enum class Op : uint8_t {
    kText,
    kSet,
    kRun,
    kSave,
    kSplit,
    kJump,
    kMatch,
    kBeginText,
    kEndText,
    kBeginLine,
    kEndLine,
    kWordBorder,
  };
  static constexpr uint32_t kAny = UINT32_MAX;
  static constexpr uint32_t kNoSlot = UINT32_MAX;
  struct Instruction {
    Op op = Op::kMatch;
    bool lazy = false;
    bool possessive = false;   // kRun: giving back cannot help
    bool bytes = false;        // kRun: the set holds ASCII only, a character is a byte
    bool to_line_end = false;  // kRun: the set holds everything but the line end
    int next_byte = -1;        // kRun: what must follow; -1: not known
    uint32_t a = 0, b = 0;     // kText: offset, length; kSet, kRun: set; kSave: slot; kSplit, kJump: targets
    uint32_t first_a = kAny, first_b = kAny;  // kSplit: set of what each choice begins with; kAny: it can be empty
    int32_t min = 0, max = 0;                 // kRun, in characters; max -1: no bound
    uint32_t slot = kNoSlot;                  // kRun: a group of its own begins in this slot, ends in the next
  };
  using Table = std::array<bool, 256>;
  class Search;

  std::vector<Instruction> code_;
  std::vector<Table> sets_;
  std::string literals_;
  std::string prefix_;
  bool starts_with_prefix_ = false;  // the first instruction is the prefix and nothing else
  Table first_{};                    // bytes that a match can begin with
  bool any_first_ = true;            // it can be empty, or is not known
  size_t slots_ = 0;
};

}  // namespace attr::match
