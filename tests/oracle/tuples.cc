// Tuples by nested loops: every event of every binding, nothing left out.
#include <algorithm>

#include "tests/oracle/event_scope.h"
#include "tests/oracle/rule_finder.h"

namespace attr::oracle {

namespace {

Bits Relate(World& world, uint32_t pack, const syntax::TimeRel& relation, const Span& left, const Span& right) {
  using RelKind = syntax::TimeRel::Kind;
  const int64_t d = relation.distance ? world.pack.Duration(pack, *relation.distance) : 0;
  switch (relation.kind) {
    case RelKind::kAfter:
      return After(left, right);
    case RelKind::kBefore:
      return Before(left, right);
    case RelKind::kWithinOf:
      return Within(left, right, d, d);
    case RelKind::kWithinAfter:
      return And(After(left, right), Within(left, right, 0, d));
    case RelKind::kWithinBefore:
      return And(Before(left, right), Within(left, right, d, 0));
  }
  return kNo;
}

}  // namespace

namespace {

/// Two bindings of the same rule's findings, or of events that read the same lines.
bool AreRelated(const Event& a, const Event& b) {
  if (a.origin != b.origin) return false;
  if (a.origin == Origin::kRecords) {
    return std::any_of(a.roots.begin(), a.roots.end(), [&](uint32_t root) { return b.roots.count(root) != 0; });
  }
  if (a.origin == Origin::kInventory) return a.inventory == b.inventory;
  return std::any_of(a.rules.begin(), a.rules.end(),
                     [&](uint32_t r) { return std::find(b.rules.begin(), b.rules.end(), r) != b.rules.end(); });
}

/// Does some part of the expression ask for `same event(x, y)` of this name?
bool AsksSameEvent(const syntax::Expr& expr, const std::string& name) {
  if (const auto* chain = std::get_if<syntax::ChainExpr>(&expr.node)) {
    return std::any_of(chain->operands.begin(), chain->operands.end(),
                       [&](const auto& operand) { return AsksSameEvent(*operand, name); });
  }
  if (const auto* unary = std::get_if<syntax::UnaryExpr>(&expr.node)) return AsksSameEvent(*unary->operand, name);
  const auto* same = std::get_if<syntax::SamePlaceExpr>(&expr.node);
  if (same == nullptr || same->place.text != "event") return false;
  for (const syntax::ExprPtr* side : {&same->left, &same->right}) {
    if (std::get<syntax::RefExpr>((*side)->node).parts[0].text == name) return true;
  }
  return false;
}

/// The names that the condition asks to be open.
std::vector<std::string> AsksOpen(const syntax::Expr& expr) {
  if (const auto* chain = std::get_if<syntax::ChainExpr>(&expr.node)) {
    std::vector<std::string> out;
    for (const syntax::ExprPtr& operand : chain->operands) {
      for (std::string& name : AsksOpen(*operand)) out.push_back(std::move(name));
    }
    return out;
  }
  const auto* call = std::get_if<syntax::CallExpr>(&expr.node);
  if (call == nullptr || call->callee.text != "open") return {};
  return {std::get<syntax::RefExpr>(call->arguments[0]->node).parts[0].text};
}

bool SaysSameEvent(const Binding& binding, const std::string& name) {
  return std::any_of(binding.decl->where.begin(), binding.decl->where.end(),
                     [&](const auto& where) { return AsksSameEvent(*where, name); });
}

}  // namespace

bool IsSameThing(const Row& a, const Row& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == RowKind::kRecord) return a.observation == b.observation;
  return a.rule == b.rule && a.number == b.number;
}

/// Bindings of the same or a related event take different observations.
bool RuleFinder::IsDistinct(const RuleScope& scope, const Row& row, const Binding& binding) const {
  if (row.IsPhantom()) return true;
  for (const RuleScope::Bound& bound : scope.bound()) {
    const bool related = AreRelated(world_.pack.events[bound.event], world_.pack.events[binding.event]);
    if (related && SaysSameEvent(binding, bound.name)) continue;
    if (related && bound.row != nullptr && IsSameThing(*bound.row, row)) return false;
  }
  return true;
}

