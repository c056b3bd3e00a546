// Plans and tables by hand, for tests and benchmarks of this room, and a scalar
// walk over expressions, one row at a time: the baseline that batches are measured
// against and the second opinion that they are compared with.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "runtime/eval/evaluate.h"
#include "runtime/eval/expression.h"
#include "runtime/eval/scalar.h"
#include "runtime/eval/value_ops.h"

namespace attr::eval::testing {

/// The first column of an event's own.
constexpr uint32_t kField = plan::kSystemColumns;

using plan::kSecond;
using plan::Op;
using plan::Type;
using Cell = std::optional<int64_t>;

/// "n7". Not operator+ on a literal: GCC 12 warns falsely there.
inline std::string Numbered(std::string prefix, uint64_t number) { return prefix.append(std::to_string(number)); }

/// Expressions and names of a plan under construction.
class PlanBuilder {
 public:
  plan::Plan plan;

  plan::StrId Str(const std::string& text) {
    plan.strings.push_back(text);
    return static_cast<plan::StrId>(plan.strings.size() - 1);
  }
  plan::ExprId Add(plan::Expr expr) {
    plan.exprs.push_back(expr);
    return static_cast<plan::ExprId>(plan.exprs.size() - 1);
  }
  plan::ExprId Column(uint32_t binding, uint32_t column, Type type = Type::kInt) {
    return Add({Op::kColumn, type, binding, column});
  }
  plan::ExprId Int(int64_t value) { return Add({Op::kInt, Type::kInt, plan::kNone, plan::kNone, plan::kNone, value}); }
  plan::ExprId Float(double value) {
    return Add({Op::kFloat, Type::kFloat, plan::kNone, plan::kNone, plan::kNone, SlotOf(value)});
  }
  plan::ExprId Node(Op op, plan::ExprId a, plan::ExprId b = plan::kNone) { return Add({op, Type::kBool, a, b}); }
  plan::ExprId InRange(Op op, plan::ExprId a, int64_t lo, int64_t hi) {
    plan.ranges.push_back({lo, hi});
    return Add({op, Type::kBool, a, plan::kNone, static_cast<uint32_t>(plan.ranges.size() - 1)});
  }
  plan::ExprId InSet(Op op, plan::ExprId a, std::vector<int64_t> values, bool ids = false) {
    plan.sets.push_back({ids, std::move(values)});
    return Add({op, Type::kBool, a, plan::kNone, static_cast<uint32_t>(plan.sets.size() - 1)});
  }
  /// An event with int fields of these names; returns its index.
  uint32_t Event(const std::string& name, const std::vector<std::pair<std::string, Type>>& fields = {},
                 uint32_t parent = plan::kNone) {
    plan::Event event;
    event.name = Str(name);
    event.parent = parent;
    for (const auto& [field, type] : fields) {
      plan::Field f;
      f.name = Str(field);
      f.type = type;
      event.fields.push_back(f);
    }
    plan.events.push_back(event);
    return static_cast<uint32_t>(plan.events.size() - 1);
  }
  plan::Rule& Rule(const std::string& name, const std::vector<uint32_t>& events) {
    plan::Rule rule;
    rule.name = Str(name);
    for (uint32_t event : events) {
      plan::Binding binding;
      binding.name = Str(Numbered("b", rule.bindings.size()));
      binding.event = event;
      rule.bindings.push_back(binding);
    }
    if (events.size() == 2) rule.joins.emplace_back();
    plan.rules.push_back(rule);
    return plan.rules.back();
  }
  plan::Key KeyOf(const std::string& name, uint32_t column, uint32_t binding = 0) {
    return {Str(name), {binding, column}};
  }
};

inline int64_t Seconds(double seconds) { return static_cast<int64_t>(seconds * 1e9); }

/// Rows of one event, cell by cell. Times in seconds.
class TableBuilder {
 public:
  explicit TableBuilder(uint32_t columns) {
    table.columns.resize(columns);
    table.first_phantom = 0;
  }
  Table table;

  size_t Row(model::Moment begin, model::Moment end, uint32_t observation) {
    const size_t row = table.rows++;
    for (Column& column : table.columns) {
      column.slots.push_back(0);
      column.present.resize(WordsFor(table.rows));
    }
    for (uint32_t c = plan::kBeginLo; c <= plan::kSkew; ++c) Put(row, c, 0);
    Put(row, plan::kBeginLo, begin.lo);
    Put(row, plan::kBeginHi, begin.hi);
    Put(row, plan::kEndLo, end.lo);
    Put(row, plan::kEndHi, end.hi);
    if (begin.IsStamp()) Put(row, plan::kBegin, begin.lo);
    if (end.IsStamp()) Put(row, plan::kEnd, end.lo);
    table.observation.push_back(observation);
    table.first_phantom = table.rows;
    return row;
  }
  size_t At(double seconds, uint32_t observation) {
    const model::Moment moment{Seconds(seconds), Seconds(seconds), 0};
    return Row(moment, moment, observation);
  }
  size_t Between(double lo, double hi, uint32_t observation) {
    const model::Moment moment{Seconds(lo), Seconds(hi), 0};
    return Row(moment, moment, observation);
  }
  /// After all real rows.
  size_t Phantom(uint32_t gap, double lo, double hi, Cell node = std::nullopt) {
    const size_t first = table.first_phantom;
    const size_t row = Between(lo, hi, model::kNoId);
    table.first_phantom = first;
    table.phantom_gap.push_back(gap);
    if (node) Put(row, plan::kNode, *node);
    return row;
  }
  void Put(size_t row, uint32_t column, Cell value) {
    if (!value) return;
    table.columns[column].slots[row] = *value;
    Set(table.columns[column].present, row);
  }
};

/// A plan, the tables of its events and one evaluation by the interpreter.
struct Scenario {
  PlanBuilder p;
  Context context;
  std::vector<TableBuilder> tables;
  Limits limits;

  uint32_t Event(const std::string& name, const std::vector<std::pair<std::string, Type>>& fields = {}) {
    const uint32_t event = p.Event(name, fields);
    tables.emplace_back(p.plan.events[event].ColumnCount());
    return event;
  }
  int64_t Id(const std::string& text) { return context.dictionary.Intern(text); }
  /// A row at a moment on a node ("" for none); observation ids count up over all tables.
  size_t Add(uint32_t event, double seconds, const std::string& node, uint32_t observation) {
    const size_t row = tables[event].At(seconds, observation);
    if (!node.empty()) tables[event].Put(row, plan::kNode, Id(node));
    return row;
  }
  void Put(uint32_t event, size_t row, uint32_t column, Cell value) { tables[event].Put(row, column, value); }

  Evaluation Evaluate(Stats* stats = nullptr) {
    context.plan = &p.plan;
    context.events.clear();
    for (const TableBuilder& table : tables) context.events.push_back(table.table);
    const auto engine = MakeInterpreter(p.plan, KernelsOf(p.plan));
    return eval::Evaluate(context, *engine, limits, stats);
  }
  std::vector<std::string> Names(const std::vector<uint32_t>& ids) const {
    std::vector<std::string> names;
    for (uint32_t id : ids) names.emplace_back(context.dictionary.Text(id));
    return names;
  }
};

/// Deterministic numbers (xorshift), the same everywhere.
struct Random {
  uint64_t state = 0x9E3779B97F4A7C15ULL;
  uint64_t Next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }
  uint64_t Below(uint64_t bound) { return Next() % bound; }
};

}  // namespace attr::eval::testing
