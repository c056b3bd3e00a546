// The rule plan: the meaning of a compiled pack. Written by compiler/lower,
// stored by runtime/pack, checked by verify.h, read by the interpreter, the
// native code generator and the explainer. Pure data: indices, never pointers.
//
// Model. An *event* turns observations into rows of a table of 64-bit columns
// (system columns, fields, derived columns). A *rule* scans the tables of its
// bindings with one predicate each, joins them, groups the satisfying tuples
// into findings. A *demotion* joins findings with findings. Expressions are
// nodes in one pool; a node refers only to earlier nodes. `not` does not exist:
// the compiler moves it into comparisons, so three bits (must, presumed, may)
// run through `and` and `or` plane by plane. Look-ups and regexes are derived
// columns, so that an engine meets arithmetic, comparisons and logic only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/plan/expr.h"

namespace attr::plan {

/// In place of a duration: there is none.
inline constexpr int64_t kNoWindow = -1;

// ---- events ----------------------------------------------------------------

struct SourceAlternative {
  StrId source = 0;
  StrId metric = 0;  // the observation's `name`; 0: any
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.source, s.metric);
  }
};
/// `kernel | syslog`: carriers of the same lines. An event reads a list of these.
struct SourceRef {
  std::vector<SourceAlternative> alternatives;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.alternatives);
  }
};
/// RE2 syntax, `(?P<name>…)` only.
struct Pattern {
  StrId regex = 0;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.regex);
  }
};
struct TextClause {
  bool optional = false;
  uint32_t field = kNone;  // column (text) matched instead of the record's text
  std::vector<Pattern> patterns;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.optional, s.field, s.patterns);
  }
};
enum class FieldFrom : uint8_t {
  kInherited,  // from the parent event, same column index; in a union, from each member, by name
  kGroup,      // name: group in any text clause; the first clause that captured it
  kAttribute,  // name: dotted path in the observation's attrs
  kBuiltin,    // name: name value unit severity text source job attempt
  kExpr,       // expr over earlier columns of this event
  kWindow,     // `window` of expr over the row's window (Fold::kWindows)
  kFirst,      // of a folded row: the stamp of its first line,
  kLast,       // of its last,
  kCount,      // and how many there are
  kRow,        // of the row that the event's origin gives, by name (see EventOrigin)
};
/// Over the samples of one window; fewer than two give nothing (semantics.md S16).
enum class WindowKind : uint8_t { kIncrease, kRate, kMin, kMax, kAvg, kLast, kPortion };
inline constexpr uint8_t kWindowKindCount = 7;
std::string_view Name(WindowKind kind);
struct Field {
  StrId name = 0;
  Type type = Type::kText;
  bool optional = false;  // a failed conversion leaves it missing instead of dropping the event
  bool hidden = false;    // read by `where` or `since` only; not visible to rules
  bool used = true;       // some rule, template or derived column reads it
  FieldFrom from = FieldFrom::kGroup;
  StrId source = 0;
  ExprId expr = kNone;
  int64_t unit = 1;  // what a bare number counts: nanoseconds or bytes
  WindowKind window = WindowKind::kLast;
  bool peers = false;  // kWindow: the lower median of what the other keys have
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.name, s.type, s.optional, s.hidden, s.used, s.from, s.source, s.expr, s.unit, s.window, s.peers);
  }
};
enum class DerivedKind : uint8_t {
  kLookup,    // table[keys].column; missing when a key is missing or absent
  kHasKey,    // bool; missing when a key is missing
  kRegex,     // bool: text column `column` matches `regex`
  kExpr,      // any value expression of this binding
  kTextLess,  // bool: text keys[0] stands before keys[1], byte by byte
  kTextRank,  // int: texts compare as their ranks; filled when all events are there
  kMember,    // bool: keys[0] is in the set keys[1]
  kLabel,     // text: the label `regex` (its name) of the node keys[0]; missing when the set gives the node none
  kRecord,    // int: the observation behind the row; missing for phantoms
  kSetSpan,   // int: where the evaluation's constants hold the size and the elements of the set keys[0]
};
inline constexpr uint8_t kDerivedKindCount = 10;
struct Derived {
  DerivedKind kind = DerivedKind::kExpr;
  Type type = Type::kBool;
  uint32_t table = kNone, table_column = kNone;
  std::vector<ExprId> keys;  // kExpr, kLabel: one entry
  uint32_t column = kNone;
  StrId regex = 0;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.kind, s.type, s.table, s.table_column, s.keys, s.column, s.regex);
  }
};
/// Where an event's records may lie, wider than the attempt's window with grace and its nodes.
struct EventScope {
  int64_t before = kNoWindow, after = kNoWindow;  // of the attempt's start and end; kNoWindow: the pack's grace
  bool any_node = false;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.before, s.after, s.any_node);
  }
  bool operator==(const EventScope&) const = default;
};
struct EqualKey {
  uint32_t left = 0, right = 0;  // columns of equal type
  bool place = false;            // missing is undecided instead of unknown
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.left, s.right, s.place);
  }
};
/// Lines to rows. kLines: every line a row that ends with its recovery line. kEpisode:
/// the lines of a key between silences. kWindows: a maximal run of true windows.
inline constexpr uint32_t kMaxWindowSamples = 10'000;  // of one window, by time too
enum class FoldKind : uint8_t { kUnfolded, kLines, kEpisode, kWindows };
struct Fold {
  FoldKind kind = FoldKind::kUnfolded;
  int64_t span = 0;            // kEpisode: the longest silence; kWindows: the window's length
  uint32_t records = 0;        // kWindows: so many records instead of a length, at most kMaxWindowSamples
  std::vector<uint32_t> keys;  // columns; a missing key is a value
  uint32_t closed_by = kNone;  // earlier event
  std::vector<EqualKey> same;  // left: the line's column, right: the closing event's
  uint32_t fields = 0;         // of Event::fields, the first that a folded row has and a line has not
  ExprId where = kNone;        // kWindows: bits over lines and kWindow fields; only must counts
  ExprId having = kNone;       // bits over folded rows; only must counts
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.kind, s.span, s.records, s.keys, s.closed_by, s.same, s.fields, s.where, s.having);
  }
};
/// Where an event's rows come from. All but observations have fields `kRow` only, no
/// parent, members, clauses or conditions; derived columns work on all alike.
enum class EventOrigin : uint8_t {
  kObservations,
  /// The findings of `rules`, which are causes and symptoms, or outcomes of one state.
  /// A row has its finding's bits; those of an outcome hold as far as it is the terminal
  /// state. Fields: `first`, `last`, `count`, and keys and exports that every rule has.
  kFindings,
  kNodes,  // of the attempt's inventory: one row a node, a rank, a GPU; sure, without a time
  kRanks,
  kGpus,
  kTable,    // the rows of table `of`, sure, without time or place; a field a column
  kStalled,  // one row: no event of `of` for `duration` after the last one; no fields
  kNotStalled,
};
inline constexpr uint8_t kEventOriginCount = 8;
/// Rows that no time relation can speak about.
inline bool IsTimeless(EventOrigin origin) { return origin >= EventOrigin::kNodes && origin <= EventOrigin::kTable; }

