// Regular expressions of rule text: translated to what the plan stores (RE2,
// `(?P<name>` only), checked and measured. Errors point inside the literal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/sema/context.h"

namespace attr::sema {

struct CheckedRegex {
  std::string text;
  std::vector<std::string> groups;  // named, in order
  bool matches_empty = false;
};

/// nullopt after a diagnostic.
std::optional<CheckedRegex> CheckRegex(Context& context, const syntax::Text& regex);

/// `(?<name>` to `(?P<name>`; `origin[i]` is the offset in `text` that byte i of
/// the result came from (one more entry for the end).
std::string ToRe2(std::string_view text, std::vector<size_t>* origin);

/// Where the name of a group stands in the literal; the whole literal when not found.
Span GroupSpan(const Context& context, const syntax::Text& regex, std::string_view group);

}  // namespace attr::sema
