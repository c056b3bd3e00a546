// What names mean inside a rule: `x.field` of its bindings, and in `per` and
// `blame` the bare places of the first binding.
#pragma once

#include "compiler/sema/expressions.h"

namespace attr::sema {

class RuleScope : public Scope {
 public:
  RuleScope(Context& context, const Rule& rule) : context_(context), rule_(rule) {}

  bool bare_places = false;
  /// Whose bindings names mean, where `when` has alternatives.
  uint32_t alternative = 0;
  /// Behind the braces: only what every alternative binds has a value.
  bool shared = true;
  /// The binding whose conditions are under way; none in the clauses after `when`.
  std::optional<uint32_t> current;

  bool Knows(const syntax::RefExpr& reference) const override;
  TypedPtr Resolve(const syntax::RefExpr& reference, Span span, std::optional<plan::Type> hint) override;
  std::optional<uint32_t> FindBinding(std::string_view name) const override;
  std::vector<std::string_view> Names() const override;
  std::string HelpFor(std::string_view name) const override;
  bool Readable(uint32_t binding, Span span) override;

  /// Behind the braces: is it bound in some alternatives only? Says so.
  bool Labels() const override { return true; }
  bool RefusedAsPartial(std::string_view name, Span span) override;
  /// The first binding of the alternative: whose places bare words mean.
  uint32_t First() const;

 private:
  bool Partial(std::string_view name) const;
  Context& context_;
  const Rule& rule_;
};

}  // namespace attr::sema
