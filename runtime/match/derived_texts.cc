// Derived columns over texts and sets: order and membership.
#include <algorithm>

#include "runtime/eval/expression.h"
#include "runtime/eval/value_ops.h"
#include "runtime/match/convert.h"
#include "runtime/match/derived.h"
#include "runtime/match/sets.h"

namespace attr::match {

namespace {

eval::Column EmptyColumn(size_t rows) {
  eval::Column column;
  column.slots.assign(rows, 0);
  column.present.assign(eval::WordsFor(rows), 0);
  return column;
}

void PutValue(eval::Column& column, size_t row, int64_t slot) {
  column.slots[row] = slot;
  eval::Set(column.present, row);
}

}  // namespace

/// Byte by byte, which for UTF-8 is the order of code points.
eval::Column DerivedColumns::TextLess(const plan::Derived& derived, const eval::Table& table) {
  const eval::Column left = eval::EvaluateValue(*context_.plan, derived.keys[0], table, context_.constants);
  const eval::Column right = eval::EvaluateValue(*context_.plan, derived.keys[1], table, context_.constants);
  eval::Column result = EmptyColumn(table.rows);
  const auto text = [&](int64_t id) { return context_.dictionary.Text(static_cast<uint32_t>(id)); };
  for (size_t row = 0; row < table.rows; ++row) {
    if (!left.Has(row) || !right.Has(row)) continue;
    PutValue(result, row, text(left.slots[row]) < text(right.slots[row]) ? 1 : 0);
  }
  return result;
}

void DerivedColumns::FillRanks(const plan::Event& event, eval::Table& table) {
  for (size_t d = 0; d < event.derived.size(); ++d) {
    const plan::Derived& derived = event.derived[d];
    if (derived.kind != plan::DerivedKind::kTextRank) continue;
    if (ranks_.empty()) {
      std::vector<uint32_t> order(context_.dictionary.size());
      for (uint32_t id = 0; id < order.size(); ++id) order[id] = id;
      std::sort(order.begin(), order.end(),
                [&](uint32_t a, uint32_t b) { return context_.dictionary.Text(a) < context_.dictionary.Text(b); });
      ranks_.resize(order.size());
      for (uint32_t rank = 0; rank < order.size(); ++rank) ranks_[order[rank]] = rank;
    }
    const eval::Column texts = eval::EvaluateValue(*context_.plan, derived.keys[0], table, context_.constants);
    eval::Column& column = table.columns[event.DerivedColumn(d)];
    column = EmptyColumn(table.rows);
    for (size_t row = 0; row < table.rows; ++row)
      if (texts.Has(row)) PutValue(column, row, ranks_[static_cast<size_t>(texts.slots[row])]);
  }
}

int64_t DerivedColumns::SpanOf(plan::Type set, int64_t id) {
  auto& spans = spans_[static_cast<size_t>(set) - static_cast<size_t>(plan::Type::kTextSet)];
  const auto [entry, added] = spans.try_emplace(id, static_cast<int64_t>(context_.constants.size()));
  if (!added) return entry->second;
  std::vector<int64_t> elements;
  const plan::Type type = plan::ElementOf(set);
  for (const std::string_view element : ElementsOf(context_.dictionary.Text(static_cast<uint32_t>(id)))) {
    elements.push_back(plan::IsId(type) ? int64_t{context_.dictionary.Intern(std::string(element))}
                                        : ParseInt(element).value_or(0));
  }
  std::sort(elements.begin(), elements.end());
  context_.constants.push_back(static_cast<int64_t>(elements.size()));
  context_.constants.insert(context_.constants.end(), elements.begin(), elements.end());
  return entry->second;
}

eval::Column DerivedColumns::SetSpan(const plan::Derived& derived, const eval::Table& table) {
  const plan::Type type = context_.plan->exprs[derived.keys[0]].type;
  eval::Column column = eval::EvaluateValue(*context_.plan, derived.keys[0], table, context_.constants);
  for (size_t row = 0; row < table.rows; ++row)
    if (column.Has(row)) column.slots[row] = SpanOf(type, column.slots[row]);
  return column;
}

eval::Column DerivedColumns::Member(const plan::Derived& derived, const eval::Table& table) {
  const plan::Type type = context_.plan->exprs[derived.keys[1]].type;
  const eval::Column values = eval::EvaluateValue(*context_.plan, derived.keys[0], table, context_.constants);
  const eval::Column sets = eval::EvaluateValue(*context_.plan, derived.keys[1], table, context_.constants);
  eval::Column result = EmptyColumn(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    if (!values.Has(row) || !sets.Has(row)) continue;
    const int64_t span = SpanOf(type, sets.slots[row]);
    PutValue(result, row, eval::InSpan(context_.constants.data(), span, values.slots[row]) ? 1 : 0);
  }
  return result;
}

}  // namespace attr::match