/// The last binding of the scope against those to its left.
Bits RuleFinder::Match(const Binding& binding, RuleScope& scope, std::set<const Row*>* placeless) {
  const Row& row = *scope.bound().back().row;
  Bits bits = row.bits;
  for (const syntax::ExprPtr& where : binding.decl->where) {
    Evaluator evaluator(world_, rule_.pack, scope);
    bits = And(bits, evaluator.Condition(*where));
    for (size_t i = 0; i < scope.bound().size(); ++i) {
      if ((evaluator.lacking_place() >> i & 1U) != 0) placeless->insert(scope.bound()[i].row);
    }
  }
  for (const syntax::TimeRel& relation : binding.decl->relations) {
    for (const RuleScope::Bound& bound : scope.bound()) {
      if (bound.name != relation.binding.text) continue;
      bits = And(bits, Relate(world_, rule_.pack, relation, bound.row->span, row.span));
    }
  }
  return bits;
}

/// `without` must be proved: one that may be there leaves the tuple only possible.
/// `unless` is presumed: one that is presumed takes the tuple, one that may be leaves it presumed.
Bits RuleFinder::Absent(const Binding& binding, RuleScope& scope, Tuple* tuple) {
  Bits found = kNo;
  for (const Row& row : world_.rows[binding.event]) {
    if (!IsDistinct(scope, row, binding)) continue;
    scope.Add({binding.name, binding.event, &row});
    const Bits one = Match(binding, scope, &tuple->placeless);
    tuple->placeless.erase(&row);
    if (one.may && !one.must) tuple->absence.insert(row.gaps.begin(), row.gaps.end());
    found = Or(found, one);
    scope.Drop();
  }
  if (binding.word == Word::kWithout) found.presumed = found.may;
  return Not(found);
}

/// `open(x)`: unless something after x closes it that has the same values.
Bits RuleFinder::Open(const std::string& name, RuleScope& scope, Tuple* tuple) {
  const auto bound =
      std::find_if(scope.bound().begin(), scope.bound().end(), [&](const auto& b) { return b.name == name; });
  const Row& row = *bound->row;
  const Event& event = world_.pack.events[bound->event];
  Bits found = kNo;
  for (const Row& closing : world_.rows[event.closed_by]) {
    // As `unless c: …` would bind it: no record that another binding of a related event has.
    const bool taken = std::any_of(scope.bound().begin(), scope.bound().end(), [&](const RuleScope::Bound& other) {
      return !closing.IsPhantom() && other.row != nullptr && IsSameThing(*other.row, closing) &&
             AreRelated(world_.pack.events[other.event], world_.pack.events[event.closed_by]);
    });
    if (taken) continue;
    Bits one = And(closing.bits, After(row.span, closing.span));
    for (const syntax::Name& field : event.decl->closed_by->same) {
      const Value a = ColumnOf(row, field.text), b = ColumnOf(closing, field.text);
      const bool place = IsPlace(a.type) && a.type == b.type;
      one = And(one, a.present && b.present ? Known(Order(a, b) == 0) : place ? kUndecided : kUnknown);
    }
    if (one.may && !one.must) tuple->absence.insert(closing.gaps.begin(), closing.gaps.end());
    found = Or(found, one);
  }
  return Not(found);
}

/// What `with` binds to this tuple.
void RuleFinder::Offer(const Binding& binding, RuleScope& scope, Tuple* tuple) {
  size_t slot = 0;
  while (slots_[slot].name != binding.name) ++slot;
  for (const Row& row : world_.rows[binding.event]) {
    if (!IsDistinct(scope, row, binding)) continue;
    scope.Add({binding.name, binding.event, &row});
    std::set<const Row*> ignored;
    const Bits bits = And(tuple->bits, Match(binding, scope, &ignored));
    if (bits.may) tuple->optional.push_back({slot, {&row, bits}});
    scope.Drop();
  }
}

