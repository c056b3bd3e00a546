#include "runtime/plan/dump.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/json_text.h"
#include "runtime/plan/dump_expr.h"

namespace attr::plan {

std::string Quoted(std::string_view text) {
  const std::string json = JsonString(text);
  std::string out;
  for (size_t i = 0; i < json.size();) {
    auto byte = [&](size_t k) { return i + k < json.size() ? static_cast<uint8_t>(json[i + k]) : 0; };
    // U+0080..U+009F, and U+200E.., U+202A.., U+2066..: the bidirectional controls.
    bool c1 = byte(0) == 0xC2 && byte(1) < 0xA0;
    uint32_t code = byte(0) == 0xE2 ? 0x2000u + ((byte(1) & 0x3Fu) << 6) + (byte(2) & 0x3Fu) : 0;
    bool bidi =
        code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    if (c1) {
      out += fmt::format("\\u{:04x}", byte(1));
      i += 2;
    } else if (bidi) {
      out += fmt::format("\\u{:04x}", code);
      i += 3;
    } else {
      out += json[i++];
    }
  }
  return out;
}

namespace {

/// The first line: documentation may be pages.
std::string FirstLine(std::string_view text) {
  size_t end = text.find('\n');
  return Quoted(text.substr(0, end)) + (end == std::string_view::npos ? "" : " ...");
}

class Dumper {
 public:
  explicit Dumper(const Plan& plan) : plan_(plan) {}
  std::string Take() { return std::move(out_); }

  void Head() {
    const Meta& meta = plan_.meta;
    Line(0, fmt::format("pack {} {}, language {}", Str(meta.name), Str(meta.version), meta.language));
    for (const ImportedPack& import : meta.imports) {
      Line(1, fmt::format("import {} {} (sources {})", Str(import.name), Str(import.version), Str(import.sha256)));
    }
    for (const ClockSkew& skew : meta.skews) {
      Line(1, fmt::format("skew {}{}", skew.clock == 0 ? "" : std::string(Str(skew.clock)) + " ",
                          PrintDuration(skew.nanos)));
    }
    Line(1, "grace " + PrintDuration(meta.grace));
    Line(1, "sources " + List(plan_.sources, ", ", [&](StrId id) { return std::string(Str(id)); }));
    for (const Domain& domain : plan_.domains) {
      Line(1, fmt::format("domain {} {}", Str(domain.path), Quoted(Str(domain.title))));
    }
    for (const Table& table : plan_.tables) {
      Line(0, "");
      Line(0, fmt::format("table {}, {} rows", Str(table.name), table.rows));
      for (uint32_t c = 0; c < table.columns.size(); ++c) {
        const TableColumn& column = table.columns[c];
        bool key = std::find(table.keys.begin(), table.keys.end(), c) != table.keys.end();
        Line(1, fmt::format("{}: {}{}{}", Str(column.name), Name(column.type), column.optional ? "?" : "",
                            key ? ", key" : ""));
      }
    }
  }

  void EventText(const Event& event) {
    Line(0, "event " + std::string(Str(event.name)) +
                (event.parent == kNone ? "" : fmt::format(" extends {}", Str(plan_.events[event.parent].name))));
    if (event.doc != 0) Line(1, "doc     " + FirstLine(Str(event.doc)));
    OriginText(event);
    for (const uint32_t member : event.members) Line(1, "either  " + std::string(Str(plan_.events[member].name)));
    const PrintedBinding own{"", &event};
    for (const SourceRef& source : event.sources) {
      Line(1, "from    " + List(source.alternatives, " | ", [&](const SourceAlternative& a) {
                return std::string(Str(a.source)) + (a.metric == 0 ? "" : " " + Quoted(Str(a.metric)));
              }));
    }
    if (event.scope != EventScope{}) Line(1, "scope   " + ScopeText(event.scope));
    for (const TextClause& text : event.texts) {
      std::string on = text.field == kNone ? "" : PrintColumn(plan_, text.field, own) + " ";
      for (const Pattern& pattern : text.patterns) {
        Line(1, fmt::format("text{}   {}{}", text.optional ? "?" : " ", on, Quoted(Str(pattern.regex))));
      }
    }
    for (const Pattern& pattern : event.each) Line(1, "each    " + Quoted(Str(pattern.regex)));
    for (const Pattern& pattern : event.unless) Line(1, "unless  " + Quoted(Str(pattern.regex)));
    for (const Field& field : event.fields) FieldText(field, own);
    if (event.where != kNone) Line(1, "where   " + PrintExpr(plan_, event.where, {own}));
    if (event.since != kNone) Line(1, "since   " + PrintExpr(plan_, event.since, {own}));
    if (event.fold.kind != FoldKind::kUnfolded) FoldText(event.fold, own);
    for (uint32_t d = 0; d < event.derived.size(); ++d) {
      Line(1,
           fmt::format("derived {}: {}", PrintColumn(plan_, event.DerivedColumn(d), own), Name(event.derived[d].type)));
    }
  }

