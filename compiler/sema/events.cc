// Events: sources, the parent, text clauses, fields, conditions, example fields.
// Whether examples match is asked of the finished plan (lower/examples.cc).
#include <algorithm>

#include "compiler/sema/folding.h"
#include "compiler/sema/regexes.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

using plan::FieldFrom;
using plan::Type;

class EventAnalyzer {
 public:
  EventAnalyzer(Context& context, uint32_t index)
      : context_(context),
        event_(context.program.events[index]),
        decl_(*event_.decl),
        scope_(context, event_),
        checker_(context, event_.pack, scope_) {}

  void Analyze() {
    if (!decl_.union_of.empty()) return Unite();
    for (const syntax::SourceRef& source : decl_.sources) AddSource(source);
    if (decl_.extends) Inherit();
    for (const syntax::ScopeClause& scope : decl_.scopes) AddScope(scope);
    for (const syntax::TextClause& text : decl_.texts) AddText(text);
    if (!decl_.each.empty()) AddEach();
    Folding folding(context_, event_, scope_);
    folding.Begin();
    for (const syntax::Text& unless : decl_.unless) {
      if (const auto regex = CheckRegex(context_, unless)) event_.unless.push_back(regex->text);
    }
    for (const syntax::FieldDef& field : decl_.fields) AddField(field);
    BindTextFields();
    for (const syntax::ExprPtr& where : decl_.where) folding.AddWhere(checker_.Condition(*where), where->span);
    if (decl_.since) AddSince();
    folding.Finish(checker_);
    ReportUnreadGroups();
    for (const syntax::Example& example : decl_.examples) CheckExample(example);
  }

 private:
  void AddSource(const syntax::SourceRef& source) {
    std::vector<std::pair<std::string, std::string>> alternatives;
    for (const auto& alternative : source.alternatives) {
      CheckSource(context_, alternative.source.text, alternative.source.span);
      alternatives.emplace_back(alternative.source.text, alternative.metric ? alternative.metric->value : "");
    }
    event_.sources.push_back(std::move(alternatives));
  }

  void Inherit() {
    const Item* item = FindItemOf(context_, event_.pack, *decl_.extends, ItemKind::kEvent);
    if (!item) {
      event_.poisoned = true;
      return;
    }
    AnalyzeEvent(context_, item->index);
    const Event& parent = context_.program.events[item->index];
    event_.parent = item->index;
    event_.poisoned = event_.poisoned || parent.poisoned;
    for (const Field& inherited : parent.fields) {
      if (inherited.stage != 0) break;  // a child refines lines
      Field field;
      field.name = inherited.name;
      field.type = inherited.type;
      field.optional = inherited.optional;
      field.hidden = inherited.hidden;
      field.unit = inherited.unit;
      field.from = FieldFrom::kInherited;
      field.source = inherited.source;
      field.span = inherited.span;
      event_.fields.push_back(std::move(field));
    }
  }

  /// The fields that every member has, with one type.
  void Unite() {
    for (const syntax::QName& name : decl_.union_of) {
      const Item* item = FindItemOf(context_, event_.pack, name, ItemKind::kEvent);
      if (!item) {
        event_.poisoned = true;
        continue;
      }
      AnalyzeEvent(context_, item->index);
      const Event& member = context_.program.events[item->index];
      event_.poisoned = event_.poisoned || member.poisoned;
      if (std::find(event_.members.begin(), event_.members.end(), item->index) != event_.members.end()) {
        context_.Error(Code::kDuplicateName, name.span, fmt::format("`{}` stands twice in the union", name.name));
        continue;
      }
      event_.members.push_back(item->index);
      Widen(member.scope);
      for (const auto& source : SourcesOf(item->index)) {
        if (std::find(event_.sources.begin(), event_.sources.end(), source) == event_.sources.end()) {
          event_.sources.push_back(source);
        }
      }
    }
    if (event_.members.empty()) return;
    for (const Field& field : context_.program.events[event_.members[0]].fields) AddCommon(field);
  }

  /// A union is blind where any member is, and each member in its own scope.
  void Widen(const plan::EventScope& scope) {
    event_.scope.before = std::max(event_.scope.before, scope.before);
    event_.scope.after = std::max(event_.scope.after, scope.after);
    event_.scope.any_node = event_.scope.any_node || scope.any_node;
  }

