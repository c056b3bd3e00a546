#include "compiler/syntax/limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "grammar/AttrLexer.h"
#include "runtime/base/json_text.h"

namespace attr::syntax {

using diagnostics::Code;

bool CheckText(const Input& input, const ParseLimits& limits, diagnostics::Sink& sink) {
  if (input.text.size() > limits.file_bytes) {
    sink.Add(Code::kFileTooLarge, input.SpanOf(0, 0),
             fmt::format("rule file has {} bytes, the limit is {}", input.text.size(), limits.file_bytes));
    return false;
  }
  for (size_t at = 0; at < input.text.size();) {
    // A NUL is valid UTF-8, but no text of a pack may hold one.
    const size_t length = input.text[at] == '\0' ? 0 : Utf8SequenceLength(input.text, at);
    if (length == 0) {
      const auto offset = static_cast<uint32_t>(at);
      sink.Add(Code::kInvalidUtf8, input.SpanOf(offset, offset + 1),
               fmt::format("byte {} of the file, 0x{:02x}, is not UTF-8 text", at,
                           static_cast<unsigned char>(input.text[at])));
      return false;
    }
    at += length;
  }
  return true;
}

std::optional<Code> LimitCounter::Deeper() {
  const size_t depth = settled_ + level_.pending;
  if (depth > limits_.nesting) return Code::kNestingTooDeep;
  if (depth + climbed_ + level_.infix > 4 * limits_.nesting) return Code::kNestingTooDeep;
  return std::nullopt;
}

void LimitCounter::CountInfix() {
  constexpr size_t kPrecedences = 12;
  level_.infix = std::min(level_.infix + 1, kPrecedences);
}

std::optional<Code> LimitCounter::Operator() {
  if (++operators_ > limits_.operators) return Code::kTooManyOperators;
  return Deeper();
}

std::optional<Code> LimitCounter::Step(size_t type) {
  const size_t before = before_;
  before_ = type;
  if (++tokens_ > limits_.item_tokens) return Code::kFileTooLarge;
  switch (type) {
    case AttrLexer::LBRACE:
      operators_ = 0;
      [[fallthrough]];
    case AttrLexer::LPAREN:
    case AttrLexer::LBRACK:
      open_.push_back(level_);
      settled_ += level_.pending + 1;
      climbed_ += level_.infix;
      level_ = {};
      return Deeper();
    case AttrLexer::RBRACE:
      operators_ = 0;
      [[fallthrough]];
    case AttrLexer::RPAREN:
    case AttrLexer::RBRACK:
      if (open_.empty()) return std::nullopt;
      level_ = open_.back();
      settled_ -= level_.pending + 1;
      climbed_ -= level_.infix;
      open_.pop_back();
      return std::nullopt;
    case AttrLexer::K_NOT:
      ++level_.pending;
      return Operator();
    case AttrLexer::MINUS:
      // Behind an operand it subtracts; behind another operator it binds tightest and returns at once.
      if (before == AttrLexer::MINUS || before == AttrLexer::K_NOT) ++level_.pending;
      CountInfix();
      return Operator();
    case AttrLexer::K_AND:
    case AttrLexer::K_OR:
      level_.pending = 0;
      CountInfix();
      return Operator();
    case AttrLexer::COMMA:
      level_ = {};
      return std::nullopt;
    default:
      break;
  }
  if ((type >= AttrLexer::EQ && type <= AttrLexer::SLASH) || type == AttrLexer::K_IN) {
    CountInfix();
    return Operator();
  }
  const bool clause = IsSoftKeyword(type) || (type >= AttrLexer::K_WHERE && type <= AttrLexer::K_WHEN);
  // Only a word that cannot be a field's name ends an expression for sure; the others are told by what follows,
  // which is not known here, so that a field named `text` restarts the count of operators but not of nesting.
  if (clause && before != AttrLexer::DOT) operators_ = 0;
  if (clause && !IsSoftKeyword(type)) level_ = {};
  return std::nullopt;
}

std::unique_ptr<antlr4::Token> TokenFeed::nextToken() {
  const size_t index = std::min(next_, tokens_.size() - 1);
  const Token& token = tokens_[index];
  ++next_;
  const bool at_end = token.type == static_cast<uint32_t>(antlr4::Token::EOF);
  if (!at_end) {
    if (auto code = counter_.Step(token.type)) throw LimitReached{*code, index};
  }
  // ANTLR's stop index is the last byte, not the one behind it.
  return std::make_unique<antlr4::CommonToken>(std::pair<antlr4::TokenSource*, antlr4::CharStream*>{nullptr, nullptr},
                                               at_end ? antlr4::Token::EOF : token.type, antlr4::Token::DEFAULT_CHANNEL,
                                               token.begin, static_cast<size_t>(token.end) - 1);
}

void Report(const LimitReached& reached, const Input& input, const std::vector<Token>& tokens,
            const ParseLimits& limits, diagnostics::Sink& sink) {
  const diagnostics::Span span = input.SpanOf(tokens[reached.token]);
  std::string message;
  std::string help;
  if (reached.code == Code::kNestingTooDeep) {
    message = fmt::format("nesting is deeper than {} levels", limits.nesting);
  } else if (reached.code == Code::kTooManyOperators) {
    message = fmt::format("expression has more than {} operators", limits.operators);
  } else {
    message = fmt::format("declaration has more than {} words and signs", limits.item_tokens);
    help = "split the declaration";
  }
  sink.Add(reached.code, span, std::move(message), "one too many", std::move(help));
}

}  // namespace attr::syntax
