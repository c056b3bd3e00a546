// Rules: top-level conjuncts of a binding's `where` go to where they are
// cheapest: the binding's own scan, a key of the join, else the join's residual.
#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "compiler/lower/lowering.h"

namespace attr::lower {

namespace {

class RuleLowering {
 public:
  RuleLowering(Lowering& lowering, const sema::Rule& rule)
      : lowering_(lowering), builder_(lowering.builder), rule_(rule) {}

  plan::Rule Lower() {
    Head();
    tuple_.alternatives = rule_.alternatives > 1;
    uint32_t first = 0;
    for (uint32_t i = 0; i < rule_.bindings.size(); ++i) {
      if (rule_.bindings[i].alternative != rule_.bindings[first].alternative) first = i;
      first_.push_back(first);
      tuple_.bindings.push_back({i - first, lowering_.event_index[rule_.bindings[i].event]});
    }
    for (const sema::Binding& binding : rule_.bindings) {
      for (const sema::TypedPtr& where : binding.where) FindSameEvents(*where);
    }
    for (uint32_t i = 0; i < rule_.bindings.size(); ++i) LowerBinding(i);
    for (const sema::Key& key : rule_.keys) {
      target_.keys.push_back({builder_.Str(key.name), Column(*key.value), Columns(key.more)});
    }
    target_.gap = rule_.gap;
    for (const sema::Extreme& extreme : rule_.extremes) LowerExtreme(extreme);
    LowerHaving();
    for (const sema::Blame& blame : rule_.blame) {
      target_.blame.push_back({blame.kind, Column(*blame.value), Columns(blame.more)});
    }
    for (const sema::Segment& segment : rule_.explain) LowerSegment(segment);
    for (const sema::Export& exported : rule_.exports) LowerExport(exported);
    return std::move(target_);
  }

 private:
  struct Pair {
    plan::Join join;
    std::vector<plan::ExprId> residual;
  };

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

  std::vector<plan::ColumnRef> Columns(const std::vector<sema::TypedPtr>& more) {
    std::vector<plan::ColumnRef> out;
    for (const sema::TypedPtr& typed : more) out.push_back(Column(*typed));
    return out;
  }

  void LowerExtreme(const sema::Extreme& extreme) {
    plan::Extreme target{extreme.kind, extreme.bindings[0]};
    for (size_t a = 0; a < extreme.bindings.size(); ++a) {
      plan::ColumnRef ref{extreme.bindings[a], plan::kNone};
      if (!extreme.by.empty()) ref.column = Column(*extreme.by[a]).column;
      if (a == 0) target.column = ref.column;
      if (a != 0) target.more.push_back(ref);
    }
    if (!extreme.by.empty()) target.type = extreme.by[0]->type;
    target_.extremes.push_back(std::move(target));
  }

  /// The alternatives' conditions are the same but for what their aggregates are over.
  void LowerHaving() {
    for (size_t a = 0; a < rule_.having.size(); ++a) {
      std::vector<plan::Aggregate> aggregates;
      ExprLowering having(builder_, tuple_, &aggregates);
      const plan::ExprId lowered = lowering_.Checked(having.Condition(*rule_.having[a]), rule_.having[a]->span);
      if (a == 0) {
        target_.having = lowered;
        target_.aggregates = std::move(aggregates);
        continue;
      }
      for (size_t i = 0; i < aggregates.size(); ++i) {
        target_.aggregates[i].more.push_back({aggregates[i].binding, aggregates[i].column});
      }
    }
  }

  plan::ColumnRef Column(const sema::Typed& typed) {
    const plan::ColumnRef ref = ExprLowering(builder_, tuple_).AsColumn(typed);
    CheckDerived(ref, typed.span);
    return ref;
  }

  /// The expression behind a derived column has the engines' depth as well.
  void CheckDerived(plan::ColumnRef ref, diagnostics::Span span) {
    const plan::Event& event = builder_.plan.events[tuple_.bindings[ref.binding].event];
    if (ref.column < event.DerivedColumn(0)) return;
    for (plan::ExprId key : event.derived[ref.column - event.DerivedColumn(0)].keys) lowering_.Checked(key, span);
  }

