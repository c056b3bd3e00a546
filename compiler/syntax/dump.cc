// The tree as indented text, for `attrc inspect --emit=ast` and for tests. One
// line a node: its kind, its own values, then its children below it.
#include <fmt/format.h>

#include "compiler/syntax/dumper.h"
#include "compiler/syntax/parse.h"

namespace attr::syntax {
namespace {

class ItemDumper : public Dumper {
 public:
  using Dumper::Dumper;

  void Item(const syntax::Item& item) {
    std::visit([&](const auto& node) { Declaration(node); }, item.node);
    if (!item.doc.empty()) {
      Nested nested(*this);
      Line("doc {}", Quote(item.doc));
    }
  }

 private:
  void Declaration(const PackDecl& d) {
    Line("pack {} {}", d.name.text, d.version.value);
    Nested nested(*this);
    if (d.language) Line("language {}", *d.language);
    for (const Import& import : d.imports) Line("import {} {}", import.pack.text, import.version.value);
    for (const Skew& skew : d.skews) Line("skew {}{}ns", skew.clock.empty() ? "" : skew.clock + " ", skew.nanos);
    if (d.grace) Line("grace {}ns", *d.grace);
  }
  void Declaration(const DomainDecl& d) { Line("domain {} {}", d.path.text, Quote(d.title.value)); }
  void Declaration(const SourceDecl& d) {
    Line("source {}{}", d.name.text, d.title ? " " + Quote(d.title->value) : "");
  }
  void Declaration(const ConstDecl& d) { Line("const {} = {}", d.name.text, Show(d.value)); }
  void Declaration(const DisableDecl& d) { Line("disable {}{}", Show(d.item), ShowBecause(d.because)); }
  void Declaration(const OverrideDecl& d) {
    Line("override {}{}", Show(d.item), ShowBecause(d.because));
    Nested nested(*this);
    if (d.domain) Line("domain {}", d.domain->text);
    if (!d.advise.empty()) Line("advise {}", Show(d.advise));
    for (const ConstDecl& constant : d.constants) Declaration(constant);
  }
  void Declaration(const Allow& d) { AllowLine(d); }
  void Declaration(const TableDecl& d) {
    Line("table {} from {}{}", d.name.text, Quote(d.file.value), d.keys.empty() ? "" : " key " + Show(d.keys));
    Nested nested(*this);
    for (const FieldDef& column : d.columns) Field(column);
  }
  void Declaration(const OutcomeDecl& d) {
    Line("outcome {}", d.name.text);
    Nested nested(*this);
    ConditionLines(d.when);
  }
  void Declaration(const Demote& d) { DemoteLines(d); }
  void Declaration(const EventDecl& d);
  void Declaration(const RuleDecl& d);
  void Declaration(const PrecedenceDecl& d);
  void Declaration(const AmbiguityDecl& d);
  void Declaration(const TestDecl& d) { TestLines(d); }

