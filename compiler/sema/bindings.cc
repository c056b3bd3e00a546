// See bindings.h. Bindings of unknown events are bound all the same, without an
// event, so that what names them stays silent.
#include "compiler/sema/bindings.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/sema/row_events.h"
#include "compiler/sema/rule_scope.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

using plan::kMaxBindings;

class ConditionAnalyzer {
 public:
  ConditionAnalyzer(Context& context, Rule& rule)
      : context_(context), rule_(rule), scope_(context, rule), checker_(context, rule.pack, scope_) {}

  void Analyze(const syntax::Condition& when) {
    if (when.expr) return AddStalls();
    if (when.outcome) AddOutcome(*when.outcome);
    rule_.alternatives = std::max<uint32_t>(1, static_cast<uint32_t>(when.groups.size()));
    if (rule_.alternatives > 1) FindCommon(when);
    if (when.groups.empty()) {
      for (const syntax::Binding& binding : when.further) Add(binding);
    }
    for (const syntax::Group& group : when.groups) {
      first_ = rule_.bindings.size();
      scope_.shared = rule_.alternatives == 1;
      for (const syntax::Binding& binding : group.bindings) Add(binding);
      scope_.shared = true;
      for (const syntax::Binding& binding : when.further) Add(binding);
      ExpandOpen(context_, rule_, first_);
      ++scope_.alternative;
    }
  }

 private:
  /// Names that every alternative binds, and what follows the braces: that belongs to all of them.
  void FindCommon(const syntax::Condition& when) {
    std::map<std::string, std::pair<size_t, plan::BindKind>> names;
    const auto note = [&](const syntax::Binding& binding, size_t times) {
      const auto [at, added] = names.try_emplace(binding.name.text, 0, KindOf(binding.word));
      at->second.first += times;
      if (added || at->second.second == KindOf(binding.word)) return;
      context_.Error(Code::kAlternativesDiffer, binding.name.span,
                     fmt::format("`{}` is bound in another way in another alternative", binding.name.text), "",
                     "one name is bound by one word: `and`, `without`, `unless` or `with`");
    };
    for (const syntax::Group& group : when.groups) {
      for (const syntax::Binding& binding : group.bindings) note(binding, 1);
    }
    for (const syntax::Binding& binding : when.further) note(binding, when.groups.size());
    for (const auto& [name, times] : names) {
      (times.first >= when.groups.size() ? rule_.common : rule_.partial).push_back(name);
    }
  }

  void Add(const syntax::Binding& decl) {
    const bool full = rule_.bindings.size() - first_ == kMaxBindings || rule_.bindings.size() == plan::kMaxAllBindings;
    if (full && !full_) {
      context_.Error(Code::kTooManyBindings, decl.span,
                     fmt::format("`{}` is one binding too many: a rule has at most {}, and {} in all alternatives",
                                 decl.name.text, kMaxBindings, plan::kMaxAllBindings));
    }
    full_ = full_ || full;
    if (full) return;
    if (scope_.FindBinding(decl.name.text)) {
      context_.Error(Code::kDuplicateName, decl.name.span, fmt::format("`{}` is bound twice", decl.name.text));
      return;
    }
    Binding binding;
    binding.name = decl.name.text;
    binding.span = decl.span;
    binding.kind = KindOf(decl.word);
    binding.event = FindEvent(decl);
    binding.alternative = scope_.alternative;
    for (const syntax::TimeRel& relation : decl.relations) AddRelation(relation, &binding);
    rule_.bindings.push_back(std::move(binding));
    scope_.current = rule_.bindings.size() - 1;
    // The binding's own name is visible in its `where`.
    for (const syntax::ExprPtr& where : decl.where) {
      TypedPtr condition = checker_.Condition(*where);
      rule_.bindings.back().where.push_back(std::move(condition));
    }
  }

  /// `when outcome preempted`: bound as `outcome`.
  void AddOutcome(const syntax::Name& state) {
    Binding binding;
    binding.name = "outcome";
    binding.span = state.span;
    if (const auto known = FindState(context_, state); known && !rule_.cyclic) {
      binding.event = EventOfOutcome(context_, *known);
    }
    rule_.bindings.push_back(std::move(binding));
  }

  /// The outcome of an expression: each of its parts is one row, there or not.
  void AddStalls() {
    std::set<uint32_t> known;
    for (const StallTerm& term : rule_.terms) {
      const std::optional<uint32_t> event = FindStall(*term.expr, term.negated);
      if (!event || !known.insert(*event).second) continue;
      Binding binding;
      binding.name = fmt::format("part{}", known.size());
      binding.span = term.expr->span;
      binding.event = *event;
      rule_.bindings.push_back(std::move(binding));
    }
  }

