// Verification of events: sources, clauses, fields, derived columns. An
// expression of an event reads only what is computed before it.
#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "runtime/plan/event_columns.h"
#include "runtime/plan/verify_internal.h"

namespace attr::plan {

namespace {

class EventCheck {
 public:
  EventCheck(Verification& v, uint32_t index)
      : v_(v), event_(v.plan.events[index]), where_(At("events", index)), columns_(v.plan, event_) {}

  bool Run(uint32_t index, std::vector<uint32_t>* depth) {
    v_.NewBudget(kMaxEventOperators);
    if (!v_.Qualified(where_ + ".name", event_.name) || !v_.Text(where_ + ".doc", event_.doc)) return false;
    if (static_cast<uint8_t>(event_.origin) >= kEventOriginCount) return Fail(".origin", "unknown");
    if (event_.origin != EventOrigin::kObservations) {
      depth->push_back(1);
      return VerifyRowEvent(v_, index) && Fields() && Origins() && DerivedColumns();
    }
    if (!event_.rules.empty() || event_.of != kNone || event_.lacks != 0)
      return Fail("", "rows of observations and of something else");
    if (!Parent(index, depth) || !Sources()) return false;
    if (!v_.Count(where_ + ".fields", event_.fields.size(), kMaxColumns / 2)) return false;
    if (!v_.Count(where_ + ".derived", event_.derived.size(), kMaxColumns / 2)) return false;
    if (event_.fold.kind != FoldKind::kUnfolded && event_.fold.fields > event_.fields.size()) {
      return Fail(".fold.fields", "more than the event has");
    }
    return Fields() && DerivedColumns() && Origins() && Texts() && Conditions() && InScope() && Folded(index);
  }

 private:
  bool Fail(const std::string& part, std::string what) { return v_.Fail(where_ + part, std::move(what)); }

  bool Parent(uint32_t index, std::vector<uint32_t>* depth) {
    if (!event_.members.empty()) return Members(index, depth);
    if (event_.parent == kNone) {
      depth->push_back(1);
      return !event_.sources.empty() || Fail("", "neither a source nor a parent");
    }
    if (event_.parent >= index) return Fail(".parent", "the parent must stand before it");
    if (v_.plan.events[event_.parent].origin != EventOrigin::kObservations)
      return Fail(".parent", "no event to extend");
    depth->push_back((*depth)[event_.parent] + 1);
    return depth->back() <= kMaxExtends || Fail(".parent", "extended more than 16 times");
  }

  /// A union takes rows as they are: it matches nothing of its own.
  bool Members(uint32_t index, std::vector<uint32_t>* depth) {
    if (!v_.Count(where_ + ".members", event_.members.size(), kMaxAlternatives)) return false;
    if (event_.parent != kNone) return Fail(".parent", "a union has none");
    const bool matches = !event_.texts.empty() || !event_.each.empty() || !event_.unless.empty();
    const bool filters = event_.where != kNone || event_.since != kNone || event_.fold.kind != FoldKind::kUnfolded;
    if (matches || filters) {
      return Fail("", "a union with conditions of its own");
    }
    if (event_.sources.empty()) return Fail("", "neither a source nor a parent");
    depth->push_back(1);
    for (size_t m = 0; m < event_.members.size(); ++m) {
      const std::string part = '.' + At("members", m);
      if (event_.members[m] >= index) return Fail(part, "it must stand before the union");
      if (v_.plan.events[event_.members[m]].origin != EventOrigin::kObservations)
        return Fail(part, "no event to unite");
      if (std::find(event_.members.begin(), event_.members.begin() + m, event_.members[m]) !=
          event_.members.begin() + m) {
        return Fail(part, "it stands twice");
      }
      depth->back() = std::max(depth->back(), (*depth)[event_.members[m]] + 1);
    }
    return depth->back() <= kMaxExtends || Fail(".members", "more than 16 unions above each other");
  }

  bool Common(const std::string& part, const Field& field) {
    for (const uint32_t member : event_.members) {
      const Event& of = v_.plan.events[member];
      const uint32_t column = of.FindColumn(field.name);
      if (column == kNone) return Fail(part, "a field that some member does not have");
      const Field& from = of.fields[column - kSystemColumns];
      if (from.type != field.type) return Fail(part, "a field that has another type in some member");
      if (field.used && !from.used) return Fail(part, "a field that some member does not keep");
    }
    return true;
  }

