#include "runtime/explain/trace.h"

#include <algorithm>
#include <array>

#include "runtime/eval/scalar.h"
#include "runtime/eval/time_relation.h"
#include "runtime/model/time_text.h"
#include "runtime/plan/operands.h"
#include "runtime/resolve/values.h"
#include "runtime/resolve/verdict_builder.h"

namespace attr::explain {

namespace {

constexpr size_t kMaxValues = 16;     // of one condition
constexpr size_t kMaxConjuncts = 64;  // of one expression
constexpr size_t kMaxNodes = 4'096;   // looked at for the columns of one expression
constexpr size_t kMaxValueBytes = 200;

class ColumnReader {
 public:
  ColumnReader(const plan::Plan& plan, uint32_t binding, const plan::Event& event, std::vector<uint32_t>* out)
      : plan_(plan), binding_(binding), event_(event), out_(*out) {}

  void Expr(plan::ExprId id, uint32_t binding) {
    if (id == plan::kNone || ++nodes_ > kMaxNodes) return;
    const plan::Expr& e = plan_.exprs[id];
    if (e.op == plan::Op::kColumn) {
      if (e.a == binding) Column(e.b);
      return;
    }
    const unsigned operands = plan::OperandCount(e.op);
    if (operands > 0) Expr(e.a, binding);
    if (operands > 1) Expr(e.b, binding);
  }
  void Expr(plan::ExprId id) { Expr(id, binding_); }

 private:
  /// Of a derived column what it is made of, then itself, where it has a value of its own.
  void Column(uint32_t column) {
    if (std::find(out_.begin(), out_.end(), column) != out_.end()) return;
    if (column >= event_.DerivedColumn(0)) {
      const plan::Derived& derived = event_.derived[column - event_.DerivedColumn(0)];
      for (const plan::ExprId key : derived.keys) Expr(key, 0);
      if (derived.column != plan::kNone) Column(derived.column);
      if (derived.kind != plan::DerivedKind::kLookup && derived.kind != plan::DerivedKind::kLabel) return;
    }
    if (std::find(out_.begin(), out_.end(), column) == out_.end()) out_.push_back(column);
  }