  std::optional<uint32_t> FindStall(const syntax::Expr& expr, bool negated) {
    const auto* call = std::get_if<syntax::CallExpr>(&expr.node);
    const bool stall = call && call->callee.text == "stalled" && call->arguments.size() == 2;
    const auto* of = stall ? std::get_if<syntax::RefExpr>(&call->arguments[0]->node) : nullptr;
    if (!of || of->parts.size() != 1) {
      context_.Error(Code::kOutcomeExpression, expr.span, "this says nothing of an attempt", "",
                     "write `stalled(EVENT, DURATION)`, joined with `and`, `or` and `not`; or bind an event: "
                     "`when j: job_record where ...`");
      return std::nullopt;
    }
    const syntax::QName name{of->pack, of->parts[0].text, call->arguments[0]->span};
    const Item* item = FindItemOf(context_, rule_.pack, name, ItemKind::kEvent);
    const TypedPtr duration = checker_.Value(*call->arguments[1], plan::Type::kDuration);
    if (!item || duration->poison()) return std::nullopt;
    if (duration->kind != TypedKind::kLiteral || duration->type != plan::Type::kDuration) {
      context_.Error(Code::kUnlikeTypes, call->arguments[1]->span,
                     "`stalled` takes a duration, as `10m`, or a constant");
      return std::nullopt;
    }
    if (duration->imm < 0 || duration->imm > kMaxWindow) {
      context_.Error(Code::kOutOfRange, call->arguments[1]->span, "the duration is longer than 366 days");
      return std::nullopt;
    }
    return EventOfStall(context_, item->index, duration->imm, negated);
  }

  uint32_t FindFinding(const syntax::Binding& decl) {
    if (rule_.cyclic) return plan::kNone;
    if (decl.finding_tag) {
      CheckFindingTag(context_, rule_.pack, *decl.finding_tag);
      return EventOfTag(context_, decl.finding_tag->text);
    }
    const Item* item = FindItemOf(context_, rule_.pack, decl.event, ItemKind::kRule);
    return item ? EventOfRule(context_, item->index) : plan::kNone;
  }

  static plan::BindKind KindOf(syntax::JoinWord word) {
    switch (word) {
      case syntax::JoinWord::kWithout:
        return plan::BindKind::kWithout;
      case syntax::JoinWord::kUnless:
        return plan::BindKind::kUnless;
      case syntax::JoinWord::kWith:
        return plan::BindKind::kWith;
      default:
        return plan::BindKind::kPositive;
    }
  }

  uint32_t FindEvent(const syntax::Binding& decl) {
    if (decl.finding || decl.finding_tag) return FindFinding(decl);
    if (decl.event.name.rfind("inventory.", 0) == 0 || decl.event.name == "inventory") {
      const std::string what = decl.event.name.substr(std::min<size_t>(decl.event.name.size(), 10));
      if (const auto event = EventOfInventory(context_, what)) return *event;
      context_.Error(Code::kUnknownPlace, decl.event.span, "the inventory has nodes, ranks and GPUs", "",
                     "bind `inventory.node`, `inventory.rank` or `inventory.gpu`");
      return plan::kNone;
    }
    const Item* peek = PeekItem(context_, rule_.pack, decl.event.pack, decl.event.name);
    if (peek && peek->kind == ItemKind::kTable) {
      peek->used = true;
      return EventOfTable(context_, peek->index);
    }
    const Item* item = FindItemOf(context_, rule_.pack, decl.event, ItemKind::kEvent);
    return item ? item->index : plan::kNone;
  }

  void AddRelation(const syntax::TimeRel& relation, Binding* binding) {
    const std::optional<uint32_t> earlier = scope_.FindBinding(relation.binding.text);
    if (!earlier && scope_.RefusedAsPartial(relation.binding.text, relation.binding.span)) return;
    if (!earlier) {
      std::string message = fmt::format("`{}` is no binding to the left", relation.binding.text);
      if (relation.binding.text == binding->name) message = fmt::format("`{}` is related to itself", binding->name);
      context_.Error(Code::kBadRelation, relation.binding.span, std::move(message), "",
                     DidYouMean(relation.binding.text, scope_.Names()));
      return;
    }
    if (!scope_.Readable(*earlier, relation.binding.span)) return;
    for (const Binding* side : std::initializer_list<const Binding*>{&rule_.bindings[*earlier], binding}) {
      if (side->event == plan::kNone || !plan::IsTimeless(context_.program.events[side->event].origin)) continue;
      context_.Error(Code::kTimeless, relation.span, fmt::format("`{}` has no time", side->name));
      return;
    }
    Relation result;
    result.left = *earlier;
    result.kind = static_cast<plan::RelationKind>(relation.kind);
    if (relation.distance) {
      const auto distance = ResolveDuration(context_, rule_.pack, *relation.distance);
      if (!distance) return;
      result.distance = *distance;
    }
    binding->relations.push_back(result);
  }

  Context& context_;
  Rule& rule_;
  RuleScope scope_;
  Checker checker_;
  size_t first_ = 0;  // binding of the alternative under way
  bool full_ = false;
};

static_assert(static_cast<int>(plan::RelationKind::kAfter) == static_cast<int>(syntax::TimeRel::Kind::kAfter));
static_assert(static_cast<int>(plan::RelationKind::kWithinBefore) ==
              static_cast<int>(syntax::TimeRel::Kind::kWithinBefore));

}  // namespace

void AnalyzeCondition(Context& context, Rule& rule, const syntax::Condition& when) {
  ConditionAnalyzer(context, rule).Analyze(when);
}

}  // namespace attr::sema
