// Expressions over the syntax tree, three bits at a time (semantics.md S2, S17).
#pragma once

#include "tests/oracle/world.h"

namespace attr::oracle {

struct Operand {
  Value value;
  uint32_t bindings = 0;  // which bindings were read
  bool absent = false;    // a look-up's key stands in no row: the comparison is false
};

/// What names mean here.
class Scope {
 public:
  virtual ~Scope() = default;
  virtual bool Knows(const syntax::RefExpr& ref) const = 0;
  /// It has no type of its own: an attribute, a group that no field reads.
  virtual bool Adaptive(const syntax::RefExpr& ref) const = 0;
  virtual Operand Read(const syntax::RefExpr& ref, std::optional<Type> hint) const = 0;
  /// `same node(x, y)`: the place of a binding; nullopt when the name is none.
  virtual std::optional<Operand> PlaceOf(const std::string& binding, Type type) const = 0;
  /// What a binding stands on, for `same event(x, y)`; null when nothing is bound.
  virtual const Row* RowNamed(const std::string&) const { return nullptr; }
  /// What a call gives that only this scope knows.
  virtual std::optional<Operand> Call(const syntax::CallExpr&) const { return std::nullopt; }
};

class Evaluator {
 public:
  Evaluator(World& world, uint32_t pack, const Scope& scope) : world_(world), pack_(pack), scope_(scope) {}

  Operand Eval(const syntax::Expr& expr, std::optional<Type> hint = std::nullopt);
  Bits Condition(const syntax::Expr& expr, bool negated = false);
  /// The bindings that an expression reads, whatever they hold.
  uint32_t ReadBy(const syntax::Expr& expr);
  /// Bindings that lacked a place that a place relation asked for.
  uint32_t lacking_place() const { return lacking_; }

 private:
  Operand EvalLiteral(const syntax::Literal& literal, std::optional<Type> hint);
  Operand EvalRef(const syntax::RefExpr& ref, std::optional<Type> hint);
  Operand EvalLookup(const syntax::LookupExpr& lookup);
  const std::vector<Value>* FindRow(const Table& table, const Value& key);
  int Adaptivity(const syntax::Expr& expr) const;
  void Both(const syntax::BinaryExpr& binary, Operand* left, Operand* right);
  Bits Compare(syntax::BinaryOp op, const Operand& left, const Operand& right, bool negated);
  Bits HasKey(const std::string& pack, const std::string& table, const syntax::Expr& key, bool negated);
  Bits In(const syntax::InExpr& in, bool negated);
  Bits SamePlace(const syntax::SamePlaceExpr& same, bool negated);
  Bits SameEvent(const syntax::SamePlaceExpr& same, bool negated);
  Bits SameLabel(const syntax::SamePlaceExpr& same, bool negated);
  Operand Label(const Operand& node, const std::string& name) const;
  Operand EvalCall(const syntax::CallExpr& call);
  bool IsOneOf(const Value& value, const std::vector<syntax::Literal>& set);

  World& world_;
  uint32_t pack_;
  const Scope& scope_;
  uint32_t lacking_ = 0;
};

/// Does the comparison hold for sides of this order (below, at or above zero)?
bool Holds(syntax::BinaryOp op, int order);
/// `not a < b` is `a >= b` (S2).
syntax::BinaryOp Opposite(syntax::BinaryOp op);

}  // namespace attr::oracle