/// Columns: system, then `fields`, then `derived`. A field named node, rank or
/// gpu also sets the system column. An event that extends another refines its lines.
struct Event {
  StrId name = 0;  // qualified: "std.gpu::xid"
  StrId doc = 0;
  uint32_t parent = kNone;         // earlier event; rows are the parent's
  std::vector<uint32_t> members;   // union: earlier events; rows are all of theirs
  std::vector<SourceRef> sources;  // of the root event
  EventScope scope;                // of the root event
  std::vector<TextClause> texts;
  std::vector<Pattern> each;  // none or one: a row for every match
  std::vector<Pattern> unless;
  std::vector<Field> fields;
  ExprId where = kNone;  // bits; only must counts
  ExprId since = kNone;  // time; missing: begin is unknown
  Fold fold;
  std::vector<Derived> derived;
  EventOrigin origin = EventOrigin::kObservations;
  std::vector<uint32_t> rules;  // kFindings: ascending
  uint32_t of = kNone;          // kTable: a table; kStalled, kNotStalled: an earlier event
  int64_t duration = 0;         // kStalled, kNotStalled
  StrId lacks = 0;              // kNodes, kRanks, kGpus: what is missing where no inventory was given
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.name, s.doc, s.parent, s.members, s.sources, s.scope, s.texts, s.each, s.unless, s.fields, s.where, s.since,
      s.fold, s.derived, s.origin, s.rules, s.of, s.duration, s.lacks);
  }
  uint32_t FieldColumn(size_t field) const { return kSystemColumns + static_cast<uint32_t>(field); }
  uint32_t DerivedColumn(size_t d) const { return kSystemColumns + static_cast<uint32_t>(fields.size() + d); }
  uint32_t ColumnCount() const { return kSystemColumns + static_cast<uint32_t>(fields.size() + derived.size()); }
  Type ColumnType(uint32_t column) const;
  /// The column of the visible field of that name, or kNone.
  uint32_t FindColumn(StrId field) const;
};

