// Demotions and precedence: what stands between rules.
#include "compiler/lower/lowering.h"

namespace attr::lower {

void LowerDemotions(Lowering& lowering) {
  Builder& builder = lowering.builder;
  for (const sema::Demotion& demotion : lowering.program.demotions) {
    plan::Demotion target;
    target.source = demotion.source;
    target.targets = demotion.targets;
    target.target_text = builder.Str(demotion.target_text);
    target.on = demotion.on;
    target.because = builder.Str(demotion.because);
    target.location = lowering.Location(demotion.span);
    target.after = demotion.after;
    target.join.relations.push_back({plan::RelationKind::kDemote, demotion.within, demotion.lead});
    if (demotion.on == plan::DemoteOn::kNode) target.join.keys.push_back({plan::kNode, plan::kNode, true});
    if (demotion.on == plan::DemoteOn::kGpu) target.join.keys.push_back({plan::kGpu, plan::kGpu, true});
    // A label has no column: what findings are joined by is put where no observer stands.
    const bool label = demotion.on == plan::DemoteOn::kRack || demotion.on == plan::DemoteOn::kNvlinkDomain;
    if (label) target.join.keys.push_back({plan::kObserver, plan::kObserver, true});
    builder.plan.demotions.push_back(std::move(target));
  }
}

void LowerOrder(Lowering& lowering) {
  Builder& builder = lowering.builder;
  const auto side = [&](const sema::OrderSide& from) {
    plan::OrderSide target;
    target.kind = from.kind;
    target.id = from.kind == plan::SideKind::kTag ? builder.Str(from.tag) : from.index;
    return target;
  };
  for (const sema::OrderPair& pair : lowering.program.order) {
    plan::OrderPair target;
    target.above = side(pair.above);
    target.below = side(pair.below);
    target.location = lowering.Location(pair.above.span);
    target.text = builder.Str(pair.above.text + " > " + pair.below.text);
    builder.plan.order.push_back(target);
  }
  for (const sema::AmbiguityClause& clause : lowering.program.ambiguity) {
    plan::AmbiguityClause target;
    target.left = side(clause.left);
    target.right = side(clause.right);
    target.within = clause.within;
    target.apart = clause.apart;
    target.then = clause.then;
    target.text = builder.Str("between " + clause.left.text + ", " + clause.right.text);
    target.because = builder.Str(clause.because);
    target.location = lowering.Location(clause.left.span);
    builder.plan.ambiguity.push_back(target);
  }
}

}  // namespace attr::lower
