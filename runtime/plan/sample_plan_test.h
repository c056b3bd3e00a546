// A small plan that uses every part of the format once: what the tests of the
// verifier, the printer and the pack start from.
#pragma once

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "runtime/plan/plan.h"

namespace attr::plan {

class SampleBuilder {
 public:
  Plan plan;

  StrId Str(const std::string& text) {
    auto it = std::find(plan.strings.begin(), plan.strings.end(), text);
    if (it == plan.strings.end()) it = plan.strings.insert(it, text);
    return static_cast<StrId>(it - plan.strings.begin());
  }
  ExprId Add(Expr e) {
    plan.exprs.push_back(e);
    return static_cast<ExprId>(plan.exprs.size() - 1);
  }
  ExprId Column(uint32_t binding, uint32_t column, Type type) { return Add({Op::kColumn, type, binding, column}); }
  ExprId Int(int64_t value, Type type = Type::kInt) { return Add({Op::kInt, type, kNone, kNone, kNone, value}); }
  ExprId Float(double value) {
    return Add({Op::kFloat, Type::kFloat, kNone, kNone, kNone, std::bit_cast<int64_t>(value)});
  }
  ExprId Binary(Op op, ExprId a, ExprId b, Type type = Type::kBool) { return Add({op, type, a, b}); }
  ExprId Unary(Op op, ExprId a, uint32_t index = kNone) { return Add({op, Type::kBool, a, kNone, index}); }
  uint32_t Intern(Type type, const std::string& text) {
    plan.constants.push_back({type, Str(text)});
    return static_cast<uint32_t>(plan.constants.size() - 1);
  }
  Field MakeField(const std::string& name, Type type, FieldFrom from, const std::string& source) {
    Field field;
    field.name = Str(name);
    field.type = type;
    field.from = from;
    field.source = Str(source);
    return field;
  }

  void Head() {
    plan.meta.name = Str("site.training");
    plan.meta.version = Str("1.2.0");
    plan.meta.imports.push_back({Str("std.gpu"), Str("1.0.0"), Str(std::string(64, 'a'))});
    plan.meta.skews = {{0, 5 * kSecond}, {Str("dmesg_wall"), 300 * kSecond}};
    plan.sources = {Str("kernel"), Str("syslog"), Str("application")};
    plan.domains = {{Str("hardware"), Str("Hardware"), kNone},
                    {Str("hardware.gpu"), Str("GPU"), 0},
                    {Str("fabric"), Str("Fabric"), kNone},
                    {Str("fabric.nvlink"), Str("NVLink"), 2}};
  }

  void Tables() {
    uint32_t drain = Intern(Type::kText, "drain"), reset = Intern(Type::kText, "reset");
    Table table;
    table.name = Str("site.training::xid_catalog");
    table.rows = 3;
    table.keys = {0};
    table.columns.push_back({Str("code"), Type::kInt, false, {79, 95, 149}, {1, 1, 1}});
    table.columns.push_back({Str("action"), Type::kText, true, {drain, 0, reset}, {1, 0, 1}});
    table.columns.push_back({Str("weight"), Type::kFloat, false, {0, std::bit_cast<int64_t>(0.5), 0}, {1, 1, 1}});
    plan.tables.push_back(table);
  }

  /// Columns: 16 gpu, 17 code, 18 detail; derived 19 action, 20 known, 21 mentions.
  void XidEvent() {
    Event event;
    event.name = Str("site.training::xid");
    event.doc = Str("The driver's error report.");
    event.sources = {{{{Str("kernel"), 0}, {Str("syslog"), 0}}}};
    event.texts = {{false, kNone, {{Str(R"(NVRM: Xid \((?P<pci>[0-9a-f:.]+)\): (?P<c>\d+)(?:, (?P<d>.*))?)")}}}};
    event.unless = {{Str("simulated")}};
    event.fields = {MakeField("gpu", Type::kGpu, FieldFrom::kGroup, "pci"),
                    MakeField("code", Type::kInt, FieldFrom::kGroup, "c"),
                    MakeField("detail", Type::kText, FieldFrom::kGroup, "d")};
    event.fields[2].optional = true;
    event.where = Binary(Op::kLtI, Int(0), Column(0, 17, Type::kInt));
    Derived action;
    action.kind = DerivedKind::kLookup;
    action.type = Type::kText;
    action.table = 0;
    action.table_column = 1;
    action.keys = {Column(0, 17, Type::kInt)};
    Derived known = action;
    known.kind = DerivedKind::kHasKey;
    known.type = Type::kBool;
    Derived mentions;
    mentions.kind = DerivedKind::kRegex;
    mentions.column = 18;
    mentions.regex = Str("Fatal");
    event.derived = {action, known, mentions};
    plan.events.push_back(event);
  }

