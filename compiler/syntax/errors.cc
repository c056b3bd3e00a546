#include "compiler/syntax/errors.h"

#include <fmt/format.h>

#include "compiler/syntax/expected.h"
#include "compiler/syntax/hints.h"
#include "grammar/AttrParser.h"

namespace attr::syntax {
namespace {

using antlr4::ParserRuleContext;
using diagnostics::Code;
using diagnostics::Diagnostic;

// The declaration that the parser is in, as "cause `ib_port_lost`", and its first token.
struct Enclosing {
  std::string text;
  diagnostics::Span span;
};

std::optional<Enclosing> FindEnclosing(const Input& input, const std::vector<Token>& tokens, size_t first) {
  const Token& keyword = tokens[first];
  if (!StartsItem(keyword.type) || first + 1 >= tokens.size()) return std::nullopt;
  Enclosing found;
  found.text = std::string(input.TextOf(keyword));
  found.span = input.SpanOf(keyword);
  const Token& name = tokens[first + 1];
  if (name.type == AttrParser::IDENT || name.type == AttrParser::STRING) {
    found.text += fmt::format(" `{}`", ShortText(input.TextOf(name)));
    found.span.end = input.SpanOf(name).end;
  }
  return found;
}

bool HasLineEnd(std::string_view text) { return text.find('\n') != std::string_view::npos; }

}  // namespace

void ErrorStrategy::recover(antlr4::Parser* parser, std::exception_ptr error) {
  size_t at = parser->getCurrentToken()->getTokenIndex();
  size_t decision = at;
  try {
    std::rethrow_exception(std::move(error));
  } catch (const antlr4::NoViableAltException& e) {
    at = e.getOffendingToken()->getTokenIndex();
    decision = e.getStartToken()->getTokenIndex();
  } catch (const antlr4::RecognitionException& e) {
    if (e.getOffendingToken() != nullptr) decision = at = e.getOffendingToken()->getTokenIndex();
  }
  Fail(parser, at, decision);
}

antlr4::Token* ErrorStrategy::recoverInline(antlr4::Parser* parser) {
  const size_t at = parser->getCurrentToken()->getTokenIndex();
  Fail(parser, at, at);
}

// ANTLR calls this at every loop and choice. Failing here, and not at the token behind the loop, gives the full set of
// what could have come.
void ErrorStrategy::sync(antlr4::Parser* parser) {
  const antlr4::atn::ATN& atn = parser->getATN();
  antlr4::atn::ATNState* state = atn.states[parser->getState()];
  const antlr4::misc::IntervalSet& next = atn.nextTokens(state);
  if (next.contains(antlr4::Token::EPSILON) || next.contains(parser->getTokenStream()->LA(1))) return;
  switch (state->getStateType()) {
    case antlr4::atn::ATNState::BLOCK_START:
    case antlr4::atn::ATNState::STAR_BLOCK_START:
    case antlr4::atn::ATNState::PLUS_BLOCK_START:
    case antlr4::atn::ATNState::STAR_LOOP_ENTRY:
    case antlr4::atn::ATNState::STAR_LOOP_BACK:
    case antlr4::atn::ATNState::PLUS_LOOP_BACK: {
      const size_t at = parser->getCurrentToken()->getTokenIndex();
      Fail(parser, at, at);
    }
    default:
      return;
  }
}

void ErrorStrategy::Fail(antlr4::Parser* parser, size_t at, size_t decision) {
  at = std::min(first_ + at, tokens_.size() - 1);
  decision = std::min(first_ + decision, at);
  const Expected expected(parser);
  if (expected.Contains(AttrParser::RBRACE)) {
    at = NextDeclarationOnLine(input_, tokens_, first_, at);
    decision = std::min(decision, at);
  }
  Diagnostic diagnostic;
  if (auto hint = FindHint({input_, tokens_, first_, at, decision, expected, parser->getContext()})) {
    diagnostic = std::move(*hint);
  } else {
    diagnostic.code = Code::kSyntax;
    const std::string found = DescribeToken(input_, tokens_[at]);
    diagnostic.message = decision < at ? fmt::format("unexpected {} in {}", found, expected.place())
                                       : fmt::format("expected {}, found {}", expected.text(), found);
    diagnostic.primary.span = input_.SpanOf(tokens_[at]);
    if (tokens_[at].type == AttrParser::IDENT) diagnostic.help = expected.DidYouMean(input_.TextOf(tokens_[at]));
    if (diagnostic.help.empty()) diagnostic.help = expected.help();
  }
  auto enclosing = FindEnclosing(input_, tokens_, first_);
  if (enclosing && HasLineEnd(input_.text.substr(tokens_[first_].begin, tokens_[at].begin - tokens_[first_].begin))) {
    diagnostic.secondary.push_back(
        {enclosing->span, "in this " + enclosing->text.substr(0, enclosing->text.find(' '))});
  }
  sink_.Add(std::move(diagnostic));
  throw SyntaxFailed{at};
}

void ReportNoItem(const Input& input, const std::vector<Token>& tokens, size_t at, diagnostics::Sink& sink) {
  const Token& token = tokens[at];
  if (auto hint = FindTokenHint(input, tokens, at)) {
    sink.Add(std::move(*hint));
    return;
  }
  if (token.type == AttrParser::K_RESERVED) {
    sink.Add(Code::kReservedWord, input.SpanOf(token),
             fmt::format("`{}` is reserved for a later version of the language", input.TextOf(token)));
    return;
  }
  std::string help = "declarations begin with `event`, `cause`, `symptom`, `demote`, `precedence`, `test`, …";
  const std::string_view near = diagnostics::NearestName(
      input.TextOf(token), {"allow", "ambiguity", "cause", "const", "demote", "disable", "domain", "event", "outcome",
                            "override", "pack", "precedence", "source", "symptom", "table", "test"});
  if (token.type == AttrParser::IDENT && !near.empty()) help = fmt::format("did you mean `{}`?", near);
  if (token.type == AttrParser::RBRACE) help = "a brace is closed that was not opened; look at the declaration above";
  sink.Add(Code::kSyntax, input.SpanOf(token),
           fmt::format("expected a declaration, found {}", DescribeToken(input, token)), "", std::move(help));
}

}  // namespace attr::syntax
