// What names mean inside a rule: `x.field` of its bindings, and in `per` and
// `blame` the bare places of the first binding.
#pragma once

#include "compiler/sema/expressions.h"

namespace attr::sema {

class RuleScope : public Scope {
 public:
  RuleScope(Context& context, const Rule& rule) : context_(context), rule_(rule) {}

  bool bare_places = false;
  /// The binding whose conditions are under way; none in the clauses after `when`.
  std::optional<uint32_t> current;

  bool Knows(const syntax::RefExpr& reference) const override;
  TypedPtr Resolve(const syntax::RefExpr& reference, Span span, std::optional<plan::Type> hint) override;
  std::optional<uint32_t> FindBinding(std::string_view name) const override;
  std::vector<std::string_view> Names() const override;
  std::string HelpFor(std::string_view name) const override;
  bool Readable(uint32_t binding, Span span) override;

 private:
  Context& context_;
  const Rule& rule_;
};

}  // namespace attr::sema
