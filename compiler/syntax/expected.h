// ANTLR's set of expected tokens in words: up to five of them are listed, larger
// sets are named after what they are (an expression, a clause of the event).
#pragma once

#include <antlr4-runtime.h>

#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/tokens.h"

namespace attr::syntax {

class Expected {
 public:
  /// Of the state that `parser` is in.
  explicit Expected(antlr4::Parser* parser);
  bool Contains(size_t type) const;
  /// A name of an item is expected, and no clause word would do.
  bool ItemName() const { return item_name_; }
  bool Expression() const { return expression_; }
  /// "`{` or a string", "an expression".
  const std::string& text() const { return text_; }
  /// "the cause's clause", for messages that have no set.
  const std::string& place() const { return place_; }
  const std::string& help() const { return help_; }
  /// "did you mean `when`?" where `word` is near a word that may stand here; or empty.
  std::string DidYouMean(std::string_view word) const;

 private:
  antlr4::misc::IntervalSet set_;
  bool item_name_ = false;
  bool expression_ = false;
  std::string text_;
  std::string place_;
  std::string help_;
  std::vector<std::string> keywords_;  // all that may stand here
};

/// "`where`", "the end of the file", long text cut.
std::string DescribeToken(const Input& input, const Token& token);
/// The first 40 bytes, cut at a code point, `…` behind.
std::string ShortText(std::string_view text);

}  // namespace attr::syntax