  bool Sources() {
    if (!v_.Count(where_ + ".sources", event_.sources.size(), kMaxAlternatives)) return false;
    for (size_t s = 0; s < event_.sources.size(); ++s) {
      const std::string part = '.' + At("sources", s);
      const std::vector<SourceAlternative>& carriers = event_.sources[s].alternatives;
      if (carriers.empty()) return Fail(part, "no carrier");
      if (!v_.Count(where_ + part, carriers.size(), kMaxAlternatives)) return false;
      for (const SourceAlternative& carrier : carriers) {
        const std::vector<StrId>& declared = v_.plan.sources;
        if (std::find(declared.begin(), declared.end(), carrier.source) == declared.end()) {
          return Fail(part, "a source that is not declared");
        }
        if (!v_.Text(where_ + part, carrier.metric)) return false;
      }
    }
    return true;
  }

  bool Fields() {
    std::unordered_set<StrId> names;
    for (uint32_t f = 0; f < event_.fields.size(); ++f) {
      const Field& field = event_.fields[f];
      const std::string part = '.' + At("fields", f);
      if (static_cast<uint8_t>(field.type) >= kTypeCount) return Fail(part, "an unknown type");
      if (field.unit < 1) return Fail(part + ".unit", "it must be positive");
      if (field.hidden ? !v_.Text(where_ + part, field.name) : !v_.Identifier(where_ + part + ".name", field.name)) {
        return false;
      }
      if (!field.hidden && !names.insert(field.name).second) return Fail(part, "its name stands twice");
      if (field.window > WindowKind::kPortion) return Fail(part + ".window", "an unknown kind");
      if (!Place(part, field)) return false;
    }
    return true;
  }

  bool Origins() {
    columns_.Reach();
    for (uint32_t f = 0; f < event_.fields.size(); ++f) {
      if (!Origin('.' + At("fields", f), event_.fields[f], f)) return false;
    }
    return true;
  }

  /// Such a field also fills the system column of that name.
  bool Place(const std::string& part, const Field& field) {
    if (field.hidden || event_.origin != EventOrigin::kObservations) return true;
    for (auto [name, type] : {std::pair("node", Type::kNode), {"rank", Type::kRank}, {"gpu", Type::kGpu}}) {
      if (v_.plan.Str(field.name) == name && field.type != type) {
        return Fail(part, std::string("a field named ") + name + " must have that type");
      }
    }
    return true;
  }

  bool Origin(const std::string& part, const Field& field, uint32_t f) {
    if (field.from <= FieldFrom::kRow &&
        (field.from == FieldFrom::kRow) != (event_.origin != EventOrigin::kObservations)) {
      return Fail(part, "not a field of such rows");
    }
    switch (field.from) {
      case FieldFrom::kInherited: {
        if (!event_.members.empty()) return Common(part, field);
        if (event_.parent == kNone) return Fail(part, "inherited, but there is no parent");
        const Event& parent = v_.plan.events[event_.parent];
        const bool line = parent.fold.kind == FoldKind::kUnfolded || f < parent.fold.fields;
        if (f >= parent.fields.size() || !line) return Fail(part, "inherited, but the parent has no such column");
        if (event_.FieldColumn(f) >= columns_.LineEnd())
          return Fail(part, "inherited, but computed when lines are folded");
        const Field& from = parent.fields[f];
        bool same = from.name == field.name && from.type == field.type && from.optional == field.optional;
        return same || Fail(part, "not what the parent has in that column");
      }
      case FieldFrom::kGroup:
        if (!event_.members.empty()) return Fail(part, "a union has no fields of its own");
        return v_.Identifier(where_ + part + ".source", field.source);
      case FieldFrom::kAttribute:
        return v_.Text(where_ + part + ".source", field.source) &&
               (field.source != 0 || Fail(part, "an attribute without a name"));
      case FieldFrom::kBuiltin: {
        static constexpr std::array<std::string_view, 8> kBuiltins = {"name", "value",  "unit", "severity",
                                                                      "text", "source", "job",  "attempt"};
        if (!v_.Text(where_ + part + ".source", field.source)) return false;
        std::string_view name = v_.plan.Str(field.source);
        bool known = std::find(kBuiltins.begin(), kBuiltins.end(), name) != kBuiltins.end();
        return known || Fail(part, "observations have nothing of that name");
      }
      case FieldFrom::kRow:
        return true;  // VerifyRowEvent, VerifyFindingEvents
      case FieldFrom::kExpr:
        return v_.Value(where_ + part + ".expr", field.expr, Own(), field.type) &&
               Before(part + ".expr", field.expr, event_.FieldColumn(f));
      default:
        return FoldField(part, field, f);
    }
  }

