// From ANTLR's tree of one item to the syntax tree of ast.h. Split by construct:
// builder.cc (names, literals), expr_builder.cc, pack_builder.cc (pack and small
// declarations), event_builder.cc, rule_builder.cc, order_builder.cc,
// test_builder.cc. Reports what the grammar lets through and the language does
// not: values out of range, clauses given twice, chained comparisons.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/literals.h"
#include "compiler/syntax/parse.h"
#include "compiler/syntax/tokens.h"
#include "grammar/AttrParser.h"

namespace attr::syntax {

class TreeBuilder {
 public:
  TreeBuilder(const Input& input, const ParseLimits& limits, diagnostics::Sink& sink)
      : input_(input), limits_(limits), sink_(sink), literals_(sink) {}

  /// nullopt: an error was reported.
  std::optional<syntax::Item> Item(AttrParser::ItemContext* context);
  /// Null: an error was reported.
  ExprPtr Expression(AttrParser::ExprContext* context);

 private:
  using P = AttrParser;
  using Terminal = antlr4::tree::TerminalNode;

  // ---- places, names, literals (builder.cc)
  Span SpanOf(antlr4::ParserRuleContext* context) const;
  Span SpanOf(Terminal* node) const;
  std::string_view TextOf(antlr4::ParserRuleContext* context) const;
  std::string_view TextOf(Terminal* node) const;
  Name MakeName(Terminal* node) const;
  Name MakeName(P::NameContext* context) const;
  Name MakePath(P::PathContext* context) const;
  QName MakeQName(P::QnameContext* context) const;
  QName MakeQPath(P::QpathContext* context) const;
  std::vector<Name> MakeNames(P::NamesContext* context) const;
  std::vector<Name> MakeNames(P::IdentsContext* context) const;
  std::vector<Name> MakePaths(const std::vector<P::PathContext*>& contexts) const;
  Text MakeText(P::StringContext* context);
  std::optional<Text> MaybeText(P::StringContext* context);
  std::optional<Text> Because(P::BecauseClauseContext* context);
  Text MakeRegex(P::RegexContext* context) const;
  std::vector<Text> MakeRegexes(const std::vector<P::RegexContext*>& contexts) const;
  Text MakeVersion(P::VersionContext* context) const;
  DurationRef MakeDuration(P::DurationContext* context);
  std::optional<DurationRef> MaybeDuration(P::DurationContext* context);
  int64_t Nanos(Terminal* node, bool negative = false);
  int64_t Integer(Terminal* node);
  Literal MakeLiteral(P::LiteralContext* context, Span span, bool negative);
  Literal MakeLiteral(P::SignedLiteralContext* context);
  Literal MakeLiteral(P::BoundContext* context);
  Literal NumberLiteral(antlr4::ParserRuleContext* context, Terminal* number, Span span, bool negative);
  TestMoment MakeMoment(P::MomentContext* context);

  /// Sets `slot` once; a second time is an error at `span`.
  template <class T, class V>
  void Once(std::optional<T>& slot, V&& value, Span span, std::string_view clause) {
    if (slot) Duplicate(span, clause);
    slot = std::forward<V>(value);
  }
  void Once(ExprPtr& slot, ExprPtr value, Span span, std::string_view clause) {
    if (slot) Duplicate(span, clause);
    slot = std::move(value);
  }
  void Duplicate(Span span, std::string_view clause);
  void Fail(diagnostics::Code code, Span span, std::string message, std::string label = {}, std::string help = {});