  void RuleText(uint32_t index) {
    static constexpr const char* kKinds[] = {"cause", "symptom", "outcome"};
    const Rule& rule = plan_.rules[index];
    Line(0, fmt::format("{} {} {}  ({}:{})", kKinds[static_cast<size_t>(rule.kind)], Str(rule.name),
                        Quoted(Str(rule.title)), Quoted(Str(rule.location.file)), rule.location.line));
    if (rule.doc != 0) Line(1, "doc      " + FirstLine(Str(rule.doc)));
    if (rule.kind == RuleKind::kOutcome) Line(1, "state    " + std::string(Name(rule.state)));
    auto domain = [&](uint32_t d) { return std::string(Str(plan_.domains[d].path)); };
    if (!rule.domains.empty()) Line(1, "domain   " + List(rule.domains, " | ", domain));
    auto text = [&](StrId id) { return std::string(Str(id)); };
    if (!rule.tags.empty()) Line(1, "tags     " + List(rule.tags, ", ", text));
    if (!rule.suggests.empty()) Line(1, "suggests " + List(rule.suggests, ", ", domain));
    std::vector<PrintedBinding> bindings;
    for (const Binding& binding : rule.bindings) {
      bindings.push_back({std::string(Str(binding.name)), &plan_.events[binding.event]});
    }
    for (size_t b = 0; b < rule.bindings.size(); ++b) BindingText(rule, b, bindings);
    RuleTail(rule, bindings);
  }

  void Edges(uint32_t rule) {
    for (const Demotion& demotion : plan_.demotions) {
      bool target = std::binary_search(demotion.targets.begin(), demotion.targets.end(), rule);
      if (demotion.source == rule) DemotionText(demotion, "demotes  ");
      if (target && demotion.source != rule) {
        DemotionText(demotion, "demoted by " + std::string(Str(plan_.rules[demotion.source].name)) + " as ");
      }
    }
    const Rule& of = plan_.rules[rule];
    for (const OrderPair& pair : plan_.order) {
      if (Touches(pair.above, rule, of) || Touches(pair.below, rule, of)) Line(1, "order    " + Pair(pair));
    }
  }

  void OrderText() {
    if (plan_.order.empty()) return;
    Line(0, "");
    Line(0, "precedence");
    for (const OrderPair& pair : plan_.order) Line(1, Pair(pair));
  }

  void AmbiguityText() {
    if (plan_.ambiguity.empty()) return;
    Line(0, "");
    Line(0, "ambiguity");
    static constexpr const char* kThen[] = {"", ", then earliest", ", then latest"};
    for (const AmbiguityClause& clause : plan_.ambiguity) {
      std::string text(Str(clause.text));
      if (clause.within != kNoWindow) text += " within " + PrintDuration(clause.within);
      if (clause.apart != kNoWindow) text += " unless apart " + PrintDuration(clause.apart);
      text += kThen[static_cast<size_t>(clause.then)];
      if (clause.because != 0) text += ", because " + Quoted(Str(clause.because));
      Line(1, text);
    }
  }

  void Blank() { Line(0, ""); }

 private:
  std::string_view Str(StrId id) const { return plan_.Str(id); }
  void Line(int indent, const std::string& text) {
    if (!text.empty()) out_.append(static_cast<size_t>(indent) * 2, ' ');
    out_ += text;
    out_ += '\n';
  }
  template <class T, class F>
  static std::string List(const std::vector<T>& values, const char* separator, F&& print) {
    std::string out;
    for (const T& value : values) {
      if (!out.empty()) out += separator;
      out += print(value);
    }
    return out;
  }

