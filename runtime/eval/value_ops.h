// One value, one operation: the scalar definition of every operator of the plan
// (semantics.md S13). The batch loops are built from these functions and the
// generated code follows them; nothing here knows columns.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "runtime/plan/plan.h"

namespace attr::eval {

/// Always inlined, so that the loops around it are vectorised for their target.
#define ATTR_INLINE inline __attribute__((always_inline))

ATTR_INLINE double FloatOf(int64_t slot) { return std::bit_cast<double>(slot); }
ATTR_INLINE int64_t SlotOf(double value) { return std::bit_cast<int64_t>(value); }

// Checked integers: false when the result is missing; *out is then any value.
ATTR_INLINE bool AddI(int64_t a, int64_t b, int64_t* out) {
  const uint64_t r = static_cast<uint64_t>(a) + static_cast<uint64_t>(b);
  *out = static_cast<int64_t>(r);
  return static_cast<int64_t>((static_cast<uint64_t>(a) ^ r) & (static_cast<uint64_t>(b) ^ r)) >= 0;
}
ATTR_INLINE bool SubI(int64_t a, int64_t b, int64_t* out) {
  const uint64_t r = static_cast<uint64_t>(a) - static_cast<uint64_t>(b);
  *out = static_cast<int64_t>(r);
  return static_cast<int64_t>((static_cast<uint64_t>(a) ^ static_cast<uint64_t>(b)) & (static_cast<uint64_t>(a) ^ r)) >=
         0;
}
ATTR_INLINE bool MulI(int64_t a, int64_t b, int64_t* out) { return !__builtin_mul_overflow(a, b, out); }
/// Truncates; INT64_MIN / -1 overflows.
ATTR_INLINE bool DivI(int64_t a, int64_t b, int64_t* out) {
  const bool ok = b != 0 && !(a == INT64_MIN && b == -1);
  *out = a / (ok ? b : 1);
  return ok;
}
/// The sign of the dividend; INT64_MIN % -1 is 0 and no overflow.
ATTR_INLINE bool ModI(int64_t a, int64_t b, int64_t* out) {
  *out = a % (b == 0 || b == -1 ? 1 : b);
  return b != 0;
}
ATTR_INLINE bool NegI(int64_t a, int64_t* out) {
  *out = static_cast<int64_t>(0 - static_cast<uint64_t>(a));
  return a != INT64_MIN;
}
// Bits: two's complement; what is shifted out is gone, a right shift keeps the sign.
ATTR_INLINE bool ShiftLeft(int64_t a, int64_t b, int64_t* out) {
  const bool ok = static_cast<uint64_t>(b) < 64;
  *out = static_cast<int64_t>(static_cast<uint64_t>(a) << (static_cast<uint64_t>(b) & 63));
  return ok;
}
ATTR_INLINE bool ShiftRight(int64_t a, int64_t b, int64_t* out) {
  const bool ok = static_cast<uint64_t>(b) < 64;
  *out = a >> (static_cast<uint64_t>(b) & 63);
  return ok;
}

/// A float result: missing when it is NaN, and then 0.
ATTR_INLINE bool FloatResult(double value, int64_t* out) {
  const bool ok = value == value;
  *out = SlotOf(ok ? value : 0.0);
  return ok;
}

// Exact comparison of an integer with a double that is no NaN: against the
// double's ceiling or floor, which is an integer, and in range where it counts.
inline constexpr double kTwo63 = 9223372036854775808.0;
ATTR_INLINE int64_t TruncateInRange(double f) { return static_cast<int64_t>(f >= -kTwo63 && f < kTwo63 ? f : 0.0); }
ATTR_INLINE bool LessIF(int64_t i, double f) {
  const int64_t t = TruncateInRange(f);
  return f >= kTwo63 || (f >= -kTwo63 && (i < t || (i == t && static_cast<double>(t) < f)));
}
ATTR_INLINE bool LessFI(double f, int64_t i) {
  const int64_t t = TruncateInRange(f);
  return f < -kTwo63 || (f < kTwo63 && (t < i || (i == t && f < static_cast<double>(t))));
}
ATTR_INLINE bool LessEqualIF(int64_t i, double f) { return !LessFI(f, i); }
ATTR_INLINE bool LessEqualFI(double f, int64_t i) { return !LessIF(i, f); }
ATTR_INLINE bool EqualIF(int64_t i, double f) {
  const int64_t t = TruncateInRange(f);
  return f >= -kTwo63 && f < kTwo63 && i == t && static_cast<double>(t) == f;
}

/// A set's elements among the evaluation's constants: their number at `span`, then they, sorted.
inline bool InSpan(const int64_t* constants, int64_t span, int64_t value) {
  const int64_t* first = constants + span + 1;
  return std::binary_search(first, first + constants[span], value);
}

/// Value operators of two operands (kNegI, kNegF, kToFloat: `b` is not read).
ATTR_INLINE bool Apply(plan::Op op, int64_t a, int64_t b, int64_t* out) {
  using plan::Op;
  switch (op) {
    case Op::kAddI:
      return AddI(a, b, out);
    case Op::kSubI:
      return SubI(a, b, out);
    case Op::kMulI:
      return MulI(a, b, out);
    case Op::kDivI:
      return DivI(a, b, out);
    case Op::kModI:
      return ModI(a, b, out);
    case Op::kNegI:
      return NegI(a, out);
    case Op::kShl:
      return ShiftLeft(a, b, out);
    case Op::kShr:
      return ShiftRight(a, b, out);
    case Op::kBitAnd:
      return *out = a & b, true;
    case Op::kBitOr:
      return *out = a | b, true;
    case Op::kBitXor:
      return *out = a ^ b, true;
    case Op::kAddF:
      return FloatResult(FloatOf(a) + FloatOf(b), out);
    case Op::kSubF:
      return FloatResult(FloatOf(a) - FloatOf(b), out);
    case Op::kMulF:
      return FloatResult(FloatOf(a) * FloatOf(b), out);
    case Op::kDivF:
      return FloatResult(FloatOf(a) / FloatOf(b), out);
    case Op::kNegF:
      return FloatResult(-FloatOf(a), out);
    case Op::kToFloat:
      return *out = SlotOf(static_cast<double>(a)), true;
    default:
      return *out = 0, false;
  }
}

/// Comparisons of two present values.
ATTR_INLINE bool Compare(plan::Op op, int64_t a, int64_t b) {
  using plan::Op;
  switch (op) {
    case Op::kEqI:
    case Op::kPlaceEq:
      return a == b;
    case Op::kNeI:
    case Op::kPlaceNe:
      return a != b;
    case Op::kLtI:
      return a < b;
    case Op::kLeI:
      return a <= b;
    case Op::kEqF:
      return FloatOf(a) == FloatOf(b);
    case Op::kNeF:
      return FloatOf(a) != FloatOf(b);
    case Op::kLtF:
      return FloatOf(a) < FloatOf(b);
    case Op::kLeF:
      return FloatOf(a) <= FloatOf(b);
    case Op::kEqIF:
      return EqualIF(a, FloatOf(b));
    case Op::kNeIF:
      return !EqualIF(a, FloatOf(b));
    case Op::kLtIF:
      return LessIF(a, FloatOf(b));
    case Op::kLeIF:
      return LessEqualIF(a, FloatOf(b));
    case Op::kLtFI:
      return LessFI(FloatOf(a), b);
    case Op::kLeFI:
      return LessEqualFI(FloatOf(a), b);
    default:
      return false;
  }
}

}  // namespace attr::eval
