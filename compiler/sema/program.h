// The linked program: every pack's declarations with names resolved, types
// checked and tables read, but nothing yet in the engines' form. Borrowed
// pointers go into syntax trees that the Compilation owns.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/sema/typed.h"
#include "compiler/syntax/ast.h"
#include "runtime/plan/plan.h"

namespace attr::sema {

/// A table's CSV as registered in the SourceMap.
struct TableFile {
  uint32_t source = 0;
};
/// One pack as handed to Analyze. Packs stand root first, then imports breadth first.
struct PackInput {
  std::string name;  // as the `pack` block says
  std::string version;
  std::string sha256;  // of its sources
  const syntax::PackDecl* decl = nullptr;
  std::vector<const syntax::File*> files;
  std::map<std::string, TableFile> tables;  // by name relative to the pack
  std::vector<uint32_t> imports;            // direct, in declared order
};

enum class ItemKind : uint8_t { kEvent, kRule, kTable, kConst };
std::string_view Describe(ItemKind kind);

struct Item {
  ItemKind kind = ItemKind::kEvent;
  uint32_t index = 0;  // in Program's vector of that kind
  Span span;           // of the name
  mutable bool used = false;
};

struct Const {
  plan::Type type = plan::Type::kInt;
  int64_t imm = 0;
  std::string text;
};
/// Slot, type and text of a literal.
Const LiteralOf(const syntax::Literal& literal);

struct Cell {
  bool present = false;
  int64_t slot = 0;
  std::string text;  // id types
};
struct TableColumn {
  std::string name;
  plan::Type type = plan::Type::kText;
  bool optional = false;
  int64_t unit = 1;
  Span span;
  std::vector<Cell> cells;
};
struct Table {
  uint32_t pack = 0;
  const syntax::TableDecl* decl = nullptr;
  std::string qualified;
  std::vector<uint32_t> keys;
  std::vector<TableColumn> columns;
  bool poisoned = false;
};

struct Field {
  std::string name;
  plan::Type type = plan::Type::kText;
  bool optional = false;
  bool hidden = false;
  int64_t unit = 1;
  plan::FieldFrom from = plan::FieldFrom::kGroup;
  std::string source;  // group, attribute path or builtin
  TypedPtr value;      // kExpr, kWindow
  plan::WindowKind window = plan::WindowKind::kLast;
  bool peers = false;
  /// When it is there: 0 with the line, 1 with the window that ends there, 2 when lines are folded.
  uint8_t stage = 0;
  Span span;
};
struct SameField {
  uint32_t left = 0, right = 0;  // columns of the event and of the closing one
  bool place = false;
};
/// See plan::Fold.
struct Fold {
  plan::FoldKind kind = plan::FoldKind::kUnfolded;
  int64_t span = 0;
  uint32_t records = 0;
  std::vector<uint32_t> keys;
  uint32_t closed_by = plan::kNone;
  std::vector<SameField> same;
  std::vector<TypedPtr> where;
  TypedPtr having;
};
struct TextClause {
  bool optional = false;
  uint32_t field = plan::kNone;  // column
  std::vector<std::string> regexes;
};
struct Event {
  uint32_t pack = 0;
  const syntax::EventDecl* decl = nullptr;
  std::string doc;
  std::string qualified;
  uint32_t parent = plan::kNone;
  std::vector<uint32_t> members;                                          // of a union
  bool poisoned = false;                                                  // its fields are not all known
  std::vector<std::vector<std::pair<std::string, std::string>>> sources;  // (source, metric)
  plan::EventScope scope;
  std::vector<TextClause> texts;
  std::optional<std::string> each;
  std::vector<std::string> unless;
  std::vector<Field> fields;  // inherited first; by stage
  std::vector<TypedPtr> where;
  TypedPtr since;
  Fold fold;
  std::optional<Span> disabled;  // by this declaration; it is not lowered then
  // What is no observation (row_events.h); `decl` is null.
  plan::EventOrigin origin = plan::EventOrigin::kObservations;
  std::vector<uint32_t> rules;  // kFindings: ascending
  uint32_t of = plan::kNone;    // a table; an event
  int64_t duration = 0;

