// `precedence` and `ambiguity`.
#include "compiler/syntax/builder.h"

namespace attr::syntax {

OrderRef TreeBuilder::MakeOrderRef(antlr4::ParserRuleContext* context, bool tag, bool domain,
                                   P::QpathContext* path) const {
  OrderRef ref;
  ref.span = SpanOf(context);
  ref.kind = path == nullptr ? OrderRef::Kind::kStar
             : tag           ? OrderRef::Kind::kTag
             : domain        ? OrderRef::Kind::kDomain
                             : OrderRef::Kind::kBare;
  if (path != nullptr) ref.name = MakeQPath(path);
  return ref;
}

PrecedenceDecl TreeBuilder::MakePrecedence(P::PrecedenceDeclContext* context) {
  PrecedenceDecl decl;
  for (auto* chain : context->chain()) {
    Chain made;
    for (auto* ref : chain->orderRef()) {
      made.items.push_back(MakeOrderRef(ref, ref->K_TAG() != nullptr, ref->K_DOMAIN() != nullptr, ref->qpath()));
    }
    decl.chains.push_back(std::move(made));
  }
  for (auto* prefer : context->prefer()) decl.prefers.push_back(MakePrefer(prefer));
  return decl;
}

Prefer TreeBuilder::MakePrefer(P::PreferContext* context) {
  Prefer prefer;
  prefer.span = SpanOf(context);
  bool over = true;  // children come in order: (name `:`)? rule `over` (name `:`)? rule
  for (auto* child : context->children) {
    if (auto* name = dynamic_cast<P::QnameContext*>(child)) {
      (over ? prefer.over : prefer.under) = MakeQName(name);
    } else if (auto* word = dynamic_cast<Terminal*>(child); word != nullptr) {
      if (word->getSymbol()->getType() == P::K_OVER) over = false;
      if (word->getSymbol()->getType() == P::IDENT) {
        (over ? prefer.over_binding : prefer.under_binding) = MakeName(word);
      }
    }
  }
  prefer.when = Expression(context->expr());
  prefer.because = Because(context->becauseClause());
  return prefer;
}

AmbiguityDecl TreeBuilder::MakeAmbiguity(P::AmbiguityDeclContext* context) {
  AmbiguityDecl decl;
  for (auto* between : context->between()) decl.clauses.push_back(MakeBetween(between));
  return decl;
}

Between TreeBuilder::MakeBetween(P::BetweenContext* context) {
  Between between;
  between.span = SpanOf(context);
  auto side = [&](P::SideContext* ref) {
    return MakeOrderRef(ref, ref->K_TAG() != nullptr, ref->K_DOMAIN() != nullptr, ref->qpath());
  };
  between.left = side(context->side(0));
  between.right = side(context->side(1));
  auto durations = context->duration();
  size_t next = 0;
  if (context->K_WITHIN() != nullptr) between.within = MakeDuration(durations[next++]);
  if (context->K_APART() != nullptr) between.unless_apart = MakeDuration(durations[next]);
  if (context->K_EARLIEST() != nullptr) between.then = Between::Then::kEarliest;
  if (context->K_LATEST() != nullptr) between.then = Between::Then::kLatest;
  between.because = Because(context->becauseClause());
  return between;
}

}  // namespace attr::syntax
