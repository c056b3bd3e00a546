// What every match of a pattern must contain: an OR-set of literals, found from
// the pattern's text without compiling it (RE2 compiles on the first hit only).
// Sound, not complete: where the analysis does not understand, it says nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/match/regex_tree.h"

namespace attr::match {

struct Literal {
  std::string text;       // no line end in it; lower case when caseless
  bool caseless = false;  // ASCII letters match either case
  bool operator==(const Literal&) const = default;
  auto operator<=>(const Literal&) const = default;
};

struct PatternFacts {
  /// A match contains at least one of them; empty: nothing is known.
  std::vector<Literal> any_of;
  /// By capture number minus one: the group takes part in every match.
  std::vector<bool> always_captures;
  std::vector<std::string> names;  // by capture number minus one; empty: no name
  /// By capture number minus one: offset and length of what opens it, `(` or `(?P<name>`.
  std::vector<std::pair<size_t, size_t>> openers;
  /// Every match begins with this text (case as written); may be empty.
  std::string prefix;
};

inline constexpr size_t kShortestLiteral = 3;

PatternFacts FactsOf(const RegexTree& tree);
PatternFacts FactsOf(std::string_view pattern);

}  // namespace attr::match
