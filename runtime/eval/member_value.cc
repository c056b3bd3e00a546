#include "runtime/eval/member_value.h"

#include "runtime/eval/scalar.h"

namespace attr::eval {
namespace {

/// The bindings that an expression reads, as bits.
uint32_t ReadBy(const plan::Plan& plan, plan::ExprId id) {
  const plan::Expr& e = plan.exprs[id];
  if (e.op == plan::Op::kColumn) return 1U << e.a;
  if (e.op == plan::Op::kInt || e.op == plan::Op::kFloat || e.op == plan::Op::kConstant) return 0;
  return ReadBy(plan, e.a) | (e.b == plan::kNone ? 0 : ReadBy(plan, e.b));
}

}  // namespace

std::optional<int64_t> MemberValue(const Context& context, const Finding& finding,
                                   const std::vector<plan::ExprId>& exprs) {
  const plan::Plan& plan = *context.plan;
  const plan::Rule& rule = plan.rules[finding.rule];
  std::optional<int64_t> value;
  uint32_t first = model::kNoId;
  bool found = false;
  for (uint32_t a = 0; a < exprs.size(); ++a) {
    const plan::BindingRange range = plan::BindingsOf(rule, a);
    const uint32_t read = ReadBy(plan, exprs[a]);
    Scalar tuple{plan, {}, {}, context.constants.data()};
    bool whole = true;
    uint32_t at = model::kNoId;
    for (uint32_t b = range.first; b < range.end; ++b) {
      if ((read >> (b - range.first) & 1U) == 0) continue;
      const std::vector<uint32_t>& rows = finding.members[plan::StoredAt(rule, b)].rows;
      whole = whole && !rows.empty();
      if (!whole) break;
      const Table& table = context.events[rule.bindings[b].event];
      tuple.tables[b - range.first] = &table;
      tuple.rows[b - range.first] = rows.front();
      at = std::min(at, table.observation[rows.front()]);
    }
    if (!whole || (found && at >= first)) continue;
    found = true;
    first = at;
    int64_t slot = 0;
    value = tuple.Value(exprs[a], &slot) ? std::optional(slot) : std::nullopt;
  }
  return value;
}

}  // namespace attr::eval
