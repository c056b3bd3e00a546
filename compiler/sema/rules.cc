// Causes, symptoms and outcomes, clause by clause. Demotions stand in
// demotions.cc, since they need every rule's tags.
#include <algorithm>

#include "compiler/sema/bindings.h"
#include "compiler/sema/row_events.h"
#include "compiler/sema/rule_scope.h"
#include "compiler/sema/templates.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

using plan::Type;

static_assert(static_cast<int>(plan::ExtremeKind::kMost) == static_cast<int>(syntax::Extreme::Kind::kMost));

/// Only aggregates, compared and joined, can be decided from a group's bounds.
bool OnlyAggregates(const Typed& typed) {
  if (typed.kind == TypedKind::kCountCompare || typed.kind == TypedKind::kAggregateCompare) return true;
  if (typed.kind != TypedKind::kAnd && typed.kind != TypedKind::kOr && typed.kind != TypedKind::kNot) return false;
  return std::all_of(typed.args.begin(), typed.args.end(), [](const TypedPtr& arg) { return OnlyAggregates(*arg); });
}

class RuleAnalyzer {
 public:
  RuleAnalyzer(Context& context, Rule& rule)
      : context_(context), rule_(rule), decl_(*rule.decl), scope_(context, rule) {}

  void Analyze() {
    RefuseClauses();
    for (const syntax::Name& tag : decl_.tags) {
      if (!rule_.HasTag(tag.text)) rule_.tags.push_back(tag.text);
    }
    const bool own_advice = !rule_.overridden || rule_.overridden->decl->advise.empty();
    const std::vector<syntax::Name>& advice = own_advice ? decl_.advise : rule_.overridden->decl->advise;
    for (const syntax::Name& word : advice) rule_.advise.push_back(word.text);
    for (const syntax::Name& domain : decl_.suggests) AddDomain(domain, &rule_.suggests, rule_.pack);
    AddDomains();
    if (!decl_.when) {
      Missing("when");
      return;
    }
    AnalyzeCondition(context_, rule_, *decl_.when);
    if (rule_.bindings.empty()) return;
    AddKeys();
    for (const syntax::Extreme& extreme : decl_.extremes) AddExtreme(extreme);
    if (decl_.having) AddHaving();
    for (const syntax::Blame& blame : decl_.blame) AddBlame(blame);
    scope_.bare_places = false;
    for (const syntax::Export& exported : decl_.exports) AddExport(exported);
    if (decl_.explain) rule_.explain = AnalyzeTemplate(context_, rule_, scope_, *decl_.explain);
  }

 private:
  void RefuseClauses() {
    if (!decl_.closed_by.empty()) context_.NotYet(decl_.closed_by[0].span, "`closed by`");
    if (decl_.is_cause && !decl_.suggests.empty()) {
      context_.Error(Code::kForeignClause, decl_.suggests[0].span, "a cause has no `suggests`", "",
                     "a cause says with `domain` where it belongs; `suggests` is a symptom's");
    }
    if (!decl_.is_cause && decl_.domain) {
      context_.Error(Code::kForeignClause, decl_.domain->span, "a symptom has no `domain`", "",
                     "a symptom names with `suggests` the domains that could be behind it; `domain` is a cause's");
    }
  }

  void Missing(std::string_view clause) {
    context_.Error(Code::kMissingClause, decl_.name.span,
                   fmt::format("{} `{}` has no `{}`", decl_.is_cause ? "cause" : "symptom", decl_.name.text, clause));
  }

  void AddDomain(const syntax::Name& name, std::vector<uint32_t>* domains, uint32_t pack) {
    const uint32_t domain = FindDomain(context_, pack, name.text, name.span);
    if (domain == plan::kNone) return;
    if (std::find(domains->begin(), domains->end(), domain) == domains->end()) domains->push_back(domain);
  }