  /// Those of the event at the root; an event that extends another has none of its own.
  const std::vector<std::vector<std::pair<std::string, std::string>>>& SourcesOf(uint32_t event) const {
    const std::vector<Event>& events = context_.program.events;
    while (events[event].parent != plan::kNone) event = events[event].parent;
    return events[event].sources;
  }

  void AddCommon(const Field& first) {
    Field field;
    field.name = first.name;
    field.type = first.type;
    field.optional = first.optional;
    field.from = FieldFrom::kInherited;
    field.span = first.span;
    if (first.hidden) return;
    for (const uint32_t index : event_.members) {
      const Event& member = context_.program.events[index];
      const uint32_t column = member.FindField(first.name);
      if (column == plan::kNone || member.fields[column - plan::kSystemColumns].type != first.type) return;
      field.optional = field.optional || member.fields[column - plan::kSystemColumns].optional;
    }
    event_.fields.push_back(std::move(field));
  }

  void AddText(const syntax::TextClause& text) {
    TextClause clause;
    clause.optional = text.optional;
    text_groups_.emplace_back();
    for (const syntax::Text& literal : text.regexes) {
      const auto regex = CheckRegex(context_, literal);
      if (!regex) {
        groups_unknown_ = true;
        continue;
      }
      clause.regexes.push_back(regex->text);
      text_groups_.back().insert(regex->groups.begin(), regex->groups.end());
      for (const std::string& group : regex->groups) {
        if (scope_.groups.insert(group).second) group_spans_.emplace_back(group, GroupSpan(context_, literal, group));
      }
      if (regex->matches_empty && !text.optional && event_.pack == 0) {
        context_.Error(Code::kMatchesEmpty, literal.span, "regular expression matches the empty text");
      }
    }
    event_.texts.push_back(std::move(clause));
  }

  void AddEach() {
    if (decl_.each.size() > 1) {
      context_.Error(Code::kDuplicateClause, decl_.each[1].span, "`each` is given twice", "a second time");
    }
    const auto regex = CheckRegex(context_, decl_.each[0]);
    if (!regex) {
      groups_unknown_ = true;
      return;
    }
    event_.each = regex->text;
    each_groups_.insert(regex->groups.begin(), regex->groups.end());
    for (const std::string& group : regex->groups) {
      if (scope_.groups.insert(group).second) {
        group_spans_.emplace_back(group, GroupSpan(context_, decl_.each[0], group));
      }
    }
    if (regex->matches_empty && event_.pack == 0) {
      context_.Error(Code::kMatchesEmpty, decl_.each[0].span, "regular expression matches the empty text");
    }
  }

  void AddScope(const syntax::ScopeClause& scope) {
    const auto refuse = [&](std::string message) { context_.Error(Code::kBadScope, scope.span, std::move(message)); };
    if (decl_.extends) return refuse("an event that extends another has its scope");
    if (scope.what.text == "nodes") {
      if (!scope.word || scope.word->text != "any") return refuse("`scope nodes` has one form: `scope nodes any`");
      event_.scope.any_node = true;
      return;
    }
    if (scope.what.text != "time" || !scope.time) return refuse("a scope is of `time` or of `nodes`");
    const auto [from, to] = *scope.time;
    if (from > 0 || to < 0) return refuse("a scope only widens: from before the attempt's start to after its end");
    if (-from > kMaxWindow || to > kMaxWindow) {
      context_.Error(Code::kOutOfRange, scope.span, "a scope reaches at most 366d to each side");
      return;
    }
    event_.scope.before = -from;
    event_.scope.after = to;
  }

  /// Is the group one of a clause that is matched before the i-th?
  bool CapturedBefore(size_t i, const std::string& group) const {
    for (size_t t = 0; t < decl_.texts.size(); ++t) {
      if (decl_.texts[t].field && t >= i) continue;
      if (text_groups_[t].count(group) != 0) return true;
    }
    return each_groups_.count(group) != 0;
  }

