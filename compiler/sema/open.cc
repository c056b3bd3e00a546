// `open(p)`: no closing event came at or after p. It reads like
// `unless c: closing after p where c.f == p.f`, and becomes just that (semantics.md S5).
#include <algorithm>

#include "compiler/sema/bindings.h"
#include "compiler/sema/expressions.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

class OpenExpansion {
 public:
  OpenExpansion(Context& context, Rule& rule, size_t first) : context_(context), rule_(rule), first_(first) {}

  void Run() {
    const size_t written = rule_.bindings.size();
    for (size_t b = first_; b < written; ++b) {
      std::vector<TypedPtr> kept;
      for (TypedPtr& where : rule_.bindings[b].where) {
        TypedPtr rest = Take(std::move(where), rule_.bindings[b].kind == plan::BindKind::kPositive);
        if (rest) kept.push_back(std::move(rest));
      }
      rule_.bindings[b].where = std::move(kept);
    }
    for (const auto& [binding, span] : open_) Add(binding, span);
  }

 private:
  /// What is left without the `open` that stand at the top; null: nothing.
  TypedPtr Take(TypedPtr typed, bool positive) {
    if (typed->kind == TypedKind::kOpen && positive) {
      const auto same = [&](const auto& known) { return known.first == typed->binding; };
      if (std::none_of(open_.begin(), open_.end(), same)) open_.emplace_back(typed->binding, typed->span);
      return nullptr;
    }
    if (typed->kind != TypedKind::kAnd) {
      Refuse(*typed);
      return typed;
    }
    std::vector<TypedPtr> kept;
    for (TypedPtr& arg : typed->args) {
      if (TypedPtr rest = Take(std::move(arg), positive)) kept.push_back(std::move(rest));
    }
    if (kept.empty()) return nullptr;
    typed->args = std::move(kept);
    return typed;
  }

  void Refuse(const Typed& typed) {
    if (typed.kind == TypedKind::kOpen) {
      context_.Error(Code::kOpenInside, typed.span,
                     fmt::format("`open({})` cannot stand here", rule_.bindings[typed.binding].name));
    }
    for (const TypedPtr& arg : typed.args) Refuse(*arg);
  }

  void Add(uint32_t binding, Span span) {
    const uint32_t bound = rule_.bindings[binding].event;
    if (bound == plan::kNone) return;
    const Event& event = context_.program.events[bound];
    if (event.fold.closed_by == plan::kNone) {
      if (event.poisoned) return;
      context_.Error(Code::kNeverClosed, span, fmt::format("event `{}` has no `closed by`", event.decl->name.text));
      return;
    }
    const bool full = rule_.bindings.size() - first_ >= plan::kMaxBindings;
    if (full || rule_.bindings.size() >= plan::kMaxAllBindings) {
      context_.Error(Code::kTooManyBindings, span,
                     fmt::format("`open({})` is one binding too many: a rule has at most {}",
                                 rule_.bindings[binding].name, plan::kMaxBindings));
      return;
    }
    Binding closing;
    closing.name = rule_.bindings[binding].name + "_closed";
    const auto taken = [&](const Binding& other) { return other.name == closing.name; };
    while (std::any_of(rule_.bindings.begin(), rule_.bindings.end(), taken)) closing.name += '_';
    closing.kind = plan::BindKind::kUnless;
    closing.alternative = rule_.bindings[binding].alternative;
    closing.event = event.fold.closed_by;
    closing.span = span;
    closing.relations.push_back({plan::RelationKind::kAfter, 0, binding});
    const auto self = static_cast<uint32_t>(rule_.bindings.size());
    for (const SameField& same : event.fold.same) {
      auto equal = std::make_unique<Typed>();
      equal->kind = TypedKind::kCompare;
      equal->span = span;
      equal->args.push_back(Column(event, binding, same.left, span));
      equal->args.push_back(Column(context_.program.events[closing.event], self, same.right, span));
      closing.where.push_back(std::move(equal));
    }
    rule_.bindings.push_back(std::move(closing));
  }

  static TypedPtr Column(const Event& event, uint32_t binding, uint32_t column, Span span) {
    auto typed = std::make_unique<Typed>();
    typed->kind = TypedKind::kColumn;
    typed->type = column < plan::kSystemColumns ? plan::SystemColumnType(column)
                                                : event.fields[column - plan::kSystemColumns].type;
    typed->span = span;
    typed->binding = binding;
    typed->column = column;
    return typed;
  }

  Context& context_;
  Rule& rule_;
  size_t first_;
  std::vector<std::pair<uint32_t, Span>> open_;  // by binding, as they stand
};

}  // namespace

TypedPtr Checker::Open(const syntax::CallExpr& call, Span span) {
  const std::optional<uint32_t> binding = CountedBinding(call, span);
  if (!binding) return Poison(span);
  TypedPtr typed = Make(TypedKind::kOpen, Type::kBool, span);
  typed->binding = *binding;
  if (having_) return Fail(Code::kOpenInside, span, "`open` is asked of events, not of groups");
  return typed;
}

void ExpandOpen(Context& context, Rule& rule, size_t first) { OpenExpansion(context, rule, first).Run(); }

}  // namespace attr::sema