  static std::string ScopeText(const EventScope& scope) {
    std::string text;
    if (scope.before != kNoWindow) text = PrintDuration(scope.before) + " before the attempt";
    if (scope.after != kNoWindow) text += (text.empty() ? "" : ", ") + PrintDuration(scope.after) + " after it";
    if (scope.any_node) text += (text.empty() ? "" : ", ") + std::string("any node");
    return text;
  }

  void FoldText(const Fold& fold, const PrintedBinding& own) {
    const std::string keys = List(fold.keys, ", ", [&](uint32_t column) { return PrintColumn(plan_, column, own); });
    const std::string span = fold.records != 0 ? fmt::format("{}", fold.records) : PrintDuration(fold.span);
    if (fold.kind == FoldKind::kEpisode) Line(1, fmt::format("episode gap {} per {}", span, keys));
    if (fold.kind == FoldKind::kWindows) Line(1, fmt::format("over    {} per {}", span, keys));
    if (fold.where != kNone) Line(2, "where " + PrintExpr(plan_, fold.where, {own}));
    if (fold.closed_by != kNone) {
      const Event& event = plan_.events[fold.closed_by];
      Line(1, "closed  by " + std::string(Str(event.name)));
      for (const EqualKey& key : fold.same) {
        Line(2, fmt::format("key {} == {}", PrintColumn(plan_, key.left, own),
                            PrintColumn(plan_, key.right, {"closing", &event})));
      }
    }
    if (fold.having != kNone) Line(1, "having  " + PrintExpr(plan_, fold.having, {own}));
  }

  void FieldText(const Field& field, const PrintedBinding& own) {
    static constexpr const char* kOrigins[] = {"inherited", "group ", "attribute ", "observation's ", "",
                                               "",          "first",  "last",       "count",          "row"};
    std::string from = kOrigins[static_cast<size_t>(field.from)];
    if (field.from == FieldFrom::kExpr) {
      from = PrintExpr(plan_, field.expr, {own});
    } else if (field.from == FieldFrom::kWindow) {
      from = fmt::format("{}({})", Name(field.window), PrintExpr(plan_, field.expr, {own}));
      if (field.peers) from = "peers(" + from + ")";
    } else if (field.from < FieldFrom::kExpr && field.from != FieldFrom::kInherited) {
      from += std::string(Str(field.source));
    }
    std::string unit = field.unit == 1             ? ""
                       : field.type == Type::kSize ? fmt::format("({}B)", field.unit)
                                                   : "(" + PrintDuration(field.unit) + ")";
    Line(1, fmt::format("field   {}: {}{}{} = {}{}{}", Str(field.name), Name(field.type), unit,
                        field.optional ? "?" : "", from, field.hidden ? ", hidden" : "", field.used ? "" : ", unused"));
  }

  /// A value over the members of each alternative.
  std::string MemberText(const Rule& rule, const std::vector<ExprId>& exprs,
                         const std::vector<PrintedBinding>& bindings) {
    std::string out;
    for (uint32_t a = 0; a < exprs.size(); ++a) {
      const BindingRange range = BindingsOf(rule, a);
      const std::vector<PrintedBinding> own(bindings.begin() + range.first, bindings.begin() + range.end);
      out += (a == 0 ? "" : " | ") + PrintExpr(plan_, exprs[a], own);
    }
    return out;
  }

  void OriginText(const Event& event) {
    static constexpr const char* kRows[] = {
        "",      "findings", "nodes of the attempt", "ranks of the attempt", "GPUs of the attempt",
        "table", "stalled",  "not stalled"};
    if (event.origin == EventOrigin::kObservations) return;
    std::string text = kRows[static_cast<size_t>(event.origin)];
    if (event.origin == EventOrigin::kFindings) {
      text += " of " + List(event.rules, ", ", [&](uint32_t rule) { return std::string(Str(plan_.rules[rule].name)); });
    } else if (event.origin == EventOrigin::kTable) {
      text += " " + std::string(Str(plan_.tables[event.of].name));
    } else if (event.of != kNone) {
      text += fmt::format(": no {} for {}", Str(plan_.events[event.of].name), PrintDuration(event.duration));
    }
    Line(1, "rows    " + text);
  }