/// Rows sorted by key. Cells are slots; ids are indices into Plan::constants.
struct TableColumn {
  StrId name = 0;
  Type type = Type::kText;
  bool optional = false;
  std::vector<int64_t> cells;
  std::vector<uint8_t> present;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.name, s.type, s.optional, s.cells, s.present);
  }
};
struct Table {
  StrId name = 0;
  uint32_t rows = 0;
  std::vector<uint32_t> keys;  // columns
  std::vector<TableColumn> columns;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.name, s.rows, s.keys, s.columns);
  }
};

// ---- rules -----------------------------------------------------------------

struct ColumnRef {
  uint32_t binding = 0;
  uint32_t column = 0;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.binding, s.column);
  }
  bool operator==(const ColumnRef&) const = default;
};
/// kWithout and kUnless take tuples away and have no members; kWith adds members
/// and takes nothing away. Only positive bindings are read by others.
enum class BindKind : uint8_t { kPositive, kWithout, kUnless, kWith };
inline constexpr uint8_t kBindKindCount = 4;
inline bool IsNegative(BindKind kind) { return kind == BindKind::kWithout || kind == BindKind::kUnless; }
inline constexpr uint32_t kMaxBindings = 8;      // of a rule, or of one of its alternatives
inline constexpr uint32_t kMaxAllBindings = 32;  // of all alternatives together
struct Binding {
  StrId name = 0;
  BindKind kind = BindKind::kPositive;
  uint32_t event = kNone;
  ExprId where = kNone;     // bits over this binding alone (as binding 0); kNone: true
  ExprId residual = kNone;  // bits over the alternative's bindings, its first being 0: what no pair decides
  uint32_t alternative = 0;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.name, s.kind, s.event, s.where, s.residual, s.alternative);
  }
};
/// The later binding (right, 1) against the earlier one (left, 0); `semantics.md` S10.
/// kDemote: left is the demoting finding A, right the demoted B; holds when begin or
/// end of B lies in [A.begin - lead, A.end + distance], or at any time when
/// `distance` is kNoWindow, but never when B.end < A.begin - lead - tolerance.
enum class RelationKind : uint8_t { kAfter, kBefore, kWithinOf, kWithinAfter, kWithinBefore, kDemote };
inline constexpr uint8_t kRelationKindCount = 6;
struct TimeRelation {
  RelationKind kind = RelationKind::kAfter;
  int64_t distance = 0;  // nanoseconds
  int64_t lead = 0;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.kind, s.distance, s.lead);
  }
};
/// The whole condition between two tables is: all keys, all relations, residual.
struct Join {
  uint32_t left = 0, right = 1;  // bindings of the rule, left < right; in expressions they are 0 and 1
  std::vector<EqualKey> keys;
  std::vector<TimeRelation> relations;
  ExprId residual = kNone;              // bits over bindings 0 and 1
  bool different_observations = false;  // same or related events: not the same row
  /// Decide nothing: the residual is false where both columns have a value and differ,
  /// so that only rows that agree, or lack one, have to be tried.
  std::vector<EqualKey> narrow = {};
  /// All that narrows the candidates: `keys`, then `narrow`.
  size_t NarrowingCount() const { return keys.size() + narrow.size(); }
  const EqualKey& Narrowing(size_t i) const { return i < keys.size() ? keys[i] : narrow[i - keys.size()]; }
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.left, s.right, s.keys, s.relations, s.residual, s.different_observations, s.narrow);
  }
};

