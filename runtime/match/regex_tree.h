// RE2's syntax as a tree, for what needs to look inside a pattern: its literals,
// and the direct matcher. What the reader does not model is a kUnknown node, what
// it does not understand gives no tree; RE2 decides what is valid.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attr::match {

/// One character out of a set: ASCII members, and all or none of the others.
struct CharSet {
  std::array<bool, 128> ascii{};
  bool others = false;
};

struct RegexNode {
  enum class Kind : uint8_t {
    kEmpty,
    kLiteral,  // `text`, one character; caseless: ASCII letter, either case
    kSet,      // `set`
    kUnknown,  // any text at all
    kBeginText,
    kEndText,
    kBeginLine,
    kEndLine,
    kWordBorder,
    kNoWordBorder,
    kCapture,  // children[0], `capture` from 1
    kConcat,
    kAlternate,
    kRepeat,  // children[0], min..max times (max -1: no bound)
  };
  Kind kind = Kind::kEmpty;
  bool caseless = false, lazy = false;
  int capture = 0, min = 0, max = 0;
  std::string text;
  CharSet set;
  std::vector<RegexNode> children;
};

struct RegexTree {
  RegexNode root;
  std::vector<std::string> names;                  // by capture number minus one; empty: no name
  std::vector<std::pair<size_t, size_t>> openers;  // offset and length of `(` or `(?P<name>`
};

std::optional<RegexTree> ReadRegex(std::string_view pattern);

}  // namespace attr::match
