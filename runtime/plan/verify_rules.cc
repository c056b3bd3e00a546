// Verification of rules: heads, bindings, joins, and what is read from them.
#include <algorithm>
#include <unordered_set>

#include "runtime/plan/verify_internal.h"

namespace attr::plan {

namespace {

Type TypeIn(const Event* event, uint32_t column) {
  return event != nullptr ? event->ColumnType(column) : SystemColumnType(column);
}

bool VerifyRelation(Verification& v, const std::string& where, const TimeRelation& relation, bool findings) {
  if (static_cast<uint8_t>(relation.kind) >= kRelationKindCount) return v.Fail(where, "an unknown relation");
  if ((relation.kind == RelationKind::kDemote) != findings)
    return v.Fail(where, "a relation that does not belong here");
  bool unbounded = findings && relation.distance == kNoWindow;
  return (unbounded || v.Duration(where + ".distance", relation.distance)) &&
         v.Duration(where + ".lead", relation.lead);
}

bool VerifyEqualKey(Verification& v, const std::string& where, const EqualKey& key, const Event* left,
                    const Event* right) {
  for (auto [event, column] : {std::pair(left, key.left), std::pair(right, key.right)}) {
    size_t columns = event != nullptr ? event->ColumnCount() : kSystemColumns;
    if (!v.Index(where, column, columns, "column")) return false;
    if (event != nullptr && !IsStored(*event, column)) return v.Fail(where, "a column that is marked unused");
  }
  Type type = TypeIn(left, key.left);
  if (type != TypeIn(right, key.right)) return v.Fail(where, "columns of unequal types");
  return !key.place || IsPlace(type) || v.Fail(where, "a place that is neither node, rank nor gpu");
}

class RuleCheck {
 public:
  RuleCheck(Verification& v, uint32_t index) : v_(v), rule_(v.plan.rules[index]), where_(At("rules", index)) {}

  bool Run() {
    v_.NewBudget(kMaxOperators);
    return Head() && Labels() && Bindings() && Joins() && Extremes() && Having() && Outputs() && Closings();
  }

 private:
  bool Fail(const std::string& part, std::string what) { return v_.Fail(where_ + part, std::move(what)); }

  bool Head() {
    if (static_cast<uint8_t>(rule_.kind) > static_cast<uint8_t>(RuleKind::kOutcome)) return Fail(".kind", "unknown");
    if (static_cast<uint8_t>(rule_.state) >= kTerminalStateCount) return Fail(".state", "unknown");
    if (!Name()) return false;
    return v_.Text(where_ + ".title", rule_.title) && v_.Text(where_ + ".doc", rule_.doc) &&
           v_.Text(where_ + ".location", rule_.location.file);
  }

