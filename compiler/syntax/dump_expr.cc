// Dump: names, literals and expressions.
#include "compiler/syntax/dumper.h"

namespace attr::syntax {
namespace {

std::string_view Sign(BinaryOp op) {
  static constexpr std::string_view kSigns[] = {"*", "/",  "%",  "+", "-",  "<<", ">>", "&",   "^",
                                                "|", "==", "!=", "<", "<=", ">",  ">=", "and", "or"};
  return kSigns[static_cast<size_t>(op)];
}

}  // namespace

std::string Dumper::Quote(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string Dumper::Show(const QName& name) { return name.pack.empty() ? name.name : name.pack + "::" + name.name; }

std::string Dumper::Show(const std::vector<Name>& names, std::string_view separator) {
  std::string out;
  for (const Name& name : names) {
    if (!out.empty()) out += separator;
    out += name.text;
  }
  return out;
}

std::string Dumper::Show(const Literal& literal) {
  struct Visitor {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(int64_t v) const { return fmt::format("{}", v); }
    std::string operator()(double v) const { return fmt::format("{}", v); }
    std::string operator()(const SizeValue& v) const { return fmt::format("{}B", v.bytes); }
    std::string operator()(const DurationValue& v) const { return fmt::format("{}ns", v.nanos); }
    std::string operator()(const DateTimeValue& v) const { return v.text; }
    std::string operator()(const std::string& v) const { return Quote(v); }
  };
  return std::visit(Visitor{}, literal.value);
}

std::string Dumper::Show(const DurationRef& duration) {
  return duration.nanos ? fmt::format("{}ns", *duration.nanos) : duration.constant;
}

std::string Dumper::Show(const RefExpr& reference) {
  return (reference.pack.empty() ? "" : reference.pack + "::") + Show(reference.parts, ".");
}

std::string Dumper::Show(const SourceRef& source) {
  std::string out;
  for (const auto& alternative : source.alternatives) {
    if (!out.empty()) out += " | ";
    out += alternative.source.text;
    if (alternative.metric) out += " " + Quote(alternative.metric->value);
  }
  return out;
}

std::string Dumper::Show(const OrderRef& ref) {
  switch (ref.kind) {
    case OrderRef::Kind::kStar:
      return "*";
    case OrderRef::Kind::kTag:
      return "tag " + Show(ref.name);
    case OrderRef::Kind::kDomain:
      return "domain " + Show(ref.name);
    case OrderRef::Kind::kBare:
      break;
  }
  return Show(ref.name);
}

std::string Dumper::ShowBecause(const std::optional<Text>& because) {
  return because ? " because " + Quote(because->value) : "";
}

void Dumper::Below(const ExprPtr& expr) {
  if (!expr) return;
  Nested nested(*this);
  Expression(*expr);
}

void Dumper::Labelled(std::string_view label, const ExprPtr& expr) {
  if (!expr) return;
  Line("{}", label);
  Below(expr);
}

void Dumper::Expression(const Expr& expr) {
  struct Head {
    std::string operator()(const Literal& n) const { return Show(n); }
    std::string operator()(const RefExpr& n) const { return Show(n); }
    std::string operator()(const HasExpr& n) const { return "has " + Show(n.reference); }
    std::string operator()(const SamePlaceExpr& n) const { return "same " + n.place.text; }
    std::string operator()(const CallExpr& n) const { return "call " + n.callee.text; }
    std::string operator()(const LookupExpr& n) const { return "lookup " + Show(n.table) + "[]." + n.column.text; }
    std::string operator()(const UnaryExpr& n) const { return n.op == UnaryOp::kNot ? "not" : "negate"; }
    std::string operator()(const ChainExpr& n) const { return std::string(Sign(n.op)); }
    std::string operator()(const BinaryExpr& n) const { return std::string(Sign(n.op)); }
    std::string operator()(const MatchExpr& n) const {
      return fmt::format("{}~ /{}/", n.negated ? "not " : "", n.regex.value);
    }
    std::string operator()(const InExpr& n) const {
      std::string out = n.negated ? "not in " : "in ";
      if (n.reference) return out + Show(*n.reference);
      if (n.range) return out + Show(n.range->first) + ".." + Show(n.range->second);
      std::string set;
      for (const Literal& literal : n.set) set += (set.empty() ? "" : ", ") + Show(literal);
      return out + "{" + set + "}";
    }
  };
  Line("{}", std::visit(Head{}, expr.node));
  Operands(expr);
}

void Dumper::Operands(const Expr& expr) {
  Nested nested(*this);
  auto one = [&](const ExprPtr& operand) {
    if (operand) Expression(*operand);
  };
  if (const auto* n = std::get_if<HasExpr>(&expr.node)) {
    one(n->key);
    for (const ExprPtr& key : n->more_keys) one(key);
  } else if (const auto* same = std::get_if<SamePlaceExpr>(&expr.node)) {
    one(same->left);
    one(same->right);
  } else if (const auto* call = std::get_if<CallExpr>(&expr.node)) {
    for (const ExprPtr& argument : call->arguments) one(argument);
  } else if (const auto* lookup = std::get_if<LookupExpr>(&expr.node)) {
    one(lookup->key);
    for (const ExprPtr& key : lookup->more_keys) one(key);
  } else if (const auto* unary = std::get_if<UnaryExpr>(&expr.node)) {
    one(unary->operand);
  } else if (const auto* chain = std::get_if<ChainExpr>(&expr.node)) {
    for (const ExprPtr& operand : chain->operands) one(operand);
  } else if (const auto* binary = std::get_if<BinaryExpr>(&expr.node)) {
    one(binary->left);
    one(binary->right);
  } else if (const auto* match = std::get_if<MatchExpr>(&expr.node)) {
    one(match->operand);
  } else if (const auto* in = std::get_if<InExpr>(&expr.node)) {
    one(in->operand);
  }
}

}  // namespace attr::syntax
