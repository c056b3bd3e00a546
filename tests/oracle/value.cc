#include "tests/oracle/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "runtime/model/time_text.h"

namespace attr::oracle {

namespace {

using Wide = __int128;

constexpr std::string_view kTypeNames[] = {"bool", "int",  "float", "text", "time",  "duration",
                                           "size", "node", "rank",  "gpu",  "domain"};

Value Checked(Type type, Wide value) {
  if (value < INT64_MIN || value > INT64_MAX) return Missing(type);
  return Number(type, static_cast<int64_t>(value));
}

double AsReal(const Value& v) { return v.type == Type::kFloat ? v.real : static_cast<double>(v.number); }

/// The type of `left op right`; the compiler has refused what has none.
Type ResultType(Arith op, Type left, Type right) {
  auto integer = [](Type t) { return t == Type::kInt || t == Type::kRank; };
  if (integer(left) && integer(right)) return Type::kInt;
  if (IsNumber(left) && IsNumber(right)) return Type::kFloat;
  if (left == Type::kTime && right == Type::kTime) return Type::kDuration;
  if (left == Type::kTime || right == Type::kTime) return Type::kTime;
  if (left == right) return op == Arith::kDiv ? Type::kInt : left;
  return integer(left) ? right : left;
}

Value CalculateReal(Arith op, double a, double b) {
  switch (op) {
    case Arith::kMul:
      return Real(a * b);
    case Arith::kDiv:
      return Real(a / b);
    case Arith::kAdd:
      return Real(a + b);
    case Arith::kSub:
      return Real(a - b);
    default:
      return Missing(Type::kFloat);
  }
}

}  // namespace

std::optional<Type> TypeNamed(std::string_view name) {
  for (uint8_t i = 0; i < std::size(kTypeNames); ++i) {
    if (kTypeNames[i] == name) return static_cast<Type>(i);
  }
  return std::nullopt;
}

Value Missing(Type type) {
  Value v;
  v.type = type;
  return v;
}
Value Number(Type type, int64_t number) {
  Value v = Missing(type);
  v.present = true;
  v.number = number;
  return v;
}
Value Real(double real) {
  Value v = Missing(Type::kFloat);
  v.present = !std::isnan(real);
  v.real = v.present ? real : 0;
  return v;
}
Value Text(Type type, std::string text) {
  Value v = Missing(type);
  v.present = true;
  v.text = std::move(text);
  return v;
}

Value SetOf(Type type, std::vector<Value> items) {
  Value v = Missing(type);
  v.present = v.is_set = true;
  for (Value& item : items) {
    const bool again = std::any_of(v.items.begin(), v.items.end(), [&](const Value& o) { return SameValue(o, item); });
    if (item.present && !again) v.items.push_back(std::move(item));
  }
  return v;
}

bool SameValue(const Value& a, const Value& b) {
  if (a.present != b.present) return false;
  if (!a.present) return true;
  if (a.type == Type::kFloat) return std::bit_cast<uint64_t>(a.real) == std::bit_cast<uint64_t>(b.real);
  if (a.items.size() != b.items.size()) return false;
  for (size_t i = 0; i < a.items.size(); ++i) {
    if (!SameValue(a.items[i], b.items[i])) return false;
  }
  return a.number == b.number && a.text == b.text;
}

std::string PrintReal(double real) { return fmt::format("{}", real); }

std::string Print(const Value& v, int64_t precision) {
  if (!v.present) return "?";
  if (v.is_set) {
    std::string out;
    for (const Value& item : v.items) out += (out.empty() ? "" : ", ") + Print(item, precision);
    return out;
  }
  switch (v.type) {
    case Type::kBool:
      return v.number != 0 ? "true" : "false";
    case Type::kFloat:
      return PrintReal(v.real);
    case Type::kTime:
      return model::FormatRfc3339(v.number, precision);
    case Type::kDuration:
      return model::FormatDuration(v.number);
    case Type::kSize: {
      int64_t bytes = v.number;
      const char* unit = "B";
      for (const char* larger : {"KiB", "MiB", "GiB", "TiB"}) {
        if (bytes == 0 || bytes % 1024 != 0) break;
        bytes /= 1024;
        unit = larger;
      }
      return fmt::format("{}{}", bytes, unit);
    }
    case Type::kInt:
    case Type::kRank:
      return fmt::format("{}", v.number);
    default:
      return v.text;
  }
}

Value Calculate(Arith op, const Value& left, const Value& right) {
  if (op == Arith::kNeg) {
    if (!left.present) return Missing(left.type);
    return left.type == Type::kFloat ? Real(-left.real) : Checked(left.type, -Wide{left.number});
  }
  const Type type = ResultType(op, left.type, right.type);
  if (!left.present || !right.present) return Missing(type);
  if (type == Type::kFloat) return CalculateReal(op, AsReal(left), AsReal(right));
  const int64_t a = left.number, b = right.number;
  switch (op) {
    case Arith::kMul:
      return Checked(type, Wide{a} * b);
    case Arith::kDiv:
      return b == 0 ? Missing(type) : Checked(type, Wide{a} / b);
    case Arith::kMod:
      return b == 0 ? Missing(type) : Checked(type, Wide{a} % b);
    case Arith::kAdd:
      return Checked(type, Wide{a} + b);
    case Arith::kSub:
      return Checked(type, Wide{a} - b);
    case Arith::kShl:
      if (b < 0 || b > 63) return Missing(type);
      return Number(type, static_cast<int64_t>(static_cast<uint64_t>(a) << b));
    case Arith::kShr:
      return b < 0 || b > 63 ? Missing(type) : Number(type, a >> b);
    case Arith::kAnd:
      return Number(type, a & b);
    case Arith::kXor:
      return Number(type, a ^ b);
    default:
      return Number(type, a | b);
  }
}

int Order(const Value& a, const Value& b) {
  if (IsTextLike(a.type)) return a.text < b.text ? -1 : a.text == b.text ? 0 : 1;
  if (a.type == Type::kFloat || b.type == Type::kFloat) {
    // 64 bits of mantissa hold every int64 and every double.
    static_assert(__LDBL_MANT_DIG__ >= 64);
    const long double x = a.type == Type::kFloat ? a.real : static_cast<long double>(a.number);
    const long double y = b.type == Type::kFloat ? b.real : static_cast<long double>(b.number);
    return x < y ? -1 : x == y ? 0 : 1;
  }
  return a.number < b.number ? -1 : a.number == b.number ? 0 : 1;
}

std::string NumberAsText(double real) {
  if (real == std::trunc(real) && std::abs(real) < 9007199254740992.0) {
    return fmt::format("{}", static_cast<int64_t>(real));
  }
  return fmt::format("{}", real);
}

}  // namespace attr::oracle
