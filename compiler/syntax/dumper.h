// The parts of the dump that all constructs share: indentation, names, literals,
// expressions (dump_expr.cc) and test blocks (dump_test.cc).
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/ast.h"

namespace attr::syntax {

class Dumper {
 public:
  std::string Take() { return std::move(out_); }

 protected:
  /// Indents what is written while it lives.
  class Nested {
   public:
    explicit Nested(Dumper& dumper, bool on = true) : dumper_(dumper), step_(on ? 2 : 0) { dumper_.indent_ += step_; }
    ~Nested() { dumper_.indent_ -= step_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Dumper& dumper_;
    size_t step_;
  };

  template <class... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    out_.append(indent_, ' ');
    out_ += fmt::format(format, std::forward<Args>(args)...);
    out_ += '\n';
  }
  void Expression(const Expr& expr);
  /// `label` and the expression below it; nothing when it is null.
  void Labelled(std::string_view label, const ExprPtr& expr);
  /// One step deeper; nothing when it is null.
  void Below(const ExprPtr& expr);
  void TestLines(const TestDecl& test);

  static std::string Quote(std::string_view text);
  static std::string Show(const QName& name);
  static std::string Show(const std::vector<Name>& names, std::string_view separator = ", ");
  static std::string Show(const Literal& literal);
  static std::string Show(const DurationRef& duration);
  static std::string Show(const RefExpr& reference);
  static std::string Show(const SourceRef& source);
  static std::string Show(const OrderRef& ref);
  static std::string ShowBecause(const std::optional<Text>& because);

 private:
  void Operands(const Expr& expr);
  static std::string Show(const TestMoment& moment);
  static std::string Show(const std::vector<Text>& texts);
  static std::string Show(const CoverClause& cover);
  static std::string ShowPairs(const std::vector<std::pair<Name, Literal>>& pairs);
  std::string out_;
  size_t indent_ = 0;
};

}  // namespace attr::syntax
