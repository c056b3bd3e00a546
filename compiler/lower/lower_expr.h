// Typed expressions to plan nodes: `not` moved into comparisons, look-ups and
// regexes turned into derived columns, an absent key made false (S17).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/lower/builder.h"
#include "compiler/sema/typed.h"

namespace attr::lower {

/// Which table each binding's columns come from in this place.
struct Frame {
  /// By sema binding: the plan binding (0 or 1) and the plan event.
  struct Bound {
    uint32_t binding = 0;
    uint32_t event = plan::kNone;
  };
  std::vector<Bound> bindings;
  bool alternatives = false;  // a rule's, of which there are several: counts are aggregates
  bool marks = true;          // reads mark fields as used; not so inside the event itself
};

class ExprLowering {
 public:
  /// `aggregates`: where those of a `having` are listed.
  ExprLowering(Builder& builder, const Frame& frame, std::vector<plan::Aggregate>* aggregates = nullptr)
      : builder_(builder), frame_(frame), aggregates_(aggregates) {}

  plan::ExprId Value(const sema::Typed& typed);
  plan::ExprId Condition(const sema::Typed& typed, bool negated = false);
  /// The column that holds the value, a derived one where need be. The value
  /// reads exactly one binding; the result names it as sema numbers it.
  plan::ColumnRef AsColumn(const sema::Typed& typed);
  /// Its number among the rule's aggregates, to which it is added.
  uint32_t Aggregate(const sema::Typed& typed);

 private:
  plan::ExprId Literal(const sema::Typed& typed);
  plan::ExprId Arith(const sema::Typed& typed);
  plan::ExprId Compare(const sema::Typed& typed, bool negated);
  plan::ExprId CompareNumbers(syntax::BinaryOp op, const sema::Typed& left, const sema::Typed& right);
  plan::ExprId CompareTexts(syntax::BinaryOp op, const sema::Typed& left, const sema::Typed& right);
  plan::ExprId Member(const sema::Typed& typed, bool negated);
  plan::ExprId DerivedValue(uint32_t sema_binding, plan::DerivedKind kind, plan::Type type,
                            const std::vector<const sema::Typed*>& keys);
  plan::ExprId InSet(const sema::Typed& typed, bool negated);
  plan::ExprId AggregateCompare(const sema::Typed& typed, bool negated);
  plan::ExprId CountCompare(const sema::Typed& typed, bool negated);
  plan::ExprId Logic(const sema::Typed& typed, bool negated);
  plan::ExprId Leaf(const sema::Typed& typed, bool negated);
  plan::ExprId ReadColumn(uint32_t sema_binding, uint32_t column, plan::Type type);
  /// Conditions "the key is there" of every look-up below.
  void CollectKeys(const sema::Typed& typed, std::vector<plan::ExprId>* keys);
  plan::ExprId HasKey(const sema::Typed& typed, bool negated);
  uint32_t DeriveTable(plan::DerivedKind kind, const sema::Typed& typed, plan::Type type, uint32_t table_column,
                       uint32_t* sema_binding);
  /// The derived column of `label(node, name)`.
  uint32_t DeriveLabel(const sema::Typed& node, const std::string& label, uint32_t* sema_binding);
  plan::ExprId SameLabel(const sema::Typed& typed, bool negated);
  plan::ExprId OwnValue(const sema::Typed& typed, uint32_t sema_binding);

  Builder& builder_;
  const Frame& frame_;
  std::vector<plan::Aggregate>* aggregates_;
};

struct Conjunct {
  const sema::Typed* typed = nullptr;
  bool negated = false;
};
/// The operands of `and` at the top, and those of `not (a or b)`.
void SplitConjuncts(const sema::Typed& typed, bool negated, std::vector<Conjunct>* out);
syntax::BinaryOp Inverted(syntax::BinaryOp op);
bool IsPlaceType(plan::Type type);
/// A kSameLabel between two bindings, as columns of theirs: rows that agree, or lack one.
std::optional<std::pair<plan::ColumnRef, plan::ColumnRef>> LabelColumns(Builder& builder, const Frame& frame,
                                                                        const sema::Typed& typed);

}  // namespace attr::lower
