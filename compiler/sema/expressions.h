// The checker of expressions: syntax to typed trees within a scope. A scope says
// what a bare or dotted name means (an event's fields, a rule's bindings); all
// else is the same everywhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context.h"

namespace attr::sema {

/// `increase(value)` in an event with `over`, `peers(avg(value))` too.
struct WindowCall {
  plan::WindowKind kind = plan::WindowKind::kLast;
  bool peers = false;
  plan::Type type = plan::Type::kFloat;  // of the result
  std::string text;                      // as written
};

class Scope {
 public:
  virtual ~Scope() = default;
  /// Does the scope say what this reference means?
  virtual bool Knows(const syntax::RefExpr& reference) const = 0;
  /// The value; poison after a diagnostic. `hint`: the type that the context expects.
  virtual TypedPtr Resolve(const syntax::RefExpr& reference, Span span, std::optional<plan::Type> hint) = 0;
  /// References whose type is that of what they meet (attributes of the record).
  virtual bool Adaptive(const syntax::RefExpr&) const { return false; }
  virtual std::optional<uint32_t> FindBinding(std::string_view) const { return std::nullopt; }
  /// False after a diagnostic: the binding has no value here.
  virtual bool Readable(uint32_t, Span) { return true; }
  /// True after a diagnostic: a name that only some alternatives bind.
  virtual bool RefusedAsPartial(std::string_view, Span) { return false; }
  /// Are there bindings whose nodes have labels?
  virtual bool Labels() const { return false; }
  virtual std::vector<std::string_view> Names() const = 0;
  virtual bool HasWindows() const { return false; }
  /// The column of the aggregate. Only where HasWindows.
  virtual TypedPtr AddWindow(const WindowCall&, TypedPtr, Span) { return nullptr; }
  /// Help for a bare name that is a field of some binding; empty elsewhere.
  virtual std::string HelpFor(std::string_view) const { return {}; }
};

class Checker {
 public:
  Checker(Context& context, uint32_t pack, Scope& scope, bool having = false)
      : context_(context), pack_(pack), scope_(scope), having_(having) {}

  /// Never null. A condition, or a bool value.
  TypedPtr Condition(const syntax::Expr& expr);
  TypedPtr Value(const syntax::Expr& expr, std::optional<plan::Type> hint = std::nullopt);

 private:
  using Type = plan::Type;
  TypedPtr Poison(Span span) const;
  TypedPtr Make(TypedKind kind, Type type, Span span) const;
  TypedPtr Fail(diagnostics::Code code, Span span, std::string message, std::string help = {});
  std::string Source(Span span) const;
  int Adaptivity(const syntax::Expr& expr) const;
  void ValuesOf(const syntax::BinaryExpr& binary, TypedPtr* left, TypedPtr* right);

  TypedPtr Literal(const syntax::Literal& literal, std::optional<Type> hint);
  TypedPtr Reference(const syntax::RefExpr& reference, Span span, std::optional<Type> hint);
  TypedPtr DomainLiteral(const syntax::RefExpr& reference, Span span);
  TypedPtr Lookup(const syntax::LookupExpr& lookup, Span span);
  std::vector<TypedPtr> TableKeys(const syntax::RefExpr& table, const std::vector<const syntax::Expr*>& keys, Span span,
                                  uint32_t* index);
  TypedPtr TableKey(const std::string& table, Type type, const syntax::Expr& key);
  TypedPtr HasKey(const syntax::HasExpr& has, Span span);
  TypedPtr Negate(const syntax::UnaryExpr& unary, Span span);
  TypedPtr Arith(const syntax::BinaryExpr& binary, Span span);
  TypedPtr ArithTyped(syntax::BinaryOp op, Span op_span, TypedPtr left, TypedPtr right, Span span);
  std::optional<Type> ArithType(syntax::BinaryOp op, Type left, Type right) const;

  TypedPtr Has(const syntax::HasExpr& has, Span span);
  TypedPtr SamePlace(const syntax::SamePlaceExpr& same, Span span);
  TypedPtr PlaceOf(const syntax::Expr& expr, Type type);
  TypedPtr SameLabel(const syntax::SamePlaceExpr& same, Span span);
  TypedPtr SameEvent(const syntax::SamePlaceExpr& same, Span span);
  TypedPtr RecordOf(const syntax::Expr& expr);
  TypedPtr Label(const syntax::CallExpr& call, Span span);
  TypedPtr Chain(const syntax::ChainExpr& chain, Span span);
  TypedPtr Compare(const syntax::BinaryExpr& binary, Span span);
  TypedPtr CompareTyped(syntax::BinaryOp op, Span op_span, TypedPtr left, TypedPtr right, Span span);
  TypedPtr Matches(const syntax::MatchExpr& match, Span span);
  TypedPtr Membership(const syntax::InExpr& in, Span span);
  TypedPtr InNamed(const syntax::InExpr& in, Span span);
  TypedPtr InSet(TypedPtr operand, const syntax::InExpr& in, Span span);
  TypedPtr InFloats(TypedPtr operand, const syntax::InExpr& in, Span span);
  TypedPtr InRange(TypedPtr operand, const syntax::InExpr& in, Span span);
  TypedPtr Negated(TypedPtr condition, bool negated, Span span) const;
  TypedPtr Call(const syntax::CallExpr& call, Span span);
  TypedPtr Window(const syntax::CallExpr& call, Span span);
  TypedPtr Open(const syntax::CallExpr& call, Span span);
  bool Aggregates(const std::string& name) const;
  TypedPtr Aggregate(const syntax::CallExpr& call, Span span);
  TypedPtr AggregateOfBinding(plan::AggregateKind kind, const syntax::CallExpr& call, Span span);
  TypedPtr AggregateOfValue(plan::AggregateKind kind, const syntax::CallExpr& call, Span span);
  TypedPtr AggregateCompare(syntax::BinaryOp op, TypedPtr left, TypedPtr right, Span span);
  TypedPtr CountCompare(const syntax::BinaryExpr& binary, Span span);
  std::optional<uint32_t> CountedBinding(const syntax::CallExpr& call, Span span);
  TypedPtr CountMembership(const syntax::CallExpr& call, const syntax::InExpr& in, Span span);
  const syntax::CallExpr* AsCount(const syntax::Expr& expr) const;

  Context& context_;
  uint32_t pack_;
  Scope& scope_;
  bool having_;
  unsigned depth_ = 0;
};

std::optional<plan::WindowKind> WindowKindOf(std::string_view name);
/// The comparison with its sides exchanged.
syntax::BinaryOp Mirrored(syntax::BinaryOp op);
/// A copy of a typed tree (ranges of floats compare one operand twice).
TypedPtr Clone(const Typed& typed);

}  // namespace attr::sema
