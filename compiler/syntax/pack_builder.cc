// `pack`, `const`, `override`, `allow`, `table`: the small declarations.
#include "compiler/syntax/builder.h"

namespace attr::syntax {

PackDecl TreeBuilder::MakePack(P::PackDeclContext* context) {
  PackDecl pack;
  pack.name = MakePath(context->path());
  pack.version = MakeVersion(context->version());
  for (auto* clause : context->packItem()) {
    const Span span = SpanOf(clause);
    if (clause->K_REQUIRES() != nullptr) {
      Once(pack.language, Integer(clause->INT()), span, "requires language");
      pack.language_span = span;
    } else if (clause->K_IMPORT() != nullptr) {
      pack.imports.push_back({MakePath(clause->path()), MakeVersion(clause->version()), span});
    } else if (clause->K_SKEW() != nullptr) {
      Skew skew;
      if (clause->IDENT() != nullptr) skew.clock = TextOf(clause->IDENT());
      skew.nanos = Nanos(clause->DURATION());
      skew.span = span;
      pack.skews.push_back(std::move(skew));
    } else {
      Once(pack.grace, Nanos(clause->DURATION()), span, "grace");
    }
  }
  return pack;
}

ConstDecl TreeBuilder::MakeConst(Terminal* name, P::SignedLiteralContext* value) {
  return {MakeName(name), MakeLiteral(value)};
}

OverrideDecl TreeBuilder::MakeOverride(P::OverrideDeclContext* context) {
  OverrideDecl decl;
  decl.item = MakeQName(context->qname());
  for (auto* clause : context->overrideItem()) {
    const Span span = SpanOf(clause);
    if (clause->K_DOMAIN() != nullptr) {
      Once(decl.domain, MakePath(clause->path()), span, "domain");
    } else if (clause->K_ADVISE() != nullptr) {
      if (!decl.advise.empty()) Duplicate(span, "advise");
      decl.advise = MakeNames(clause->idents());
    } else if (clause->K_CONST() != nullptr) {
      decl.constants.push_back(MakeConst(clause->IDENT(), clause->signedLiteral()));
    } else {
      Once(decl.because, MakeText(clause->becauseClause()->string()), span, "because");
    }
  }
  return decl;
}

Allow TreeBuilder::MakeAllow(P::AllowDeclContext* context) {
  Allow allow;
  allow.code = MakeName(context->IDENT());
  auto texts = context->string();
  allow.reason = MakeText(texts[0]);
  if (texts.size() > 1) allow.until = MakeText(texts[1]);
  return allow;
}

TableDecl TreeBuilder::MakeTable(P::TableDeclContext* context) {
  TableDecl table;
  table.name = MakeName(context->IDENT());
  table.file = MakeText(context->string());
  if (context->names() != nullptr) table.keys = MakeNames(context->names());
  for (auto* column : context->fieldDef()) table.columns.push_back(MakeField(column));
  return table;
}

}  // namespace attr::syntax