  bool Name() {
    if (rule_.kind != RuleKind::kOutcome) return v_.Qualified(where_ + ".name", rule_.name);
    // Outcomes have no name of their own: "std.core::outcome#1".
    if (!v_.Text(where_ + ".name", rule_.name)) return false;
    std::string_view name = v_.plan.Str(rule_.name);
    size_t mark = name.rfind("outcome#");
    std::string_view number = mark == std::string_view::npos ? "" : name.substr(mark + 8);
    bool numbered = !number.empty() && number.size() < 8 &&
                    number.find_first_not_of("0123456789") == std::string_view::npos && name.size() <= kMaxNameBytes;
    if (!numbered) return Fail(".name", "not the name of an outcome");
    bool clean = name.substr(0, mark).find_first_not_of(
                     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:") == std::string_view::npos;
    return clean || Fail(".name", "not the name of an outcome");
  }

  bool Distinct(const std::string& part, const std::vector<uint32_t>& values, size_t most) {
    if (!v_.Count(where_ + part, values.size(), most)) return false;
    for (size_t i = 0; i < values.size(); ++i) {
      if (std::find(values.begin(), values.begin() + i, values[i]) != values.begin() + i) {
        return Fail(part, "one stands twice");
      }
    }
    return true;
  }

  bool Labels() {
    if (rule_.kind == RuleKind::kCause && rule_.domains.empty()) return Fail(".domains", "a cause needs one");
    if (!Distinct(".domains", rule_.domains, kMaxAlternatives) || !Distinct(".tags", rule_.tags, kMaxTags) ||
        !Distinct(".suggests", rule_.suggests, kMaxClauses)) {
      return false;
    }
    for (const std::vector<uint32_t>* domains : {&rule_.domains, &rule_.suggests}) {
      for (uint32_t domain : *domains) {
        if (!v_.Index(where_ + (domains == &rule_.domains ? ".domains" : ".suggests"), domain, v_.plan.domains.size(),
                      "domain")) {
          return false;
        }
      }
    }
    for (StrId tag : rule_.tags) {
      if (!v_.Identifier(where_ + ".tags", tag)) return false;
    }
    return true;
  }

  const Event& EventOf(size_t binding) const { return v_.plan.events[rule_.bindings[binding].event]; }

  bool Bindings() {
    if (!Alternatives()) return false;
    for (size_t b = 0; b < rule_.bindings.size(); ++b) {
      const Binding& binding = rule_.bindings[b];
      const std::string part = '.' + At("bindings", b);
      if (static_cast<uint8_t>(binding.kind) >= kBindKindCount) return Fail(part + ".kind", "unknown");
      if (!v_.Identifier(where_ + part + ".name", binding.name)) return false;
      if (!v_.Index(where_ + part + ".event", binding.event, v_.plan.events.size(), "event")) return false;
      if (!v_.Condition(where_ + part + ".where", binding.where, ScopeOf(EventOf(b)))) return false;
    }
    return Residuals();
  }

  /// Which bindings are of which alternative, and what they are called there.
  bool Alternatives() {
    const std::vector<Binding>& bindings = rule_.bindings;
    if (bindings.empty() || bindings.size() > kMaxAllBindings) return Fail(".bindings", "1 to 32 are needed");
    size_t in_one = 0;
    for (size_t b = 0; b < bindings.size(); ++b) {
      const uint32_t before = b == 0 ? 0 : bindings[b - 1].alternative;
      const bool first = b == 0 || bindings[b].alternative != before;
      if (bindings[b].alternative != before + (first && b != 0 ? 1 : 0)) {
        return Fail('.' + At("bindings", b) + ".alternative", "alternatives are counted from 0");
      }
      if (first && bindings[b].kind != BindKind::kPositive) {
        return Fail('.' + At("bindings", b) + ".kind", "the first one must be positive");
      }
      in_one = first ? 1 : in_one + 1;
      if (in_one > kMaxBindings) return Fail(".bindings", "more than 8 in one alternative");
      if (!Names(b)) return false;
    }
    return true;
  }

  bool Names(size_t b) {
    const std::vector<Binding>& bindings = rule_.bindings;
    for (size_t other = 0; other < b; ++other) {
      if (bindings[other].name != bindings[b].name) continue;
      if (bindings[other].alternative == bindings[b].alternative) return Fail(".bindings", "one name stands twice");
      if (bindings[other].kind != bindings[b].kind) return Fail(".bindings", "one name of two kinds");
    }
    return true;
  }

  bool Residuals() {
    Scope scope;
    size_t first = 0;
    for (size_t b = 0; b < rule_.bindings.size(); ++b) {
      if (rule_.bindings[b].alternative != rule_.bindings[first].alternative) {
        first = b;
        scope = Scope();
      }
      const size_t own = b - first;
      scope.events[own] = &EventOf(b);
      scope.columns[own] = EventOf(b).ColumnCount();
      if (!v_.Condition(where_ + '.' + At("bindings", b) + ".residual", rule_.bindings[b].residual, scope))
        return false;
      if (rule_.bindings[b].kind != BindKind::kPositive) scope.columns[own] = 0;
    }
    return true;
  }

  bool Joins() {
    std::vector<uint8_t> joined(rule_.bindings.size());
    for (size_t j = 0; j < rule_.joins.size(); ++j) {
      const Join& join = rule_.joins[j];
      const std::string part = '.' + At("joins", j);
      if (!v_.Index(where_ + part + ".right", join.right, rule_.bindings.size(), "binding")) return false;
      if (join.left >= join.right) return Fail(part + ".left", "not a binding to the left");
      if (rule_.bindings[join.left].kind != BindKind::kPositive) return Fail(part + ".left", "not a positive binding");
      if (rule_.bindings[join.left].alternative != rule_.bindings[join.right].alternative) {
        return Fail(part + ".left", "a binding of another alternative");
      }
      const Join* before = j == 0 ? nullptr : &rule_.joins[j - 1];
      if (before != nullptr && std::pair(before->right, before->left) >= std::pair(join.right, join.left)) {
        return Fail(part, "joins must ascend by their bindings");
      }
      joined[join.right] = 1;
      if (!VerifyJoin(v_, where_ + part, join, &EventOf(join.left), &EventOf(join.right))) return false;
    }
    for (size_t b = 1; b < joined.size(); ++b) {
      const bool first = rule_.bindings[b].alternative != rule_.bindings[b - 1].alternative;
      if (joined[b] == 0 && !first) return Fail(".joins", "one for every binding but the first");
    }
    return true;
  }

  bool Extremes() {
    if (!v_.Count(where_ + ".extremes", rule_.extremes.size(), kMaxClauses)) return false;
    for (size_t i = 0; i < rule_.extremes.size(); ++i) {
      const Extreme& extreme = rule_.extremes[i];
      const std::string part = '.' + At("extremes", i);
      if (static_cast<uint8_t>(extreme.kind) >= kExtremeKindCount) return Fail(part, "an unknown kind");
      if (!v_.Index(where_ + part, extreme.binding, rule_.bindings.size(), "binding")) return false;
      if (rule_.bindings[extreme.binding].kind != BindKind::kPositive) return Fail(part, "not a positive binding");
      const bool by_value = extreme.kind == ExtremeKind::kLeast || extreme.kind == ExtremeKind::kMost;
      if (by_value != (extreme.column != kNone))
        return Fail(part, "a column where none belongs, or none where one does");
      if (!More(part, extreme)) return false;
      if (!by_value) continue;
      if (!Column(part, {extreme.binding, extreme.column})) return false;
      const Type type = EventOf(extreme.binding).ColumnType(extreme.column);
      const SlotClass slots = ClassOf(type);
      if (type != extreme.type || (slots != SlotClass::kInteger && slots != SlotClass::kFloat)) {
        return Fail(part, "a column that has no order");
      }
    }
    return true;
  }

  bool Aggregates() {
    if (!v_.Count(where_ + ".aggregates", rule_.aggregates.size(), kMaxClauses)) return false;
    for (size_t i = 0; i < rule_.aggregates.size(); ++i) {
      if (!OneAggregate('.' + At("aggregates", i), rule_.aggregates[i])) return false;
    }
    return true;
  }

  bool OneAggregate(const std::string& part, const Aggregate& aggregate) {
    if (static_cast<uint8_t>(aggregate.kind) >= kAggregateKindCount) return Fail(part, "an unknown kind");
    if (!v_.Index(where_ + part, aggregate.binding, rule_.bindings.size(), "binding")) return false;
    if (rule_.bindings[aggregate.binding].kind != BindKind::kPositive) return Fail(part, "not a positive binding");
    const bool of_column = aggregate.kind >= AggregateKind::kDistinct && aggregate.kind <= AggregateKind::kSum;
    if (of_column != (aggregate.column != kNone))
      return Fail(part, "a column where none belongs, or none where one does");
    if (!More(part, aggregate)) return false;
    if (!of_column) return aggregate.type == ResultType(aggregate) || Fail(part, "another type than its result");
    if (!Column(part, {aggregate.binding, aggregate.column})) return false;
    const Type type = EventOf(aggregate.binding).ColumnType(aggregate.column);
    if (type != aggregate.type) return Fail(part, "a column of another type");
    const SlotClass slots = ClassOf(type);
    const bool number = slots == SlotClass::kInteger || slots == SlotClass::kFloat;
    return number || aggregate.kind == AggregateKind::kDistinct || Fail(part, "a column that has no order");
  }

  bool Having() {
    if (!Aggregates()) return false;
    if (rule_.having == kNone) return true;
    if (!v_.Index(where_ + ".having", rule_.having, v_.plan.exprs.size(), "expression")) return false;
    if (!v_.facts[rule_.having].bits) return Fail(".having", "a condition is needed, not a value");
    Scope scope;
    // Alternatives are counted by aggregates, which know of all of them.
    scope.counted = rule_.AlternativeCount() == 1 ? static_cast<uint32_t>(rule_.bindings.size()) : 0;
    scope.aggregates = &rule_.aggregates;
    return v_.Reads(where_ + ".having", rule_.having, scope);
  }

  bool Column(const std::string& part, const ColumnRef& ref) {
    if (!v_.Index(where_ + part, ref.binding, rule_.bindings.size(), "binding")) return false;
    if (IsNegative(rule_.bindings[ref.binding].kind)) return Fail(part, "a binding that has no members");
    const Event& event = EventOf(ref.binding);
    return v_.Index(where_ + part, ref.column, event.ColumnCount(), "column") &&
           (IsStored(event, ref.column) || Fail(part, "a column that is marked unused"));
  }

  /// The same name in the further alternatives, with a column of the same type or with none.
  template <class Clause>
  bool More(const std::string& part, const Clause& clause) {
    const std::vector<ColumnRef> columns = ColumnsOf(clause);
    if (columns.size() != rule_.AlternativeCount()) return Fail(part, "one column for each alternative");
    for (size_t a = 0; a < columns.size(); ++a) {
      const ColumnRef& ref = columns[a];
      if (!v_.Index(where_ + part, ref.binding, rule_.bindings.size(), "binding")) return false;
      if (rule_.bindings[ref.binding].alternative != a) return Fail(part, "a binding of another alternative");
      if (IsNegative(rule_.bindings[ref.binding].kind)) return Fail(part, "a binding that has no members");
      if ((ref.column == kNone) != (columns[0].column == kNone))
        return Fail(part, "a column in some alternatives only");
      if (ref.column == kNone) continue;
      if (!Column(part, ref)) return false;
      const Type type = EventOf(ref.binding).ColumnType(ref.column);
      if (type != EventOf(columns[0].binding).ColumnType(columns[0].column)) return Fail(part, "columns of two types");
    }
    return true;
  }

  bool Outputs() {
    if (!v_.Count(where_ + ".keys", rule_.keys.size(), kMaxClauses) ||
        !v_.Count(where_ + ".blame", rule_.blame.size(), kMaxClauses) ||
        !v_.Count(where_ + ".advise", rule_.advise.size(), kMaxClauses) ||
        !v_.Count(where_ + ".explain", rule_.explain.size(), kMaxSegments)) {
      return false;
    }
    for (size_t k = 0; k < rule_.keys.size(); ++k) {
      const std::string part = '.' + At("keys", k);
      if (!v_.Text(where_ + part, rule_.keys[k].name) || !Column(part, rule_.keys[k].column)) return false;
      if (!More(part, rule_.keys[k])) return false;
      if (v_.plan.Str(rule_.keys[k].name).empty()) return Fail(part, "a key without a name");
    }
    if (rule_.gap != kNoWindow && !v_.Duration(where_ + ".gap", rule_.gap)) return false;
    for (size_t b = 0; b < rule_.blame.size(); ++b) {
      if (!Blamed('.' + At("blame", b), rule_.blame[b])) return false;
    }
    for (StrId advice : rule_.advise) {
      if (!v_.Text(where_ + ".advise", advice)) return false;
    }
    if (!Exports()) return false;
    for (size_t s = 0; s < rule_.explain.size(); ++s) {
      if (!Explained('.' + At("explain", s), rule_.explain[s])) return false;
    }
    return true;
  }

  bool Closings() {
    if (!v_.Count(where_ + ".closings", rule_.closings.size(), kMaxClauses)) return false;
    if (!rule_.closings.empty() && rule_.kind == RuleKind::kOutcome)
      return Fail(".closings", "an outcome is not closed");
    for (size_t c = 0; c < rule_.closings.size(); ++c) {
      const Closing& closing = rule_.closings[c];
      const std::string part = '.' + At("closings", c);
      if (!v_.Text(where_ + part, closing.name) || !v_.Text(where_ + part, closing.location.file)) return false;
      if (!v_.Index(where_ + part + ".event", closing.event, v_.plan.events.size(), "event")) return false;
      const Event& event = v_.plan.events[closing.event];
      if (!v_.Condition(where_ + part + ".where", closing.where, ScopeOf(event))) return false;
      if (!v_.Duration(where_ + part + ".after", closing.after)) return false;
      if (!v_.Count(where_ + part, closing.shared.size(), kMaxClauses)) return false;
      for (StrId place : closing.shared) {
        if (!v_.Text(where_ + part, place)) return false;
      }
      if (!closing.join.relations.empty()) return Fail(part, "it asks for no time but its own");
      if (!VerifyJoin(v_, where_ + part + ".join", closing.join, nullptr, &event)) return false;
    }
    return true;
  }

  bool Blamed(const std::string& part, const Blame& blame) {
    static constexpr Type kTypes[] = {Type::kNode, Type::kGpu, Type::kRank};
    if (static_cast<uint8_t>(blame.kind) > static_cast<uint8_t>(BlameKind::kRank)) return Fail(part, "an unknown kind");
    if (!Column(part, blame.column) || !More(part, blame)) return false;
    Type type = EventOf(blame.column.binding).ColumnType(blame.column.column);
    return type == kTypes[static_cast<size_t>(blame.kind)] || Fail(part, "a column of another type");
  }

  /// A value of one type over the bindings that have members, in each alternative.
  bool MemberValue(const std::string& part, const std::vector<ExprId>& exprs) {
    if (exprs.size() != rule_.AlternativeCount()) return Fail(part, "one value for each alternative");
    for (uint32_t a = 0; a < exprs.size(); ++a) {
      if (!v_.Index(where_ + part, exprs[a], v_.plan.exprs.size(), "expression")) return false;
      const BindingRange range = BindingsOf(rule_, a);
      Scope scope;
      for (uint32_t b = range.first; b < range.end; ++b) {
        scope.events[b - range.first] = &EventOf(b);
        if (!IsNegative(rule_.bindings[b].kind)) scope.columns[b - range.first] = EventOf(b).ColumnCount();
      }
      const Type type = v_.plan.exprs[exprs[a]].type;
      if (type != v_.plan.exprs[exprs[0]].type) return Fail(part, "values of two types");
      if (!v_.Value(where_ + part, exprs[a], scope, type)) return false;
    }
    return true;
  }

  bool Exports() {
    if (!v_.Count(where_ + ".exports", rule_.exports.size(), kMaxClauses)) return false;
    for (size_t i = 0; i < rule_.exports.size(); ++i) {
      const Export& exported = rule_.exports[i];
      const std::string part = '.' + At("exports", i);
      if (!v_.Identifier(where_ + part + ".name", exported.name)) return false;
      for (size_t other = 0; other < i; ++other) {
        if (rule_.exports[other].name == exported.name) return Fail(part, "its name stands twice");
      }
      if (!exported.exprs.empty()) {
        if (!MemberValue(part, exported.exprs)) return false;
        if (v_.plan.exprs[exported.exprs[0]].type != exported.type) return Fail(part, "a value of another type");
        continue;
      }
      if (!v_.Index(where_ + part, exported.aggregate, rule_.aggregates.size(), "aggregate")) return false;
      if (ResultType(rule_.aggregates[exported.aggregate]) != exported.type) return Fail(part, "another type");
    }
    return true;
  }

  bool Explained(const std::string& part, const Segment& segment) {
    switch (segment.kind) {
      case SegmentKind::kText:
        return v_.Text(where_ + part, segment.text);
      case SegmentKind::kColumn:
        return Column(part, segment.column) && More(part, segment);
      case SegmentKind::kExpr:
        return MemberValue(part, segment.exprs);
      case SegmentKind::kExport:
        return v_.Index(where_ + part, segment.exported, rule_.exports.size(), "export");
      case SegmentKind::kCount:
        // Of the first bindings, which alternatives may name as they like.
        for (const ColumnRef& ref : ColumnsOf(segment)) {
          if (!v_.Index(where_ + part, ref.binding, rule_.bindings.size(), "binding")) return false;
        }
        return v_.Count(where_ + part, segment.more.size(), kMaxAllBindings);
      case SegmentKind::kFirst:
      case SegmentKind::kLast:
      case SegmentKind::kNodes:
      case SegmentKind::kGpus:
      case SegmentKind::kRanks:
        return true;
    }
    return Fail(part, "an unknown kind");
  }

  Verification& v_;
  const Rule& rule_;
  const std::string where_;
};

}  // namespace

bool VerifyJoin(Verification& v, const std::string& where, const Join& join, const Event* left, const Event* right) {
  if (!v.Count(where + ".keys", join.keys.size(), kMaxClauses)) return false;
  if (!v.Count(where + ".relations", join.relations.size(), kMaxClauses)) return false;
  for (size_t k = 0; k < join.keys.size(); ++k) {
    if (!VerifyEqualKey(v, where + '.' + At("keys", k), join.keys[k], left, right)) return false;
  }
  if (!v.Count(where + ".narrow", join.narrow.size(), kMaxClauses)) return false;
  for (size_t k = 0; k < join.narrow.size(); ++k) {
    if (!VerifyEqualKey(v, where + '.' + At("narrow", k), join.narrow[k], left, right)) return false;
  }
  for (size_t r = 0; r < join.relations.size(); ++r) {
    if (!VerifyRelation(v, where + '.' + At("relations", r), join.relations[r], left == nullptr)) return false;
  }
  if (left == nullptr || join.residual == kNone) {
    return join.residual == kNone || v.Fail(where + ".residual", "findings are not compared by expressions");
  }
  const Scope scope{{left, right}, {left->ColumnCount(), right->ColumnCount()}};
  return v.Condition(where + ".residual", join.residual, scope);
}

bool VerifyRules(Verification& v) {
  const std::vector<Rule>& rules = v.plan.rules;
  if (!v.Count("rules", rules.size(), kMaxRules)) return false;
  for (uint32_t r = 0; r < rules.size(); ++r) {
    if (!RuleCheck(v, r).Run()) return false;
    if (r == 0) continue;
    bool outcome = rules[r].kind == RuleKind::kOutcome, before = rules[r - 1].kind == RuleKind::kOutcome;
    if (outcome && !before) return v.Fail(At("rules", r), "outcomes must stand before all other rules");
    if (!outcome && !before && v.plan.Str(rules[r - 1].name) >= v.plan.Str(rules[r].name)) {
      return v.Fail(At("rules", r), "rules must ascend by name");
    }
  }
  std::unordered_set<StrId> names;
  for (uint32_t r = 0; r < rules.size(); ++r) {
    if (!names.insert(rules[r].name).second) return v.Fail(At("rules", r), "its name stands twice");
  }
  return true;
}

}  // namespace attr::plan