  /// Columns: 16 gpu, 17 code, 18 detail, 19 level, 20 half (computed); derived 21 rack, 22 record.
  void NvlinkEvent() {
    Event event;
    event.name = Str("site.training::nvlink5");
    event.parent = 0;
    event.fields = plan.events[0].fields;
    for (Field& field : event.fields) field.from = FieldFrom::kInherited;
    event.fields.push_back(MakeField("level", Type::kText, FieldFrom::kGroup, "level"));
    event.fields.push_back(MakeField("half", Type::kInt, FieldFrom::kExpr, ""));
    event.fields[4].expr = Binary(Op::kDivI, Column(0, 17, Type::kInt), Int(2), Type::kInt);
    event.texts = {{true, 18, {{Str(R"((?P<level>Fatal|Nonfatal))")}, {Str("(?P<level>Unknown)")}}}};
    plan.ranges.push_back({144, 150});
    event.where = Unary(Op::kInRange, Column(0, 17, Type::kInt), 0);
    event.since = Binary(Op::kSubI, Column(0, kEnd, Type::kTime), Int(kSecond, Type::kDuration), Type::kTime);
    Derived rack;
    rack.kind = DerivedKind::kLabel;
    rack.type = Type::kText;
    rack.regex = Str("rack");
    rack.keys = {Column(0, kNode, Type::kNode)};
    Derived record;
    record.kind = DerivedKind::kRecord;
    record.type = Type::kInt;
    event.derived = {rack, record};
    plan.events.push_back(event);
  }

  /// Columns: 16 rank, 17 ratio.
  void WatchdogEvent() {
    Event event;
    event.name = Str("site.training::watchdog");
    event.sources = {{{{Str("application"), 0}}}};
    event.texts = {{false, kNone, {{Str(R"(\[Rank (?P<r>\d+)\] timeout (?P<ratio>\S+))")}}}};
    event.fields = {MakeField("rank", Type::kRank, FieldFrom::kGroup, "r"),
                    MakeField("ratio", Type::kFloat, FieldFrom::kGroup, "ratio")};
    plan.events.push_back(event);
  }

