// From a state of ANTLR's parser that cannot go on to one diagnostic: what was
// expected, what stood there, and a hint where the mistake is a known one. There
// is no repair inside an item: the first error ends it (parse.cc goes on with
// the next item), because guesses about the rest of a clause are mostly wrong.
#pragma once

#include <antlr4-runtime.h>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/syntax/tokens.h"

namespace attr::syntax {

/// Thrown out of the parser after the error was reported.
struct SyntaxFailed {
  size_t token = 0;  // index of the token where it failed
};

class ErrorStrategy : public antlr4::DefaultErrorStrategy {
 public:
  /// `first` is the index in `tokens` of the first token that the parser was given.
  ErrorStrategy(const Input& input, const std::vector<Token>& tokens, size_t first, diagnostics::Sink& sink)
      : input_(input), tokens_(tokens), first_(first), sink_(sink) {}

  void recover(antlr4::Parser* parser, std::exception_ptr error) override;
  antlr4::Token* recoverInline(antlr4::Parser* parser) override;
  void sync(antlr4::Parser* parser) override;
  void reportError(antlr4::Parser* /*parser*/, const antlr4::RecognitionException& /*error*/) override {}

 private:
  [[noreturn]] void Fail(antlr4::Parser* parser, size_t at, size_t decision);
  const Input& input_;
  const std::vector<Token>& tokens_;
  size_t first_;
  diagnostics::Sink& sink_;
};

/// Reports what stands where a declaration should begin.
void ReportNoItem(const Input& input, const std::vector<Token>& tokens, size_t at, diagnostics::Sink& sink);

}  // namespace attr::syntax
