// A binding that neither a key nor a window ties to one on its left is tried with
// every row of that one: slow, and rarely what was meant (docs/design/semantics.md,
// section 2). Rules of imported packs are their authors' business.
#include <algorithm>

#include "compiler/lower/lower.h"
#include "compiler/lower/lower_expr.h"
#include "fmt/format.h"

namespace attr::lower {

namespace {

bool IsWindow(const sema::Relation& relation) {
  return relation.kind != plan::RelationKind::kAfter && relation.kind != plan::RelationKind::kBefore;
}

/// Some conjunct demands that something of the binding equals something to its left.
bool HasKey(const sema::Binding& binding, uint32_t index) {
  std::vector<Conjunct> conjuncts;
  for (const sema::TypedPtr& where : binding.where) SplitConjuncts(*where, false, &conjuncts);
  const uint32_t own = 1u << index, left = own - 1;
  return std::any_of(conjuncts.begin(), conjuncts.end(), [&](const Conjunct& conjunct) {
    const sema::Typed& typed = *conjunct.typed;
    if (typed.kind != sema::TypedKind::kCompare) return false;
    const syntax::BinaryOp op = conjunct.negated ? Inverted(typed.op) : typed.op;
    const uint32_t read = sema::BindingsOf(typed);
    return op == syntax::BinaryOp::kEq && (read & own) != 0 && (read & left) != 0;
  });
}

}  // namespace

void LintJoins(const sema::Program& program, diagnostics::Sink& sink) {
  for (const sema::Rule& rule : program.rules) {
    if (rule.pack != 0) continue;
    for (uint32_t i = 1; i < rule.bindings.size(); ++i) {
      const sema::Binding& binding = rule.bindings[i];
      if (binding.alternative != rule.bindings[i - 1].alternative) continue;  // its first one
      // A table is met by every row; a stall and an outcome are one row.
      const auto single = [&](const sema::Binding& b) {
        const sema::Event& event = program.events[b.event];
        return event.origin >= plan::EventOrigin::kTable || event.qualified.rfind("outcome::", 0) == 0;
      };
      if (single(binding) || (i == 1 && single(rule.bindings[0]))) continue;
      if (std::any_of(binding.relations.begin(), binding.relations.end(), IsWindow) || HasKey(binding, i)) continue;
      sink.Add(diagnostics::Code::kUnkeyedJoin, binding.span,
               fmt::format("no equality and no `within` ties `{}` to a binding on its left", binding.name));
    }
  }
}

}  // namespace attr::lower
