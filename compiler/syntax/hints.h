// The mistakes that ANTLR's own words would hide: a joined event without a name,
// `or` without braces, a division that reads as a regular expression, a word of
// the language as a name, an unclosed quote (semantics.md, section 3). One
// function a mistake; each looks only at a few tokens around the failing one.
#pragma once

#include <antlr4-runtime.h>

#include <optional>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/syntax/expected.h"
#include "compiler/syntax/tokens.h"

namespace attr::syntax {

struct Mistake {
  const Input& input;
  const std::vector<Token>& tokens;
  size_t first;     // where the item begins
  size_t at;        // the failing token
  size_t decision;  // where the failing choice began; `at` when it failed at once
  const Expected& expected;
  antlr4::ParserRuleContext* context;
};

std::optional<diagnostics::Diagnostic> FindHint(const Mistake& mistake);

/// Of the tokens on the line of `at`, the one at the very left, when it begins a
/// declaration; else `at`. Where a brace is missing, `domain a "b"` reads as a
/// clause until its string: the mistake is the keyword, not the string.
size_t NextDeclarationOnLine(const Input& input, const std::vector<Token>& tokens, size_t first, size_t at);

/// Mistakes of one token, wherever it stands: bad number, quote, character.
std::optional<diagnostics::Diagnostic> FindTokenHint(const Input& input, const std::vector<Token>& tokens, size_t at);

}  // namespace attr::syntax