/// Positive bindings first, so that the bits of a tuple are known when `with` is asked.
void RuleFinder::Extend(size_t at, RuleScope& scope, Tuple tuple) {
  if (!tuple.bits.may) return;
  while (at < alternative_->size() && (*alternative_)[at].word != Word::kPositive) ++at;
  if (at < alternative_->size()) {
    const Binding& binding = (*alternative_)[at];
    for (const Row& row : world_.rows[binding.event]) {
      if (!IsDistinct(scope, row, binding)) continue;
      scope.Add({binding.name, binding.event, &row});
      Tuple more = tuple;
      more.bits = And(more.bits, Match(binding, scope, &more.placeless));
      Extend(at + 1, scope, std::move(more));
      scope.Drop();
    }
    return;
  }
  for (const Binding& binding : *alternative_) {
    if (binding.word != Word::kWithout && binding.word != Word::kUnless) continue;
    tuple.bits = And(tuple.bits, Absent(binding, scope, &tuple));
  }
  for (const Binding& binding : *alternative_) {
    if (binding.word != Word::kPositive) continue;
    for (const syntax::ExprPtr& where : binding.decl->where) {
      for (const std::string& name : AsksOpen(*where)) tuple.bits = And(tuple.bits, Open(name, scope, &tuple));
    }
  }
  for (const Binding& binding : *alternative_) {
    if (binding.word == Word::kWith) Offer(binding, scope, &tuple);
  }
  if (tuple.bits.may) Keep(scope, std::move(tuple));
}

std::vector<Value> RuleFinder::KeysOf(RuleScope& scope) {
  std::vector<Value> keys;
  for (const auto& [name, expr] : rule_.keys) {
    if (expr == nullptr) {
      keys.push_back(scope.bound().empty() ? Missing(Type::kNode) : scope.bound()[0].row->node);
      continue;
    }
    Operand result = Evaluator(world_, rule_.pack, scope).Eval(*expr);
    keys.push_back(std::move(result.value));
  }
  return keys;
}

void RuleFinder::Keep(const RuleScope& scope, Tuple tuple) {
  RuleScope with_places(world_.pack, scope.bound(), true);
  tuple.keys = KeysOf(with_places);
  tuple.rows.assign(slots_.size(), nullptr);
  for (const RuleScope::Bound& bound : scope.bound()) {
    for (size_t s = 0; s < slots_.size(); ++s) {
      if (slots_[s].name == bound.name) tuple.rows[s] = bound.row;
    }
  }
  for (Group& group : groups_) {
    bool same = true;
    for (size_t k = 0; k < group.keys.size(); ++k) same = same && SameValue(group.keys[k], tuple.keys[k]);
    if (!same) continue;
    group.tuples.push_back(std::move(tuple));
    return;
  }
  groups_.push_back({tuple.keys, {}, true});
  groups_.back().tuples.push_back(std::move(tuple));
}

void RuleFinder::Enumerate() {
  for (const std::vector<Binding>& alternative : rule_.alternatives) {
    alternative_ = &alternative;
    RuleScope scope(world_.pack, {}, false);
    Tuple tuple;
    tuple.bits = kYes;
    Extend(0, scope, std::move(tuple));
  }
}

/// `gap`: tuples go where their first event goes; one that nobody looked for may be anywhere.
void RuleFinder::SplitGroups() {
  if (rule_.decl == nullptr || !rule_.decl->per || !rule_.decl->per->gap) return;
  const int64_t gap = world_.pack.Duration(rule_.pack, *rule_.decl->per->gap);
  std::vector<Group> out;
  for (const Group& group : groups_) {
    std::set<const Row*> rows;
    for (const Tuple& tuple : group.tuples) {
      if (!tuple.rows[0]->IsPhantom()) rows.insert(tuple.rows[0]);
    }
    std::vector<std::set<const Row*>> parts = SplitBySilence(rows, gap);
    if (parts.empty()) parts.emplace_back();
    for (const std::set<const Row*>& part : parts) {
      Group of_part{group.keys, {}, SurelyOnePart(part, rows, gap)};
      for (const Tuple& tuple : group.tuples) {
        if (tuple.rows[0]->IsPhantom() || part.count(tuple.rows[0]) != 0) of_part.tuples.push_back(tuple);
      }
      out.push_back(std::move(of_part));
    }
  }
  groups_ = std::move(out);
}

}  // namespace attr::oracle
