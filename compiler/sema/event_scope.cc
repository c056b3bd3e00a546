// See event_scope.h. What `where` and `since` read without a field of their own
// becomes a hidden field, so that the engine meets columns only.
#include "compiler/sema/event_scope.h"

#include <array>

namespace attr::sema {

namespace {

using plan::Type;

struct Builtin {
  std::string_view name;
  Type type;
};
constexpr std::array<Builtin, 8> kBuiltins = {{{"name", Type::kText},
                                               {"value", Type::kFloat},
                                               {"unit", Type::kText},
                                               {"severity", Type::kText},
                                               {"text", Type::kText},
                                               {"source", Type::kText},
                                               {"job", Type::kText},
                                               {"attempt", Type::kText}}};

struct SystemName {
  std::string_view name;
  uint32_t column;
};
/// `time` is the record's stamp, which is the span's end; `since` moves the begin only.
constexpr std::array<SystemName, 5> kSystem = {{{"time", plan::kEnd},
                                                {"node", plan::kNode},
                                                {"rank", plan::kRank},
                                                {"gpu", plan::kGpu},
                                                {"observer", plan::kObserver}}};

bool IsAttribute(const syntax::RefExpr& reference) {
  return reference.pack.empty() && reference.parts.size() >= 2 && reference.parts[0].text == "attrs";
}

}  // namespace

std::optional<Type> BuiltinType(std::string_view name) {
  for (const Builtin& builtin : kBuiltins) {
    if (builtin.name == name) return builtin.type;
  }
  return std::nullopt;
}

std::string AttributePath(const syntax::RefExpr& reference) {
  std::string path;
  for (size_t i = 1; i < reference.parts.size(); ++i) {
    if (i > 1) path += '.';
    path += reference.parts[i].text;
  }
  return path;
}

bool EventScope::Knows(const syntax::RefExpr& reference) const {
  if (!reference.pack.empty()) return false;
  if (IsAttribute(reference)) return true;
  if (reference.parts.size() != 1) return false;
  const std::string& name = reference.parts[0].text;
  if (event_.FindField(name) != plan::kNone || groups.count(name) != 0 || BuiltinType(name)) return true;
  for (const SystemName& system : kSystem) {
    if (system.name == name) return true;
  }
  // The fields of an unknown parent are unknown: say nothing more about them.
  return event_.poisoned && !PeekItem(context_, event_.pack, "", name);
}

bool EventScope::Adaptive(const syntax::RefExpr& reference) const {
  if (IsAttribute(reference)) return true;
  if (!reference.pack.empty() || reference.parts.size() != 1) return false;
  const std::string& name = reference.parts[0].text;
  return event_.FindField(name) == plan::kNone && groups.count(name) != 0;
}

TypedPtr EventScope::Resolve(const syntax::RefExpr& reference, Span span, std::optional<Type> hint) {
  if (IsAttribute(reference)) {
    return Hidden(plan::FieldFrom::kAttribute, AttributePath(reference), hint.value_or(Type::kText), span);
  }
  const std::string& name = reference.parts[0].text;
  for (const SystemName& system : kSystem) {
    if (system.name == name) return Column(system.column, plan::SystemColumnType(system.column), span);
  }
  const uint32_t field = event_.FindField(name);
  if (field != plan::kNone) return Column(field, event_.fields[field - plan::kSystemColumns].type, span);
  if (groups.count(name) != 0) return Hidden(plan::FieldFrom::kGroup, name, hint.value_or(Type::kText), span);
  if (const auto type = BuiltinType(name)) return Hidden(plan::FieldFrom::kBuiltin, name, *type, span);
  auto poison = std::make_unique<Typed>();
  poison->span = span;
  return poison;
}

std::vector<std::string_view> EventScope::Names() const {
  std::vector<std::string_view> names{"attrs"};
  for (const Field& field : event_.fields) {
    if (!field.hidden) names.push_back(field.name);
  }
  names.insert(names.end(), groups.begin(), groups.end());
  for (const Builtin& builtin : kBuiltins) names.push_back(builtin.name);
  for (const SystemName& system : kSystem) names.push_back(system.name);
  return names;
}

TypedPtr EventScope::Column(uint32_t column, Type type, Span span) const {
  auto typed = std::make_unique<Typed>();
  typed->kind = TypedKind::kColumn;
  typed->type = type;
  typed->span = span;
  typed->column = column;
  return typed;
}

TypedPtr EventScope::Hidden(plan::FieldFrom from, const std::string& source, Type type, Span span) {
  for (uint32_t i = 0; i < event_.fields.size(); ++i) {
    const Field& field = event_.fields[i];
    if (field.from == from && field.source == source && field.type == type && field.unit == 1 && field.optional) {
      return Column(plan::kSystemColumns + i, type, span);
    }
  }
  Field field;
  field.name = from == plan::FieldFrom::kAttribute ? "attrs." + source : source;
  field.type = type;
  field.optional = true;
  field.hidden = true;
  field.from = from;
  field.source = source;
  field.span = span;
  event_.fields.push_back(std::move(field));
  return Column(plan::kSystemColumns + static_cast<uint32_t>(event_.fields.size()) - 1, type, span);
}

/// Equal calls are one column.
TypedPtr EventScope::AddWindow(const WindowCall& call, TypedPtr operand, Span span) {
  for (uint32_t i = 0; i < event_.fields.size(); ++i) {
    const Field& field = event_.fields[i];
    if (field.from == plan::FieldFrom::kWindow && field.source == call.text) {
      return Column(plan::kSystemColumns + i, field.type, span);
    }
  }
  Field field;
  field.name = call.text;
  field.type = call.type;
  field.optional = true;
  field.hidden = true;
  field.from = plan::FieldFrom::kWindow;
  field.source = call.text;
  field.value = std::move(operand);
  field.window = call.kind;
  field.peers = call.peers;
  field.stage = 1;
  field.span = span;
  event_.fields.push_back(std::move(field));
  return Column(plan::kSystemColumns + static_cast<uint32_t>(event_.fields.size()) - 1, call.type, span);
}

}  // namespace attr::sema