  void AddField(const syntax::FieldDef& def) {
    const auto type = ResolveType(context_, def.type);
    if (event_.FindField(def.name.text) != plan::kNone) {
      const Field& first = event_.fields[event_.FindField(def.name.text) - plan::kSystemColumns];
      diagnostics::Diagnostic diagnostic;
      diagnostic.code = Code::kDuplicateName;
      diagnostic.message = fmt::format("field `{}` is declared twice", def.name.text);
      diagnostic.primary = {def.name.span, ""};
      diagnostic.secondary.push_back(
          {first.span, first.from == FieldFrom::kInherited ? "inherited from here" : "first declared here"});
      context_.sink.Add(std::move(diagnostic));
      return;
    }
    Field field;
    field.name = def.name.text;
    field.span = def.name.span;
    if (type) {
      field.type = type->type;
      field.optional = type->optional;
      field.unit = type->unit;
      CheckReserved(def, field.type);
      ReadFrom(def, &field);
    } else {
      event_.poisoned = true;
      return;
    }
    event_.fields.push_back(std::move(field));
  }

  void CheckReserved(const syntax::FieldDef& def, Type type) {
    const std::string& name = def.name.text;
    const bool place = (name == "node" && type != Type::kNode) || (name == "rank" && type != Type::kRank) ||
                       (name == "gpu" && type != Type::kGpu);
    if (place) {
      context_.Error(Code::kReservedField, def.name.span,
                     fmt::format("field `{}` says what the event is about; its type must be `{}`", name, name));
    }
    if (name == "begin" || name == "end" || name == "observer" || name == "time" || name == "attrs") {
      context_.Error(Code::kReservedField, def.name.span, fmt::format("every event has `{}` already", name));
    }
  }

  /// What the field reads: a group, an attribute, a built-in property or an expression.
  void ReadFrom(const syntax::FieldDef& def, Field* field) {
    if (!def.value) {
      if (ReadName(def.name.text, field) || groups_unknown_) return;
      std::vector<std::string_view> names(scope_.groups.begin(), scope_.groups.end());
      context_.Error(Code::kFieldWithoutGroup, def.name.span,
                     fmt::format("field `{}` has no group of its name", def.name.text), "",
                     DidYouMean(def.name.text, names));
      return;
    }
    if (const auto* reference = std::get_if<syntax::RefExpr>(&def.value->node)) {
      if (reference->pack.empty() && reference->parts.size() == 1 && ReadName(reference->parts[0].text, field)) return;
      if (reference->pack.empty() && reference->parts.size() > 1 && reference->parts[0].text == "attrs") {
        field->from = FieldFrom::kAttribute;
        field->source = AttributePath(*reference);
        return;
      }
      if (groups_unknown_ && reference->parts.size() == 1 && !scope_.Knows(*reference)) return;
    }
    ReadExpression(def, field);
  }

  bool ReadName(const std::string& name, Field* field) {
    if (scope_.groups.count(name) != 0) {
      field->from = FieldFrom::kGroup;
    } else if (BuiltinType(name) && event_.FindField(name) == plan::kNone) {
      field->from = FieldFrom::kBuiltin;
    } else {
      return false;
    }
    field->source = name;
    return true;
  }

  void ReadExpression(const syntax::FieldDef& def, Field* field) {
    field->from = FieldFrom::kExpr;
    field->value = checker_.Value(*def.value, field->type);
    if (field->value->poison()) return;
    field->stage = StageOf(event_, *field->value) == 0 ? 0 : 2;
    if (field->type == Type::kFloat && (field->value->type == Type::kInt || field->value->type == Type::kRank)) {
      auto converted = std::make_unique<Typed>();
      converted->kind = TypedKind::kToFloat;
      converted->type = Type::kFloat;
      converted->span = field->value->span;
      converted->args.push_back(std::move(field->value));
      field->value = std::move(converted);
      return;
    }
    const bool integers = (field->type == Type::kInt && field->value->type == Type::kRank);
    if (field->value->type == field->type || integers) return;
    context_.Error(Code::kUnlikeTypes, def.value->span,
                   fmt::format("field `{}` is {}, the expression is {}", field->name, Article(field->type),
                               Article(field->value->type)));
  }