  // ---- expressions (expr_builder.cc)
  ExprPtr Build(P::ExprContext* context);
  ExprPtr BuildBelow(P::ExprContext* context, size_t& height);
  ExprPtr BuildPrimary(P::ExprContext* context);
  ExprPtr Combine(ExprPtr left, P::ExprContext* context, P::ExprContext* below);
  ExprPtr CombineChain(ExprPtr left, BinaryOp op, P::ExprContext* right, bool continues);
  ExprPtr CombineBinary(ExprPtr left, BinaryOp op, Terminal* sign, P::ExprContext* right);
  ExprPtr BuildNegate(P::NegateContext* context);
  ExprPtr BuildLookup(P::ReferenceContext* table, const std::vector<P::ExprContext*>& keys, P::NameContext* column,
                      Span span);
  RefExpr MakeReference(P::ReferenceContext* context) const;
  InExpr MakeMembership(P::MembershipContext* context);
  void CountOperator(Span span);

  // ---- declarations
  PackDecl MakePack(P::PackDeclContext* context);
  ConstDecl MakeConst(Terminal* name, P::SignedLiteralContext* value);
  OverrideDecl MakeOverride(P::OverrideDeclContext* context);
  Allow MakeAllow(P::AllowDeclContext* context);
  TableDecl MakeTable(P::TableDeclContext* context);
  EventDecl MakeEvent(P::EventDeclContext* context);
  void AddEventClause(P::EventClauseContext* clause, EventDecl& event);
  void AddFoldingClause(P::EventClauseContext* clause, EventDecl& event);
  SourceRef MakeSource(P::SourceRefContext* context);
  FieldDef MakeField(P::FieldDefContext* context);
  TypeRef MakeType(P::TypeContext* context) const;
  ScopeClause MakeScope(P::EventClauseContext* context);
  int64_t MakeOffset(P::OffsetContext* context);
  Example MakeExample(P::EventClauseContext* context);

  RuleDecl MakeRule(bool is_cause, Terminal* name, P::StringContext* title,
                    const std::vector<P::RuleClauseContext*>& clauses);
  void AddRuleClause(P::RuleClauseContext* clause, RuleDecl& rule);
  void AddFindingClause(P::RuleClauseContext* clause, RuleDecl& rule);
  DomainRef MakeDomainRef(P::RuleClauseContext* clause);
  Per MakePer(P::RuleClauseContext* clause);
  Extreme MakeExtreme(P::RuleClauseContext* clause);
  ClosedBy MakeClosedBy(P::RuleClauseContext* clause);
  Condition MakeCondition(P::ConditionContext* context);
  Group MakeGroup(P::GroupContext* context);
  Binding MakeFurther(P::FurtherContext* context);
  Binding MakeBinding(P::BindingContext* context, JoinWord word);
  TimeRel MakeTimeRel(P::TimeRelContext* context);
  void RefuseBareCondition(const Condition& condition);
  DemoteTarget MakeTarget(P::TargetContext* context) const;
  Demote MakeDemote(P::DemoteContext* context);
  Demote MakeDemotion(P::DemotionDeclContext* context);
  void AddLimit(P::DemoteLimitContext* context, Demote& demote);

  PrecedenceDecl MakePrecedence(P::PrecedenceDeclContext* context);
  Prefer MakePrefer(P::PreferContext* context);
  OrderRef MakeOrderRef(antlr4::ParserRuleContext* context, bool tag, bool domain, P::QpathContext* path) const;
  AmbiguityDecl MakeAmbiguity(P::AmbiguityDeclContext* context);
  Between MakeBetween(P::BetweenContext* context);

  TestDecl MakeTest(P::TestDeclContext* context);
  AttemptItem MakeAttemptItem(P::AttemptItemContext* context);
  CoverClause MakeCover(P::CoverageContext* context);
  TestObservation MakeObservation(P::ObservationContext* context);
  Expectation MakeExpectation(P::ExpectationContext* context);
  std::vector<Text> MakeNodes(P::NodesContext* context);
  Text MakeNode(P::NodeContext* context);

  const Input& input_;
  const ParseLimits& limits_;
  diagnostics::Sink& sink_;
  Literals literals_;
  bool failed_ = false;
  size_t operators_ = 0;  // of the expression being built
  size_t height_ = 0;     // of the tree that `Build` gave last
};

}  // namespace attr::syntax
