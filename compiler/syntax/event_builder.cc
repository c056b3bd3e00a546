// `event` and its clauses.
#include <array>

#include "compiler/syntax/builder.h"

namespace attr::syntax {

EventDecl TreeBuilder::MakeEvent(P::EventDeclContext* context) {
  EventDecl event;
  event.name = MakeName(context->IDENT());
  auto names = context->qname();
  if (context->K_EXTENDS() != nullptr) {
    event.extends = MakeQName(names[0]);
  } else {
    for (auto* name : names) event.union_of.push_back(MakeQName(name));
  }
  for (auto* source : context->sourceRef()) event.sources.push_back(MakeSource(source));
  for (auto* clause : context->eventClause()) AddEventClause(clause, event);
  return event;
}

SourceRef TreeBuilder::MakeSource(P::SourceRefContext* context) {
  SourceRef source;
  source.span = SpanOf(context);
  for (auto* child : context->children) {
    if (auto* text = dynamic_cast<P::StringContext*>(child)) {
      source.alternatives.back().metric = MakeText(text);
    } else if (auto* word = dynamic_cast<Terminal*>(child); word->getSymbol()->getType() == P::IDENT) {
      source.alternatives.push_back({MakeName(word), std::nullopt});
    }
  }
  return source;
}

void TreeBuilder::AddEventClause(P::EventClauseContext* clause, EventDecl& event) {
  const Span span = SpanOf(clause);
  switch (clause->start->getType()) {
    case P::K_TEXT: {
      TextClause text;
      text.optional = clause->QMARK() != nullptr;
      if (clause->name() != nullptr) text.field = MakeName(clause->name());
      text.regexes = MakeRegexes(clause->regex());
      text.span = span;
      event.texts.push_back(std::move(text));
      return;
    }
    case P::K_EACH:
      event.each.push_back(MakeRegex(clause->regex(0)));
      return;
    case P::K_WHERE:
      event.where.push_back(Expression(clause->expr()));
      return;
    case P::K_UNLESS:
      for (Text& regex : MakeRegexes(clause->regex())) event.unless.push_back(std::move(regex));
      return;
    case P::K_FIELD:
      for (auto* field : clause->fieldDef()) event.fields.push_back(MakeField(field));
      return;
    case P::K_SINCE:
      Once(event.since, Expression(clause->expr()), span, "since");
      return;
    case P::K_HAVING:
      Once(event.having, Expression(clause->expr()), span, "having");
      return;
    case P::K_EXAMPLE:
      event.examples.push_back(MakeExample(clause));
      return;
    case P::K_REJECT:
      event.rejects.push_back(MakeText(clause->string()));
      return;
    default:
      AddFoldingClause(clause, event);
      return;
  }
}

void TreeBuilder::AddFoldingClause(P::EventClauseContext* clause, EventDecl& event) {
  const Span span = SpanOf(clause);
  auto names = [&] { return clause->names() == nullptr ? std::vector<Name>() : MakeNames(clause->names()); };
  switch (clause->start->getType()) {
    case P::K_EPISODE:
      Once(event.episode, Episode{MakeDuration(clause->duration()), names(), span}, span, "episode");
      return;
    case P::K_CLOSED: {
      ClosedBy closed;
      closed.event = MakeQName(clause->qname());
      closed.same = names();
      closed.span = span;
      Once(event.closed_by, std::move(closed), span, "closed by");
      return;
    }
    case P::K_OVER: {
      Over over;
      over.duration = MaybeDuration(clause->duration());
      if (clause->INT() != nullptr) over.records = Integer(clause->INT());
      over.per = names();
      over.span = span;
      Once(event.over, std::move(over), span, "over");
      return;
    }
    case P::K_SCOPE:
      event.scopes.push_back(MakeScope(clause));
      return;
    default:
      event.allows.push_back(MakeAllow(clause->allowDecl()));
      return;
  }
}

TypeRef TreeBuilder::MakeType(P::TypeContext* context) const {
  TypeRef type;
  type.span = SpanOf(context);
  type.name = TextOf(context->name());
  type.set = context->K_SET() != nullptr && context->K_OF() != nullptr;
  type.optional = context->QMARK() != nullptr;
  if (context->IDENT() != nullptr) type.unit = TextOf(context->IDENT());
  return type;
}

FieldDef TreeBuilder::MakeField(P::FieldDefContext* context) {
  FieldDef field;
  field.name = MakeName(context->name());
  field.type = MakeType(context->type());
  if (context->expr() != nullptr) field.value = Expression(context->expr());
  return field;
}

int64_t TreeBuilder::MakeOffset(P::OffsetContext* context) {
  return Nanos(context->DURATION(), context->MINUS() != nullptr);
}

ScopeClause TreeBuilder::MakeScope(P::EventClauseContext* context) {
  ScopeClause scope;
  scope.span = SpanOf(context);
  auto words = context->IDENT();
  scope.what = MakeName(words[0]);
  if (words.size() > 1) scope.word = MakeName(words[1]);
  auto offsets = context->offset();
  if (offsets.size() == 2) scope.time.emplace(MakeOffset(offsets[0]), MakeOffset(offsets[1]));
  return scope;
}

Example TreeBuilder::MakeExample(P::EventClauseContext* context) {
  Example example;
  example.span = SpanOf(context);
  example.text = MakeText(context->string());
  for (auto* field : context->exampleField()) {
    example.fields.emplace_back(MakeName(field->name()), MakeLiteral(field->signedLiteral()));
  }
  return example;
}

}  // namespace attr::syntax
