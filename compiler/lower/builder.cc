// See builder.h.
#include "compiler/lower/builder.h"

#include <algorithm>

namespace attr::lower {

using plan::Expr;
using plan::ExprId;
using plan::Op;

plan::StrId Builder::Str(std::string_view text) {
  if (auto it = strings_.find(text); it != strings_.end()) return it->second;
  const auto id = static_cast<plan::StrId>(plan.strings.size());
  plan.strings.emplace_back(text);
  strings_.emplace(std::string(text), id);
  return id;
}

uint32_t Builder::Constant(plan::Type type, std::string_view text) {
  const plan::StrId string = Str(text);
  auto [it, inserted] = constants_.try_emplace({type, string}, static_cast<uint32_t>(plan.constants.size()));
  if (inserted) plan.constants.push_back({type, string});
  return it->second;
}

uint32_t Builder::Range(int64_t lo, int64_t hi) {
  auto [it, inserted] = ranges_.try_emplace({lo, hi}, static_cast<uint32_t>(plan.ranges.size()));
  if (inserted) plan.ranges.push_back({lo, hi});
  return it->second;
}

uint32_t Builder::Set(plan::Set set) {
  std::sort(set.values.begin(), set.values.end());
  set.values.erase(std::unique(set.values.begin(), set.values.end()), set.values.end());
  auto [it, inserted] = sets_.try_emplace({set.ids, set.values}, static_cast<uint32_t>(plan.sets.size()));
  if (inserted) plan.sets.push_back(std::move(set));
  return it->second;
}

ExprId Builder::Add(Expr expr) {
  const auto id = static_cast<ExprId>(plan.exprs.size());
  const ExprKey key{expr.op, expr.type, expr.a, expr.b, expr.index, expr.imm};
  auto [it, inserted] = exprs_.try_emplace(key, id);
  if (!inserted) return it->second;
  uint32_t depth = 1;
  const bool leaf = expr.op == Op::kColumn || expr.op == Op::kInt || expr.op == Op::kFloat ||
                    expr.op == Op::kConstant || expr.op == Op::kTrue || expr.op == Op::kFalse ||
                    expr.op == Op::kCountCmp || expr.op == Op::kAggregateCmp;
  if (!leaf && expr.a != plan::kNone) depth = std::max(depth, depth_[expr.a] + 1);
  if (!leaf && expr.b != plan::kNone) depth = std::max(depth, depth_[expr.b] + 1);
  plan.exprs.push_back(expr);
  depth_.push_back(depth);
  return id;
}

ExprId Builder::Column(uint32_t binding, uint32_t column, plan::Type type) {
  return Add({.op = Op::kColumn, .type = type, .a = binding, .b = column});
}

ExprId Builder::Unary(Op op, ExprId a, plan::Type type) { return Add({.op = op, .type = type, .a = a}); }

ExprId Builder::Binary(Op op, ExprId a, ExprId b, plan::Type type) {
  return Add({.op = op, .type = type, .a = a, .b = b});
}

ExprId Builder::Join(Op op, const std::vector<ExprId>& operands) {
  if (operands.empty()) return Add({.op = op == Op::kAnd ? Op::kTrue : Op::kFalse});
  return JoinRange(op, operands, 0, operands.size());
}

ExprId Builder::JoinRange(Op op, const std::vector<ExprId>& operands, size_t begin, size_t end) {
  if (end - begin == 1) return operands[begin];
  const size_t middle = begin + (end - begin + 1) / 2;
  const ExprId left = JoinRange(op, operands, begin, middle);
  return Binary(op, left, JoinRange(op, operands, middle, end));
}

uint32_t Builder::Derive(uint32_t event, plan::Derived derived) {
  plan::Event& target = plan.events[event];
  const uint32_t next = target.DerivedColumn(target.derived.size());
  DerivedKey key{event,        derived.kind,   derived.type, derived.table, derived.table_column,
                 derived.keys, derived.column, derived.regex};
  auto [it, inserted] = derived_.try_emplace(std::move(key), next);
  if (inserted) target.derived.push_back(std::move(derived));
  return it->second;
}

void Builder::MarkUsed(uint32_t event, uint32_t column) {
  plan::Event& target = plan.events[event];
  if (column < plan::kSystemColumns || column >= target.DerivedColumn(0)) return;
  plan::Field& field = target.fields[column - plan::kSystemColumns];
  field.used = true;
  if (field.from != plan::FieldFrom::kInherited) return;
  const plan::StrId name = field.name;
  const std::vector<uint32_t> members = target.members;
  for (const uint32_t member : members) MarkUsed(member, plan.events[member].FindColumn(name));
  if (members.empty()) MarkUsed(target.parent, column);
}

}  // namespace attr::lower