  void AddDomains() {
    if (rule_.overridden && rule_.overridden->decl->domain) {
      return AddDomain(*rule_.overridden->decl->domain, &rule_.domains, rule_.overridden->pack);
    }
    if (!decl_.domain) {
      if (decl_.is_cause) Missing("domain");
      return;
    }
    if (decl_.domain->column) return context_.NotYet(decl_.domain->span, "a table column as `domain`");
    for (const syntax::Name& domain : decl_.domain->alternatives) AddDomain(domain, &rule_.domains, rule_.pack);
  }

  /// What an expression means in each alternative; empty after an error.
  template <class F>
  std::vector<TypedPtr> InEach(Span span, F&& analyze) {
    std::vector<TypedPtr> out;
    for (uint32_t a = 0; a < rule_.alternatives; ++a) {
      scope_.alternative = a;
      TypedPtr typed = analyze();
      if (!typed || typed->poison()) out.clear();
      if (!typed || typed->poison()) break;
      if (a != 0 && typed->type != out[0]->type) {
        context_.Error(Code::kAlternativesDiffer, span,
                       fmt::format("this is {} in one alternative and {} in another", Article(out[0]->type),
                                   Article(typed->type)));
        out.clear();
        break;
      }
      out.push_back(std::move(typed));
    }
    scope_.alternative = 0;
    return out;
  }

  void AddKeys() {
    scope_.bare_places = true;
    if (!decl_.per) {
      AddKey("node", InEach(rule_.span, [&] { return DefaultNode(); }));
      return;
    }
    if (decl_.per->gap) AddGap(*decl_.per->gap);
    scope_.current = 0;  // what `with` binds is no key
    for (const syntax::ExprPtr& expr : decl_.per->keys) {
      const auto* reference = std::get_if<syntax::RefExpr>(&expr->node);
      const bool bare = reference && reference->pack.empty() && reference->parts.size() == 1;
      if (bare && reference->parts[0].text == "attempt" && !scope_.Knows(*reference)) continue;
      AddKey(KeyName(reference), InEach(expr->span, [&] { return KeyValue(*expr); }));
    }
    scope_.current.reset();
  }

  void AddKey(std::string name, std::vector<TypedPtr> values) {
    if (values.empty()) values.push_back(std::make_unique<Typed>());
    Key key{std::move(name), std::move(values[0])};
    for (size_t a = 1; a < values.size(); ++a) key.more.push_back(std::move(values[a]));
    rule_.keys.push_back(std::move(key));
  }

  /// A silence divides the rows of one binding.
  void AddGap(const syntax::DurationRef& gap) {
    rule_.gap = ResolveDuration(context_, rule_.pack, gap).value_or(plan::kNoWindow);
    const Binding& first = rule_.bindings[0];
    for (size_t b = 1; b < rule_.bindings.size(); ++b) {
      const Binding& other = rule_.bindings[b];
      if (other.alternative == rule_.bindings[b - 1].alternative) continue;
      if (other.name == first.name && other.event == first.event) continue;
      context_.Error(Code::kAlternativesDiffer, decl_.per->span, "`gap` needs one first binding for all alternatives",
                     "", fmt::format("let every alternative begin with `{}`, of the same event", first.name));
      return;
    }
  }

  /// Null or poison after a diagnostic.
  TypedPtr KeyValue(const syntax::Expr& expr) {
    TypedPtr value = Checker(context_, rule_.pack, scope_).Value(expr);
    if (value->poison()) return value;
    const uint32_t own = BindingsOf(*value);
    if (own == 0) {
      context_.Error(Code::kWrongOperand, expr.span, "the key reads no binding, so it groups nothing");
      return nullptr;
    }
    if ((own & (own - 1)) != 0) {
      context_.Error(Code::kWrongOperand, expr.span, "a key reads one binding", "",
                     "write two keys, one of each binding");
      return nullptr;
    }
    return value;
  }

  /// The last name of a reference; unique among the keys.
  std::string KeyName(const syntax::RefExpr* reference) const {
    const std::string name = reference ? reference->parts.back().text : "key";
    std::string unique = name;
    for (int i = 2;
         std::any_of(rule_.keys.begin(), rule_.keys.end(), [&](const Key& key) { return key.name == unique; }); ++i) {
      unique = name + std::to_string(i);
    }
    return unique;
  }

