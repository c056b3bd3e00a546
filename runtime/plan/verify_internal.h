// What the files of the verifier share: the plan, the first violation, and what
// is known of every expression node. Each Verify... assumes that those before it
// in verify.cc passed, and nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/plan/plan.h"

namespace attr::plan {

// Bounds, stated in docs/limits.md.
inline constexpr uint64_t kMaxStringBytes = 64 << 20;
inline constexpr size_t kMaxStrings = 1 << 20;
inline constexpr size_t kMaxExprs = 1 << 22;
inline constexpr size_t kMaxNameBytes = 256;
inline constexpr uint32_t kMaxDepth = 64;
inline constexpr size_t kMaxOperators = 4096;         // of a rule
inline constexpr size_t kMaxEventOperators = 16'384;  // of an event, whose columns many rules share
inline constexpr size_t kMaxAllOperators = 1 << 24;
inline constexpr uint32_t kMaxExtends = 16;
inline constexpr size_t kMaxRules = 20'000;
inline constexpr size_t kMaxEvents = 20'000;
inline constexpr size_t kMaxColumns = 4096;  // of an event
inline constexpr size_t kMaxDomains = 4096;
inline constexpr uint32_t kMaxDomainDepth = 8;
inline constexpr size_t kMaxAlternatives = 16;  // domains of a rule, sources of an event
inline constexpr size_t kMaxTags = 32;
inline constexpr size_t kMaxClauses = 64;  // per list of a rule: keys, relations, blame, advise
inline constexpr size_t kMaxSegments = 1024;
inline constexpr uint64_t kMaxCells = 1'000'000;
inline constexpr uint64_t kMaxAllCells = 8'000'000;
inline constexpr uint32_t kMaxUnkeyedRows = 10'000;
inline constexpr size_t kMaxDemotions = 100'000;
inline constexpr int64_t kMaxDuration = 366LL * 86'400 * kSecond;
inline constexpr int64_t kMaxSkew = 3'600 * kSecond;
inline constexpr int64_t kMaxGrace = 7LL * 86'400 * kSecond;

/// Types that share a meaning of their slots.
enum class SlotClass : uint8_t { kBool, kInteger, kFloat, kId };
SlotClass ClassOf(Type type);
inline bool IsPlace(Type type) { return type == Type::kNode || type == Type::kRank || type == Type::kGpu; }

/// Of one node, over everything below it.
struct NodeFacts {
  uint8_t depth = 1;
  bool bits = false;
  bool counts = false;                  // kCountCmp below
  bool places = false;                  // a relation of two bindings below
  uint16_t columns[kMaxBindings] = {};  // highest column read of each binding, plus one
};

/// The tables that an expression may read: one event, two, or a rule's bindings.
struct Scope {
  const Event* events[kMaxBindings] = {};
  uint32_t columns[kMaxBindings] = {};  // columns below these only
  uint32_t counted = 0;                 // bindings that counts may name
  const std::vector<Aggregate>* aggregates = nullptr;
  bool stored = true;  // fields that the plan calls unused have no column
};
inline Scope ScopeOf(const Event& event) { return {{&event}, {event.ColumnCount()}}; }
/// Does a column exist when rules are evaluated?
bool IsStored(const Event& event, uint32_t column);

class Verification {
 public:
  explicit Verification(const Plan& p) : plan(p) {}

  /// Keeps the first violation; always false.
  bool Fail(const std::string& where, std::string what);
  bool Text(const std::string& where, StrId id);  // any string of the plan
  bool Identifier(const std::string& where, StrId id);
  bool Path(const std::string& where, StrId id);       // identifiers with dots
  bool Qualified(const std::string& where, StrId id);  // [path::]identifier
  bool Index(const std::string& where, uint64_t index, size_t size, const char* of);
  bool Count(const std::string& where, size_t count, size_t most);
  bool Duration(const std::string& where, int64_t nanos, int64_t most = kMaxDuration);

  /// Starts counting operators anew: a rule's, or an event's.
  void NewBudget(size_t operators) { operators_ = operators; }
  /// `root` reads only what `scope` has, with the types it claims there.
  bool Reads(const std::string& where, ExprId root, const Scope& scope);
  bool Condition(const std::string& where, ExprId root, const Scope& scope);  // kNone passes
  bool Value(const std::string& where, ExprId root, const Scope& scope, Type type);

  const Plan& plan;
  std::vector<NodeFacts> facts;
  std::string error;

 private:
  bool ReadsAggregates(const std::string& where, const Expr& e, const Scope& scope);
  bool ReadsSet(const std::string& where, const Expr& column, const Scope& scope);
  bool ReadsNode(const std::string& where, ExprId node, const Scope& scope);

  std::vector<uint32_t> stamp_;
  uint32_t pass_ = 0;
  size_t operators_ = 0;  // still allowed
  size_t all_operators_ = kMaxAllOperators;
};

std::string At(std::string_view list, size_t index);  // "rules[12]"

bool VerifyStrings(Verification& v);
bool VerifyMeta(Verification& v);
bool VerifyConstants(Verification& v);  // and ranges, sets
bool VerifyExprs(Verification& v);
bool VerifyDomains(Verification& v);  // and sources
bool VerifyTables(Verification& v);
bool VerifyEvents(Verification& v);
/// An event whose rows are no observations, but for what its rules say.
bool VerifyRowEvent(Verification& v, uint32_t event);
/// Events whose rows are findings, against their rules; no rule waits for itself.
bool VerifyFindingEvents(Verification& v);
bool VerifyRules(Verification& v);
bool VerifyDemotions(Verification& v);
bool VerifyOrder(Verification& v);
/// Between two tables; event null: a finding table, which has the system columns only.
bool VerifyJoin(Verification& v, const std::string& where, const Join& join, const Event* left, const Event* right);

}  // namespace attr::plan