  uint32_t FindField(std::string_view name) const;  // column or kNone; visible fields only
};

struct Relation {
  plan::RelationKind kind = plan::RelationKind::kAfter;
  int64_t distance = 0;
  uint32_t left = 0;  // binding
};
struct Binding {
  std::string name;
  plan::BindKind kind = plan::BindKind::kPositive;
  uint32_t event = plan::kNone;  // kNone: unknown, poisoned
  std::vector<TypedPtr> where;
  std::vector<Relation> relations;  // against bindings to the left
  Span span;
  uint32_t alternative = 0;
};
// `more`: what the clause means in the further alternatives, in their order.
struct Key {
  std::string name;
  TypedPtr value;
  std::vector<TypedPtr> more = {};
};
struct Extreme {
  plan::ExtremeKind kind = plan::ExtremeKind::kEarliest;
  std::vector<uint32_t> bindings;  // one an alternative
  std::vector<TypedPtr> by;        // kLeast, kMost: one an alternative
};
struct Blame {
  plan::BlameKind kind = plan::BlameKind::kNode;
  TypedPtr value;
  std::vector<TypedPtr> more = {};
};
struct Segment {
  plan::SegmentKind kind = plan::SegmentKind::kText;
  std::string text;
  TypedPtr value;                       // kColumn, kExpr
  std::vector<uint32_t> bindings = {};  // kCount: one an alternative
  std::vector<TypedPtr> more = {};
  uint32_t exported = 0;  // kExport
};
struct Export {
  std::string name;
  std::vector<TypedPtr> values;  // one an alternative: aggregates, or values over bindings that have members
};
/// What an `override` says of an imported rule.
struct Override {
  uint32_t pack = 0;  // that says it
  const syntax::OverrideDecl* decl = nullptr;
  struct Constant {
    Const value;
    Span span;
    bool read = false;
  };
  std::map<uint32_t, Constant> constants;  // by index in Program::consts
};
/// A part of an outcome's expression: `stalled(...)`, or `not` that.
struct StallTerm {
  const syntax::Expr* expr = nullptr;
  bool negated = false;
};
struct Rule {
  plan::RuleKind kind = plan::RuleKind::kCause;
  uint32_t pack = 0;
  const syntax::RuleDecl* decl = nullptr;        // causes and symptoms
  const syntax::OutcomeDecl* outcome = nullptr;  // outcomes
  std::string qualified, title, doc;
  Span span;  // of the name
  plan::TerminalState state = plan::TerminalState::kUnknown;
  std::vector<uint32_t> domains, suggests;
  std::vector<std::string> tags, advise;
  std::vector<Binding> bindings;  // of all alternatives, one after the other
  uint32_t alternatives = 1;
  std::vector<std::string> common, partial;  // names that every alternative, that only some bind
  std::vector<Key> keys;
  int64_t gap = plan::kNoWindow;
  std::vector<Extreme> extremes;
  std::vector<TypedPtr> having;  // one an alternative
  std::vector<Blame> blame;
  std::vector<Segment> explain;
  std::optional<Span> disabled;  // by this declaration
  std::optional<Override> overridden;
  std::vector<Export> exports;
  std::vector<StallTerm> terms;  // outcomes of an expression: what must hold together
  bool cyclic = false;           // its findings wait for themselves; reported

  bool HasTag(std::string_view tag) const;
};

struct Demotion {
  uint32_t source = 0;
  std::vector<uint32_t> targets;  // rules, ascending
  std::string target_text;
  plan::DemoteOn on = plan::DemoteOn::kAny;
  int64_t within = plan::kNoWindow;
  int64_t lead = 0;
  std::string because;
  Span span;
  bool after = false;  // `self after`
};
struct OrderSide {
  plan::SideKind kind = plan::SideKind::kAll;
  uint32_t index = 0;  // rule or domain
  std::string tag;
  std::string text;  // as written
  Span span;
};
struct OrderPair {
  OrderSide above, below;
};
struct AmbiguityClause {
  OrderSide left, right;
  int64_t within = plan::kNoWindow, apart = plan::kNoWindow;
  plan::AmbiguityThen then = plan::AmbiguityThen::kNothing;
  std::string because;
};
struct Domain {
  std::string path, title;
  uint32_t parent = plan::kNone;
  uint32_t pack = 0;
  Span span;
};

struct Pack {
  const PackInput* input = nullptr;
  std::map<std::string, Item, std::less<>> items;
  std::vector<uint32_t> reach;  // packs seen from here, itself first: vocabulary (domains, sources)
};

struct Program {
  std::vector<Pack> packs;
  std::vector<Const> consts;
  std::vector<Table> tables;
  std::vector<Event> events;
  std::vector<uint32_t> event_order;                        // what an event is made of stands before it
  std::map<std::string, uint32_t, std::less<>> row_events;  // those without a declaration, by name
  std::vector<Rule> rules;                                  // in the plan's order: outcomes, then by qualified name
  std::vector<Demotion> demotions;
  std::vector<OrderPair> order;
  std::vector<AmbiguityClause> ambiguity;  // the root pack's first, then imports'
  std::vector<Domain> domains;             // by path, so parents first
  std::map<std::string, uint32_t, std::less<>> domain_index;
  std::vector<std::string> sources;                               // sorted
  std::vector<std::string> disabled;                              // rules, by qualified name: tests may name them
  std::map<std::string, diagnostics::Span, std::less<>> regexes;  // as RE2 reads them, where each stands first
};

/// Everything up to lowering. Errors go to the sink; the program is complete
/// only when it got none.
/// Does the text of some file declare the name, whether or not it could be parsed?
bool DeclaredInText(const diagnostics::SourceMap& sources, std::string_view name);

Program Analyze(const std::vector<PackInput>& packs, const diagnostics::SourceMap& sources, diagnostics::Sink& sink);

}  // namespace attr::sema