  const plan::Plan& plan_;
  uint32_t binding_;
  const plan::Event& event_;
  std::vector<uint32_t>& out_;
  size_t nodes_ = 0;
};

const eval::Table& TableOf(const TracedRule& rule, uint32_t binding) { return *rule.sides[binding].table; }

eval::Span SpanOf(const TracedRule& rule, uint32_t binding, uint32_t row) {
  return eval::SpanOf(TableOf(rule, binding), row);
}

std::string EqualText(const plan::Plan& plan, const TracedRule& rule, const Part& part) {
  return plan::PrintColumn(plan, part.key->right, rule.names[part.binding]) +
         " == " + plan::PrintColumn(plan, part.key->left, rule.names[part.left]);
}

/// How far `right` lies outside [left.begin - before, left.end + after].
int64_t Outside(const eval::Span& left, const eval::Span& right, int64_t before, int64_t after) {
  const int64_t tolerance = eval::Tolerance(left, right);
  const int64_t late = right.begin_lo - (left.end_hi + after + tolerance);
  const int64_t early = (left.begin_lo - before - tolerance) - right.end_hi;
  return std::max<int64_t>({late, early, 0});
}

int64_t RelationMiss(const plan::TimeRelation& relation, const eval::Span& left, const eval::Span& right) {
  using plan::RelationKind;
  if (left.tie != right.tie) return 0;
  const int64_t tolerance = eval::Tolerance(left, right);
  const int64_t before = std::max<int64_t>(left.begin_lo - tolerance - right.begin_hi, 0);
  const int64_t after = std::max<int64_t>(right.begin_lo - (left.begin_hi + tolerance), 0);
  switch (relation.kind) {
    case RelationKind::kAfter:
      return before;
    case RelationKind::kBefore:
      return after;
    case RelationKind::kWithinOf:
      return Outside(left, right, relation.distance, relation.distance);
    case RelationKind::kWithinAfter:
      return std::max(before, Outside(left, right, 0, relation.distance));
    case RelationKind::kWithinBefore:
      return std::max(after, Outside(left, right, relation.distance, 0));
    case RelationKind::kDemote:
      break;
  }
  return 0;
}

}  // namespace

TracedRule TraceRule(const eval::Context& context, const eval::Memberships& memberships, uint32_t rule) {
  TracedRule out;
  out.rule = &context.plan->rules[rule];
  out.index = rule;
  for (const plan::Binding& binding : out.rule->bindings) {
    out.sides.push_back(memberships.Of(binding));
    out.names.push_back({std::string(context.plan->Str(binding.name)), &context.plan->events[binding.event]});
  }
  return out;
}

std::vector<plan::ExprId> ConjunctsOf(const plan::Plan& plan, plan::ExprId root) {
  std::vector<plan::ExprId> out, stack;
  if (root != plan::kNone) stack.push_back(root);
  while (!stack.empty()) {
    const plan::ExprId id = stack.back();
    stack.pop_back();
    const plan::Expr& e = plan.exprs[id];
    if (e.op == plan::Op::kAnd && out.size() + stack.size() < kMaxConjuncts) {
      stack.push_back(e.b);
      stack.push_back(e.a);
    } else {
      out.push_back(id);
    }
  }
  return out;
}

std::vector<Part> PartsOf(const plan::Plan& plan, const plan::Rule& rule, uint32_t binding) {
  std::vector<Part> out;
  const auto add = [&](Part part) {
    part.binding = binding;
    out.push_back(std::move(part));
  };
  const plan::Binding& bound = rule.bindings[binding];
  for (const plan::ExprId expr : ConjunctsOf(plan, bound.where)) {
    add({.kind = Part::Kind::kWhere, .expr = expr, .frame = {binding}});
  }
  for (const plan::Join& join : rule.joins) {
    if (join.right != binding) continue;
    if (join.different_observations) add({.kind = Part::Kind::kDiffer, .left = join.left});
    for (const plan::EqualKey& key : join.keys) add({.kind = Part::Kind::kKey, .left = join.left, .key = &key});
    for (const plan::TimeRelation& relation : join.relations) {
      add({.kind = Part::Kind::kRelation, .left = join.left, .relation = &relation});
    }
    for (const plan::ExprId expr : ConjunctsOf(plan, join.residual)) {
      add({.kind = Part::Kind::kResidual, .left = join.left, .expr = expr, .frame = {join.left, binding}});
    }
  }
  std::vector<uint32_t> all;
  const plan::BindingRange range = plan::BindingsOf(rule, bound.alternative);
  for (uint32_t b = range.first; b < range.end; ++b) all.push_back(b);
  for (const plan::ExprId expr : ConjunctsOf(plan, bound.residual)) {
    add({.kind = Part::Kind::kResidual, .expr = expr, .frame = all});
  }
  return out;
}

uint8_t BitsOf(const eval::Context& context, const TracedRule& rule, const Part& part,
               const std::vector<uint32_t>& rows) {
  const eval::Table& own = TableOf(rule, part.binding);
  const uint32_t row = rows[part.binding];
  switch (part.kind) {
    case Part::Kind::kDiffer: {
      // What is no observation is no other's either.
      const uint32_t record = own.observation[row];
      const bool same = record != model::kNoId && record == TableOf(rule, part.left).observation[rows[part.left]];
      return same ? 0 : uint8_t{eval::kAllBits};
    }
    case Part::Kind::kKey: {
      const eval::Column& a = TableOf(rule, part.left).columns[part.key->left];
      const eval::Column& b = own.columns[part.key->right];
      if (!a.Has(rows[part.left]) || !b.Has(row)) {
        return part.key->place ? eval::kUndecided : uint8_t{eval::kMayBit};
      }
      return a.slots[rows[part.left]] == b.slots[row] ? uint8_t{eval::kAllBits} : 0;
    }
    case Part::Kind::kRelation:
      return eval::RelationBits(*part.relation, SpanOf(rule, part.left, rows[part.left]),
                                SpanOf(rule, part.binding, row));
    case Part::Kind::kWhere:
    case Part::Kind::kResidual:
      break;
  }
  eval::Scalar scalar{*context.plan, {}, {}, context.constants.data()};
  for (size_t i = 0; i < part.frame.size() && i < plan::kMaxBindings; ++i) {
    scalar.tables[i] = rule.sides[part.frame[i]].table;
    scalar.rows[i] = rows[part.frame[i]];
  }
  return scalar.Bits(part.expr);
}

int64_t MissOf(const TracedRule& rule, const Part& part, const std::vector<uint32_t>& rows) {
  if (part.kind != Part::Kind::kRelation) return 0;
  return RelationMiss(*part.relation, SpanOf(rule, part.left, rows[part.left]),
                      SpanOf(rule, part.binding, rows[part.binding]));
}

std::string TruthOf(uint8_t bits) {
  if ((bits & eval::kMustBit) != 0) return "true";
  if ((bits & eval::kPresumedBit) != 0) return "undecided";
  return bits != 0 ? "unknown" : "false";
}

std::string ColumnText(const eval::Context& context, const plan::Event& event, const eval::Table& table, uint32_t row,
                       uint32_t column) {
  const eval::Column& values = table.columns[column];
  if (!values.Has(row)) return "?";
  const eval::Column& precisions = table.columns[plan::kPrecision];
  const int64_t precision = row < precisions.slots.size() ? precisions.slots[row] : 1;
  return resolve::Shortened(resolve::SlotText(context, event.ColumnType(column), values.slots[row], precision),
                            kMaxValueBytes);
}

void ColumnsOf(const plan::Plan& plan, plan::ExprId expr, uint32_t binding, const plan::Event& event,
               std::vector<uint32_t>* out) {
  ColumnReader(plan, binding, event, out).Expr(expr);
}

std::string WhenOf(const eval::Table& table, uint32_t row) {
  const eval::Span span = eval::SpanOf(table, row);
  const model::Moment begin{span.begin_lo, span.begin_hi, span.precision},
      end{span.end_lo, span.end_hi, span.precision};
  const auto text = [](const model::Moment& moment) {
    return moment.Unknown() ? std::string("time unknown") : model::FormatMoment(moment);
  };
  return begin == end ? text(begin) : text(begin) + " to " + text(end);
}

std::string RelationText(const plan::TimeRelation& relation, const std::string& left, const std::string& right) {
  static constexpr std::array<const char*, 6> kWords = {" after ", " before ", " of ", " after ", " before ", " "};
  std::string out = right;
  const bool within = relation.kind != plan::RelationKind::kAfter && relation.kind != plan::RelationKind::kBefore;
  if (within) out += " within " + model::FormatDuration(relation.distance);
  return out + kWords[static_cast<size_t>(relation.kind)] + left;
}

Condition Show(const eval::Context& context, const TracedRule& rule, const Part& part,
               const std::vector<uint32_t>& rows) {
  const plan::Plan& plan = *context.plan;
  Condition out;
  out.truth = TruthOf(BitsOf(context, rule, part, rows));
  const auto column = [&](uint32_t binding, uint32_t index) {
    if (out.values.size() >= kMaxValues) return;
    const plan::PrintedBinding& name = rule.names[binding];
    out.values.push_back({plan::PrintColumn(plan, index, name),
                          ColumnText(context, *name.event, TableOf(rule, binding), rows[binding], index)});
  };
  const auto when = [&](uint32_t binding) {
    out.values.push_back({rule.names[binding].name, WhenOf(TableOf(rule, binding), rows[binding])});
  };
  switch (part.kind) {
    case Part::Kind::kDiffer:
      out.text = rule.names[part.binding].name + " is another observation than " + rule.names[part.left].name;
      break;
    case Part::Kind::kKey:
      out.text = EqualText(plan, rule, part);
      column(part.binding, part.key->right);
      column(part.left, part.key->left);
      break;
    case Part::Kind::kRelation: {
      out.text = RelationText(*part.relation, rule.names[part.left].name, rule.names[part.binding].name);
      when(part.left);
      when(part.binding);
      const int64_t miss = out.truth == "false" ? MissOf(rule, part, rows) : 0;
      if (miss != 0) out.missed_by = model::FormatDuration(miss);
      break;
    }
    case Part::Kind::kWhere:
    case Part::Kind::kResidual: {
      std::vector<plan::PrintedBinding> names;
      for (const uint32_t binding : part.frame) names.push_back(rule.names[binding]);
      out.text = plan::PrintExpr(plan, part.expr, names);
      for (uint32_t i = 0; i < part.frame.size(); ++i) {
        std::vector<uint32_t> columns;
        ColumnsOf(plan, part.expr, i, *names[i].event, &columns);
        for (const uint32_t index : columns) column(part.frame[i], index);
      }
      break;
    }
  }
  return out;
}

void AddObservations(const eval::Context& context, const eval::Table& table, uint32_t row,
                     std::vector<model::Evidence>* out) {
  if (row >= table.first_phantom || row >= table.observation.size() || table.observation[row] == model::kNoId) return;
  out->push_back(resolve::EvidenceOf(*context.set, table.observation[row]));
}

}  // namespace attr::explain