  TypedPtr DefaultNode() const {
    auto typed = std::make_unique<Typed>();
    typed->kind = TypedKind::kColumn;
    typed->type = Type::kNode;
    typed->span = rule_.span;
    typed->binding = scope_.First();
    typed->column = plan::kNode;
    return typed;
  }

  void AddExtreme(const syntax::Extreme& decl) {
    Extreme extreme;
    extreme.kind = static_cast<plan::ExtremeKind>(decl.kind);
    for (scope_.alternative = 0; scope_.alternative < rule_.alternatives; ++scope_.alternative) {
      const std::optional<uint32_t> binding = scope_.FindBinding(decl.binding.text);
      if (!binding && scope_.RefusedAsPartial(decl.binding.text, decl.binding.span)) break;
      if (!binding) {
        context_.Error(Code::kUnknownName, decl.binding.span, fmt::format("unknown binding `{}`", decl.binding.text),
                       "", DidYouMean(decl.binding.text, scope_.Names()));
        break;
      }
      scope_.current = 0;  // only what has members can be narrowed
      const bool readable = scope_.Readable(*binding, decl.binding.span);
      scope_.current.reset();
      if (!readable) break;
      extreme.bindings.push_back(*binding);
    }
    scope_.alternative = 0;
    if (extreme.bindings.size() != rule_.alternatives) return;
    if (decl.by) {
      extreme.by = InEach(decl.by->span, [&] {
        TypedPtr by = Checker(context_, rule_.pack, scope_).Value(*decl.by);
        const bool fits = by->poison() || OrderedByValue(*by, extreme.bindings[scope_.alternative], decl);
        return fits ? std::move(by) : nullptr;
      });
      if (extreme.by.empty()) return;
    }
    rule_.extremes.push_back(std::move(extreme));
  }

  bool OrderedByValue(const Typed& by, uint32_t binding, const syntax::Extreme& decl) {
    const Type type = by.type;
    const bool ordered = type == Type::kInt || type == Type::kFloat || type == Type::kTime || type == Type::kDuration ||
                         type == Type::kSize || type == Type::kRank;
    if (!ordered) {
      context_.Error(Code::kWrongOperand, decl.by->span, fmt::format("members are not ordered by {}", Article(type)),
                     "", "order them by a number, a time, a duration or a size");
    } else if (BindingsOf(by) != 1u << binding) {
      context_.Error(Code::kWrongOperand, decl.by->span,
                     fmt::format("the value must be one of `{}`", decl.binding.text));
    } else {
      return true;
    }
    return false;
  }

  void AddHaving() {
    scope_.current = 0;  // what `with` binds decides nothing
    rule_.having = InEach(decl_.having->span, [&] {
      TypedPtr having = Checker(context_, rule_.pack, scope_, true).Condition(*decl_.having);
      if (having->poison() || OnlyAggregates(*having)) return having;
      context_.Error(Code::kWrongOperand, decl_.having->span, "`having` compares aggregates of a group", "",
                     "what is asked of one event stands in its `where`");
      return TypedPtr();
    });
    scope_.current.reset();
  }

  /// A name that findings do not have yet.
  bool FreeName(const syntax::Name& name) {
    std::string taken;
    if (SystemColumnOf(nullptr, name.text) || name.text == "first" || name.text == "last" || name.text == "count") {
      taken = "every finding has one";
    }
    for (const Key& key : rule_.keys) {
      if (key.name == name.text) taken = "a key of `per` has that name";
    }
    for (const Export& other : rule_.exports) {
      if (other.name == name.text) taken = "it is exported twice";
    }
    if (taken.empty()) return true;
    context_.Error(Code::kExportName, name.span, fmt::format("`{}` cannot be exported: {}", name.text, taken));
    return false;
  }

