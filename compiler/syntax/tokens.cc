#include "compiler/syntax/tokens.h"

#include <algorithm>

#include "grammar/AttrLexer.h"

namespace attr::syntax {
namespace {

// Bytes as ANTLR's characters. The grammar's sets are ASCII or complements, so
// the bytes of a longer code point fall where the code point would.
class ByteStream : public antlr4::CharStream {
 public:
  explicit ByteStream(std::string_view text) : text_(text) {}
  void consume() override {
    if (at_ < text_.size()) ++at_;
  }
  size_t LA(ssize_t i) override {
    if (i == 0) return 0;
    if (i < 0) {
      const auto back = static_cast<size_t>(-i);
      return back > at_ ? antlr4::IntStream::EOF : static_cast<unsigned char>(text_[at_ - back]);
    }
    const size_t index = at_ + static_cast<size_t>(i) - 1;
    return index < text_.size() ? static_cast<unsigned char>(text_[index]) : antlr4::IntStream::EOF;
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t /*marker*/) override {}
  size_t index() override { return at_; }
  void seek(size_t index) override { at_ = std::min(index, text_.size()); }
  size_t size() override { return text_.size(); }
  std::string getSourceName() const override { return {}; }
  std::string getText(const antlr4::misc::Interval& interval) override {
    const auto begin = static_cast<size_t>(std::max<ssize_t>(interval.a, 0));
    if (begin >= text_.size() || interval.b < interval.a) return {};
    return std::string(text_.substr(begin, static_cast<size_t>(interval.b - interval.a) + 1));
  }
  std::string toString() const override { return std::string(text_); }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Tokens Lex(std::string_view text) {
  Tokens tokens;
  tokens.all.reserve(text.size() / 6);
  ByteStream stream(text);
  if (text.substr(0, 3) == "\xef\xbb\xbf") stream.seek(3);  // a byte order mark says nothing in UTF-8
  AttrLexer lexer(&stream);
  lexer.removeErrorListeners();
  while (true) {
    std::unique_ptr<antlr4::Token> token = lexer.nextToken();
    const size_t type = token->getType();
    if (type == antlr4::Token::EOF) break;
    const auto begin = static_cast<uint32_t>(token->getStartIndex());
    auto end = static_cast<uint32_t>(token->getStopIndex() + 1);
    if (type == AttrLexer::DOC) {
      tokens.docs.push_back({begin, end, tokens.all.size()});
      continue;
    }
    if (type == AttrLexer::BAD && text[begin] == '"') {
      end = static_cast<uint32_t>(std::min(text.find_first_of("\r\n", begin), text.size()));
      stream.seek(end);
    }
    tokens.all.push_back({static_cast<uint32_t>(type), begin, end});
  }
  const auto size = static_cast<uint32_t>(text.size());
  tokens.all.push_back({static_cast<uint32_t>(antlr4::Token::EOF), size, size});
  return tokens;
}

bool IsKeyword(size_t type) { return type >= AttrLexer::K_AND && type <= AttrLexer::K_RESERVED; }
bool IsSoftKeyword(size_t type) { return type >= AttrLexer::K_ADVISE && type <= AttrLexer::K_RESERVED; }

bool StartsItem(size_t type) {
  switch (type) {
    case AttrLexer::K_PACK:
    case AttrLexer::K_DOMAIN:
    case AttrLexer::K_SOURCE:
    case AttrLexer::K_CONST:
    case AttrLexer::K_TABLE:
    case AttrLexer::K_EVENT:
    case AttrLexer::K_CAUSE:
    case AttrLexer::K_SYMPTOM:
    case AttrLexer::K_DEMOTE:
    case AttrLexer::K_PRECEDENCE:
    case AttrLexer::K_AMBIGUITY:
    case AttrLexer::K_OUTCOME:
    case AttrLexer::K_TEST:
    case AttrLexer::K_DISABLE:
    case AttrLexer::K_OVERRIDE:
    case AttrLexer::K_ALLOW:
      return true;
    default:
      return false;
  }
}

bool IsOperand(size_t type) {
  switch (type) {
    case AttrLexer::IDENT:
    case AttrLexer::INT:
    case AttrLexer::FLOAT:
    case AttrLexer::SIZE:
    case AttrLexer::DURATION:
    case AttrLexer::DATETIME:
    case AttrLexer::STRING:
    case AttrLexer::RAW_STRING:
    case AttrLexer::K_TRUE:
    case AttrLexer::K_FALSE:
    case AttrLexer::RPAREN:
    case AttrLexer::RBRACK:
      return true;
    default:
      return false;
  }
}

}  // namespace attr::syntax