  void LowerBinding(uint32_t index) {
    const sema::Binding& binding = rule_.bindings[index];
    std::vector<plan::ExprId> scan, residual;
    std::map<uint32_t, Pair> pairs;  // by left binding
    for (const sema::TypedPtr& where : binding.where) {
      std::vector<Conjunct> conjuncts;
      SplitConjuncts(*where, false, &conjuncts);
      for (const Conjunct& conjunct : conjuncts) {
        const uint32_t others = sema::BindingsOf(*conjunct.typed) & ~(1u << index);
        if (others == 0) {
          scan.push_back(Condition(FrameOf(index, 0, index, 0), conjunct));
        } else if (!std::has_single_bit(others)) {
          residual.push_back(Condition(tuple_, conjunct));
        } else {
          const auto left = static_cast<uint32_t>(std::countr_zero(others));
          Pair& pair = pairs[left];
          AddNarrowing(conjunct, &pair.join);
          if (!AddKey(conjunct, &pair.join)) {
            pair.residual.push_back(Condition(FrameOf(left, 0, index, 1), conjunct));
          }
        }
      }
    }
    for (const sema::Relation& relation : binding.relations) {
      pairs[relation.left].join.relations.push_back({relation.kind, relation.distance, 0});
    }
    plan::Binding target;
    target.alternative = binding.alternative;
    target.name = builder_.Str(binding.name);
    target.kind = binding.kind;
    target.event = tuple_.bindings[index].event;
    target.where = JoinAll(scan, binding.span);
    target.residual = JoinAll(residual, binding.span);
    target_.bindings.push_back(target);
    AddJoins(index, std::move(pairs));
  }

  /// Bindings of one or related events take different observations (S9), whatever
  /// else is asked of them. A binding that nothing ties is tied to the first.
  void AddJoins(uint32_t index, std::map<uint32_t, Pair> pairs) {
    for (uint32_t left = first_[index]; left < index; ++left) {
      const bool related = Related(target_.bindings[left].event, target_.bindings[index].event);
      const bool same = same_events_.count({left, index}) != 0;
      if (related && !same && target_.bindings[left].kind == plan::BindKind::kPositive) {
        pairs[left].join.different_observations = true;
      }
    }
    if (pairs.empty() && index != first_[index]) pairs[first_[index]];
    for (auto& [left, pair] : pairs) {
      pair.join.left = left;
      pair.join.right = index;
      pair.join.residual = JoinAll(pair.residual, rule_.bindings[index].span);
      target_.joins.push_back(std::move(pair.join));
    }
  }

  /// Two bindings as a kernel numbers them; no other is read.
  Frame FrameOf(uint32_t a, uint32_t as_a, uint32_t b, uint32_t as_b) const {
    Frame frame;
    frame.bindings.assign(rule_.bindings.size(), {as_a, tuple_.bindings[a].event});
    frame.bindings[b] = {as_b, tuple_.bindings[b].event};
    return frame;
  }

  plan::ExprId Condition(const Frame& frame, const Conjunct& conjunct) {
    return ExprLowering(builder_, frame).Condition(*conjunct.typed, conjunct.negated);
  }

  plan::ExprId JoinAll(const std::vector<plan::ExprId>& conditions, diagnostics::Span span) {
    if (conditions.empty()) return plan::kNone;
    return lowering_.Checked(builder_.Join(plan::Op::kAnd, conditions), span);
  }

  /// `same rack(own, left)` decides by its residual; equal labels spare the other rows.
  void AddNarrowing(const Conjunct& conjunct, plan::Join* join) {
    if (conjunct.typed->kind != sema::TypedKind::kSameLabel || conjunct.negated) return;
    auto columns = LabelColumns(builder_, tuple_, *conjunct.typed);
    if (!columns) return;
    if (columns->first.binding > columns->second.binding) std::swap(columns->first, columns->second);
    join->narrow.push_back({columns->first.column, columns->second.column, false});
  }

