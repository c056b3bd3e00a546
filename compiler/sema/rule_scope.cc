// See rule_scope.h.
#include "compiler/sema/rule_scope.h"

#include <algorithm>
#include <array>

#include "compiler/sema/row_events.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

constexpr std::array<std::string_view, 6> kSystemNames = {"node", "rank", "gpu", "observer", "begin", "end"};

bool IsBarePlace(std::string_view name) { return name == "node" || name == "rank" || name == "gpu"; }

TypedPtr Column(uint32_t binding, uint32_t column, plan::Type type, Span span) {
  auto typed = std::make_unique<Typed>();
  typed->kind = TypedKind::kColumn;
  typed->type = type;
  typed->span = span;
  typed->binding = binding;
  typed->column = column;
  return typed;
}

TypedPtr Poison(Span span) {
  auto typed = std::make_unique<Typed>();
  typed->span = span;
  return typed;
}

}  // namespace

bool RuleScope::Knows(const syntax::RefExpr& reference) const {
  if (!reference.pack.empty()) return false;
  const std::string& first = reference.parts[0].text;
  return FindBinding(first).has_value() || Partial(first) ||
         (bare_places && reference.parts.size() == 1 && IsBarePlace(first) && !rule_.bindings.empty());
}

TypedPtr RuleScope::Resolve(const syntax::RefExpr& reference, Span span, std::optional<plan::Type>) {
  const std::string& first = reference.parts[0].text;
  const std::optional<uint32_t> binding = FindBinding(first);
  if (!binding && RefusedAsPartial(first, reference.parts[0].span)) return Poison(span);
  if (!binding) {
    const uint32_t column = *SystemColumnOf(nullptr, first);
    return Column(First(), column, plan::SystemColumnType(column), span);
  }
  const Binding& bound = rule_.bindings[*binding];
  if (!Readable(*binding, reference.parts[0].span)) return Poison(span);
  if (reference.parts.size() == 1) {
    context_.Error(Code::kNotAValue, span, fmt::format("`{}` is a binding, not a value", first), "",
                   fmt::format("name one of its fields, as `{}.node`", first));
    return Poison(span);
  }
  const syntax::Name& name = reference.parts[1];
  const Event* of = bound.event == plan::kNone ? nullptr : &context_.program.events[bound.event];
  if (const auto column = SystemColumnOf(of, name.text); column && reference.parts.size() == 2) {
    return Column(*binding, *column, plan::SystemColumnType(*column), span);
  }
  if (!of) return Poison(span);
  const Event& event = *of;
  const uint32_t field = event.FindField(name.text);
  if (field != plan::kNone && reference.parts.size() == 2) {
    return Column(*binding, field, event.fields[field - plan::kSystemColumns].type, span);
  }
  if (event.poisoned) return Poison(span);
  std::vector<std::string_view> names;
  for (const Field& candidate : event.fields) {
    if (!candidate.hidden) names.push_back(candidate.name);
  }
  for (const std::string_view system : kSystemNames) {
    if (SystemColumnOf(of, system)) names.push_back(system);
  }
  const syntax::Name& wrong = field == plan::kNone ? name : reference.parts[2];
  context_.Error(Code::kUnknownField, wrong.span,
                 fmt::format("{} no field `{}`", WhoHas(context_, event),
                             field == plan::kNone ? name.text : name.text + "." + wrong.text),
                 "", DidYouMean(name.text, names));
  return Poison(span);
}

std::optional<uint32_t> RuleScope::FindBinding(std::string_view name) const {
  for (uint32_t i = 0; i < rule_.bindings.size(); ++i) {
    if (rule_.bindings[i].name == name && rule_.bindings[i].alternative == alternative) return i;
  }
  return std::nullopt;
}

bool RuleScope::Partial(std::string_view name) const {
  return shared && std::find(rule_.partial.begin(), rule_.partial.end(), name) != rule_.partial.end();
}

bool RuleScope::RefusedAsPartial(std::string_view name, Span span) {
  if (!Partial(name)) return false;
  context_.Error(Code::kNotInEveryAlternative, span, fmt::format("`{}` is bound in some alternatives only", name), "",
                 "bind it by one name in every alternative, or write two rules");
  return true;
}

uint32_t RuleScope::First() const {
  uint32_t first = 0;
  while (first + 1 < rule_.bindings.size() && rule_.bindings[first].alternative < alternative) ++first;
  return first;
}

bool RuleScope::Readable(uint32_t binding, Span span) {
  const Binding& bound = rule_.bindings[binding];
  if (RefusedAsPartial(bound.name, span)) return false;
  if (bound.kind == plan::BindKind::kPositive || current == binding) return true;
  if (bound.kind == plan::BindKind::kWith && !current) return true;
  const bool optional = bound.kind == plan::BindKind::kWith;
  context_.Error(Code::kNoValueHere, span,
                 fmt::format("`{}` is bound by `{}` and has no value here", bound.name,
                             optional                                 ? "with"
                             : bound.kind == plan::BindKind::kWithout ? "without"
                                                                      : "unless"),
                 "",
                 optional ? "conditions and `blame` read what `when` and `and` bind; `explain` may read it"
                          : "it stands for what is not there; only its own conditions may read it");
  return false;
}

std::vector<std::string_view> RuleScope::Names() const {
  std::vector<std::string_view> names;
  for (const Binding& binding : rule_.bindings) {
    if (binding.alternative == alternative) names.push_back(binding.name);
  }
  return names;
}

std::string RuleScope::HelpFor(std::string_view name) const {
  for (const Binding& binding : rule_.bindings) {
    if (binding.event == plan::kNone) continue;
    const Event& event = context_.program.events[binding.event];
    if (SystemColumnOf(&event, name) || event.FindField(name) != plan::kNone) {
      return fmt::format("write `{}.{}`", binding.name, name);
    }
  }
  return {};
}

}  // namespace attr::sema
