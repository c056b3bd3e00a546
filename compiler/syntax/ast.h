// The syntax tree of rule text, one plain struct per construct of the grammar
// (grammar/Attr.g4), for the whole language. Built by parse.h; it knows no
// types and resolves no names. Every node carries the span it was read from.
// Text is owned by the tree: unescaped for strings, verbatim for regexes
// (without the slashes, `\/` turned to `/`).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/diagnostics/source.h"

namespace attr::syntax {

using diagnostics::Span;

struct Name {
  std::string text;
  Span span;
};

/// `std.gpu::gpu_lost`, `network.ib`, `n`: `pack` is empty without `::`.
struct QName {
  std::string pack;
  std::string name;  // dotted when it is a path
  Span span;
};

struct Text {
  std::string value;
  Span span;
};

/// Nanoseconds, or the name of a `const`.
struct DurationRef {
  std::optional<int64_t> nanos;
  std::string constant;
  Span span;
};

struct SizeValue {
  int64_t bytes = 0;
};
struct DurationValue {
  int64_t nanos = 0;
};
struct DateTimeValue {
  int64_t nanos = 0;      // since the Unix epoch, UTC
  int64_t precision = 0;  // nanoseconds that the last written digit stands for
  std::string text;
};
/// A literal with its sign applied. bool before int: variants compare in order.
struct Literal {
  std::variant<bool, int64_t, double, SizeValue, DurationValue, DateTimeValue, std::string> value;
  Span span;
};

// ---- expressions -----------------------------------------------------------

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

enum class UnaryOp : uint8_t { kNegate, kNot };
enum class BinaryOp : uint8_t {
  kMul,
  kDiv,
  kMod,
  kAdd,
  kSub,
  kShl,
  kShr,
  kBitAnd,
  kBitXor,
  kBitOr,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kAnd,
  kOr,
};

/// `x.code`, `attrs.state`, `std.gpu::limit`; parts before the last `::` are `pack`.
struct RefExpr {
  std::string pack;
  std::vector<Name> parts;
};
struct HasExpr {
  RefExpr reference;
  ExprPtr key;  // `has t[k]`; null for `has x.f`
  std::vector<ExprPtr> more_keys;
};
struct SamePlaceExpr {
  Name place;
  ExprPtr left, right;
};
struct CallExpr {
  Name callee;
  std::vector<ExprPtr> arguments;
};
struct LookupExpr {
  RefExpr table;
  ExprPtr key;
  Name column;
  std::vector<ExprPtr> more_keys;
};
struct UnaryExpr {
  UnaryOp op;
  ExprPtr operand;
};
/// `and` and `or` are n-ary: chains are flat, so that no tree is deep by length.
struct ChainExpr {
  BinaryOp op;  // kAnd or kOr
  std::vector<ExprPtr> operands;
};
struct BinaryExpr {
  BinaryOp op;
  Span op_span;
  ExprPtr left, right;
};
struct MatchExpr {
  ExprPtr operand;
  bool negated = false;
  Text regex;
};
/// `x in {a, b}`, `x in lo..hi` (closed), `x in name`.
struct InExpr {
  ExprPtr operand;
  bool negated = false;
  std::vector<Literal> set;
  std::optional<std::pair<Literal, Literal>> range;
  std::optional<RefExpr> reference;
};

struct Expr {
  std::variant<Literal, RefExpr, HasExpr, SamePlaceExpr, CallExpr, LookupExpr, UnaryExpr, ChainExpr, BinaryExpr,
               MatchExpr, InExpr>
      node;
  Span span;
};

// ---- declarations ----------------------------------------------------------

/// `allow CODE "reason" until "date"`.
struct Allow {
  Name code;
  Text reason;
  std::optional<Text> until;
};

struct Import {
  Name pack;
  Text version;  // as written
  Span span;
};
struct Skew {
  std::string clock;  // empty: all clocks
  int64_t nanos = 0;
  Span span;
};
struct PackDecl {
  Name name;
  Text version;
  std::optional<int64_t> language;
  Span language_span;
  std::vector<Import> imports;
  std::vector<Skew> skews;
  std::optional<int64_t> grace;
};

struct DomainDecl {
  Name path;
  Text title;
};
struct SourceDecl {
  Name name;
  std::optional<Text> title;
};
struct ConstDecl {
  Name name;
  Literal value;
};
struct DisableDecl {
  QName item;
  std::optional<Text> because;
};
struct OverrideDecl {
  QName item;
  std::optional<Name> domain;
  std::vector<Name> advise;
  std::vector<ConstDecl> constants;
  std::optional<Text> because;
};

/// `duration(ms)?`, `set of node`.
struct TypeRef {
  std::string name;
  std::string unit;
  bool optional = false;
  bool set = false;
  Span span;
};
struct FieldDef {
  Name name;
  TypeRef type;
  ExprPtr value;  // null: the group or column of the same name
};

struct TableDecl {
  Name name;
  Text file;
  std::vector<Name> keys;
  std::vector<FieldDef> columns;
};

/// `kernel | syslog`, `metric "NAME"`: alternatives that carry the same lines.
struct SourceRef {
  struct Alternative {
    Name source;
    std::optional<Text> metric;
  };
  std::vector<Alternative> alternatives;
  Span span;
};

struct TextClause {
  bool optional = false;      // `text?`
  std::optional<Name> field;  // match against this field instead of the record's text
  std::vector<Text> regexes;  // alternatives, the first that matches wins
  Span span;
};
struct Example {
  Text text;
  std::vector<std::pair<Name, Literal>> fields;
  Span span;
};
struct Episode {
  DurationRef gap;
  std::vector<Name> per;
  Span span;
};
struct ClosedBy {
  std::optional<Name> binding;
  QName event;
  std::vector<Name> same;
  ExprPtr where;
  std::optional<DurationRef> after;
  Span span;
};
struct Over {
  std::optional<DurationRef> duration;
  std::optional<int64_t> records;
  std::vector<Name> per;
  Span span;
};
struct ScopeClause {
  Name what;                                        // time | nodes
  std::optional<std::pair<int64_t, int64_t>> time;  // offsets in nanoseconds
  std::optional<Name> word;                         // any
  Span span;
};
struct EventDecl {
  Name name;
  std::vector<SourceRef> sources;
  std::optional<QName> extends;
  std::vector<QName> union_of;
  std::vector<TextClause> texts;
  std::vector<Text> each;
  std::vector<ExprPtr> where;
  std::vector<Text> unless;
  std::vector<FieldDef> fields;
  ExprPtr since;
  std::optional<Episode> episode;
  std::optional<ClosedBy> closed_by;
  std::optional<Over> over;
  ExprPtr having;
  std::vector<ScopeClause> scopes;
  std::vector<Example> examples;
  std::vector<Text> rejects;
  std::vector<Allow> allows;
};

struct TimeRel {
  enum class Kind : uint8_t { kAfter, kBefore, kWithinOf, kWithinAfter, kWithinBefore };
  Kind kind;
  std::optional<DurationRef> distance;
  Name binding;
  Span span;
};
enum class JoinWord : uint8_t { kFirst, kAnd, kWithout, kUnless, kWith };
struct Binding {
  JoinWord word = JoinWord::kFirst;
  Name name;
  bool finding = false;  // `finding rule` or `finding tag t`
  std::optional<Name> finding_tag;
  QName event;                 // event, table, rule or inventory path
  std::vector<ExprPtr> where;  // all must hold
  std::vector<TimeRel> relations;
  Span span;
};
/// `{ first further* }`.
struct Group {
  std::vector<Binding> bindings;
  Span span;
};
struct Condition {
  ExprPtr expr;                  // only in outcomes: `stalled(...)`
  std::optional<Name> outcome;   // `when outcome preempted`
  std::vector<Group> groups;     // two or more: alternatives; one: plain bindings
  std::vector<Binding> further;  // after the braces, shared by all groups
  Span span;
};

struct DomainRef {
  std::vector<Name> alternatives;
  ExprPtr column;  // LookupExpr; null when alternatives are given
  Span span;
};
struct Per {
  std::vector<ExprPtr> keys;
  std::optional<DurationRef> gap;
  Span span;
};
struct Extreme {
  enum class Kind : uint8_t { kEarliest, kLatest, kLeast, kMost };
  Kind kind;
  Name binding;
  ExprPtr by;
  Span span;
};
struct Blame {
  Name kind;  // node, gpu, rank, ...
  ExprPtr value;
};
struct DemoteTarget {
  enum class Kind : uint8_t { kRule, kTag, kDomain };
  Kind kind = Kind::kRule;
  QName name;
};
struct Demote {
  bool self_after = false;
  std::vector<DemoteTarget> targets;
  std::optional<QName> by;  // only at top level
  std::optional<Name> on;
  std::optional<DurationRef> within;
  std::optional<DurationRef> lead;
  ExprPtr where;
  std::optional<Text> because;
  Span span;
};
struct Export {
  Name name;
  ExprPtr value;
};

struct RuleDecl {
  bool is_cause = true;
  Name name;
  std::optional<Text> title;
  std::optional<DomainRef> domain;
  std::vector<Name> tags;
  std::vector<Name> suggests;
  std::optional<Condition> when;
  std::optional<Per> per;
  std::vector<Extreme> extremes;
  ExprPtr having;
  std::vector<Blame> blame;
  std::vector<Demote> demotes;
  std::vector<ClosedBy> closed_by;
  std::vector<Export> exports;
  std::vector<Name> advise;
  std::optional<Text> explain;
  std::vector<Allow> allows;
};

struct OutcomeDecl {
  Name name;
  Condition when;
};

// ---- order -----------------------------------------------------------------

struct OrderRef {
  enum class Kind : uint8_t { kBare, kTag, kDomain, kStar };
  Kind kind = Kind::kBare;
  QName name;
  Span span;
};
struct Chain {
  std::vector<OrderRef> items;  // each above the next
};
struct Prefer {
  std::optional<Name> over_binding, under_binding;
  QName over, under;
  ExprPtr when;
  std::optional<Text> because;
  Span span;
};
struct PrecedenceDecl {
  std::vector<Chain> chains;
  std::vector<Prefer> prefers;
};
struct Between {
  OrderRef left, right;
  std::optional<DurationRef> within, unless_apart;
  enum class Then : uint8_t { kNone, kEarliest, kLatest };
  Then then = Then::kNone;
  std::optional<Text> because;
  Span span;
};
struct AmbiguityDecl {
  std::vector<Between> clauses;
};

// ---- tests -----------------------------------------------------------------

/// `12:10:02` (nanoseconds since midnight) or an RFC 3339 stamp.
struct TestMoment {
  bool time_of_day = true;
  int64_t nanos = 0;
  int64_t precision = 0;
  std::string text;
  Span span;
};
struct AttemptItem {
  Name key;  // nodes, start, end, state, or a label's name
  std::vector<std::variant<Name, Text, TestMoment, int64_t>> values;
  std::vector<Text> on;  // only for labels: `rack = "r7" on n1, n2`
  bool label = false;
  Span span;
};
struct CoverClause {
  std::vector<Name> sources;
  std::vector<Text> on;
  std::optional<TestMoment> from, to;
  std::optional<Name> status;
  Span span;
};
struct TestObservation {
  Name source;
  std::optional<Text> node;                          // absent: `-` or nothing
  std::optional<TestMoment> time;                    // absent: `-` or nothing
  std::vector<std::pair<Name, Literal>> attributes;  // `rank 3`, `value 0.5`
  std::optional<Text> text;
  std::vector<std::pair<Name, Literal>> record;
  Span span;
};
struct Expectation {
  enum class Kind : uint8_t {
    kAttributed,
    kAmbiguous,
    kUnattributed,
    kNoFailure,
    kState,
    kCandidates,
    kCause,
    kDemoted,
    kWouldChange,
  };
  Kind kind{};
  bool negated = false;
  std::vector<Name> paths;  // domains; the state's name
  std::vector<QName> rules;
  std::vector<Text> on;
  std::optional<QName> by;
  std::vector<Name> needs;
  std::optional<Name> certainty;  // settled | provisional
  Span span;
};
struct TestDecl {
  Text name;
  std::optional<Text> from;  // observation set or folder
  bool from_folder = false;
  std::optional<CoverClause> dropping;
  std::vector<AttemptItem> attempt;
  std::vector<CoverClause> covers;
  std::vector<TestObservation> observations;
  std::vector<Expectation> expectations;
};

// ---- file ------------------------------------------------------------------

struct Item {
  std::variant<PackDecl, DomainDecl, SourceDecl, ConstDecl, DisableDecl, OverrideDecl, TableDecl, EventDecl, RuleDecl,
               Demote, PrecedenceDecl, AmbiguityDecl, OutcomeDecl, TestDecl, Allow>
      node;
  std::string doc;  // `///` lines joined by newlines, markers removed
  Span span;        // the whole declaration
};

struct File {
  uint32_t source = 0;  // index in the SourceMap
  std::vector<Item> items;
};

}  // namespace attr::syntax
