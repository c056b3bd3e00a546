// Values and three-bit truth of the oracle: texts stay texts, nothing is
// interned, every operation is written out (language.md sections 3 and 5,
// semantics.md S2, S13).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attr::oracle {

enum class Type : uint8_t { kBool, kInt, kFloat, kText, kTime, kDuration, kSize, kNode, kRank, kGpu, kDomain };
std::optional<Type> TypeNamed(std::string_view name);
inline bool IsTextLike(Type t) { return t == Type::kText || t == Type::kNode || t == Type::kGpu || t == Type::kDomain; }
inline bool IsPlace(Type t) { return t == Type::kNode || t == Type::kRank || t == Type::kGpu; }
inline bool IsNumber(Type t) { return t == Type::kInt || t == Type::kFloat || t == Type::kRank; }

struct Value {
  Type type = Type::kText;
  bool present = false;
  int64_t number = 0;  // bool, int, time, duration, size, rank
  double real = 0;     // float
  std::string text;    // text, node, gpu, domain
  bool is_set = false;
  std::vector<Value> items;  // of a set: its values, each once, in their order
};
Value Missing(Type type);
Value Number(Type type, int64_t number);
Value Real(double real);  // NaN is missing
Value Text(Type type, std::string text);
Value SetOf(Type type, std::vector<Value> items);
bool SameValue(const Value& a, const Value& b);
/// As keys and explanations print it; `precision` of a time in nanoseconds.
std::string Print(const Value& value, int64_t precision);
std::string PrintReal(double real);

/// must, presumed, may; each implies the next.
struct Bits {
  bool must = false, presumed = false, may = false;
  bool operator==(const Bits&) const = default;
};
inline constexpr Bits kYes{true, true, true};
inline constexpr Bits kNo{false, false, false};
inline constexpr Bits kUnknown{false, false, true};
inline constexpr Bits kUndecided{false, true, true};
inline Bits Known(bool b) { return {b, b, b}; }
inline Bits And(Bits a, Bits b) { return {a.must && b.must, a.presumed && b.presumed, a.may && b.may}; }
inline Bits Or(Bits a, Bits b) { return {a.must || b.must, a.presumed || b.presumed, a.may || b.may}; }
inline Bits Not(Bits a) { return {!a.may, !a.presumed, !a.must}; }
inline bool IsKnown(Bits b) { return b == kYes || b == kNo; }

enum class Arith : uint8_t { kMul, kDiv, kMod, kAdd, kSub, kShl, kShr, kAnd, kXor, kOr, kNeg };
/// Typed arithmetic (S13): overflow, division by zero, wide shifts and NaN are missing.
Value Calculate(Arith op, const Value& left, const Value& right);

/// -1, 0, 1 of two present values of comparable types; integer against float exactly.
int Order(const Value& a, const Value& b);

/// What a capture or an attribute's text means as this type; `unit` is what a bare
/// number counts. Texts, nodes and GPUs are taken as they are.
Value FromText(Type type, std::string_view text, int64_t unit);
Value FromInteger(Type type, int64_t number, int64_t unit);
Value FromReal(Type type, double real, int64_t unit);
/// How a number reads as text: whole numbers without a point.
std::string NumberAsText(double real);

}  // namespace attr::oracle
