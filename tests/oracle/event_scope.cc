#include "tests/oracle/event_scope.h"

#include <bit>

namespace attr::oracle {

namespace {

bool IsAttribute(const syntax::RefExpr& ref) {
  return ref.pack.empty() && ref.parts.size() >= 2 && ref.parts[0].text == "attrs";
}

std::optional<Type> PropertyType(const std::string& name) {
  static const std::map<std::string, Type> types = {
      {"name", Type::kText}, {"value", Type::kFloat}, {"unit", Type::kText}, {"severity", Type::kText},
      {"text", Type::kText}, {"source", Type::kText}, {"job", Type::kText},  {"attempt", Type::kText}};
  auto it = types.find(name);
  return it == types.end() ? std::nullopt : std::optional(it->second);
}

bool IsSystem(const std::string& name) {
  return name == "time" || name == "node" || name == "rank" || name == "gpu" || name == "observer";
}

std::string PropertyText(const World& world, const model::Observation& o, const std::string& name) {
  if (name == "text") return std::string(o.text);
  if (name == "name") return std::string(o.name);
  if (name == "unit") return std::string(o.unit);
  if (name == "severity") return std::string(o.severity);
  if (name == "source") return world.Name(o.source);
  if (name == "job") return world.Name(o.job);
  return world.Name(o.attempt);
}

/// Node names go through the inventory when they are read; GPU names when the row's node is known.
Value Named(World& world, Value value) {
  if (value.present && value.type == Type::kNode) value.text = world.NodeNamed(value.text);
  return value;
}

}  // namespace

Value ReadAttribute(World& world, const Candidate& c, const std::string& path, Type type, int64_t unit) {
  using AttributeKind = model::Attribute::Kind;
  for (uint32_t a = c.record->attributes_begin; a < c.record->attributes_end; ++a) {
    const model::Attribute& attribute = world.set.attributes[a];
    if (attribute.key != path) continue;
    switch (attribute.kind) {
      case AttributeKind::kNull:
        return Missing(type);
      case AttributeKind::kBool:
        if (type == Type::kBool) return Number(type, attribute.number);
        return type == Type::kText ? Text(type, attribute.number != 0 ? "true" : "false") : Missing(type);
      case AttributeKind::kInt:
        return Named(world, FromInteger(type, attribute.number, unit));
      case AttributeKind::kFloat:
        return Named(world, FromReal(type, std::bit_cast<double>(attribute.number), unit));
      case AttributeKind::kText:
        return Named(world, FromText(type, attribute.text, unit));
    }
  }
  return Missing(type);
}

Value ReadProperty(World& world, const Candidate& c, const std::string& name, Type type, int64_t unit) {
  if (name == "value") {
    return c.record->has_value ? Named(world, FromReal(type, c.record->value, unit)) : Missing(type);
  }
  const std::string text = PropertyText(world, *c.record, name);
  return text.empty() ? Missing(type) : Named(world, FromText(type, text, unit));
}

Value ReadGroup(World& world, const Candidate& c, const std::string& group, Type type, int64_t unit) {
  auto it = c.captures.find(group);
  if (it == c.captures.end() || !it->second) return Missing(type);
  return Named(world, FromText(type, *it->second, unit));
}

bool EventScope::Knows(const syntax::RefExpr& ref) const {
  if (!ref.pack.empty()) return false;
  if (IsAttribute(ref)) return true;
  if (ref.parts.size() != 1) return false;
  const std::string& name = ref.parts[0].text;
  return IsSystem(name) || candidate_.event->Find(name) != nullptr || candidate_.event->groups.count(name) != 0 ||
         PropertyType(name).has_value();
}

bool EventScope::Adaptive(const syntax::RefExpr& ref) const {
  if (IsAttribute(ref)) return true;
  if (!ref.pack.empty() || ref.parts.size() != 1) return false;
  const std::string& name = ref.parts[0].text;
  return candidate_.event->Find(name) == nullptr && candidate_.event->groups.count(name) != 0;
}

Operand EventScope::Read(const syntax::RefExpr& ref, std::optional<Type> hint) const {
  if (IsAttribute(ref)) {
    std::string path;
    for (size_t i = 1; i < ref.parts.size(); ++i) path += (i > 1 ? "." : "") + ref.parts[i].text;
    return {ReadAttribute(world_, candidate_, path, hint.value_or(Type::kText), 1)};
  }
  const std::string& name = ref.parts[0].text;
  if (name == "time") {
    const bool stamp = row_.span.end_lo == row_.span.end_hi;
    return {stamp ? Number(Type::kTime, row_.span.end_lo) : Missing(Type::kTime)};
  }
  if (name == "node") return {row_.node};
  if (name == "rank") return {row_.rank};
  if (name == "gpu") return {row_.gpu};
  if (name == "observer") return {row_.observer};
  if (const Field* field = candidate_.event->Find(name)) {
    auto it = row_.fields.find(name);
    return {it == row_.fields.end() ? Missing(field->type) : it->second};
  }
  if (candidate_.event->groups.count(name) != 0) {
    return {ReadGroup(world_, candidate_, name, hint.value_or(Type::kText), 1)};
  }
  return {ReadProperty(world_, candidate_, name, *PropertyType(name), 1)};
}

}  // namespace attr::oracle
