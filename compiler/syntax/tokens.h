// The token stream between ANTLR's lexer and its parser. The lexer reads bytes,
// so that every offset is a byte offset and no input throws; tokens are kept in
// twelve bytes each and turned into ANTLR's own only while an item is parsed.
#pragma once

#include <antlr4-runtime.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/source.h"

namespace attr::syntax {

struct Token {
  uint32_t type = 0;   // AttrLexer's number
  uint32_t begin = 0;  // byte offsets in the text
  uint32_t end = 0;
};

/// A `///` line; `next` is the index of the token that follows it.
struct DocLine {
  uint32_t begin = 0;
  uint32_t end = 0;
  size_t next = 0;
};

/// Text being parsed and where it lies. `base` is added to every offset: it is
/// not 0 for a placeholder inside a string literal.
struct Input {
  std::string_view text;
  uint32_t file = 0;
  uint32_t base = 0;
  diagnostics::Span SpanOf(uint32_t begin, uint32_t end) const { return {file, base + begin, base + end}; }
  diagnostics::Span SpanOf(const Token& token) const { return SpanOf(token.begin, token.end); }
  std::string_view TextOf(const Token& token) const { return text.substr(token.begin, token.end - token.begin); }
};

struct Tokens {
  std::vector<Token> all;  // the last one is EOF
  std::vector<DocLine> docs;
};

/// Lexes the whole text. A quote that is not closed on its line becomes one BAD
/// token up to the line's end, so that the rest of the line confuses nobody.
Tokens Lex(std::string_view text);

bool IsKeyword(size_t type);
/// Words that may name a field, column or attribute.
bool IsSoftKeyword(size_t type);
/// Words that begin a declaration at the top level.
bool StartsItem(size_t type);
/// Names, literals, closing brackets: what an operator may follow.
bool IsOperand(size_t type);

}  // namespace attr::syntax
