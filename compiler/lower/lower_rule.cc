// Rules: top-level conjuncts of a binding's `where` go to where they are
// cheapest: the binding's own scan, a key of the join, else the join's residual.
#include <bit>

#include "compiler/lower/lowering.h"

namespace attr::lower {

namespace {

class RuleLowering {
 public:
  RuleLowering(Lowering& lowering, const sema::Rule& rule)
      : lowering_(lowering), builder_(lowering.builder), rule_(rule) {}

  plan::Rule Lower() {
    Head();
    for (uint32_t i = 0; i < rule_.bindings.size(); ++i) {
      pair_.bindings.push_back({i, lowering_.event_index[rule_.bindings[i].event]});
    }
    for (uint32_t i = 0; i < rule_.bindings.size(); ++i) LowerBinding(i);
    for (const sema::Key& key : rule_.keys) {
      target_.keys.push_back({builder_.Str(key.name), Column(*key.value)});
    }
    if (rule_.having) {
      target_.having = lowering_.Checked(ExprLowering(builder_, pair_).Condition(*rule_.having), rule_.having->span);
    }
    for (const sema::Blame& blame : rule_.blame) target_.blame.push_back({blame.kind, Column(*blame.value)});
    for (const sema::Segment& segment : rule_.explain) LowerSegment(segment);
    return std::move(target_);
  }

 private:
  void Head() {
    target_.kind = rule_.kind;
    target_.name = builder_.Str(rule_.qualified);
    target_.title = builder_.Str(rule_.title);
    target_.doc = builder_.Str(rule_.doc);
    target_.location = lowering_.Location(rule_.span);
    target_.state = rule_.state;
    target_.domains = rule_.domains;
    target_.suggests = rule_.suggests;
    for (const std::string& tag : rule_.tags) target_.tags.push_back(builder_.Str(tag));
    for (const std::string& advice : rule_.advise) target_.advise.push_back(builder_.Str(advice));
  }

  plan::ColumnRef Column(const sema::Typed& typed) {
    const plan::ColumnRef ref = ExprLowering(builder_, pair_).AsColumn(typed);
    CheckDerived(ref, typed.span);
    return ref;
  }

  /// The expression behind a derived column has the engines' depth as well.
  void CheckDerived(plan::ColumnRef ref, diagnostics::Span span) {
    const plan::Event& event = builder_.plan.events[pair_.bindings[ref.binding].event];
    if (ref.column < event.DerivedColumn(0)) return;
    for (plan::ExprId key : event.derived[ref.column - event.DerivedColumn(0)].keys) lowering_.Checked(key, span);
  }

  void LowerBinding(uint32_t index) {
    const sema::Binding& binding = rule_.bindings[index];
    Frame own;
    own.bindings.assign(rule_.bindings.size(), {0, pair_.bindings[index].event});
    plan::Join join;
    std::vector<plan::ExprId> scan, residual;
    for (const sema::TypedPtr& where : binding.where) {
      std::vector<Conjunct> conjuncts;
      SplitConjuncts(*where, false, &conjuncts);
      for (const Conjunct& conjunct : conjuncts) {
        const uint32_t mask = sema::BindingsOf(*conjunct.typed);
        if ((mask & ~(1u << index)) == 0) {
          scan.push_back(Condition(own, conjunct));
        } else if (!AddKey(conjunct, &join)) {
          residual.push_back(Condition(pair_, conjunct));
        }
      }
    }
    plan::Binding target;
    target.name = builder_.Str(binding.name);
    target.event = pair_.bindings[index].event;
    target.where = JoinAll(scan, binding.span);
    target_.bindings.push_back(target);
    if (index == 0) return;
    for (const sema::Relation& relation : binding.relations) {
      join.relations.push_back({relation.kind, relation.distance, 0});
    }
    join.residual = JoinAll(residual, binding.span);
    join.different_observations = RootOf(pair_.bindings[0].event) == RootOf(target.event);
    target_.joins.push_back(std::move(join));
  }

  plan::ExprId Condition(const Frame& frame, const Conjunct& conjunct) {
    return ExprLowering(builder_, frame).Condition(*conjunct.typed, conjunct.negated);
  }

  plan::ExprId JoinAll(const std::vector<plan::ExprId>& conditions, diagnostics::Span span) {
    if (conditions.empty()) return plan::kNone;
    return lowering_.Checked(builder_.Join(plan::Op::kAnd, conditions), span);
  }

  /// `own == left` with values of one type. Floats stay in the residual, where -0.0 equals 0.0;
  /// look-ups too, since an absent key is false there.
  bool AddKey(const Conjunct& conjunct, plan::Join* join) {
    const sema::Typed& typed = *conjunct.typed;
    if (typed.kind != sema::TypedKind::kCompare) return false;
    const syntax::BinaryOp op = conjunct.negated ? Inverted(typed.op) : typed.op;
    const sema::Typed* left = typed.args[0].get();
    const sema::Typed* right = typed.args[1].get();
    uint32_t a = sema::BindingsOf(*left), b = sema::BindingsOf(*right);
    if (op != syntax::BinaryOp::kEq || !std::has_single_bit(a) || !std::has_single_bit(b) || a == b) return false;
    if (left->type != right->type || left->type == plan::Type::kFloat) return false;
    if (sema::ContainsLookup(*left) || sema::ContainsLookup(*right)) return false;
    if (a > b) std::swap(left, right);
    const plan::ColumnRef l = Column(*left), r = Column(*right);
    join->keys.push_back({l.column, r.column, IsPlaceType(left->type)});
    return true;
  }

  uint32_t RootOf(uint32_t event) const {
    while (builder_.plan.events[event].parent != plan::kNone) event = builder_.plan.events[event].parent;
    return event;
  }

  void LowerSegment(const sema::Segment& segment) {
    plan::Segment target;
    target.kind = segment.kind;
    target.text = builder_.Str(segment.text);
    target.column.binding = segment.binding;
    if (segment.value) target.column = Column(*segment.value);
    target_.explain.push_back(target);
  }

  Lowering& lowering_;
  Builder& builder_;
  const sema::Rule& rule_;
  plan::Rule target_;
  Frame pair_;  // bindings as they are
};

}  // namespace

void LowerRules(Lowering& lowering) {
  for (const sema::Rule& rule : lowering.program.rules) {
    plan::Rule lowered = RuleLowering(lowering, rule).Lower();
    lowering.builder.plan.rules.push_back(std::move(lowered));
  }
}

}  // namespace attr::lower
