// Names and literals, and the choice of an item's builder.
#include "compiler/syntax/builder.h"

#include <fmt/format.h>

namespace attr::syntax {

using diagnostics::Code;

Span TreeBuilder::SpanOf(antlr4::ParserRuleContext* context) const {
  const auto begin = static_cast<uint32_t>(context->start->getStartIndex());
  // An empty rule has no stop token, or one that lies before its start.
  const size_t stop = context->stop == nullptr ? begin : context->stop->getStopIndex() + 1;
  return input_.SpanOf(begin, std::max(begin, static_cast<uint32_t>(stop)));
}

Span TreeBuilder::SpanOf(Terminal* node) const {
  antlr4::Token* token = node->getSymbol();
  return input_.SpanOf(static_cast<uint32_t>(token->getStartIndex()), static_cast<uint32_t>(token->getStopIndex() + 1));
}

std::string_view TreeBuilder::TextOf(antlr4::ParserRuleContext* context) const {
  const Span span = SpanOf(context);
  return input_.text.substr(span.begin - input_.base, span.end - span.begin);
}

std::string_view TreeBuilder::TextOf(Terminal* node) const {
  const Span span = SpanOf(node);
  return input_.text.substr(span.begin - input_.base, span.end - span.begin);
}

void TreeBuilder::Fail(Code code, Span span, std::string message, std::string label, std::string help) {
  failed_ = true;
  sink_.Add(code, span, std::move(message), std::move(label), std::move(help));
}

void TreeBuilder::Duplicate(Span span, std::string_view clause) {
  Fail(Code::kDuplicateClause, span, fmt::format("`{}` is given twice", clause), "a second time");
}

Name TreeBuilder::MakeName(Terminal* node) const { return {std::string(TextOf(node)), SpanOf(node)}; }
Name TreeBuilder::MakeName(P::NameContext* context) const { return {std::string(TextOf(context)), SpanOf(context)}; }

Name TreeBuilder::MakePath(P::PathContext* context) const {
  Name path;
  path.span = SpanOf(context);
  for (Terminal* part : context->IDENT()) {  // joined anew: blanks may stand around the dots
    if (!path.text.empty()) path.text += '.';
    path.text += TextOf(part);
  }
  return path;
}

QName TreeBuilder::MakeQName(P::QnameContext* context) const {
  QName name;
  name.span = SpanOf(context);
  name.name = TextOf(context->IDENT());
  if (context->path() != nullptr) name.pack = MakePath(context->path()).text;
  return name;
}

QName TreeBuilder::MakeQPath(P::QpathContext* context) const {
  QName name;
  name.span = SpanOf(context);
  auto paths = context->path();
  name.name = MakePath(paths.back()).text;
  if (paths.size() > 1) name.pack = MakePath(paths.front()).text;
  return name;
}

std::vector<Name> TreeBuilder::MakeNames(P::NamesContext* context) const {
  std::vector<Name> names;
  for (auto* name : context->name()) names.push_back(MakeName(name));
  return names;
}

std::vector<Name> TreeBuilder::MakeNames(P::IdentsContext* context) const {
  std::vector<Name> names;
  for (auto* name : context->IDENT()) names.push_back(MakeName(name));
  return names;
}

std::vector<Name> TreeBuilder::MakePaths(const std::vector<P::PathContext*>& contexts) const {
  std::vector<Name> paths;
  for (auto* path : contexts) paths.push_back(MakePath(path));
  return paths;
}

Text TreeBuilder::MakeText(P::StringContext* context) {
  Text text;
  text.span = SpanOf(context);
  if (auto value = literals_.String(TextOf(context), text.span)) {
    text.value = std::move(*value);
  } else {
    failed_ = true;
  }
  return text;
}

std::optional<Text> TreeBuilder::MaybeText(P::StringContext* context) {
  if (context == nullptr) return std::nullopt;
  return MakeText(context);
}

std::optional<Text> TreeBuilder::Because(P::BecauseClauseContext* context) {
  if (context == nullptr) return std::nullopt;
  return MakeText(context->string());
}

Text TreeBuilder::MakeRegex(P::RegexContext* context) const {
  return {Literals::Regex(TextOf(context)), SpanOf(context)};
}

std::vector<Text> TreeBuilder::MakeRegexes(const std::vector<P::RegexContext*>& contexts) const {
  std::vector<Text> regexes;
  for (auto* regex : contexts) regexes.push_back(MakeRegex(regex));
  return regexes;
}

Text TreeBuilder::MakeVersion(P::VersionContext* context) const {
  return {std::string(TextOf(context)), SpanOf(context)};
}

int64_t TreeBuilder::Nanos(Terminal* node, bool negative) {
  auto value = literals_.Duration(TextOf(node), SpanOf(node), negative);
  failed_ = failed_ || !value;
  return value.value_or(0);
}

int64_t TreeBuilder::Integer(Terminal* node) {
  auto value = literals_.Integer(TextOf(node), SpanOf(node));
  failed_ = failed_ || !value;
  return value.value_or(0);
}

DurationRef TreeBuilder::MakeDuration(P::DurationContext* context) {
  DurationRef duration;
  duration.span = SpanOf(context);
  if (context->DURATION() != nullptr) {
    duration.nanos = Nanos(context->DURATION());
  } else {
    duration.constant = TextOf(context);
  }
  return duration;
}

std::optional<DurationRef> TreeBuilder::MaybeDuration(P::DurationContext* context) {
  if (context == nullptr) return std::nullopt;
  return MakeDuration(context);
}

Literal TreeBuilder::NumberLiteral(antlr4::ParserRuleContext* context, Terminal* number, Span span, bool negative) {
  Literal literal;
  literal.span = span;
  const std::string_view text = TextOf(number);
  auto set = [&](auto value) {
    if (value) {
      literal.value = *value;
    } else {
      failed_ = true;
    }
  };
  switch (number->getSymbol()->getType()) {
    case P::INT:
      set(literals_.Integer(text, span, negative));
      break;
    case P::FLOAT:
      set(literals_.Float(text, span, negative));
      break;
    case P::SIZE:
      if (auto bytes = literals_.Size(text, span, negative)) {
        literal.value = SizeValue{*bytes};
      } else {
        failed_ = true;
      }
      break;
    case P::DURATION:
      literal.value = DurationValue{Nanos(number, negative)};
      break;
    default:
      Fail(Code::kSyntax, SpanOf(context), fmt::format("`{}` has no sign", TextOf(context)), "",
           "only numbers, sizes and durations may be negative");
  }
  return literal;
}

Literal TreeBuilder::MakeLiteral(P::LiteralContext* context, Span span, bool negative) {
  Literal literal;
  literal.span = span;
  const size_t type = context->start->getType();
  auto* terminal = dynamic_cast<Terminal*>(context->children[0]);
  const bool number = type == P::INT || type == P::FLOAT || type == P::SIZE || type == P::DURATION;
  if (number) return NumberLiteral(context, terminal, span, negative);
  if (negative) {
    Fail(Code::kSyntax, span, fmt::format("`{}` has no sign", TextOf(context)), "",
         "only numbers, sizes and durations may be negative");
  } else if (type == P::DATETIME) {
    if (auto value = literals_.DateTime(TextOf(context), span)) {
      literal.value = std::move(*value);
    } else {
      failed_ = true;
    }
  } else if (type == P::K_TRUE || type == P::K_FALSE) {
    literal.value = type == P::K_TRUE;
  } else {
    literal.value = MakeText(context->string()).value;
  }
  return literal;
}

Literal TreeBuilder::MakeLiteral(P::SignedLiteralContext* context) {
  return MakeLiteral(context->literal(), SpanOf(context), context->MINUS() != nullptr);
}

Literal TreeBuilder::MakeLiteral(P::BoundContext* context) {
  auto* number = dynamic_cast<Terminal*>(context->children.back());
  return NumberLiteral(context, number, SpanOf(context), context->MINUS() != nullptr);
}

TestMoment TreeBuilder::MakeMoment(P::MomentContext* context) {
  TestMoment moment;
  const Span span = SpanOf(context);
  const std::string_view text = TextOf(context);
  if (context->TIME() != nullptr) {
    if (auto time = literals_.TimeOfDay(text, span)) return *time;
  } else if (auto stamp = literals_.DateTime(text, span)) {
    moment.time_of_day = false;
    moment.nanos = stamp->nanos;
    moment.precision = stamp->precision;
    moment.text = std::move(stamp->text);
    moment.span = span;
    return moment;
  }
  failed_ = true;
  return moment;
}

std::optional<syntax::Item> TreeBuilder::Item(P::ItemContext* context) {
  syntax::Item item;
  failed_ = false;
  item.span = SpanOf(context);
  if (auto* pack = context->packDecl()) {
    item.node = MakePack(pack);
  } else if (auto* domain = context->domainDecl()) {
    item.node = DomainDecl{MakePath(domain->path()), MakeText(domain->string())};
  } else if (auto* source = context->sourceDecl()) {
    item.node = SourceDecl{MakeName(source->IDENT()), MaybeText(source->string())};
  } else if (auto* constant = context->constDecl()) {
    item.node = MakeConst(constant->IDENT(), constant->signedLiteral());
  } else if (auto* table = context->tableDecl()) {
    item.node = MakeTable(table);
  } else if (auto* event = context->eventDecl()) {
    item.node = MakeEvent(event);
  } else if (auto* cause = context->causeDecl()) {
    item.node = MakeRule(true, cause->IDENT(), cause->string(), cause->ruleClause());
  } else if (auto* symptom = context->symptomDecl()) {
    item.node = MakeRule(false, symptom->IDENT(), symptom->string(), symptom->ruleClause());
  } else if (auto* demotion = context->demotionDecl()) {
    item.node = MakeDemotion(demotion);
  } else if (auto* precedence = context->precedenceDecl()) {
    item.node = MakePrecedence(precedence);
  } else if (auto* ambiguity = context->ambiguityDecl()) {
    item.node = MakeAmbiguity(ambiguity);
  } else if (auto* outcome = context->outcomeDecl()) {
    item.node = OutcomeDecl{MakeName(outcome->IDENT()), MakeCondition(outcome->condition())};
  } else if (auto* test = context->testDecl()) {
    item.node = MakeTest(test);
  } else if (auto* disable = context->disableDecl()) {
    item.node = DisableDecl{MakeQName(disable->qname()), MaybeText(disable->string())};
  } else if (auto* overriding = context->overrideDecl()) {
    item.node = MakeOverride(overriding);
  } else if (auto* allow = context->allowDecl()) {
    item.node = MakeAllow(allow);
  }
  if (failed_) return std::nullopt;
  return item;
}

}  // namespace attr::syntax
