#include "runtime/plan/dump_expr.h"

#include <fmt/format.h>

#include <bit>

#include "runtime/plan/dump.h"

namespace attr::plan {

namespace {

constexpr size_t kMaxText = 16 * 1024;
constexpr int kMaxNestedColumns = 4;  // derived columns inside derived columns
constexpr size_t kMaxSetValues = 64;

struct Infix {
  const char* sign;
  int level;  // binds tighter when higher
};

Infix InfixOf(Op op) {
  switch (op) {
    case Op::kOr:
      return {"or", 1};
    case Op::kAnd:
      return {"and", 2};
    case Op::kEqI:
    case Op::kEqF:
    case Op::kEqIF:
    case Op::kPlaceEq:
      return {"==", 4};
    case Op::kMember:
    case Op::kPlaceMember:
      return {"in", 4};
    case Op::kNotMember:
    case Op::kPlaceNotMember:
      return {"not in", 4};
    case Op::kNeI:
    case Op::kNeF:
    case Op::kNeIF:
    case Op::kPlaceNe:
      return {"!=", 4};
    case Op::kLtI:
    case Op::kLtF:
    case Op::kLtIF:
    case Op::kLtFI:
      return {"<", 4};
    case Op::kLeI:
    case Op::kLeF:
    case Op::kLeIF:
    case Op::kLeFI:
      return {"<=", 4};
    case Op::kBitOr:
      return {"|", 5};
    case Op::kBitXor:
      return {"^", 5};
    case Op::kBitAnd:
      return {"&", 5};
    case Op::kShl:
      return {"<<", 6};
    case Op::kShr:
      return {">>", 6};
    case Op::kAddI:
    case Op::kAddF:
      return {"+", 7};
    case Op::kSubI:
    case Op::kSubF:
      return {"-", 7};
    case Op::kMulI:
    case Op::kMulF:
      return {"*", 8};
    case Op::kDivI:
    case Op::kDivF:
      return {"/", 8};
    case Op::kModI:
      return {"%", 8};
    default:
      return {nullptr, 9};
  }
}

std::string Number(Type type, int64_t value) {
  switch (type) {
    case Type::kBool:
      return value != 0 ? "true" : "false";
    case Type::kDuration:
      return PrintDuration(value);
    case Type::kSize:
      return fmt::format("{}B", value);
    case Type::kTime:
      return fmt::format("time({}ns)", value);
    default:
      return fmt::format("{}", value);
  }
}

/// As it is written between slashes; what a terminal would act on stays escaped.
std::string RegexText(std::string_view regex) {
  const std::string quoted = Quoted(regex);
  std::string out = "/";
  for (size_t i = 1; i + 1 < quoted.size(); ++i) {
    const bool pair = quoted[i] == '\\' && (quoted[i + 1] == '\\' || quoted[i + 1] == '"');
    if (pair) ++i;
    if (quoted[i] == '/') out += '\\';
    out += quoted[i];
  }
  return out + "/";
}

class ExprPrinter {
 public:
  ExprPrinter(const Plan& plan, std::string* out) : plan_(plan), out_(*out) {}

  void Print(ExprId id, const std::vector<PrintedBinding>& bindings, int outer) {
    if (out_.size() > kMaxText) {
      if (!cut_) out_ += "...";
      cut_ = true;
      return;
    }
    const Expr& e = plan_.exprs[id];
    Infix infix = InfixOf(e.op);
    if (infix.sign == nullptr) return Other(e, bindings);
    // A chain of one logic operator needs no parentheses; of anything else the right side does.
    bool logic = e.op == Op::kAnd || e.op == Op::kOr;
    bool parentheses = infix.level < outer;
    if (parentheses) out_ += '(';
    // The plan knows less-than alone: `x > 3` is read as it is written.
    bool turned = infix.sign[0] == '<' && infix.sign[1] != '<' && IsLiteral(e.a) && !IsLiteral(e.b);
    Print(turned ? e.b : e.a, bindings, infix.level);
    out_ += ' ';
    out_ += turned ? (infix.sign[1] == '=' ? ">=" : ">") : infix.sign;
    out_ += ' ';
    Print(turned ? e.a : e.b, bindings, infix.level + (logic ? 0 : 1));
    if (parentheses) out_ += ')';
  }

  void Column(uint32_t column, const PrintedBinding& binding) {
    const Event* event = binding.event;
    std::string prefix = binding.name.empty() ? "" : binding.name + ".";
    if (column < kSystemColumns || event == nullptr) {
      out_ += prefix;
      out_ += SystemColumnName(column);
    } else if (column < event->DerivedColumn(0)) {
      out_ += prefix;
      out_ += plan_.Str(event->fields[column - kSystemColumns].name);
    } else if (nested_ >= kMaxNestedColumns) {
      out_ += fmt::format("{}derived[{}]", prefix, column - event->DerivedColumn(0));
    } else {
      ++nested_;
      DerivedColumn(event->derived[column - event->DerivedColumn(0)], binding);
      --nested_;
    }
  }

 private:
  bool IsLiteral(ExprId id) const {
    const Op op = plan_.exprs[id].op;
    return op == Op::kInt || op == Op::kFloat || op == Op::kConstant;
  }

