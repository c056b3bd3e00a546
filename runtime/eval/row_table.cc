#include "runtime/eval/row_table.h"

#include <algorithm>

namespace attr::eval {

RowTable::RowTable(const plan::Event& event) : event_(event) {
  table_.columns.resize(event.ColumnCount());
  table_.timeless = plan::IsTimeless(event.origin);
}

size_t RowTable::Add(uint8_t bits, uint32_t identity, bool phantom) {
  const size_t row = table_.rows++;
  for (Column& column : table_.columns) {
    column.slots.push_back(0);
    column.present.resize(WordsFor(table_.rows));
  }
  table_.observation.push_back(model::kNoId);
  table_.bits.push_back(bits);
  table_.identity.push_back(identity);
  table_.lacks.emplace_back();
  table_.evidence.emplace_back();
  if (!phantom) table_.first_phantom = table_.rows;
  PutSpan(row, {}, {});
  PutClock(row, -1, 0, 0);
  return row;
}

void RowTable::PutSpan(size_t row, const model::Moment& begin, const model::Moment& end) {
  Put(row, plan::kBeginLo, begin.lo);
  Put(row, plan::kBeginHi, begin.hi);
  Put(row, plan::kEndLo, end.lo);
  Put(row, plan::kEndHi, end.hi);
  Put(row, plan::kPrecision, std::max(begin.precision, end.precision));
  if (begin.IsStamp()) Put(row, plan::kBegin, begin.lo);
  if (end.IsStamp()) Put(row, plan::kEnd, end.lo);
}

void RowTable::PutClock(size_t row, int64_t clock, int64_t tie, int64_t skew) {
  Put(row, plan::kClock, clock);
  Put(row, plan::kTie, tie);
  Put(row, plan::kSkew, skew);
}

Table RowTable::Take(const Context& context) {
  if (!event_.derived.empty() && context.derive) context.derive(event_, table_);
  return std::move(table_);
}

}  // namespace attr::eval
