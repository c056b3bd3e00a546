// Typed expressions: what a rule author's expression means once its names are
// resolved and its types agree. Still in the author's shape: `not` stands where
// it was written, look-ups are look-ups. lower/ turns it into plan nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/syntax/ast.h"
#include "runtime/plan/plan.h"

namespace attr::sema {

using diagnostics::Span;

enum class TypedKind : uint8_t {
  kPoison,  // an error was reported here; whatever contains it stays silent
  // values
  kLiteral,    // `imm` as a slot, or `text` for text, node, gpu, domain
  kColumn,     // `binding`, `column`
  kLookup,     // `table`, `table_column`; args: the keys
  kNegate,     // args[0]
  kToFloat,    // args[0]
  kArith,      // op; args[0], args[1] of equal class
  kLabel,      // args[0] a node; `text` the label's name
  kRecord,     // the observation behind `binding`
  kAggregate,  // imm: plan::AggregateKind; `binding`; args[0] what it is over, where it is over a value
  // conditions
  kCompare,           // op; args[0], args[1]
  kHas,               // args[0] a value
  kHasKey,            // `table`; args: the keys
  kSameLabel,         // args[0], args[1] nodes of one binding each; `text` the label's name
  kMatch,             // args[0] ~ `text` (RE2 form)
  kInSet,             // args[0]; `ints` or `texts`
  kInRange,           // args[0]; imm..hi
  kMember,            // args[0] in the set args[1]
  kNot,               // args[0]
  kAnd,               // args
  kOr,                // args
  kCountCompare,      // op; count(binding) against imm
  kOpen,              // nothing closed `binding`; only until its rule's bindings are all there
  kAggregateCompare,  // op; args[0] an aggregate, args[1] an aggregate or a literal of its class
};

struct Typed;
using TypedPtr = std::unique_ptr<Typed>;

struct Typed {
  TypedKind kind = TypedKind::kPoison;
  plan::Type type = plan::Type::kBool;
  Span span;
  syntax::BinaryOp op = syntax::BinaryOp::kEq;
  int64_t imm = 0, hi = 0;
  uint32_t binding = 0, column = plan::kNone;
  uint32_t table = plan::kNone, table_column = plan::kNone;
  std::string text;
  std::vector<int64_t> ints;
  std::vector<std::string> texts;
  std::vector<TypedPtr> args;

  bool poison() const { return kind == TypedKind::kPoison; }
  bool condition() const { return kind >= TypedKind::kCompare; }
};

/// Bit i: binding i is read.
uint32_t BindingsOf(const Typed& typed);
bool ContainsLookup(const Typed& typed);

}  // namespace attr::sema