  /// What only a folded row has.
  bool FoldField(const std::string& part, const Field& field, uint32_t f) {
    if (field.from > FieldFrom::kCount) return Fail(part, "an unknown origin");
    if (event_.FieldColumn(f) < columns_.LineEnd() || event_.fold.kind == FoldKind::kUnfolded) {
      return Fail(part, "nothing is folded yet");
    }
    if (field.from != FieldFrom::kWindow) {
      const Type type = field.from == FieldFrom::kCount ? Type::kInt : Type::kTime;
      return field.type == type || Fail(part, "its type must be " + std::string(Name(type)));
    }
    if (event_.fold.kind != FoldKind::kWindows) return Fail(part, "the event has no windows");
    if (event_.FieldColumn(f) >= columns_.WindowEnd())
      return Fail(part, "windows must stand before what is made of them");
    if (!v_.Index(where_ + part + ".expr", field.expr, v_.plan.exprs.size(), "expression")) return false;
    const bool condition = field.window == WindowKind::kPortion;
    const Type of = v_.plan.exprs[field.expr].type;
    const bool number = of == Type::kFloat || of == Type::kInt || of == Type::kDuration || of == Type::kSize;
    if (!condition && !number) return Fail(part, "a window of what is no number");
    const bool to_float =
        condition || field.window == WindowKind::kRate || (field.window == WindowKind::kAvg && of == Type::kInt);
    if (field.type != (to_float ? Type::kFloat : of)) return Fail(part, "not the type that its window gives");
    return (condition ? v_.Condition(where_ + part, field.expr, Own())
                      : v_.Value(where_ + part, field.expr, Own(), of)) &&
           Before(part + ".expr", field.expr, columns_.LineEnd());
  }

  /// While a row is being made every earlier column is at hand, stored later or not.
  Scope Own() const { return {{&event_, nullptr}, {event_.ColumnCount(), 0}, 0, nullptr, false}; }

  bool Before(const std::string& part, ExprId root, uint32_t column) {
    const uint32_t highest = columns_.Highest(root);
    if (highest <= column) return true;
    return Fail(part, highest == UINT32_MAX
                          ? "it reads the rank of a text"
                          : "it reads column " + std::to_string(highest - 1) + ", which is not there yet");
  }

  bool Patterns(const std::string& part, const std::vector<Pattern>& patterns) {
    for (size_t p = 0; p < patterns.size(); ++p) {
      if (!v_.Text(where_ + part + '.' + At("patterns", p), patterns[p].regex)) return false;
    }
    return true;
  }

  bool Texts() {
    for (size_t t = 0; t < event_.texts.size(); ++t) {
      const TextClause& clause = event_.texts[t];
      const std::string part = '.' + At("texts", t);
      if (clause.patterns.empty()) return Fail(part, "no pattern");
      if (!Patterns(part, clause.patterns)) return false;
      if (clause.field == kNone) continue;
      bool field = clause.field >= kSystemColumns && clause.field < event_.DerivedColumn(0);
      if (!field || event_.ColumnType(clause.field) != Type::kText) return Fail(part, "it must match a text field");
      if (clause.field >= columns_.LineEnd()) return Fail(part, "it must match a field that a line has");
      // Expressions are computed when all clauses have matched.
      if (event_.fields[clause.field - kSystemColumns].from == FieldFrom::kExpr) {
        return Fail(part, "it must not match a computed field");
      }
    }
    if (event_.each.size() > 1) return Fail(".each", "more than one pattern");
    return Patterns(".each", event_.each) && Patterns(".unless", event_.unless);
  }