  /// Columns: 16 rank, 17 ratio, 18 last, 19 count. Closed by the watchdog.
  void StallEvent() {
    Event event = plan.events[2];
    event.name = Str("site.training::stall");
    event.scope = {7 * 86'400 * kSecond, kNoWindow, true};
    event.texts.clear();
    event.each = {{Str(R"((?P<r>\d+) stalls (?P<ratio>\S+))")}};
    event.fields.push_back(MakeField("last", Type::kTime, FieldFrom::kLast, ""));
    event.fields.push_back(MakeField("count", Type::kInt, FieldFrom::kCount, ""));
    event.fold.kind = FoldKind::kEpisode;
    event.fold.span = 60 * kSecond;
    event.fold.keys = {kNode, 16};
    event.fold.closed_by = 2;
    event.fold.same = {{16, 16, true}};
    event.fold.fields = 2;
    event.fold.having = Binary(Op::kLeI, Int(3), Column(0, 19, Type::kInt));
    plan.events.push_back(event);
  }

  /// Columns: 16 value, 17 increase, 18 errors.
  void BurstEvent() {
    Event event;
    event.name = Str("site.training::burst");
    event.sources = {{{{Str("kernel"), Str("errors")}}}};
    event.fields = {MakeField("value", Type::kFloat, FieldFrom::kBuiltin, "value"),
                    MakeField("increase", Type::kFloat, FieldFrom::kWindow, ""),
                    MakeField("errors", Type::kFloat, FieldFrom::kExpr, "")};
    event.fields[1].window = WindowKind::kIncrease;
    event.fields[1].hidden = true;
    event.fields[1].expr = Column(0, 16, Type::kFloat);
    event.fields[2].expr = Column(0, 17, Type::kFloat);
    event.fold.kind = FoldKind::kWindows;
    event.fold.span = 300 * kSecond;
    event.fold.keys = {kNode};
    event.fold.fields = 1;
    event.fold.where = Binary(Op::kLeF, Float(100), Column(0, 17, Type::kFloat));
    plan.events.push_back(event);
  }

  /// Findings of the symptom; columns: 16 node, 17 count.
  void FindingEvent() {
    Event event;
    event.name = Str("site.training::collective_timeout");
    event.origin = EventOrigin::kFindings;
    event.rules = {1};
    event.fields = {MakeField("node", Type::kNode, FieldFrom::kRow, ""),
                    MakeField("count", Type::kInt, FieldFrom::kRow, "")};
    plan.events.push_back(event);
  }

  Rule MakeRule(RuleKind kind, const std::string& name, const std::string& title) {
    Rule rule;
    rule.kind = kind;
    rule.name = Str(name);
    rule.title = Str(title);
    rule.location = {Str("pack.attr"), 12};
    return rule;
  }

  void Rules() {
    Rule outcome = MakeRule(RuleKind::kOutcome, "site.training::outcome#1", "");
    outcome.state = TerminalState::kHung;
    outcome.bindings = {{Str("w"), BindKind::kPositive, 2, kNone}};
    plan.rules.push_back(outcome);

    Rule timeout = MakeRule(RuleKind::kSymptom, "site.training::collective_timeout", "Collective timed out");
    timeout.tags = {Str("collective")};
    timeout.suggests = {2};
    timeout.bindings = {{Str("w"), BindKind::kPositive, 2, kNone}};
    timeout.bindings[0].where = Binary(Op::kLtF, Float(0.5), Column(0, 17, Type::kFloat));
    timeout.keys = {{Str("node"), {0, kNode}}};
    timeout.having = Add({Op::kCountCmp, Type::kBool, 0, static_cast<uint32_t>(CountCmp::kGe), kNone, 2});
    plan.rules.push_back(timeout);

    Rule gpu = MakeRule(RuleKind::kCause, "site.training::gpu_fault", "GPU fault");
    gpu.domains = {1};
    gpu.tags = {Str("fallback")};
    plan.sets.push_back({true, {0, 1}});
    gpu.bindings = {{Str("x"), BindKind::kPositive, 0, kNone}};
    gpu.bindings[0].where = Binary(Op::kOr, Unary(Op::kInSet, Column(0, 19, Type::kText), 0),
                                   Unary(Op::kIsTrue, Column(0, 20, Type::kBool)));
    gpu.keys = {{Str("node"), {0, kNode}}};
    plan.rules.push_back(gpu);
    plan.rules.push_back(LinkRule());
  }

  Rule LinkRule() {
    Rule link = MakeRule(RuleKind::kCause, "site.training::link_fault", "NVLink fault");
    link.doc = Str("The link's signal is damaged.");
    link.domains = {3, 1};
    link.tags = {Str("hardware")};
    uint32_t fatal = Intern(Type::kText, "Fatal");
    ExprId level = Binary(Op::kEqI, Column(0, 19, Type::kText), Add({Op::kConstant, Type::kText, fatal}));
    ExprId code = Binary(Op::kEqI, Column(0, 17, Type::kInt), Int(149));
    link.bindings = {{Str("x"), BindKind::kPositive, 1, Binary(Op::kAnd, code, level)},
                     {Str("w"), BindKind::kPositive, 2, kNone}};
    Join join;
    join.keys = {{kNode, kNode, true}};
    join.relations = {{RelationKind::kWithinAfter, 60 * kSecond, 0}};
    join.residual = Binary(Op::kLtIF, Column(0, 17, Type::kInt), Column(1, 17, Type::kFloat));
    join.different_observations = true;
    link.joins = {join};
    link.keys = {{Str("node"), {0, kNode}}, {Str("gpu"), {0, kGpu}}};
    link.blame = {{BlameKind::kNode, {0, kNode}}, {BlameKind::kGpu, {0, kGpu}}, {BlameKind::kRank, {1, 16}}};
    link.exports = {{Str("code"), Type::kInt, {Column(0, 17, Type::kInt)}, kNone}};
    link.advise = {Str("drain"), Str("reset_gpu")};
    link.explain = {{SegmentKind::kText, Str("Xid "), {}},    {SegmentKind::kColumn, 0, {0, 17}},
                    {SegmentKind::kText, Str(" on "), {}},    {SegmentKind::kNodes, 0, {}},
                    {SegmentKind::kExport, 0, {}, {}, {}, 0}, {SegmentKind::kCount, 0, {1, 0}}};
    return link;
  }

  /// Alternatives, a name of both, and what closes a finding.
  void Alternatives() {
    Rule lost = MakeRule(RuleKind::kCause, "site.training::link_lost", "Link lost");
    lost.domains = {3};
    lost.bindings = {{Str("x"), BindKind::kPositive, 0, kNone},
                     {Str("x"), BindKind::kPositive, 1, kNone},
                     {Str("w"), BindKind::kPositive, 2, kNone}};
    lost.bindings[1].alternative = lost.bindings[2].alternative = 1;
    Join join;
    join.left = 1;
    join.right = 2;
    join.narrow = {{kNode, kNode, false}};
    lost.joins.push_back(join);
    lost.keys = {{Str("node"), {0, kNode}, {{1, kNode}}}};
    lost.extremes = {{ExtremeKind::kMost, 0, 17, Type::kInt, {{1, 17}}}};
    lost.aggregates = {{AggregateKind::kCount, 0, kNone, Type::kInt, {{1, kNone}}}};
    lost.having = Add({Op::kAggregateCmp, Type::kInt, 0, static_cast<uint32_t>(CountCmp::kGe), kNone, 2});
    lost.blame = {{BlameKind::kNode, {0, kNode}, {{1, kNode}}}};
    lost.explain = {{SegmentKind::kColumn, 0, {0, 17}, {{1, 17}}}, {SegmentKind::kCount, 0, {0, 0}, {{1, 0}}}};
    Closing up;
    up.name = Str("up");
    up.event = 2;
    up.join.keys = {{kNode, kNode, true}};
    up.after = 60 * kSecond;
    up.shared = {Str("node")};
    up.location = {Str("pack.attr"), 25};
    lost.closings = {up};
    plan.rules.push_back(lost);
  }

  void Graphs() {
    Demotion demotion;
    demotion.source = 3;
    demotion.targets = {1};
    demotion.target_text = Str("tag collective");
    demotion.on = DemoteOn::kNode;
    demotion.join.keys = {{kNode, kNode, true}};
    demotion.join.relations = {{RelationKind::kDemote, 120 * kSecond, 10 * kSecond}};
    demotion.because = Str("a lost NVLink stalls every collective that crosses it");
    demotion.location = {Str("pack.attr"), 20};
    plan.demotions.push_back(demotion);
    SourceLocation at{Str("pack.attr"), 30};
    plan.order = {{{SideKind::kRule, 3}, {SideKind::kRule, 2}, at, Str("link_fault > gpu_fault")},
                  {{SideKind::kAll, 0}, {SideKind::kTag, Str("fallback")}, at, Str("* > tag fallback")},
                  {{SideKind::kDomain, 3}, {SideKind::kDomain, 0}, at, Str("fabric.nvlink > hardware")}};
    plan.ambiguity = {{{SideKind::kDomain, 3},
                       {SideKind::kDomain, 0},
                       kNoWindow,
                       300 * kSecond,
                       AmbiguityThen::kEarliest,
                       Str("between fabric.nvlink, hardware"),
                       0,
                       at}};
    Preference prefer{2, 3, DemoteOn::kNode, {}, Str("prefer gpu_fault over link_fault"), Str("seen first"), at};
    prefer.join.keys = {{kNode, kNode, true}};
    plan.preferences = {prefer};
  }
};

inline Plan SamplePlan() {
  SampleBuilder b;
  b.Head();
  b.Tables();
  b.XidEvent();
  b.NvlinkEvent();
  b.WatchdogEvent();
  b.StallEvent();
  b.BurstEvent();
  b.FindingEvent();
  b.Rules();
  b.Alternatives();
  b.Graphs();
  return b.plan;
}

}  // namespace attr::plan