  void BindingText(const Rule& rule, size_t b, const std::vector<PrintedBinding>& bindings) {
    const Binding& binding = rule.bindings[b];
    static constexpr const char* kWords[] = {"and      ", "without  ", "unless   ", "with     "};
    const BindingRange range = BindingsOf(rule, binding.alternative);
    const char* word = b == 0             ? "when     "
                       : b == range.first ? "or       "
                                          : kWords[static_cast<size_t>(binding.kind)];
    Line(1, fmt::format("{}{}: {}", word, Str(binding.name), Str(plan_.events[binding.event].name)));
    if (binding.where != kNone) Line(3, "where " + PrintExpr(plan_, binding.where, {bindings[b]}));
    for (const Join& join : rule.joins) {
      if (join.right == b) JoinText(join, bindings);
    }
    const std::vector<PrintedBinding> own(bindings.begin() + range.first, bindings.begin() + range.end);
    if (binding.residual != kNone) Line(3, "where " + PrintExpr(plan_, binding.residual, own));
  }

  void JoinText(const Join& join, const std::vector<PrintedBinding>& bindings) {
    const PrintedBinding &left = bindings[join.left], &right = bindings[join.right];
    for (const EqualKey& key : join.keys) {
      Line(3, fmt::format("key {} == {}{}", PrintColumn(plan_, key.left, left), PrintColumn(plan_, key.right, right),
                          key.place ? ", a place" : ""));
    }
    for (const TimeRelation& relation : join.relations) Line(3, RelationText(relation, left.name));
    if (join.residual != kNone) Line(3, "where " + PrintExpr(plan_, join.residual, {left, right}));
    for (const EqualKey& key : join.narrow) {
      Line(3, fmt::format("only where {} agrees with {}", PrintColumn(plan_, key.left, left),
                          PrintColumn(plan_, key.right, right)));
    }
    if (join.different_observations) Line(3, "another observation than " + left.name);
  }

  static std::string RelationText(const TimeRelation& relation, const std::string& of) {
    const std::string within = "within " + PrintDuration(relation.distance);
    switch (relation.kind) {
      case RelationKind::kAfter:
        return "after " + of;
      case RelationKind::kBefore:
        return "before " + of;
      case RelationKind::kWithinOf:
        return within + " of " + of;
      case RelationKind::kWithinAfter:
        return within + " after " + of;
      case RelationKind::kWithinBefore:
        return within + " before " + of;
      case RelationKind::kDemote:
        break;
    }
    return (relation.distance == kNoWindow ? "at any time" : within) + ", lead " + PrintDuration(relation.lead);
  }

  void RuleTail(const Rule& rule, const std::vector<PrintedBinding>& bindings) {
    auto column = [&](const auto& clause) {
      return List(ColumnsOf(clause), " | ", [&](const ColumnRef& ref) {
        return ref.column == kNone ? bindings[ref.binding].name : PrintColumn(plan_, ref.column, bindings[ref.binding]);
      });
    };
    if (!rule.keys.empty()) {
      Line(1, "per      " +
                  List(rule.keys, ", ", [&](const Key& key) { return Quoted(Str(key.name)) + " = " + column(key); }));
    }
    if (rule.gap != kNoWindow) Line(1, "gap      " + PrintDuration(rule.gap));
    for (const Extreme& extreme : rule.extremes) {
      static constexpr const char* kExtremes[] = {"earliest", "latest  ", "least   ", "most    "};
      std::string text =
          fmt::format("{} {}", kExtremes[static_cast<size_t>(extreme.kind)], bindings[extreme.binding].name);
      if (extreme.column != kNone) text += " by " + column(extreme);
      Line(1, text);
    }
    for (size_t i = 0; i < rule.aggregates.size(); ++i) {
      const Aggregate& aggregate = rule.aggregates[i];
      Line(1, fmt::format("aggregate {} = {}({})", i, Name(aggregate.kind), column(aggregate)));
    }
    if (rule.having != kNone) Line(1, "having   " + PrintExpr(plan_, rule.having, bindings));
    static constexpr const char* kBlame[] = {"node ", "gpu ", "rank "};
    if (!rule.blame.empty()) {
      Line(1, "blame    " + List(rule.blame, ", ", [&](const Blame& blame) {
                return kBlame[static_cast<size_t>(blame.kind)] + column(blame);
              }));
    }
    if (!rule.advise.empty()) {
      Line(1, "advise   " + List(rule.advise, ", ", [&](StrId id) { return Quoted(Str(id)); }));
    }
    for (const Export& exported : rule.exports) {
      Line(1, fmt::format("export   {}: {} = {}", Str(exported.name), Name(exported.type),
                          exported.exprs.empty() ? fmt::format("aggregate {}", exported.aggregate)
                                                 : MemberText(rule, exported.exprs, bindings)));
    }
    if (rule.explain.empty()) return;
    std::string explain;
    for (const Segment& segment : rule.explain) {
      static constexpr const char* kNames[] = {"", "", "", "{first}", "{last}", "{nodes}", "{gpus}", "{ranks}"};
      if (segment.kind == SegmentKind::kText) {
        std::string quoted = Quoted(Str(segment.text));
        explain += quoted.substr(1, quoted.size() - 2);
      } else if (segment.kind == SegmentKind::kColumn) {
        explain += "{" + column(segment) + "}";
      } else if (segment.kind == SegmentKind::kExpr) {
        explain += "{" + MemberText(rule, segment.exprs, bindings) + "}";
      } else if (segment.kind == SegmentKind::kExport) {
        explain += "{" + std::string(Str(rule.exports[segment.exported].name)) + "}";
      } else if (segment.kind == SegmentKind::kCount) {
        explain += "{count(" + bindings[segment.column.binding].name + ")}";
      } else {
        explain += kNames[static_cast<size_t>(segment.kind)];
      }
    }
    Line(1, "explain  \"" + explain + "\"");
  }

