#include "runtime/plan/plan.h"

#include <array>

namespace attr::plan {

std::string_view Name(Type type) {
  static constexpr std::array<std::string_view, kTypeCount> kNames = {
      "bool", "int", "float",  "text",        "time",       "duration",    "size",       "node",
      "rank", "gpu", "domain", "set of text", "set of int", "set of node", "set of rank"};
  return kNames[static_cast<size_t>(type)];
}

Type ElementOf(Type set) {
  static constexpr Type kElements[] = {Type::kText, Type::kInt, Type::kNode, Type::kRank};
  return kElements[static_cast<size_t>(set) - static_cast<size_t>(Type::kTextSet)];
}

std::string_view Name(WindowKind kind) {
  static constexpr std::array<std::string_view, kWindowKindCount> kNames = {"increase", "rate", "min",    "max",
                                                                            "avg",      "last", "portion"};
  return kNames[static_cast<size_t>(kind)];
}

Type SystemColumnType(uint32_t column) {
  switch (column) {
    case kPrecision:
    case kSkew:
      return Type::kDuration;
    case kClock:
    case kTie:
    case kStream:
    case kPosition:
      return Type::kInt;
    case kNode:
    case kObserver:
      return Type::kNode;
    case kRank:
      return Type::kRank;
    case kGpu:
      return Type::kGpu;
    default:
      return Type::kTime;
  }
}

std::string_view SystemColumnName(uint32_t column) {
  static constexpr std::array<std::string_view, kSystemColumns> kNames = {
      "begin_lo", "begin_hi", "end_lo", "end_hi", "precision", "clock",    "tie",   "skew",
      "stream",   "position", "node",   "rank",   "gpu",       "observer", "begin", "end"};
  return kNames[column];
}

uint32_t Event::FindColumn(StrId field) const {
  for (size_t f = 0; f < fields.size(); ++f) {
    if (fields[f].name == field && !fields[f].hidden) return FieldColumn(f);
  }
  return kNone;
}

Type ResultType(const Aggregate& aggregate) {
  switch (aggregate.kind) {
    case AggregateKind::kMin:
    case AggregateKind::kMax:
    case AggregateKind::kSum:
      return aggregate.type;
    case AggregateKind::kFirst:
    case AggregateKind::kLast:
      return Type::kTime;
    case AggregateKind::kSpan:
      return Type::kDuration;
    case AggregateKind::kShare:
      return Type::kFloat;
    default:
      return Type::kInt;
  }
}

std::string_view Name(AggregateKind kind) {
  static constexpr std::string_view kNames[] = {"count", "distinct", "min",  "max",  "sum",
                                                "first", "last",     "span", "share"};
  return kNames[static_cast<size_t>(kind)];
}

bool IsBits(Op op) { return op >= Op::kEqI; }

std::string_view Name(Op op) {
  static constexpr std::array<std::string_view, kOpCount> kNames = {
      "column",  "int",     "float",      "constant", "add",       "sub",         "mul",
      "div",     "mod",     "neg",        "shl",      "shr",       "bitand",      "bitor",
      "bitxor",  "fadd",    "fsub",       "fmul",     "fdiv",      "fneg",        "tofloat",
      "eq",      "ne",      "lt",         "le",       "feq",       "fne",         "flt",
      "fle",     "eqif",    "neif",       "ltif",     "leif",      "ltfi",        "lefi",
      "inrange", "inset",   "notinrange", "notinset", "has",       "hasnot",      "istrue",
      "isfalse", "placeeq", "placene",    "member",   "notmember", "placemember", "placenotmember",
      "true",    "false",   "and",        "or",       "countcmp",  "aggregatecmp"};
  return kNames[static_cast<size_t>(op)];
}

Type Event::ColumnType(uint32_t column) const {
  if (column < kSystemColumns) return SystemColumnType(column);
  column -= kSystemColumns;
  if (column < fields.size()) return fields[column].type;
  return derived[column - fields.size()].type;
}

BindingRange BindingsOf(const Rule& rule, uint32_t alternative) {
  BindingRange range;
  while (range.first < rule.bindings.size() && rule.bindings[range.first].alternative < alternative) ++range.first;
  range.end = range.first;
  while (range.end < rule.bindings.size() && rule.bindings[range.end].alternative == alternative) ++range.end;
  return range;
}

namespace {

/// The same binding, or one that another alternative calls the same.
bool SameName(const Rule& rule, uint32_t a, uint32_t b) {
  const Binding &x = rule.bindings[a], &y = rule.bindings[b];
  return a == b || (x.name == y.name && x.alternative != y.alternative);
}

}  // namespace

uint32_t StoredAt(const Rule& rule, uint32_t binding) {
  uint32_t at = 0;
  while (!SameName(rule, at, binding) || rule.bindings[at].event != rule.bindings[binding].event) ++at;
  return at;
}

uint32_t NamedAt(const Rule& rule, uint32_t binding) {
  uint32_t at = 0;
  while (!SameName(rule, at, binding)) ++at;
  return at;
}

std::string_view Name(TerminalState state) {
  static constexpr std::array<std::string_view, kTerminalStateCount> kNames = {
      "succeeded",     "failed",  "hung",   "timed_out", "cancelled",   "preempted", "node_failed",
      "out_of_memory", "evicted", "killed", "degraded",  "not_started", "unknown"};
  return kNames[static_cast<size_t>(state)];
}

}  // namespace attr::plan
