#include "compiler/syntax/expected.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "grammar/AttrParser.h"
#include "runtime/base/json_text.h"

namespace attr::syntax {
namespace {

using antlr4::ParserRuleContext;

constexpr size_t kListed = 5;
constexpr size_t kShown = 40;

std::string TokenName(const antlr4::dfa::Vocabulary& vocabulary, size_t type) {
  switch (type) {
    case antlr4::Token::EOF:
      return "the end of the file";
    case AttrParser::IDENT:
      return "a name";
    case AttrParser::STRING:
    case AttrParser::RAW_STRING:
      return "a string";
    case AttrParser::REGEX:
      return "a regular expression";
    case AttrParser::DURATION:
      return "a duration";
    case AttrParser::SIZE:
      return "a size";
    case AttrParser::INT:
    case AttrParser::FLOAT:
      return "a number";
    case AttrParser::DATETIME:
    case AttrParser::TIME:
      return "a time";
    case AttrParser::VERSION:
      return "a version";
    case AttrParser::K_CERTAINTY:
      return "`settled` or `provisional`";
    default:
      break;
  }
  std::string literal = vocabulary.getLiteralName(type);
  if (literal.size() < 3) return "a name";  // K_RESERVED
  return "`" + literal.substr(1, literal.size() - 2) + "`";
}

// What a rule of the grammar is called to its user.
std::string_view RuleName(size_t rule) {
  switch (rule) {
    case AttrParser::RulePackDecl:
    case AttrParser::RulePackItem:
      return "the pack";
    case AttrParser::RuleDomainDecl:
      return "a domain";
    case AttrParser::RuleSourceDecl:
      return "a source";
    case AttrParser::RuleConstDecl:
      return "a constant";
    case AttrParser::RuleTableDecl:
      return "a table";
    case AttrParser::RuleEventDecl:
    case AttrParser::RuleEventClause:
      return "an event";
    case AttrParser::RuleCauseDecl:
      return "a cause";
    case AttrParser::RuleSymptomDecl:
      return "a symptom";
    case AttrParser::RuleRuleClause:
      return "a rule";
    case AttrParser::RuleDemote:
    case AttrParser::RuleDemotionDecl:
      return "a demotion";
    case AttrParser::RulePrecedenceDecl:
    case AttrParser::RuleChain:
    case AttrParser::RulePrefer:
      return "a precedence block";
    case AttrParser::RuleAmbiguityDecl:
    case AttrParser::RuleBetween:
      return "an ambiguity block";
    case AttrParser::RuleOutcomeDecl:
      return "an outcome";
    case AttrParser::RuleTestDecl:
    case AttrParser::RuleTestItem:
    case AttrParser::RuleObservation:
      return "a test";
    case AttrParser::RuleAttemptItem:
      return "an attempt";
    case AttrParser::RuleExpectation:
      return "an expectation";
    case AttrParser::RuleDisableDecl:
    case AttrParser::RuleOverrideDecl:
    case AttrParser::RuleOverrideItem:
      return "an override";
    case AttrParser::RuleAllowDecl:
      return "an `allow`";
    case AttrParser::RuleCondition:
    case AttrParser::RuleGroup:
    case AttrParser::RuleFurther:
      return "a condition";
    case AttrParser::RuleBinding:
    case AttrParser::RuleTimeRel:
      return "a binding";
    case AttrParser::RuleFieldDef:
    case AttrParser::RuleType:
      return "a field";
    case AttrParser::RuleCoverage:
      return "a coverage";
    case AttrParser::RuleExpr:
    case AttrParser::RuleReference:
    case AttrParser::RuleInTarget:
      return "an expression";
    default:
      return {};
  }
}

std::string PlaceOf(antlr4::tree::ParseTree* tree) {
  for (; tree != nullptr; tree = tree->parent) {
    auto* context = dynamic_cast<ParserRuleContext*>(tree);
    if (context == nullptr) break;
    const std::string_view name = RuleName(context->getRuleIndex());
    if (!name.empty()) return std::string(name);
  }
  return "a declaration";
}

// A clause keyword where one of many may come: they are named by their block.
std::string ClauseOf(antlr4::tree::ParseTree* tree) {
  std::string place = PlaceOf(tree);
  if (place == "a declaration" || place == "an expectation") return place;
  return "a clause of " + place;
}

std::string Join(const std::vector<std::string>& words) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

// The word itself, without the quotes of the vocabulary.
void AddWord(const antlr4::dfa::Vocabulary& vocabulary, size_t type, std::vector<std::string>* words) {
  const std::string literal = vocabulary.getLiteralName(type);
  if (literal.size() > 2) words->push_back(literal.substr(1, literal.size() - 2));
}

}  // namespace

Expected::Expected(antlr4::Parser* parser) : set_(parser->getExpectedTokens()) {
  antlr4::tree::ParseTree* context = parser->getContext();
  place_ = PlaceOf(context);
  std::vector<std::string> words;
  auto add = [&](std::string word) {
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
  };
  const bool name = Contains(AttrParser::IDENT);
  const bool any_name = name && Contains(AttrParser::K_ADVISE) && Contains(AttrParser::K_RESERVED);
  const bool literal = Contains(AttrParser::K_TRUE) && Contains(AttrParser::FLOAT);
  expression_ = any_name && literal && Contains(AttrParser::K_HAS);
  item_name_ = name && !any_name;
  const bool operators = Contains(AttrParser::STAR) && Contains(AttrParser::PERCENT);
  const bool items = Contains(AttrParser::K_PACK) && Contains(AttrParser::K_OUTCOME) && !any_name;
  if (expression_) {
    add("an expression");
  } else if (literal) {
    add("a literal");
  } else if (any_name) {
    add("a name");
  }
  if (operators) add("an operator");
  std::vector<std::string> keywords;
  for (ssize_t listed : set_.toList()) {
    const auto type = static_cast<size_t>(listed);
    if (IsKeyword(type)) AddWord(parser->getVocabulary(), type, &keywords_);
    if (any_name && IsSoftKeyword(type)) continue;
    if (items && (StartsItem(type) || type == antlr4::Token::EOF)) continue;
    const bool starts_value = type < AttrParser::K_WHERE || type == AttrParser::LPAREN || type == AttrParser::MINUS ||
                              (type >= AttrParser::DATETIME && type <= AttrParser::RAW_STRING);
    if ((expression_ || literal) && starts_value) continue;
    if (operators && ((type >= AttrParser::EQ && type <= AttrParser::SLASH) || type <= AttrParser::K_IN)) continue;
    if (IsKeyword(type)) {
      keywords.push_back(TokenName(parser->getVocabulary(), type));
    } else {
      add(TokenName(parser->getVocabulary(), type));
    }
  }
  if (words.size() + keywords.size() > kListed) {
    help_ = keywords.size() > 1 && keywords.size() <= 25 ? "here may stand " + Join(keywords) : "";
    if (!keywords.empty()) words.insert(words.begin(), ClauseOf(context));
  } else {
    words.insert(words.end(), keywords.begin(), keywords.end());
  }
  if (items) add("the next declaration");
  if (words.size() > kListed) words = {"the rest of " + place_};
  text_ = words.empty() ? "something else" : Join(words);
}

// A misspelt `where` ends its clause, and what is expected is the next one: the
// words that continue a clause are tried, too.
std::string Expected::DidYouMean(std::string_view word) const {
  std::string_view near = diagnostics::NearestName(word, {keywords_.begin(), keywords_.end()});
  if (near.empty()) {
    near =
        diagnostics::NearestName(word, {"after", "because", "before", "lead", "unless", "where", "within", "without"});
  }
  return near.empty() || near == word ? std::string() : fmt::format("did you mean `{}`?", near);
}

bool Expected::Contains(size_t type) const { return set_.contains(type); }

std::string ShortText(std::string_view text) {
  if (text.size() <= kShown) return std::string(text);
  size_t end = kShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "…";
}

std::string DescribeToken(const Input& input, const Token& token) {
  if (token.type == static_cast<uint32_t>(antlr4::Token::EOF)) return "the end of the file";
  std::string_view text = input.TextOf(token);
  // BAD is one byte of what may be a longer code point.
  if (token.type == AttrParser::BAD && text.size() == 1) {
    const size_t length = Utf8SequenceLength(input.text, token.begin);
    if (length > 1) text = input.text.substr(token.begin, length);
  }
  const std::string_view line = text.substr(0, text.find('\n'));
  return fmt::format("`{}`{}", ShortText(line), line.size() < text.size() ? " …" : "");
}

}  // namespace attr::syntax
