// What a rule file may not exceed. ANTLR's generated parser recurses, so nesting
// is counted on the tokens as they are handed to it: what it never sees cannot
// overflow its stack.
#pragma once

#include <optional>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/syntax/parse.h"
#include "compiler/syntax/tokens.h"

namespace attr::syntax {

/// File size and UTF-8. False: reported, and the file cannot be parsed.
bool CheckText(const Input& input, const ParseLimits& limits, diagnostics::Sink& sink);

/// Counts along the tokens of one item. Nesting is open brackets plus pending
/// prefix operators; a `not` stays pending until `and`, `or`, a comma or the next
/// clause, because `a == not b == not c …` recurses without a bracket. Infix
/// operators recurse too, once for each step up in precedence: they are counted
/// apart, with four times the limit, which keeps the parser below 1 MB of stack.
class LimitCounter {
 public:
  explicit LimitCounter(const ParseLimits& limits) : limits_(limits) {}
  /// The limit that this token passes: kNestingTooDeep, kTooManyOperators or kFileTooLarge (tokens of one item).
  std::optional<diagnostics::Code> Step(size_t type);

 private:
  std::optional<diagnostics::Code> Deeper();
  std::optional<diagnostics::Code> Operator();

  const ParseLimits& limits_;
  struct Level {
    size_t pending = 0;  // prefix operators
    size_t infix = 0;    // infix operators, at most one for each precedence
  };
  void CountInfix();
  std::vector<Level> open_;  // what is pending outside each open bracket
  size_t settled_ = 0;       // brackets and the prefix operators outside them
  size_t climbed_ = 0;       // infix operators outside the open brackets
  Level level_;              // of the innermost level
  size_t operators_ = 0;
  size_t tokens_ = 0;
  size_t before_ = 0;  // type of the token before
};

/// Thrown by TokenFeed out of the parser.
struct LimitReached {
  diagnostics::Code code{};
  size_t token = 0;
};

/// Hands `tokens` from `first` on to an ANTLR parser and throws LimitReached
/// before the token that passes a limit.
class TokenFeed : public antlr4::TokenSource {
 public:
  TokenFeed(const std::vector<Token>& tokens, size_t first, const ParseLimits& limits)
      : tokens_(tokens), next_(first), counter_(limits) {}
  std::unique_ptr<antlr4::Token> nextToken() override;
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() override { return 0; }
  antlr4::CharStream* getInputStream() override { return nullptr; }
  std::string getSourceName() override { return {}; }
  antlr4::TokenFactory<antlr4::CommonToken>* getTokenFactory() override {
    return antlr4::CommonTokenFactory::DEFAULT.get();
  }

 private:
  const std::vector<Token>& tokens_;
  size_t next_;
  LimitCounter counter_;
};

void Report(const LimitReached& reached, const Input& input, const std::vector<Token>& tokens,
            const ParseLimits& limits, diagnostics::Sink& sink);

}  // namespace attr::syntax