  void DemotionText(const Demotion& demotion, const std::string& head) {
    static constexpr const char* kOn[] = {"", ", on node", ", on gpu", ", on rack", ", on nvlink_domain"};
    std::string text = head + Quoted(Str(demotion.target_text)) + kOn[static_cast<size_t>(demotion.on)];
    if (demotion.after) text += ", after it";
    for (const TimeRelation& relation : demotion.join.relations) text += ", " + RelationText(relation, "");
    if (demotion.because != 0) text += ", because " + Quoted(Str(demotion.because));
    Line(1, text);
    if (head.rfind("demotes", 0) != 0) return;
    for (uint32_t target : demotion.targets) Line(3, std::string(Str(plan_.rules[target].name)));
  }

  bool Touches(const OrderSide& side, uint32_t rule, const Rule& of) const {
    if (side.kind == SideKind::kRule) return side.id == rule;
    if (side.kind == SideKind::kTag) return std::find(of.tags.begin(), of.tags.end(), side.id) != of.tags.end();
    if (side.kind != SideKind::kDomain) return false;
    for (uint32_t domain : of.domains) {
      for (uint32_t d = domain; d != kNone; d = plan_.domains[d].parent) {
        if (d == side.id) return true;
      }
    }
    return false;
  }

  std::string Pair(const OrderPair& pair) const {
    return fmt::format("{}  ({}:{})", Quoted(Str(pair.text)), Quoted(Str(pair.location.file)), pair.location.line);
  }

  const Plan& plan_;
  std::string out_;
};

}  // namespace

std::string DumpEvent(const Plan& plan, uint32_t event) {
  Dumper dumper(plan);
  dumper.EventText(plan.events[event]);
  return dumper.Take();
}

std::string DumpRule(const Plan& plan, uint32_t rule) {
  Dumper dumper(plan);
  dumper.RuleText(rule);
  dumper.Edges(rule);
  std::vector<uint32_t> shown;
  for (const Binding& binding : plan.rules[rule].bindings) {
    for (uint32_t event = binding.event; event != kNone; event = plan.events[event].parent) {
      if (std::find(shown.begin(), shown.end(), event) != shown.end()) break;
      shown.push_back(event);
      dumper.Blank();
      dumper.EventText(plan.events[event]);
    }
  }
  return dumper.Take();
}

std::string Dump(const Plan& plan) {
  Dumper dumper(plan);
  dumper.Head();
  for (const Event& event : plan.events) {
    dumper.Blank();
    dumper.EventText(event);
  }
  for (uint32_t rule = 0; rule < plan.rules.size(); ++rule) {
    dumper.Blank();
    dumper.RuleText(rule);
    dumper.Edges(rule);
  }
  dumper.OrderText();
  dumper.AmbiguityText();
  return dumper.Take();
}

}  // namespace attr::plan
