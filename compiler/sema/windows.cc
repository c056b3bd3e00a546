// Aggregates of windows: `increase(value)`, `portion(value > 3)`, `peers(avg(value))`.
#include "compiler/sema/expressions.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

using plan::Type;
using plan::WindowKind;

bool IsNumber(Type type) {
  return type == Type::kInt || type == Type::kFloat || type == Type::kDuration || type == Type::kSize;
}

Type WindowType(WindowKind kind, Type operand) {
  if (kind == WindowKind::kPortion || kind == WindowKind::kRate) return Type::kFloat;
  return kind == WindowKind::kAvg && operand == Type::kInt ? Type::kFloat : operand;
}

}  // namespace

std::optional<WindowKind> WindowKindOf(std::string_view name) {
  for (uint8_t i = 0; i < plan::kWindowKindCount; ++i) {
    if (plan::Name(static_cast<WindowKind>(i)) == name) return static_cast<WindowKind>(i);
  }
  return std::nullopt;
}

TypedPtr Checker::Window(const syntax::CallExpr& call, Span span) {
  const std::string& name = call.callee.text;
  const syntax::CallExpr* inner = &call;
  if (name == "peers") {
    inner = call.arguments.size() == 1 ? std::get_if<syntax::CallExpr>(&call.arguments[0]->node) : nullptr;
    if (!inner || !WindowKindOf(inner->callee.text)) {
      return Fail(Code::kWrongOperand, span, "`peers` takes one aggregate", "write `peers(avg(value))`");
    }
  }
  if (inner->arguments.size() != 1) {
    return Fail(Code::kWrongOperand, span,
                fmt::format("`{}` takes one value, as `{}(value)`", inner->callee.text, inner->callee.text));
  }
  WindowCall window;
  window.kind = *WindowKindOf(inner->callee.text);
  window.peers = inner != &call;
  window.text = std::string(context_.sources.Text(span));
  const syntax::Expr& argument = *inner->arguments[0];
  TypedPtr operand = window.kind == WindowKind::kPortion ? Condition(argument) : Value(argument, Type::kFloat);
  if (operand->poison()) return operand;
  if (window.kind != WindowKind::kPortion && !IsNumber(operand->type)) {
    return Fail(Code::kWrongOperand, argument.span,
                fmt::format("`{}` does not take {}", inner->callee.text, Article(operand->type)));
  }
  window.type = WindowType(window.kind, operand->type);
  return scope_.AddWindow(window, std::move(operand), span);
}

}  // namespace attr::sema
