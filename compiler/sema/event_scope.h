// What names mean inside an event: its fields, the groups of its expressions,
// the record's attributes and built-in properties, the observation's place.
#pragma once

#include <set>
#include <string>

#include "compiler/sema/expressions.h"

namespace attr::sema {

/// The type of a built-in property of the record; nullopt: there is none of that name.
std::optional<plan::Type> BuiltinType(std::string_view name);

class EventScope : public Scope {
 public:
  EventScope(Context& context, Event& event) : context_(context), event_(event) {}

  std::set<std::string> groups;  // of the event's own text clauses
  bool windows = false;          // the event has `over`

  bool Knows(const syntax::RefExpr& reference) const override;
  TypedPtr Resolve(const syntax::RefExpr& reference, Span span, std::optional<plan::Type> hint) override;
  bool Adaptive(const syntax::RefExpr& reference) const override;
  std::vector<std::string_view> Names() const override;
  bool HasWindows() const override { return windows; }
  TypedPtr AddWindow(const WindowCall& call, TypedPtr operand, Span span) override;

 private:
  TypedPtr Column(uint32_t column, plan::Type type, Span span) const;
  TypedPtr Hidden(plan::FieldFrom from, const std::string& source, plan::Type type, Span span);

  Context& context_;
  Event& event_;
};

/// "state.reason" of `attrs.state.reason`.
std::string AttributePath(const syntax::RefExpr& reference);

}  // namespace attr::sema