enum class RuleKind : uint8_t { kCause, kSymptom, kOutcome };
/// Order is the terminal state's order in the verdict schema.
enum class TerminalState : uint8_t {
  kSucceeded,
  kFailed,
  kHung,
  kTimedOut,
  kCancelled,
  kPreempted,
  kNodeFailed,
  kOutOfMemory,
  kEvicted,
  kKilled,
  kDegraded,
  kNotStarted,
  kUnknown,
};
inline constexpr uint8_t kTerminalStateCount = 13;
std::string_view Name(TerminalState state);

// What stands after `when` reads a name that every alternative binds: `more` says
// where the further alternatives have it, in their order.
enum class SegmentKind : uint8_t { kText, kColumn, kCount, kFirst, kLast, kNodes, kGpus, kRanks, kExpr, kExport };
inline constexpr uint8_t kSegmentKindCount = 10;
struct Segment {
  SegmentKind kind = SegmentKind::kText;
  StrId text = 0;    // kText
  ColumnRef column;  // kColumn; kCount: binding
  std::vector<ColumnRef> more = {};
  std::vector<ExprId> exprs = {};  // kExpr: an alternative's value over its bindings, its first being 0
  uint32_t exported = kNone;       // kExport: of the rule
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.kind, s.text, s.column, s.more, s.exprs, s.exported);
  }
};
/// A value that a finding shows to those that bind it: of the first member of each
/// binding in canonical order, or an aggregate where its bounds decide it.
struct Export {
  StrId name = 0;
  Type type = Type::kInt;
  std::vector<ExprId> exprs = {};  // as in Segment; empty: `aggregate`
  uint32_t aggregate = kNone;      // of Rule::aggregates
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.name, s.type, s.exprs, s.aggregate);
  }
};
struct Key {
  StrId name = 0;  // "node", "seq": as the finding shows it
  ColumnRef column;
  std::vector<ColumnRef> more = {};
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.name, s.column, s.more);
  }
};
/// Members of a group that stay: first or last begin, smallest or largest value.
enum class ExtremeKind : uint8_t { kEarliest, kLatest, kLeast, kMost };
inline constexpr uint8_t kExtremeKindCount = 4;
struct Extreme {
  ExtremeKind kind = ExtremeKind::kEarliest;
  uint32_t binding = 0;
  uint32_t column = kNone;  // kLeast, kMost: a number, time, duration or size
  Type type = Type::kInt;   // of the column
  std::vector<ColumnRef> more = {};
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.kind, s.binding, s.column, s.type, s.more);
  }
};
/// Over a group's members of one binding, as bounds (semantics.md S9).
enum class AggregateKind : uint8_t { kCount, kDistinct, kMin, kMax, kSum, kFirst, kLast, kSpan, kShare };
inline constexpr uint8_t kAggregateKindCount = 9;
struct Aggregate {
  AggregateKind kind = AggregateKind::kCount;
  uint32_t binding = 0;
  uint32_t column = kNone;  // kDistinct, kMin, kMax, kSum
  Type type = Type::kInt;   // of the column, else of the result
  std::vector<ColumnRef> more = {};
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.kind, s.binding, s.column, s.type, s.more);
  }
};
/// What an aggregate is compared as: int, float, time, duration or size.
Type ResultType(const Aggregate& aggregate);
std::string_view Name(AggregateKind kind);
enum class BlameKind : uint8_t { kNode, kGpu, kRank };
struct Blame {
  BlameKind kind = BlameKind::kNode;
  ColumnRef column;
  std::vector<ColumnRef> more = {};
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.kind, s.column, s.more);
  }
};
struct SourceLocation {
  StrId file = 0;
  uint32_t line = 0;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.file, s.line);
  }
};
/// `closed by`: the first row of `event` that begins at least `after` after the
/// finding's end closes it (semantics.md S8).
struct Closing {
  StrId name = 0;  // as bound; 0: unnamed
  uint32_t event = kNone;
  ExprId where = kNone;  // bits over the event alone
  Join join;             // left: the rule's finding table; right: the event
  int64_t after = 0;
  std::vector<StrId> shared = {};  // places that `same` names, for people
  SourceLocation location;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.name, s.event, s.where, s.join, s.after, s.shared, s.location);
  }
};
struct Rule {
  RuleKind kind = RuleKind::kCause;
  StrId name = 0;  // qualified: "std.nvlink::nvlink_signal_integrity"; outcomes "std.core::outcome#1"
  StrId title = 0;
  StrId doc = 0;
  SourceLocation location;
  TerminalState state = TerminalState::kUnknown;  // outcomes
  std::vector<uint32_t> domains;                  // indices into Plan::domains; causes: at least one
  std::vector<StrId> tags;
  std::vector<uint32_t> suggests;     // domains
  std::vector<Binding> bindings;      // 1 to 8, the first one positive; of all alternatives, one after the other
  std::vector<Join> joins;            // by right, then left; at least one per binding after the first
  std::vector<Key> keys;              // empty: one group (per attempt)
  int64_t gap = kNoWindow;            // between rows of the first binding
  std::vector<Extreme> extremes;      // one after the other, before `having`
  std::vector<Aggregate> aggregates;  // that `having` compares or the rule exports
  ExprId having = kNone;
  std::vector<Blame> blame;
  std::vector<StrId> advise;
  std::vector<Segment> explain;
  std::vector<Closing> closings = {};
  std::vector<Export> exports = {};
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.kind, s.name, s.title, s.doc, s.location, s.state, s.domains, s.tags, s.suggests, s.bindings, s.joins, s.keys,
      s.gap, s.extremes, s.aggregates, s.having, s.blame, s.advise, s.explain, s.closings, s.exports);
  }
  /// Of bindings that are alternatives (`when { … } or { … }`); 1 where there is no `or`.
  uint32_t AlternativeCount() const { return bindings.empty() ? 1 : bindings.back().alternative + 1; }
};
/// Bindings [first, end) of one alternative.
struct BindingRange {
  uint32_t first = 0, end = 0;
};
BindingRange BindingsOf(const Rule& rule, uint32_t alternative);
/// Where a binding's members stand in a finding: with the first one of its name and event.
uint32_t StoredAt(const Rule& rule, uint32_t binding);
/// The first one of its name: alternatives that bind one name show one list.
uint32_t NamedAt(const Rule& rule, uint32_t binding);
/// What a clause after `when` reads, alternative by alternative.
template <class Clause>
std::vector<ColumnRef> ColumnsOf(const Clause& clause) {
  std::vector<ColumnRef> columns = clause.more;
  if constexpr (requires { clause.binding; }) {
    columns.insert(columns.begin(), {clause.binding, clause.column});
  } else {
    columns.insert(columns.begin(), clause.column);
  }
  return columns;
}

