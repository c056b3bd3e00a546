// The plan's vocabulary below events and rules: types of slots, system columns,
// expression nodes and what they refer to. Part of plan.h, which says what they are for.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace attr::plan {

using StrId = uint32_t;   // index in Plan::strings; 0 is the empty string
using ExprId = uint32_t;  // index in Plan::exprs
inline constexpr uint32_t kNone = UINT32_MAX;

/// What a 64-bit slot holds. Missing is a presence bit beside the slot, which then holds 0.
enum class Type : uint8_t {
  kBool,  // 0 or 1
  kInt,
  kFloat,     // the bits of an IEEE double, never NaN (NaN is missing)
  kText,      // id in the evaluation's dictionary
  kTime,      // nanoseconds since the Unix epoch
  kDuration,  // nanoseconds
  kSize,      // bytes
  kNode,      // id in the dictionary, normalized through the inventory
  kRank,      // integer
  kGpu,       // id in the dictionary, normalized through the inventory
  kDomain,    // id in the dictionary
  // Sets: id of the dictionary text that lists the elements, sorted and each once,
  // with commas between them. Equal sets have equal ids.
  kTextSet,
  kIntSet,
  kNodeSet,
  kRankSet,
};
inline constexpr uint8_t kTypeCount = 15;
inline bool IsSet(Type t) { return t >= Type::kTextSet; }
/// Of a set.
Type ElementOf(Type set);
inline bool IsId(Type t) {
  return t == Type::kText || t == Type::kNode || t == Type::kGpu || t == Type::kDomain || IsSet(t);
}
inline bool IsInteger(Type t) {
  return t == Type::kInt || t == Type::kTime || t == Type::kDuration || t == Type::kSize || t == Type::kRank;
}
std::string_view Name(Type type);

/// Columns that every table has, before its fields. Unknown moments are ranges
/// [kBeforeAll, kAfterAll]; *_lo == *_hi is a stamp. All are always present but
/// kStream, kPosition, kNode, kRank, kGpu, kObserver (optional) and kBegin, kEnd
/// (present exactly when their moment is a stamp; what `x.begin`, `x.end` read).
enum SystemColumn : uint32_t {
  kBeginLo,
  kBeginHi,
  kEndLo,
  kEndHi,
  kPrecision,  // nanoseconds, of the coarser end
  kClock,      // int id; equal ids: one clock, no skew between them
  kTie,        // int id; unequal ids: untied clocks, every time relation undecided
  kSkew,       // nanoseconds, tolerance of this clock against another
  kStream,     // int id
  kPosition,   // in the stream
  kNode,
  kRank,
  kGpu,
  kObserver,
  kBegin,
  kEnd,
  kSystemColumns,
};
Type SystemColumnType(uint32_t column);
std::string_view SystemColumnName(uint32_t column);

/// Far outside any real time, yet adding a window or a tolerance cannot overflow.
inline constexpr int64_t kBeforeAll = INT64_MIN / 4;
inline constexpr int64_t kAfterAll = INT64_MAX / 4;
inline constexpr int64_t kSecond = 1'000'000'000;

// ---- expressions -----------------------------------------------------------
// Value nodes give (slot, present). Bit nodes (IsBits) give three planes.

enum class Op : uint8_t {
  // values
  kColumn,    // a: binding (0 left, 1 right; in Binding::residual the rule's), b: column
  kInt,       // imm; type says int, duration, size, time, rank or bool
  kFloat,     // imm: bits
  kConstant,  // a: index in Plan::constants (dictionary id found at run time)
  kAddI,
  kSubI,
  kMulI,
  kDivI,
  kModI,
  kNegI,  // checked: overflow, x/0 give missing
  kShl,
  kShr,
  kBitAnd,
  kBitOr,
  kBitXor,  // shift outside 0..63 gives missing
  kAddF,
  kSubF,
  kMulF,
  kDivF,
  kNegF,     // NaN results are missing
  kToFloat,  // a: integer node
  // bits, from values
  kEqI,
  kNeI,
  kLtI,
  kLeI,  // integers, ids and bools (ids: kEqI, kNeI only)
  kEqF,
  kNeF,
  kLtF,
  kLeF,
  kEqIF,
  kNeIF,
  kLtIF,
  kLeIF,
  kLtFI,
  kLeFI,     // exact comparison of integer with float, not through a rounded double
  kInRange,  // a: integer node, lo..hi closed as `range` index
  kInSet,    // a: integer or id node, `set` index
  kNotInRange,
  kNotInSet,
  kHas,
  kHasNot,  // a: value node; known: present or not
  kIsTrue,
  kIsFalse,  // a: bool value node
  kPlaceEq,
  kPlaceNe,  // a, b: node, rank or gpu nodes of two bindings; missing is *undecided*
  kMember,
  kNotMember,  // a: element; b: DerivedKind::kSetSpan of the set. Never in generated code
  kPlaceMember,
  kPlaceNotMember,  // the same with a node or rank of another binding; missing is *undecided*
  kTrue,
  kFalse,
  // bits, from bits
  kAnd,
  kOr,
  // bits, from group members; only in `having`
  kCountCmp,      // a: binding, b: CountCmp, imm: bound
  kAggregateCmp,  // a: Rule::aggregates, b: CountCmp, index: another one or kNone, imm: value of `type`
};
inline constexpr uint8_t kOpCount = static_cast<uint8_t>(Op::kAggregateCmp) + 1;
enum class CountCmp : uint32_t { kEq, kNe, kLt, kLe, kGt, kGe };
bool IsBits(Op op);
/// Bit nodes over places of two bindings: what is missing leaves them undecided.
inline bool IsPlaceRelation(Op op) {
  return op == Op::kPlaceEq || op == Op::kPlaceNe || op == Op::kPlaceMember || op == Op::kPlaceNotMember;
}
inline bool IsMembership(Op op) { return op >= Op::kMember && op <= Op::kPlaceNotMember; }
std::string_view Name(Op op);

struct Expr {
  Op op = Op::kTrue;
  Type type = Type::kBool;
  uint32_t a = kNone, b = kNone;  // operands: earlier nodes, or as the op says
  uint32_t index = kNone;         // kInRange, kInSet: into ranges or sets
  int64_t imm = 0;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.op, s.type, s.a, s.b, s.index, s.imm);
  }
  bool operator==(const Expr&) const = default;
};
struct Range {
  int64_t lo = 0, hi = 0;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.lo, s.hi);
  }
};
/// Either integers or indices into Plan::constants, sorted by value.
struct Set {
  bool ids = false;
  std::vector<int64_t> values;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.ids, s.values);
  }
};
struct Constant {
  Type type = Type::kText;
  StrId text = 0;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.type, s.text);
  }
};

}  // namespace attr::plan
