#include "compiler/syntax/hints.h"

#include <fmt/format.h>

#include <algorithm>

#include "grammar/AttrParser.h"
#include "runtime/base/json_text.h"

namespace attr::syntax {
namespace {

using diagnostics::Code;
using diagnostics::Diagnostic;
using diagnostics::Span;

Diagnostic Make(Code code, Span span, std::string message, std::string label = {}, std::string help = {}) {
  Diagnostic d;
  d.code = code;
  d.message = std::move(message);
  d.primary = {span, std::move(label)};
  d.help = std::move(help);
  return d;
}

size_t TypeAt(const Mistake& m, size_t index) {
  return index >= m.first && index < m.tokens.size() ? m.tokens[index].type : 0;
}
// The token `back` places before the failing one; 0 outside the item.
size_t Before(const Mistake& m, size_t back) { return m.at >= back ? TypeAt(m, m.at - back) : 0; }

bool Adjacent(const Token& a, const Token& b) { return a.end == b.begin; }

bool JoinsBinding(size_t type) {
  switch (type) {
    case AttrParser::K_AND:
    case AttrParser::K_WITHOUT:
    case AttrParser::K_UNLESS:
    case AttrParser::K_WITH:
    case AttrParser::K_WHEN:
      return true;
    default:
      return false;
  }
}

bool ColumnZero(const Input& input, const Token& token) {
  return token.begin == 0 || input.text[token.begin - 1] == '\n';
}

Diagnostic BadCharacter(const Input& input, const Token& token) {
  const std::string_view text = input.text.substr(token.begin);
  const size_t length = std::max<size_t>(Utf8SequenceLength(input.text, token.begin), 1);
  const auto end = static_cast<uint32_t>(token.begin + length);
  std::string help;
  switch (text[0]) {
    case '#':
      help = "comments begin with `//`";
      break;
    case '\'':
      help = "strings stand between double quotes or backticks";
      break;
    case '!':
      help = "negation is written `not`, inequality `!=`";
      break;
    case ';':
      help = "clauses are not separated";
      break;
    default:
      break;
  }
  const std::string shown(text.substr(0, length));
  return Make(Code::kBadCharacter, input.SpanOf(token.begin, end), fmt::format("`{}` has no meaning here", shown), "",
              std::move(help));
}

// `when x: a and ib_error where …`, `when ib_error where …`
std::optional<Diagnostic> JoinNeedsName(const Mistake& m) {
  size_t name = 0;
  if (m.expected.Contains(AttrParser::COLON) && Before(m, 1) == AttrParser::IDENT && JoinsBinding(Before(m, 2))) {
    name = m.at - 1;
  } else if (Before(m, 1) == AttrParser::IDENT && Before(m, 2) == AttrParser::K_WHEN &&
             (TypeAt(m, m.at) == AttrParser::K_WHERE || TypeAt(m, m.at) == AttrParser::K_WITHIN)) {
    name = m.at - 1;
  } else {
    return std::nullopt;
  }
  const std::string_view event = m.input.TextOf(m.tokens[name]);
  const std::string_view word = m.input.TextOf(m.tokens[name - 1]);
  return Make(Code::kJoinNeedsName, m.input.SpanOf(m.tokens[name]),
              fmt::format("{}event `{}` needs a name", word == "when" ? "" : "joined ", event), "bound to no name",
              fmt::format("write `{} e: {}` and speak of its fields as `e.field`", word, event));
}

// `x: a or y: b`, `x: a where x.c == 1 or y: b`
std::optional<Diagnostic> OrNeedsBraces(const Mistake& m) {
  size_t word = 0;
  if (TypeAt(m, m.at) == AttrParser::K_OR && TypeAt(m, m.at + 1) == AttrParser::IDENT &&
      TypeAt(m, m.at + 2) == AttrParser::COLON) {
    word = m.at;
  } else if (TypeAt(m, m.at) == AttrParser::COLON && Before(m, 1) == AttrParser::IDENT &&
             Before(m, 2) == AttrParser::K_OR) {
    word = m.at - 2;
  } else {
    return std::nullopt;
  }
  return Make(Code::kOrNeedsBraces, m.input.SpanOf(m.tokens[word]), "`or` between bindings needs braces on both sides",
              "which side would what follows belong to?");
}

std::optional<Diagnostic> RegexMistakes(const Mistake& m) {
  const Token& token = m.tokens[m.at];
  if (token.type == AttrParser::REGEX && IsOperand(Before(m, 1))) {
    return Make(Code::kDivisionLooksLikeRegex, m.input.SpanOf(token), "division looks like a regular expression",
                "read as a regular expression", "write `a / b` with blanks to divide, `a ~ /…/` to match");
  }
  if (Before(m, 1) == AttrParser::REGEX && Adjacent(m.tokens[m.at - 1], token)) {
    const Token& regex = m.tokens[m.at - 1];
    return Make(Code::kUnterminatedRegex, m.input.SpanOf(regex), "regular expression ends at its second slash",
                "read as the whole expression", "inside a regular expression a slash is written `\\/`");
  }
  if (token.type == AttrParser::SLASH && m.expected.Contains(AttrParser::REGEX)) {
    const std::string_view rest = m.input.text.substr(token.begin + 1);
    const size_t line = std::min(rest.find_first_of("\r\n"), rest.size());
    const bool blank = !rest.empty() && (rest[0] == ' ' || rest[0] == '\t');
    const auto end = static_cast<uint32_t>(token.begin + 1 + line);
    return Make(Code::kUnterminatedRegex, m.input.SpanOf(token.begin, end), "regular expression is not closed", "",
                blank ? "a regular expression does not begin with a blank; write `[ ]` for one"
                : !rest.empty() && rest[0] == '*'
                    ? "a regular expression does not begin with `*`; comments are written `//`"
                    : "");
  }
  if (token.type == AttrParser::SLASH && TypeAt(m, m.at + 1) == AttrParser::STAR &&
      Adjacent(token, m.tokens[m.at + 1])) {
    return Make(Code::kSyntax, m.input.SpanOf(token.begin, token.begin + 2), "`/*` begins no comment", "",
                "comments are written `//`, each line its own");
  }
  return std::nullopt;
}

std::optional<Diagnostic> WordAsName(const Mistake& m) {
  size_t word = m.at;
  if (TypeAt(m, m.at) == AttrParser::COLON && IsSoftKeyword(Before(m, 1)) && JoinsBinding(Before(m, 2))) {
    word = m.at - 1;  // `when event: xid`
  } else if (IsKeyword(TypeAt(m, m.at)) && m.at == m.first + 1 && TypeAt(m, m.first) == AttrParser::K_EVENT &&
             !ColumnZero(m.input, m.tokens[m.at])) {
    word = m.at;  // the two forms of `event` are told apart behind the name: ANTLR expected nothing in particular
  } else if (!IsKeyword(TypeAt(m, m.at)) || !m.expected.ItemName() || m.at == m.first) {
    return std::nullopt;
  } else if (StartsItem(TypeAt(m, m.at)) && ColumnZero(m.input, m.tokens[m.at])) {
    return std::nullopt;  // the name is missing and the next declaration follows
  }
  const std::string_view text = m.input.TextOf(m.tokens[word]);
  const Span span = m.input.SpanOf(m.tokens[word]);
  if (m.tokens[word].type == AttrParser::K_RESERVED) {
    return Make(Code::kReservedWord, span, fmt::format("`{}` is reserved for a later version of the language", text));
  }
  return Make(Code::kClauseWordAsName, span, fmt::format("`{}` is a word of the language", text),
              "expected the name of an item");
}

// `exepct cause c`: what began as a line of an unknown source breaks at a word of the language.
std::optional<Diagnostic> ClauseOfTest(const Mistake& m) {
  if (TypeAt(m, m.first) != AttrParser::K_TEST) return std::nullopt;
  size_t word = m.at;
  while (word > m.first &&
         m.input.text.substr(m.tokens[word - 1].end, m.tokens[word].begin - m.tokens[word - 1].end).find('\n') ==
             std::string_view::npos) {
    --word;
  }
  if (word == m.at || m.tokens[word].type != AttrParser::IDENT) return std::nullopt;
  const std::string_view text = m.input.TextOf(m.tokens[word]);
  const std::string_view near = diagnostics::NearestName(text, {"attempt", "cover", "expect"});
  if (near.empty()) return std::nullopt;
  return Make(Code::kSyntax, m.input.SpanOf(m.tokens[word]), fmt::format("`{}` begins no clause of a test", text), "",
              fmt::format("did you mean `{}`?", near));
}

// Habits from other languages.
std::optional<Diagnostic> ForeignOperator(const Mistake& m) {
  const Token& token = m.tokens[m.at];
  const bool doubled = m.at > m.first && m.tokens[m.at - 1].type == token.type && Adjacent(m.tokens[m.at - 1], token);
  std::string help;
  uint32_t begin = token.begin;
  if (token.type == AttrParser::AMP && doubled) {
    help = "write `and`";
    begin = m.tokens[m.at - 1].begin;
  } else if (token.type == AttrParser::PIPE && doubled) {
    help = "write `or`";
    begin = m.tokens[m.at - 1].begin;
  } else if (token.type == AttrParser::ASSIGN && IsOperand(Before(m, 1))) {
    help = "write `==` to compare";
  } else {
    return std::nullopt;
  }
  const Span span = m.input.SpanOf(begin, token.end);
  return Make(Code::kSyntax, span,
              fmt::format("`{}` is no operator here", m.input.text.substr(begin, token.end - begin)), "",
              std::move(help));
}

// The next declaration, or the file's end, where the last one could go on or close.
std::optional<Diagnostic> MissingBrace(const Mistake& m) {
  const Token& token = m.tokens[m.at];
  const bool at_end = token.type == static_cast<uint32_t>(antlr4::Token::EOF);
  if (!m.expected.Contains(AttrParser::RBRACE) || m.at == m.first) return std::nullopt;
  if (!at_end && !(StartsItem(token.type) && ColumnZero(m.input, token))) return std::nullopt;
  const std::string found = DescribeToken(m.input, token);
  return Make(Code::kSyntax, m.input.SpanOf(token), fmt::format("expected `}}` before {}", found), "",
              "close the declaration above with `}`");
}

}  // namespace

std::optional<Diagnostic> FindTokenHint(const Input& input, const std::vector<Token>& tokens, size_t at) {
  const Token& token = tokens[at];
  if (token.type == AttrParser::BAD_NUMBER) {
    return Make(Code::kBadNumber, input.SpanOf(token),
                fmt::format("`{}` is neither a number with a unit nor a name", ShortText(input.TextOf(token))));
  }
  if (token.type != AttrParser::BAD) return std::nullopt;
  const char c = input.text[token.begin];
  if (c == '"') {
    return Make(Code::kUnterminatedString, input.SpanOf(token), "string is not closed on its line");
  }
  if (c == '`') {
    return Make(Code::kUnterminatedString, input.SpanOf(token), "string between backticks is not closed",
                "no second backtick follows");
  }
  return BadCharacter(input, token);
}

size_t NextDeclarationOnLine(const Input& input, const std::vector<Token>& tokens, size_t first, size_t at) {
  for (size_t i = at; i > first; --i) {
    if (StartsItem(tokens[i].type) && ColumnZero(input, tokens[i])) return i;
    const uint32_t end = tokens[i - 1].end;
    if (input.text.substr(end, tokens[i].begin - end).find('\n') != std::string_view::npos) break;
  }
  return at;
}

std::optional<Diagnostic> FindHint(const Mistake& mistake) {
  if (auto hint = FindTokenHint(mistake.input, mistake.tokens, mistake.at)) return hint;
  for (auto* find :
       {JoinNeedsName, OrNeedsBraces, RegexMistakes, MissingBrace, ClauseOfTest, WordAsName, ForeignOperator}) {
    if (auto hint = find(mistake)) return hint;
  }
  return std::nullopt;
}

}  // namespace attr::syntax