/// Where A and B must share a place. kAny asks for none.
enum class DemoteOn : uint8_t { kAny, kNode, kGpu, kRack, kNvlinkDomain };
inline constexpr uint8_t kDemoteOnCount = 5;
struct Demotion {
  uint32_t source = 0;            // rule A
  std::vector<uint32_t> targets;  // rules B, ascending
  StrId target_text = 0;          // as written: "tag collective", "nccl_timeout"
  DemoteOn on = DemoteOn::kAny;
  Join join;  // between finding tables: one kDemote relation, the place as key
  StrId because = 0;
  SourceLocation location;
  bool after = false;  // `self after`: targets are the source alone, and A certainly begins first (S11)
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.source, s.targets, s.target_text, s.on, s.join, s.because, s.location, s.after);
  }
};

enum class SideKind : uint8_t { kRule, kTag, kDomain, kAll };
struct OrderSide {
  SideKind kind = SideKind::kAll;
  uint32_t id = 0;  // rule, StrId of the tag, domain
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.kind, s.id);
  }
};
/// One declared pair; closures are computed by the resolver, never stored.
struct OrderPair {
  OrderSide above, below;
  SourceLocation location;
  StrId text = 0;  // "std.gpu::gpu_lost > std.host::node_unreachable"
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.above, s.below, s.location, s.text);
  }
};
/// `prefer a over b when …`: between a finding of each. Not closed transitively.
struct Preference {
  uint32_t above = 0, below = 0;  // causes
  DemoteOn on = DemoteOn::kAny;   // a place that they must share
  Join join;                      // left: findings of `above`, right: of `below`; its residual may stay away
  StrId text = 0, because = 0;    // "prefer gpu_lost over node_unreachable"
  SourceLocation location;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.above, s.below, s.on, s.join, s.text, s.because, s.location);
  }
};
enum class AmbiguityThen : uint8_t { kNothing, kEarliest, kLatest };
/// The first clause that fits two roots speaks: they stay two, unless they begin more
/// than `apart` from each other; then the named one of them stays.
struct AmbiguityClause {
  OrderSide left, right;
  int64_t within = kNoWindow, apart = kNoWindow;
  AmbiguityThen then = AmbiguityThen::kNothing;
  StrId text = 0, because = 0;
  SourceLocation location;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.left, s.right, s.within, s.apart, s.then, s.text, s.because, s.location);
  }
};