  void Other(const Expr& e, const std::vector<PrintedBinding>& bindings) {
    switch (e.op) {
      case Op::kColumn:
        Column(e.b, e.a < bindings.size() ? bindings[e.a] : PrintedBinding{});
        return;
      case Op::kInt:
        out_ += Number(e.type, e.imm);
        return;
      case Op::kFloat:
        out_ += fmt::format("{}", std::bit_cast<double>(e.imm));
        return;
      case Op::kConstant:
        out_ += Quoted(plan_.Str(plan_.constants[e.a].text));
        return;
      case Op::kTrue:
        out_ += "true";
        return;
      case Op::kFalse:
        out_ += "false";
        return;
      case Op::kNegI:
      case Op::kNegF:
        return Around("-", e.a, "", bindings);
      case Op::kToFloat:
        return Around("float(", e.a, ")", bindings, 0);
      case Op::kHas:
        return Around("has ", e.a, "", bindings);
      case Op::kHasNot:
        return Around("not has ", e.a, "", bindings);
      case Op::kIsTrue:
        return Around("", e.a, "", bindings);
      case Op::kIsFalse:
        return Around("not ", e.a, "", bindings);
      case Op::kInRange:
      case Op::kNotInRange: {
        const Range& range = plan_.ranges[e.index];
        Type type = plan_.exprs[e.a].type;
        return Around(
            "", e.a,
            (e.op == Op::kInRange ? " in " : " not in ") + Number(type, range.lo) + ".." + Number(type, range.hi),
            bindings);
      }
      case Op::kInSet:
      case Op::kNotInSet:
        return Around("", e.a, (e.op == Op::kInSet ? " in " : " not in ") + SetText(e), bindings);
      case Op::kCountCmp: {
        static constexpr const char* kSigns[] = {"==", "!=", "<", "<=", ">", ">="};
        std::string name = e.a < bindings.size() ? bindings[e.a].name : std::to_string(e.a);
        out_ += fmt::format("count({}) {} {}", name, kSigns[e.b], e.imm);
        return;
      }
      case Op::kAggregateCmp: {
        static constexpr const char* kSigns[] = {"==", "!=", "<", "<=", ">", ">="};
        const std::string right = e.index == kNone ? Number(e.type, e.imm) : fmt::format("aggregate {}", e.index);
        out_ += fmt::format("aggregate {} {} {}", e.a, kSigns[e.b], right);
        return;
      }
      default:
        out_ += Name(e.op);
    }
  }

  void Around(const char* before, ExprId operand, const std::string& after, const std::vector<PrintedBinding>& bindings,
              int level = 9) {
    out_ += before;
    Print(operand, bindings, level);
    out_ += after;
  }

  std::string SetText(const Expr& e) const {
    const Set& set = plan_.sets[e.index];
    std::string text = "{";
    for (size_t i = 0; i < set.values.size() && i < kMaxSetValues; ++i) {
      if (i != 0) text += ", ";
      text += set.ids ? Quoted(plan_.Str(plan_.constants[static_cast<size_t>(set.values[i])].text))
                      : Number(plan_.exprs[e.a].type, set.values[i]);
    }
    if (set.values.size() > kMaxSetValues) text += fmt::format(", and {} more", set.values.size() - kMaxSetValues);
    return text + "}";
  }

  void DerivedColumn(const Derived& derived, const PrintedBinding& binding) {
    const std::vector<PrintedBinding> own{binding};
    if (derived.kind == DerivedKind::kRegex) {
      Column(derived.column, binding);
      out_ += " ~ " + RegexText(plan_.Str(derived.regex));
      return;
    }
    if (derived.kind == DerivedKind::kRecord) {
      out_ += "record(" + binding.name + ")";
      return;
    }
    if (derived.kind == DerivedKind::kLabel) {
      out_ += "label(";
      return Around("", derived.keys[0], ", " + std::string(plan_.Str(derived.regex)) + ")", own, 0);
    }
    switch (derived.kind) {
      case DerivedKind::kExpr:
        return Around("(", derived.keys[0], ")", own, 0);
      case DerivedKind::kTextRank:  // compared as the texts are, and as sets are searched
      case DerivedKind::kSetSpan:
        return Around("", derived.keys[0], "", own);
      case DerivedKind::kTextLess:
      case DerivedKind::kMember:
        Around("(", derived.keys[0], derived.kind == DerivedKind::kMember ? " in " : " < ", own);
        return Around("", derived.keys[1], ")", own);
      default:
        break;
    }
    const Table& table = plan_.tables[derived.table];
    if (derived.kind == DerivedKind::kHasKey) out_ += "has ";
    out_ += plan_.Str(table.name);
    out_ += '[';
    for (size_t k = 0; k < derived.keys.size(); ++k) Around(k == 0 ? "" : ", ", derived.keys[k], "", own, 0);
    out_ += ']';
    if (derived.kind != DerivedKind::kLookup) return;
    out_ += '.';
    out_ += plan_.Str(table.columns[derived.table_column].name);
  }

  const Plan& plan_;
  std::string& out_;
  int nested_ = 0;
  bool cut_ = false;
};

}  // namespace

std::string PrintExpr(const Plan& plan, ExprId root, const std::vector<PrintedBinding>& bindings) {
  std::string out;
  ExprPrinter(plan, &out).Print(root, bindings, 0);
  return out;
}

std::string PrintColumn(const Plan& plan, uint32_t column, const PrintedBinding& binding) {
  std::string out;
  ExprPrinter(plan, &out).Column(column, binding);
  return out;
}

std::string PrintDuration(int64_t nanos) {
  struct Unit {
    int64_t nanos;
    const char* name;
  };
  static constexpr Unit kUnits[] = {{86'400 * kSecond, "d"}, {3'600 * kSecond, "h"}, {60 * kSecond, "m"},
                                    {kSecond, "s"},          {1'000'000, "ms"},      {1'000, "us"}};
  if (nanos == 0) return "0s";
  for (const Unit& unit : kUnits) {
    if (nanos % unit.nanos == 0) return fmt::format("{}{}", nanos / unit.nanos, unit.name);
  }
  return fmt::format("{}ns", nanos);
}

}  // namespace attr::plan