  /// Pairs of which the rule says `same event(a, b)`.
  void FindSameEvents(const sema::Typed& typed) {
    const auto record = [](const sema::TypedPtr& arg) { return arg->kind == sema::TypedKind::kRecord; };
    if (typed.kind == sema::TypedKind::kCompare && record(typed.args[0]) && record(typed.args[1])) {
      same_events_.insert(std::minmax(typed.args[0]->binding, typed.args[1]->binding));
    }
    for (const sema::TypedPtr& arg : typed.args) FindSameEvents(*arg);
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

  /// Do the two events share a root: the same, one that extends the other, a union with it?
  bool Related(uint32_t a, uint32_t b) const {
    const std::set<uint32_t> left = RootsOf(a), right = RootsOf(b);
    return std::any_of(left.begin(), left.end(), [&](uint32_t root) { return right.count(root) != 0; });
  }

  std::set<uint32_t> RootsOf(uint32_t event) const {
    while (builder_.plan.events[event].parent != plan::kNone) event = builder_.plan.events[event].parent;
    std::set<uint32_t> roots;
    // A row of a table is no observation that could be told twice.
    if (builder_.plan.events[event].origin == plan::EventOrigin::kTable) return {};
    // Findings of one rule, wherever they are bound, are one thing.
    for (const uint32_t rule : builder_.plan.events[event].rules) roots.insert(plan::kNone - 1 - rule);
    if (!roots.empty()) return roots;
    if (builder_.plan.events[event].members.empty()) return {event};
    for (const uint32_t member : builder_.plan.events[event].members) roots.merge(RootsOf(member));
    return roots;
  }

  plan::ExprId MemberValue(const sema::Typed& typed) {
    return lowering_.Checked(ExprLowering(builder_, tuple_).Value(typed), typed.span);
  }

  void LowerExport(const sema::Export& exported) {
    plan::Export target{builder_.Str(exported.name), exported.values[0]->type};
    for (const sema::TypedPtr& value : exported.values) {
      if (value->kind != sema::TypedKind::kAggregate) {
        target.exprs.push_back(MemberValue(*value));
        continue;
      }
      std::vector<plan::Aggregate> own;
      ExprLowering(builder_, tuple_, &own).Aggregate(*value);
      if (target.aggregate == plan::kNone) {
        target.aggregate = static_cast<uint32_t>(target_.aggregates.size());
        target_.aggregates.push_back(std::move(own[0]));
      } else {
        target_.aggregates.back().more.push_back({own[0].binding, own[0].column});
      }
    }
    target_.exports.push_back(std::move(target));
  }

  void LowerSegment(const sema::Segment& segment) {
    plan::Segment target;
    target.kind = segment.kind;
    target.text = builder_.Str(segment.text);
    if (segment.kind == plan::SegmentKind::kCount) {
      // Where their members stand, each list once.
      std::set<uint32_t> stored;
      for (const uint32_t binding : segment.bindings) stored.insert(plan::StoredAt(target_, binding));
      target.column.binding = *stored.begin();
      for (auto at = std::next(stored.begin()); at != stored.end(); ++at) target.more.push_back({*at, 0});
    }
    if (segment.kind == plan::SegmentKind::kExpr) {
      target.exprs.push_back(MemberValue(*segment.value));
      for (const sema::TypedPtr& more : segment.more) target.exprs.push_back(MemberValue(*more));
    } else if (segment.value) {
      target.column = Column(*segment.value);
      target.more = Columns(segment.more);
    }
    if (segment.kind == plan::SegmentKind::kExport) target.exported = segment.exported;
    target_.explain.push_back(std::move(target));
  }

  Lowering& lowering_;
  Builder& builder_;
  const sema::Rule& rule_;
  plan::Rule target_;
  Frame tuple_;  // bindings as their alternative numbers them
  std::set<std::pair<uint32_t, uint32_t>> same_events_;
  std::vector<uint32_t> first_;  // of each binding: the first one of its alternative
};

}  // namespace

void LowerRules(Lowering& lowering) {
  for (const sema::Rule& rule : lowering.program.rules) {
    plan::Rule lowered = RuleLowering(lowering, rule).Lower();
    lowering.builder.plan.rules.push_back(std::move(lowered));
  }
}

}  // namespace attr::lower
