// `cause` and `symptom`: their clauses, conditions and demotions.
#include "compiler/syntax/builder.h"

namespace attr::syntax {

using diagnostics::Code;

RuleDecl TreeBuilder::MakeRule(bool is_cause, Terminal* name, P::StringContext* title,
                               const std::vector<P::RuleClauseContext*>& clauses) {
  RuleDecl rule;
  rule.is_cause = is_cause;
  rule.name = MakeName(name);
  rule.title = MaybeText(title);
  for (auto* clause : clauses) AddRuleClause(clause, rule);
  return rule;
}

void TreeBuilder::AddRuleClause(P::RuleClauseContext* clause, RuleDecl& rule) {
  const Span span = SpanOf(clause);
  auto append = [](std::vector<Name>& to, std::vector<Name> names) {
    for (Name& name : names) to.push_back(std::move(name));
  };
  switch (clause->start->getType()) {
    case P::K_DOMAIN:
      Once(rule.domain, MakeDomainRef(clause), span, "domain");
      return;
    case P::K_TAGS:
      append(rule.tags, MakeNames(clause->idents()));
      return;
    case P::K_SUGGESTS:
      append(rule.suggests, MakePaths(clause->path()));
      return;
    case P::K_ADVISE:
      append(rule.advise, MakeNames(clause->idents()));
      return;
    case P::K_WHEN:
      Once(rule.when, MakeCondition(clause->condition()), span, "when");
      RefuseBareCondition(*rule.when);
      return;
    case P::K_EXPLAIN:
      Once(rule.explain, MakeText(clause->string()), span, "explain");
      return;
    case P::K_DEMOTE:
      rule.demotes.push_back(MakeDemote(clause->demote()));
      return;
    case P::K_ALLOW:
      rule.allows.push_back(MakeAllow(clause->allowDecl()));
      return;
    default:
      AddFindingClause(clause, rule);
      return;
  }
}

void TreeBuilder::AddFindingClause(P::RuleClauseContext* clause, RuleDecl& rule) {
  const Span span = SpanOf(clause);
  switch (clause->start->getType()) {
    case P::K_PER:
      Once(rule.per, MakePer(clause), span, "per");
      return;
    case P::K_HAVING:
      Once(rule.having, Expression(clause->expr(0)), span, "having");
      return;
    case P::K_BLAME:
      for (auto* blame : clause->blame()) rule.blame.push_back({MakeName(blame->IDENT()), Expression(blame->expr())});
      return;
    case P::K_CLOSED:
      rule.closed_by.push_back(MakeClosedBy(clause));
      return;
    case P::K_EXPORT:
      rule.exports.push_back({MakeName(clause->name()), Expression(clause->expr(0))});
      return;
    default:
      rule.extremes.push_back(MakeExtreme(clause));
      return;
  }
}

DomainRef TreeBuilder::MakeDomainRef(P::RuleClauseContext* clause) {
  DomainRef domain;
  domain.span = SpanOf(clause);
  if (clause->reference() != nullptr) {
    const Span whole = SpanOf(clause->reference());
    operators_ = 0;
    domain.column =
        BuildLookup(clause->reference(), clause->expr(), clause->name(), {whole.file, whole.begin, domain.span.end});
  } else {
    domain.alternatives = MakePaths(clause->path());
  }
  return domain;
}

Per TreeBuilder::MakePer(P::RuleClauseContext* clause) {
  Per per;
  per.span = SpanOf(clause);
  for (auto* key : clause->expr()) per.keys.push_back(Expression(key));
  per.gap = MaybeDuration(clause->duration());
  return per;
}

Extreme TreeBuilder::MakeExtreme(P::RuleClauseContext* clause) {
  Extreme extreme;
  extreme.span = SpanOf(clause);
  extreme.kind = clause->K_EARLIEST() != nullptr ? Extreme::Kind::kEarliest
                 : clause->K_LATEST() != nullptr ? Extreme::Kind::kLatest
                 : clause->K_LEAST() != nullptr  ? Extreme::Kind::kLeast
                                                 : Extreme::Kind::kMost;
  extreme.binding = MakeName(clause->IDENT());
  auto by = clause->expr();
  if (!by.empty()) extreme.by = Expression(by[0]);
  return extreme;
}

ClosedBy TreeBuilder::MakeClosedBy(P::RuleClauseContext* clause) {
  ClosedBy closed;
  closed.span = SpanOf(clause);
  if (clause->IDENT() != nullptr) closed.binding = MakeName(clause->IDENT());
  closed.event = MakeQName(clause->qname());
  if (clause->names() != nullptr) closed.same = MakeNames(clause->names());
  auto where = clause->expr();
  if (!where.empty()) closed.where = Expression(where[0]);
  closed.after = MaybeDuration(clause->duration());
  return closed;
}

Condition TreeBuilder::MakeCondition(P::ConditionContext* context) {
  Condition condition;
  condition.span = SpanOf(context);
  if (context->expr() != nullptr) {
    condition.expr = Expression(context->expr());
    return condition;
  }
  if (context->binding() != nullptr) {
    Group group;
    group.span = condition.span;
    group.bindings.push_back(MakeBinding(context->binding(), JoinWord::kFirst));
    for (auto* further : context->further()) group.bindings.push_back(MakeFurther(further));
    condition.groups.push_back(std::move(group));
    return condition;
  }
  if (context->K_OUTCOME() != nullptr) condition.outcome = MakeName(context->IDENT());
  for (auto* group : context->group()) condition.groups.push_back(MakeGroup(group));
  for (auto* further : context->further()) condition.further.push_back(MakeFurther(further));
  return condition;
}

// The grammar gives `when` one form for rules and outcomes; only an outcome may hold on no event.
void TreeBuilder::RefuseBareCondition(const Condition& condition) {
  if (!condition.expr) return;
  if (auto* reference = std::get_if<RefExpr>(&condition.expr->node); reference != nullptr) {
    Fail(Code::kJoinNeedsName, condition.span, "the event that a rule waits for needs a name", "bound to no name",
         "write `when e: …` and speak of its fields as `e.field`");
    return;
  }
  Fail(Code::kSyntax, condition.span, "a rule's `when` binds events", "binds nothing",
       "write `when e: event where …`; a condition alone stands only in an outcome");
}

Group TreeBuilder::MakeGroup(P::GroupContext* context) {
  Group group;
  group.span = SpanOf(context);
  group.bindings.push_back(MakeBinding(context->binding(), JoinWord::kFirst));
  for (auto* further : context->further()) group.bindings.push_back(MakeFurther(further));
  return group;
}

Binding TreeBuilder::MakeFurther(P::FurtherContext* context) {
  switch (context->start->getType()) {
    case P::K_WITHOUT:
      return MakeBinding(context->binding(), JoinWord::kWithout);
    case P::K_UNLESS:
      return MakeBinding(context->binding(), JoinWord::kUnless);
    case P::K_WITH:
      return MakeBinding(context->binding(), JoinWord::kWith);
    default:
      return MakeBinding(context->binding(), JoinWord::kAnd);
  }
}

Binding TreeBuilder::MakeBinding(P::BindingContext* context, JoinWord word) {
  Binding binding;
  binding.word = word;
  binding.span = SpanOf(context);
  binding.name = MakeName(context->IDENT());
  auto* event = context->eventRef();
  binding.finding = event->K_FINDING() != nullptr;
  if (event->K_TAG() != nullptr) {
    binding.finding_tag = MakeName(event->IDENT());
    binding.event.span = SpanOf(event);
  } else {
    binding.event = event->qname() != nullptr ? MakeQName(event->qname()) : MakeQPath(event->qpath());
  }
  for (auto* where : context->expr()) binding.where.push_back(Expression(where));
  for (auto* relation : context->timeRel()) binding.relations.push_back(MakeTimeRel(relation));
  return binding;
}

TimeRel TreeBuilder::MakeTimeRel(P::TimeRelContext* context) {
  TimeRel relation{};
  relation.span = SpanOf(context);
  relation.binding = MakeName(context->IDENT());
  relation.distance = MaybeDuration(context->duration());
  const bool within = relation.distance.has_value();
  if (context->K_OF() != nullptr) {
    relation.kind = TimeRel::Kind::kWithinOf;
  } else if (context->K_AFTER() != nullptr) {
    relation.kind = within ? TimeRel::Kind::kWithinAfter : TimeRel::Kind::kAfter;
  } else {
    relation.kind = within ? TimeRel::Kind::kWithinBefore : TimeRel::Kind::kBefore;
  }
  return relation;
}

DemoteTarget TreeBuilder::MakeTarget(P::TargetContext* context) const {
  DemoteTarget target;
  if (context->K_TAG() != nullptr) {
    target.kind = DemoteTarget::Kind::kTag;
    target.name.name = TextOf(context->IDENT());
    target.name.span = SpanOf(context->IDENT());
  } else if (context->K_DOMAIN() != nullptr) {
    target.kind = DemoteTarget::Kind::kDomain;
    Name path = MakePath(context->path());
    target.name.name = std::move(path.text);
    target.name.span = path.span;
  } else {
    target.name = MakeQName(context->qname());
  }
  return target;
}

void TreeBuilder::AddLimit(P::DemoteLimitContext* context, Demote& demote) {
  const Span span = SpanOf(context);
  if (context->K_ON() != nullptr) {
    Once(demote.on, MakeName(context->name()), span, "on");
  } else if (context->K_WITHIN() != nullptr) {
    Once(demote.within, MakeDuration(context->duration()), span, "within");
  } else if (context->K_LEAD() != nullptr) {
    Once(demote.lead, MakeDuration(context->duration()), span, "lead");
  } else {
    Once(demote.where, Expression(context->expr()), span, "where");
  }
}

Demote TreeBuilder::MakeDemote(P::DemoteContext* context) {
  Demote demote;
  demote.span = SpanOf(context);
  demote.self_after = context->K_SELF() != nullptr;
  for (auto* target : context->target()) demote.targets.push_back(MakeTarget(target));
  for (auto* limit : context->demoteLimit()) AddLimit(limit, demote);
  demote.because = Because(context->becauseClause());
  return demote;
}

Demote TreeBuilder::MakeDemotion(P::DemotionDeclContext* context) {
  Demote demote;
  demote.span = SpanOf(context);
  for (auto* target : context->target()) demote.targets.push_back(MakeTarget(target));
  demote.by = MakeQName(context->qname());
  for (auto* limit : context->demoteLimit()) AddLimit(limit, demote);
  demote.because = Because(context->becauseClause());
  return demote;
}

}  // namespace attr::syntax