struct Domain {
  StrId path = 0;
  StrId title = 0;
  uint32_t parent = kNone;  // earlier domain
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.path, s.title, s.parent);
  }
};
struct ImportedPack {
  StrId name = 0, version = 0, sha256 = 0;  // of the imported pack's sources
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.name, s.version, s.sha256);
  }
};
struct ClockSkew {
  StrId clock = 0;  // 0: every clock without an entry
  int64_t nanos = 0;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.clock, s.nanos);
  }
};
struct Meta {
  StrId name = 0, version = 0;
  uint32_t language = 1;
  std::vector<ImportedPack> imports;
  std::vector<ClockSkew> skews;
  int64_t grace = 600 * kSecond;
  template <class S, class F>
  static void Fields(S& s, F&& f) {
    f(s.name, s.version, s.language, s.imports, s.skews, s.grace);
  }
};

struct Plan {
  Meta meta;
  std::vector<std::string> strings{std::string()};
  std::vector<Constant> constants;
  std::vector<Range> ranges;
  std::vector<Set> sets;
  std::vector<Expr> exprs;
  std::vector<StrId> sources;  // declared source names
  std::vector<Domain> domains;
  std::vector<Table> tables;
  std::vector<Event> events;
  std::vector<Rule> rules;  // outcomes first in their order, then by qualified name
  std::vector<Demotion> demotions;
  std::vector<OrderPair> order;
  std::vector<AmbiguityClause> ambiguity;  // in the order in which they are asked
  std::vector<Preference> preferences;
  std::string_view Str(StrId id) const { return strings[id]; }
};

}  // namespace attr::plan