  bool Conditions() {
    if (!v_.Condition(where_ + ".where", event_.where, Own())) return false;
    if (event_.where != kNone && !Before(".where", event_.where, columns_.LineEnd())) return false;
    if (event_.since == kNone) return true;
    return v_.Value(where_ + ".since", event_.since, Own(), Type::kTime) &&
           Before(".since", event_.since, columns_.LineEnd());
  }

  bool InScope() {
    const EventScope& scope = event_.scope;
    if (event_.parent != kNone && scope != EventScope{}) return Fail(".scope", "it is the parent's");
    return (scope.before == kNoWindow || v_.Duration(where_ + ".scope", scope.before)) &&
           (scope.after == kNoWindow || v_.Duration(where_ + ".scope", scope.after));
  }

  bool Folded(uint32_t index) {
    const plan::Fold& fold = event_.fold;
    if (fold.kind > FoldKind::kWindows) return Fail(".fold", "an unknown kind");
    if (fold.kind == FoldKind::kUnfolded) {
      return (fold.keys.empty() && fold.closed_by == kNone && fold.where == kNone && fold.having == kNone) ||
             Fail(".fold", "clauses without a fold");
    }
    if (!v_.Duration(where_ + ".fold.span", fold.span)) return false;
    if (fold.records > kMaxWindowSamples) return Fail(".fold.records", "more than 10,000 records a window");
    if (fold.kind == FoldKind::kWindows && fold.where == kNone) return Fail(".fold", "windows without a condition");
    if (fold.kind != FoldKind::kWindows && fold.where != kNone) return Fail(".fold", "a condition without windows");
    if (!v_.Count(where_ + ".fold.keys", fold.keys.size(), kMaxClauses)) return false;
    for (const uint32_t key : fold.keys) {
      if (key >= columns_.LineEnd()) return Fail(".fold.keys", "it must be a column that a line has");
    }
    if (fold.where != kNone && (!v_.Condition(where_ + ".fold.where", fold.where, Own()) ||
                                !Before(".fold.where", fold.where, columns_.WindowEnd()))) {
      return false;
    }
    if (fold.having != kNone && (!v_.Condition(where_ + ".fold.having", fold.having, Own()) ||
                                 !Before(".fold.having", fold.having, event_.DerivedColumn(0)))) {
      return false;
    }
    return Closing(index);
  }

  bool Closing(uint32_t index) {
    const plan::Fold& fold = event_.fold;
    if (fold.closed_by == kNone) {
      if (fold.kind == FoldKind::kLines || !fold.same.empty()) return Fail(".fold", "nothing closes it");
      return true;
    }
    if (fold.kind == FoldKind::kWindows) return Fail(".fold", "windows are not closed by an event");
    if (fold.closed_by >= index) return Fail(".fold.closed_by", "the closing event must stand before it");
    if (!v_.Count(where_ + ".fold.same", fold.same.size(), kMaxClauses)) return false;
    const Event& by = v_.plan.events[fold.closed_by];
    for (const EqualKey& key : fold.same) {
      if (key.left >= columns_.LineEnd() || key.right >= by.DerivedColumn(0))
        return Fail(".fold.same", "no such column");
      if (event_.ColumnType(key.left) != by.ColumnType(key.right)) return Fail(".fold.same", "columns of two types");
    }
    return true;
  }

  bool DerivedColumns() {
    for (uint32_t d = 0; d < event_.derived.size(); ++d) {
      const Derived& derived = event_.derived[d];
      const std::string part = '.' + At("derived", d);
      if (static_cast<uint8_t>(derived.type) >= kTypeCount) return Fail(part, "an unknown type");
      Scope scope{{&event_, nullptr}, {event_.DerivedColumn(d), 0}};
      switch (derived.kind) {
        case DerivedKind::kLookup:
        case DerivedKind::kHasKey:
          if (!Lookup(part, derived, scope)) return false;
          continue;
        case DerivedKind::kRegex: {
          bool text = derived.column < event_.DerivedColumn(d) && event_.ColumnType(derived.column) == Type::kText &&
                      IsStored(event_, derived.column);
          if (!text) return Fail(part, "it must match an earlier text column that is stored");
          if (derived.type != Type::kBool) return Fail(part, "its type must be bool");
          if (!v_.Text(where_ + part + ".regex", derived.regex)) return false;
          continue;
        }
        case DerivedKind::kLabel:
          if (derived.keys.size() != 1) return Fail(part, "it needs one node");
          if (!v_.Value(where_ + part, derived.keys[0], scope, Type::kNode)) return false;
          if (derived.type != Type::kText) return Fail(part, "its type must be text");
          if (!v_.Text(where_ + part, derived.regex)) return false;
          if (derived.regex == 0) return Fail(part, "a label without a name");
          continue;
        case DerivedKind::kRecord:
          if (derived.type != Type::kInt || !derived.keys.empty()) return Fail(part, "it is an int of no key");
          continue;
        case DerivedKind::kExpr:
          if (derived.keys.size() != 1) return Fail(part, "it needs one expression");
          if (!v_.Value(where_ + part, derived.keys[0], scope, derived.type)) return false;
          if (!Early(part, derived.keys[0])) return false;
          continue;
        case DerivedKind::kTextLess:
        case DerivedKind::kTextRank:
        case DerivedKind::kMember:
        case DerivedKind::kSetSpan:
          if (!OfTexts(part, derived, scope)) return false;
          continue;
      }
      return Fail(part, "an unknown kind");
    }
    return true;
  }