  void AddExport(const syntax::Export& decl) {
    if (!FreeName(decl.name)) return;
    scope_.current = 0;  // what `with` binds decides nothing, and who binds the finding decides by it
    std::vector<TypedPtr> values = InEach(decl.value->span, [&] {
      TypedPtr value = Checker(context_, rule_.pack, scope_, true).Value(*decl.value);
      if (value->poison() || BindingsOf(*value) != 0) return value;
      context_.Error(Code::kWrongOperand, decl.value->span, "the exported value reads no binding");
      return TypedPtr();
    });
    scope_.current.reset();
    if (!values.empty()) rule_.exports.push_back({decl.name.text, std::move(values)});
  }

  /// A bare word that means nothing, as `blame node n1`: more than an unknown name.
  bool RefusedAsPlace(const syntax::Expr& value) {
    const auto* reference = std::get_if<syntax::RefExpr>(&value.node);
    if (!reference || !reference->pack.empty() || reference->parts.size() != 1 || scope_.Knows(*reference))
      return false;
    const std::string& name = reference->parts[0].text;
    if (PeekItem(context_, rule_.pack, "", name) || LeftOut(context_, name)) return false;
    std::string help = DidYouMean(name, scope_.Names());
    if (help.empty()) help = fmt::format("name the place of a binding, as `node {}.node`", rule_.bindings[0].name);
    context_.Error(Code::kBadBlame, value.span, fmt::format("`{}` is no place that was observed", name), "",
                   std::move(help));
    return true;
  }

  void AddBlame(const syntax::Blame& blame) {
    Blame result;
    Type type = Type::kNode;
    const std::string& kind = blame.kind.text;
    if (kind == "gpu") {
      result.kind = plan::BlameKind::kGpu;
      type = Type::kGpu;
    } else if (kind == "rank") {
      result.kind = plan::BlameKind::kRank;
      type = Type::kRank;
    } else if (kind != "node") {
      context_.Error(Code::kUnknownPlace, blame.kind.span, fmt::format("unknown kind of place `{}`", kind), "",
                     DidYouMean(kind, {"node", "gpu", "rank"}));
      return;
    }
    if (RefusedAsPlace(*blame.value)) return;
    scope_.current = 0;  // what `with` binds decides nothing, so nobody is blamed by it
    std::vector<TypedPtr> values = InEach(blame.value->span, [&] { return BlamedValue(*blame.value, type); });
    scope_.current.reset();
    if (values.empty()) return;
    result.value = std::move(values[0]);
    for (size_t a = 1; a < values.size(); ++a) result.more.push_back(std::move(values[a]));
    rule_.blame.push_back(std::move(result));
  }

  /// Null or poison after a diagnostic.
  TypedPtr BlamedValue(const syntax::Expr& expr, Type type) {
    TypedPtr value = Checker(context_, rule_.pack, scope_).Value(expr, type);
    if (value->poison()) return value;
    const uint32_t mask = BindingsOf(*value);
    if (mask == 0) {
      context_.Error(Code::kBadBlame, expr.span, "a literal cannot be blamed: name a place that was observed");
    } else if (value->type != type) {
      context_.Error(Code::kBadBlame, expr.span,
                     fmt::format("{} is blamed as {}", Article(value->type), Article(type)));
    } else if ((mask & (mask - 1)) != 0) {
      context_.Error(Code::kBadBlame, expr.span, "what is blamed is read from one binding", "",
                     "write one `blame` for each binding");
    } else {
      return value;
    }
    return nullptr;
  }

  Context& context_;
  Rule& rule_;
  const syntax::RuleDecl& decl_;
  RuleScope scope_;
};

void AnalyzeOutcome(Context& context, Rule& rule) {
  if (const auto state = FindState(context, rule.outcome->name)) rule.state = *state;
  AnalyzeCondition(context, rule, rule.outcome->when);
}

}  // namespace

void AnalyzeRules(Context& context) {
  for (const uint32_t i : OrderRules(context)) {
    Rule& rule = context.program.rules[i];
    context.rule = i;
    if (rule.outcome) {
      AnalyzeOutcome(context, rule);
    } else {
      RuleAnalyzer(context, rule).Analyze();
    }
  }
  context.rule = plan::kNone;
}

}  // namespace attr::sema