  void BindTextFields() {
    for (size_t i = 0; i < decl_.texts.size(); ++i) {
      if (!decl_.texts[i].field) continue;
      const syntax::Name& name = *decl_.texts[i].field;
      const uint32_t column = event_.FindField(name.text);
      if (column == plan::kNone) {
        std::vector<std::string_view> names;
        for (const Field& field : event_.fields) names.push_back(field.name);
        if (!event_.poisoned) {
          context_.Error(Code::kUnknownField, name.span, fmt::format("the event has no field `{}`", name.text), "",
                         DidYouMean(name.text, names));
        }
        continue;
      }
      const Field& field = event_.fields[column - plan::kSystemColumns];
      if (field.type != Type::kText) {
        context_.Error(Code::kWrongOperand, name.span,
                       fmt::format("`text` reads text, `{}` is {}", name.text, Article(field.type)));
      } else if (field.from == FieldFrom::kExpr || field.stage != 0) {
        context_.Error(Code::kLateTextField, name.span,
                       fmt::format("`text` matches what the record holds; `{}` is computed", name.text));
      } else if (field.from == FieldFrom::kGroup && !CapturedBefore(i, field.source)) {
        context_.Error(Code::kLateTextField, name.span,
                       fmt::format("no clause before this one captures `{}`", name.text), "",
                       "clauses on the record come first, then `each`, then clauses on fields as they are written");
      }
      event_.texts[i].field = column;
    }
  }

  void AddSince() {
    event_.since = checker_.Value(*decl_.since, Type::kTime);
    if (StageOf(event_, *event_.since) != 0) {
      context_.Error(Code::kBadFold, decl_.since->span, "`since` is asked before lines are folded");
    }
    if (event_.since->poison() || event_.since->type == Type::kTime) return;
    context_.Error(Code::kUnlikeTypes, decl_.since->span,
                   fmt::format("`since` needs a time, this is {}", Article(event_.since->type)), "",
                   "write `since time - duration`");
  }

  void ReportUnreadGroups() {
    for (const auto& [group, span] : group_spans_) {
      const bool read = std::any_of(event_.fields.begin(), event_.fields.end(), [name = &group](const Field& field) {
        return field.from == FieldFrom::kGroup && field.source == *name;
      });
      if (read || event_.poisoned) continue;
      context_.Error(Code::kGroupWithoutField, span, fmt::format("no field reads group `{}`", group), "",
                     fmt::format("declare `field {}: text`, or write `(?:` instead", group));
    }
  }

  void CheckExample(const syntax::Example& example) {
    for (const auto& [name, literal] : example.fields) {
      const uint32_t column = event_.FindField(name.text);
      if (column == plan::kNone) {
        if (event_.poisoned) continue;
        std::vector<std::string_view> names;
        for (const Field& field : event_.fields) {
          if (!field.hidden) names.push_back(field.name);
        }
        context_.Error(Code::kUnknownField, name.span, fmt::format("the event has no field `{}`", name.text), "",
                       DidYouMean(name.text, names));
        continue;
      }
      const Type type = event_.fields[column - plan::kSystemColumns].type;
      const Type given = LiteralOf(literal).type;
      const bool fits = given == type || (given == Type::kText && plan::IsId(type)) ||
                        (given == Type::kInt && (type == Type::kRank || type == Type::kFloat));
      if (fits) continue;
      context_.Error(Code::kUnlikeTypes, literal.span,
                     fmt::format("field `{}` is {}, the example gives {}", name.text, Article(type), Article(given)));
    }
  }

  Context& context_;
  Event& event_;
  const syntax::EventDecl& decl_;
  EventScope scope_;
  Checker checker_;
  bool groups_unknown_ = false;
  std::vector<std::set<std::string>> text_groups_;  // by text clause
  std::set<std::string> each_groups_;
  std::vector<std::pair<std::string, Span>> group_spans_;
};

}  // namespace

void AnalyzeEvent(Context& context, uint32_t event) {
  if (!context.analyzed_events.insert(event).second) return;
  EventAnalyzer(context, event).Analyze();
}

void AnalyzeEvents(Context& context) {
  OrderEvents(context);
  for (const uint32_t event : context.program.event_order) AnalyzeEvent(context, event);
}

}  // namespace attr::sema
