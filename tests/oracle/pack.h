// A pack as the oracle reads it: the syntax tree of the product's parser with
// names resolved by a resolver of its own. No lowering: expressions stay trees.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/syntax/ast.h"
#include "tests/oracle/value.h"

namespace attr::oracle {

inline constexpr uint32_t kNone = UINT32_MAX;

/// The sources of one pack: rule files by path, tables by file name.
struct PackText {
  std::map<std::string, std::string> rules;
  std::map<std::string, std::string> tables;
};

enum class From : uint8_t { kInherited, kGroup, kAttribute, kBuiltin, kExpression, kFold };
struct Field {
  std::string name;
  Type type = Type::kText;
  bool optional = false;
  int64_t unit = 1;
  From from = From::kGroup;
  std::string source;  // group, dotted path, property
  const syntax::Expr* value = nullptr;
};

/// Where an event's rows come from.
enum class Origin : uint8_t { kRecords, kFindings, kTable, kInventory };
struct Event {
  Origin origin = Origin::kRecords;
  std::string qualified;
  uint32_t pack = 0;
  const syntax::EventDecl* decl = nullptr;  // of records
  std::vector<uint32_t> rules;              // whose findings they are
  bool decides = false;                     // of outcomes: only where the outcome is the terminal state
  uint32_t table = kNone;
  std::string inventory;  // node, rank, gpu
  uint32_t parent = kNone;
  uint32_t closed_by = kNone;
  std::vector<uint32_t> members;  // of a union
  std::set<uint32_t> roots;       // the events whose sources it reads
  std::set<std::string> groups;   // named groups of its own text clauses
  std::vector<Field> fields;      // inherited ones first
  const Field* Find(const std::string& name) const;
};

struct Table {
  std::vector<std::string> columns;
  std::vector<Type> types;
  uint32_t key = 0;  // column
  std::vector<std::vector<Value>> rows;
  uint32_t Column(const std::string& name) const;
};

struct Domain {
  std::string path;
  uint32_t parent = kNone;
};

enum class Kind : uint8_t { kCause, kSymptom, kOutcome };
enum class Word : uint8_t { kPositive, kWithout, kUnless, kWith };
struct Binding {
  Word word = Word::kPositive;
  std::string name;
  uint32_t event = kNone;
  const syntax::Binding* decl = nullptr;
};
struct Segment {
  std::string literal;
  syntax::ExprPtr placeholder;  // null: literal
};
struct Rule {
  Kind kind = Kind::kCause;
  uint32_t pack = 0;
  std::string qualified, title, doc, state;
  const syntax::Condition* outcome_when = nullptr;  // of an outcome
  const syntax::RuleDecl* decl = nullptr;           // null for outcomes
  std::vector<uint32_t> domains, suggests;
  std::vector<std::string> advise;
  std::set<std::string> tags;
  std::vector<std::vector<Binding>> alternatives;  // each with the shared bindings behind it
  std::vector<std::pair<std::string, const syntax::Expr*>> keys;
  std::vector<std::pair<std::string, const syntax::Expr*>> exports;
  const syntax::Expr* when_expr = nullptr;  // `stalled(...)`
  std::vector<const syntax::ClosedBy*> closed_by;
  bool per_attempt = false;  // no key at all
  const syntax::Expr* default_key = nullptr;
  std::vector<Segment> explain;
};

enum class Place : uint8_t { kAttempt, kNode, kGpu, kLabel };
struct Demotion {
  uint32_t source = kNone;
  std::vector<uint32_t> targets;
  Place on = Place::kAttempt;
  std::optional<int64_t> within;
  int64_t lead = 0;
  std::string because;
  uint32_t pack = 0;
  const syntax::Expr* where = nullptr;
  std::string label;        // of kLabel: rack, nvlink_domain
  bool self_after = false;  // the first explains later findings of its own rule
};

struct Preference {
  uint32_t over = kNone, under = kNone, pack = 0;
  const syntax::Prefer* decl = nullptr;
  std::string text;
};

enum class SideKind : uint8_t { kAll, kRule, kTag, kDomain };
struct Side {
  SideKind kind = SideKind::kAll;
  uint32_t index = kNone;  // rule or domain
  std::string tag;
  std::string text;
  bool operator==(const Side& o) const { return kind == o.kind && index == o.index && tag == o.tag; }
};
struct Pair {
  Side above, below;
  std::string text;
};

struct Clause {
  enum class Then : uint8_t { kNothing, kEarliest, kLatest };
  Side left, right;
  std::optional<int64_t> within, apart;
  Then then = Then::kNothing;
  std::string text;
};

struct Import {
  std::string name, version;
};

/// Owns the trees that everything points into.
struct Pack {
  std::string name, version;
  std::vector<Import> imports;
  std::vector<syntax::Skew> skews;
  int64_t grace = 600'000'000'000;
  std::vector<Event> events;
  std::vector<Table> tables;
  std::vector<Domain> domains;
  std::vector<Rule> rules;  // outcomes in order of declaration, then by qualified name
  std::vector<Demotion> demotions;
  std::vector<Pair> order;
  std::vector<Preference> preferences;
  std::vector<Clause> clauses;  // of ambiguity, in the order in which they are asked
  std::set<std::string> sources;

  // Names, by pack index.
  struct Names {
    std::string pack;
    std::vector<uint32_t> imports;
    std::map<std::string, uint32_t> events, tables, rules;
    std::map<std::string, const syntax::Literal*> constants;
  };
  std::vector<Names> names;
  std::map<std::string, uint32_t> domain_index;

  uint32_t FindEvent(uint32_t from, const syntax::QName& name) const;
  uint32_t FindTable(uint32_t from, const std::string& pack, const std::string& name) const;
  uint32_t FindRule(uint32_t from, const syntax::QName& name) const;
  const syntax::Literal* FindConstant(uint32_t from, const std::string& pack, const std::string& name) const;
  int64_t Duration(uint32_t from, const syntax::DurationRef& ref) const;
  /// The domain is `ancestor` or lies below it.
  bool IsWithin(uint32_t domain, uint32_t ancestor) const;

  diagnostics::SourceMap sources_map;
  diagnostics::Sink sink;
  std::vector<std::vector<syntax::File>> files;  // by pack
  std::set<std::string> disabled;                // qualified names
};

/// `packs`: the root pack first, then what it imports, by name. The compiler has
/// accepted them: nothing is checked here. Throws std::runtime_error on what this
/// oracle does not read.
std::unique_ptr<Pack> ReadPack(const PackText& root, const std::map<std::string, PackText>& imports);

/// What rules may read of findings that they bind.
void ReadFindingFields(Pack* pack);

Value LiteralValue(const syntax::Literal& literal);
/// `(?<name>…)` is `(?P<name>…)`.
std::string Re2Text(const std::string& regex);

}  // namespace attr::oracle