  void AllowLine(const Allow& allow) {
    Line("allow {} {}{}", allow.code.text, Quote(allow.reason.value),
         allow.until ? " until " + Quote(allow.until->value) : "");
  }
  void Field(const FieldDef& field) {
    const TypeRef& type = field.type;
    Line("field {}: {}{}{}{}", field.name.text, type.set ? "set of " : "", type.name,
         type.unit.empty() ? "" : "(" + type.unit + ")", type.optional ? "?" : "");
    Below(field.value);
  }
  void BindingLines(const Binding& binding);
  void ConditionLines(const Condition& condition);
  void DemoteLines(const Demote& demote);
};

void ItemDumper::Declaration(const EventDecl& d) {
  Line("event {}{}", d.name.text, d.extends ? " extends " + Show(*d.extends) : "");
  Nested nested(*this);
  for (const SourceRef& source : d.sources) Line("from {}", Show(source));
  for (const QName& part : d.union_of) Line("carrier {}", Show(part));
  for (const TextClause& text : d.texts) {
    Line("text{}{}", text.optional ? "?" : "", text.field ? " " + text.field->text : "");
    Nested inner(*this);
    for (const Text& regex : text.regexes) Line("/{}/", regex.value);
  }
  for (const Text& regex : d.each) Line("each /{}/", regex.value);
  for (const Text& regex : d.unless) Line("unless /{}/", regex.value);
  for (const FieldDef& field : d.fields) Field(field);
  for (const ExprPtr& where : d.where) Labelled("where", where);
  Labelled("since", d.since);
  if (d.episode) Line("episode gap {} per {}", Show(d.episode->gap), Show(d.episode->per));
  if (d.closed_by) Line("closed by {} same {}", Show(d.closed_by->event), Show(d.closed_by->same));
  if (d.over) {
    Line("over {} per {}", d.over->duration ? Show(*d.over->duration) : std::to_string(d.over->records.value_or(0)),
         Show(d.over->per));
  }
  Labelled("having", d.having);
  for (const ScopeClause& scope : d.scopes) {
    Line("scope {} {}", scope.what.text,
         scope.time ? fmt::format("{}ns .. {}ns", scope.time->first, scope.time->second)
                    : (scope.word ? scope.word->text : ""));
  }
  for (const Example& example : d.examples) {
    Line("example {}", Quote(example.text.value));
    Nested inner(*this);
    for (const auto& [name, value] : example.fields) Line("{} = {}", name.text, Show(value));
  }
  for (const Text& reject : d.rejects) Line("reject {}", Quote(reject.value));
  for (const Allow& allow : d.allows) AllowLine(allow);
}

void ItemDumper::Declaration(const RuleDecl& d) {
  static constexpr std::string_view kExtremes[] = {"earliest", "latest", "least", "most"};
  Line("{} {}{}", d.is_cause ? "cause" : "symptom", d.name.text, d.title ? " " + Quote(d.title->value) : "");
  Nested nested(*this);
  if (d.domain) {
    Line("domain {}", Show(d.domain->alternatives, " | "));
    Below(d.domain->column);
  }
  if (!d.tags.empty()) Line("tags {}", Show(d.tags));
  if (!d.suggests.empty()) Line("suggests {}", Show(d.suggests));
  if (d.when) ConditionLines(*d.when);
  if (d.per) {
    Line("per{}", d.per->gap ? " gap " + Show(*d.per->gap) : "");
    for (const ExprPtr& key : d.per->keys) Below(key);
  }
  for (const Extreme& extreme : d.extremes) {
    Line("{} {}", kExtremes[static_cast<size_t>(extreme.kind)], extreme.binding.text);
    Below(extreme.by);
  }
  Labelled("having", d.having);
  for (const Blame& blame : d.blame) Labelled("blame " + blame.kind.text, blame.value);
  for (const Demote& demote : d.demotes) DemoteLines(demote);
  for (const ClosedBy& closed : d.closed_by) {
    Line("closed by {}{} same {}{}", closed.binding ? closed.binding->text + ": " : "", Show(closed.event),
         Show(closed.same), closed.after ? " after " + Show(*closed.after) : "");
    Below(closed.where);
  }
  for (const Export& exported : d.exports) Labelled("export " + exported.name.text, exported.value);
  if (!d.advise.empty()) Line("advise {}", Show(d.advise));
  if (d.explain) Line("explain {}", Quote(d.explain->value));
  for (const Allow& allow : d.allows) AllowLine(allow);
}

void ItemDumper::ConditionLines(const Condition& condition) {
  Line("when{}", condition.outcome ? " outcome " + condition.outcome->text : "");
  Nested nested(*this);
  if (condition.expr) Expression(*condition.expr);
  for (const Group& group : condition.groups) {
    const bool alternatives = condition.groups.size() > 1;
    if (alternatives) Line("alternative");
    Nested inner(*this, alternatives);
    for (const Binding& binding : group.bindings) BindingLines(binding);
  }
  for (const Binding& binding : condition.further) BindingLines(binding);
}

void ItemDumper::BindingLines(const Binding& binding) {
  static constexpr std::string_view kWords[] = {"", "and ", "without ", "unless ", "with "};
  static constexpr std::string_view kRelations[] = {"after", "before", "of", "after", "before"};
  Line("{}{}: {}{}", kWords[static_cast<size_t>(binding.word)], binding.name.text, binding.finding ? "finding " : "",
       binding.finding_tag ? "tag " + binding.finding_tag->text : Show(binding.event));
  Nested nested(*this);
  for (const TimeRel& relation : binding.relations) {
    Line("{}{} {}", relation.distance ? "within " + Show(*relation.distance) + " " : "",
         kRelations[static_cast<size_t>(relation.kind)], relation.binding.text);
  }
  for (const ExprPtr& where : binding.where) Labelled("where", where);
}

void ItemDumper::DemoteLines(const Demote& demote) {
  static constexpr std::string_view kKinds[] = {"", "tag ", "domain "};
  std::string targets = demote.self_after ? "self after" : "";
  for (const DemoteTarget& target : demote.targets) {
    if (!targets.empty()) targets += ", ";
    targets += kKinds[static_cast<size_t>(target.kind)];
    targets += Show(target.name);
  }
  Line("demote {}{}{}{}{}{}", targets, demote.by ? " by " + Show(*demote.by) : "",
       demote.on ? " on " + demote.on->text : "", demote.within ? " within " + Show(*demote.within) : "",
       demote.lead ? " lead " + Show(*demote.lead) : "", ShowBecause(demote.because));
  if (demote.where) {
    Nested nested(*this);
    Labelled("where", demote.where);
  }
}

void ItemDumper::Declaration(const PrecedenceDecl& d) {
  Line("precedence");
  Nested nested(*this);
  for (const Chain& chain : d.chains) {
    std::string text;
    for (const OrderRef& ref : chain.items) text += (text.empty() ? "" : " > ") + Show(ref);
    Line("{}", text);
  }
  for (const Prefer& prefer : d.prefers) {
    Line("prefer {}{} over {}{}{}", prefer.over_binding ? prefer.over_binding->text + ": " : "", Show(prefer.over),
         prefer.under_binding ? prefer.under_binding->text + ": " : "", Show(prefer.under),
         ShowBecause(prefer.because));
    Below(prefer.when);
  }
}

void ItemDumper::Declaration(const AmbiguityDecl& d) {
  static constexpr std::string_view kThen[] = {"", " then earliest", " then latest"};
  Line("ambiguity");
  Nested nested(*this);
  for (const Between& between : d.clauses) {
    Line("between {}, {}{}{}{}{}", Show(between.left), Show(between.right),
         between.within ? " within " + Show(*between.within) : "",
         between.unless_apart ? " unless apart " + Show(*between.unless_apart) : "",
         kThen[static_cast<size_t>(between.then)], ShowBecause(between.because));
  }
}

}  // namespace

std::string Dump(const Item& item) {
  ItemDumper dumper;
  dumper.Item(item);
  return dumper.Take();
}

}  // namespace attr::syntax