  /// Ranks are the last thing that is computed: no other column reads one.
  bool Early(const std::string& part, ExprId root) {
    return !columns_.ReadsRank(root) || Fail(part, "it reads the rank of a text");
  }

  bool OfTexts(const std::string& part, const Derived& derived, const Scope& scope) {
    const bool pair = derived.kind == DerivedKind::kTextLess || derived.kind == DerivedKind::kMember;
    if (derived.keys.size() != (pair ? 2 : 1)) return Fail(part, "not as many values as its kind needs");
    if (derived.type != (pair ? Type::kBool : Type::kInt)) return Fail(part, "not the type that its kind has");
    for (const ExprId key : derived.keys) {
      if (!v_.Index(where_ + part + ".keys", key, v_.plan.exprs.size(), "expression")) return false;
      if (!v_.Value(where_ + part, key, scope, v_.plan.exprs[key].type) || !Early(part, key)) return false;
    }
    const Type first = v_.plan.exprs[derived.keys[0]].type, last = v_.plan.exprs[derived.keys.back()].type;
    switch (derived.kind) {
      case DerivedKind::kTextLess:
        return (first == Type::kText && last == Type::kText) || Fail(part, "only texts have this order");
      case DerivedKind::kTextRank:
        return first == Type::kText || Fail(part, "only texts have this order");
      case DerivedKind::kMember:
        return (IsSet(last) && ClassOf(ElementOf(last)) == ClassOf(first)) || Fail(part, "not an element and its set");
      default:
        return IsSet(first) || Fail(part, "it is no set");
    }
  }

  bool Lookup(const std::string& part, const Derived& derived, const Scope& scope) {
    if (!v_.Index(where_ + part + ".table", derived.table, v_.plan.tables.size(), "table")) return false;
    const Table& table = v_.plan.tables[derived.table];
    if (table.keys.empty() || derived.keys.size() != table.keys.size()) {
      return Fail(part, "not as many keys as the table has");
    }
    for (size_t k = 0; k < derived.keys.size(); ++k) {
      Type type = table.columns[table.keys[k]].type;
      if (!v_.Value(where_ + part + '.' + At("keys", k), derived.keys[k], scope, type)) return false;
      if (!Early(part, derived.keys[k])) return false;
    }
    if (derived.kind == DerivedKind::kHasKey) return derived.type == Type::kBool || Fail(part, "its type must be bool");
    if (!v_.Index(where_ + part, derived.table_column, table.columns.size(), "table column")) return false;
    return derived.type == table.columns[derived.table_column].type || Fail(part, "not the table column's type");
  }

  Verification& v_;
  const Event& event_;
  const std::string where_;
  EventColumns columns_;
};

}  // namespace

bool VerifyEvents(Verification& v) {
  if (!v.Count("events", v.plan.events.size(), kMaxEvents)) return false;
  std::unordered_set<StrId> names;
  std::vector<uint32_t> depth;
  for (uint32_t e = 0; e < v.plan.events.size(); ++e) {
    if (!EventCheck(v, e).Run(e, &depth)) return false;
    if (!names.insert(v.plan.events[e].name).second) return v.Fail(At("events", e), "its name stands twice");
  }
  return true;
}

}  // namespace attr::plan
