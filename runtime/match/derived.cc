#include "runtime/match/derived.h"

#include <algorithm>

#include "runtime/eval/expression.h"

namespace attr::match {

namespace {

using plan::kNone;

uint64_t HashOf(const int64_t* key, size_t count) {
  uint64_t hash = 0x9E3779B97F4A7C15U;
  for (size_t k = 0; k < count; ++k) {
    hash ^= static_cast<uint64_t>(key[k]);
    hash *= 0xFF51AFD7ED558CCDU;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

int64_t DerivedColumns::Cell(const plan::TableColumn& column, size_t row) const {
  return plan::IsId(column.type) ? context_.constants[static_cast<size_t>(column.cells[row])] : column.cells[row];
}

const DerivedColumns::Index& DerivedColumns::IndexOf(uint32_t id) {
  const auto [entry, added] = indices_.try_emplace(id);
  Index& index = entry->second;
  if (!added) return index;
  const plan::Table& table = context_.plan->tables[id];
  const size_t width = table.keys.size();
  index.keys.resize(table.rows * width);
  index.rows.reserve(table.rows);
  for (uint32_t r = 0; r < table.rows; ++r) {
    for (size_t k = 0; k < width; ++k) index.keys[r * width + k] = Cell(table.columns[table.keys[k]], r);
    index.rows.emplace(HashOf(&index.keys[r * width], width), r);
  }
  return index;
}

/// Two node names of a table may be one node here: the first row counts.
uint32_t DerivedColumns::Find(const Index& index, const std::vector<int64_t>& key) {
  uint32_t first = kNone;
  const auto [begin, end] = index.rows.equal_range(HashOf(key.data(), key.size()));
  for (auto it = begin; it != end; ++it) {
    const bool equal =
        std::equal(key.begin(), key.end(), index.keys.begin() + static_cast<ptrdiff_t>(it->second * key.size()));
    if (equal) first = std::min(first, it->second);
  }
  return first;
}

eval::Column DerivedColumns::Lookup(const plan::Derived& derived, const eval::Table& table) {
  const Index& index = IndexOf(derived.table);
  const plan::TableColumn* column = nullptr;
  if (derived.kind == plan::DerivedKind::kLookup)
    column = &context_.plan->tables[derived.table].columns[derived.table_column];
  std::vector<eval::Column> keys;
  for (const plan::ExprId key : derived.keys)
    keys.push_back(eval::EvaluateValue(*context_.plan, key, table, context_.constants));
  eval::Column result;
  result.slots.assign(table.rows, 0);
  result.present.assign(eval::WordsFor(table.rows), 0);
  std::vector<int64_t> key(keys.size());
  for (size_t row = 0; row < table.rows; ++row) {
    bool known = true;
    for (size_t k = 0; k < keys.size(); ++k) {
      known = known && eval::Test(keys[k].present, row);
      key[k] = keys[k].slots[row];
    }
    if (!known) continue;
    const uint32_t found = Find(index, key);
    if (column == nullptr) {
      eval::Set(result.present, row);
      result.slots[row] = found != kNone ? 1 : 0;
    } else if (found != kNone && column->present[found] != 0) {
      eval::Set(result.present, row);
      result.slots[row] = Cell(*column, found);
    }
  }
  return result;
}

eval::Column DerivedColumns::Regex(const plan::Derived& derived, const eval::Table& table) {
  Memo& memo = regexes_[derived.regex];
  if (memo.regex == nullptr)
    memo.regex = std::make_unique<LazyRegex>(context_.plan->Str(derived.regex), std::vector<LazyRegex::Wanted>{});
  memo.answers.resize(context_.dictionary.size(), -1);
  eval::Column result;
  result.slots.assign(table.rows, 0);
  result.present.assign(eval::WordsFor(table.rows), 0);
  const eval::Column& text = table.columns[derived.column];
  if (text.slots.empty()) return result;
  for (size_t row = 0; row < table.rows; ++row) {
    if (!eval::Test(text.present, row)) continue;
    const auto id = static_cast<uint32_t>(text.slots[row]);
    int8_t& answer = memo.answers[id];
    if (answer < 0) answer = memo.regex->Matches(context_.dictionary.Text(id)) ? 1 : 0;
    eval::Set(result.present, row);
    result.slots[row] = answer;
  }
  return result;
}

/// The attempt's nodes that carry the label, with its text.
const std::unordered_map<int64_t, int64_t>& DerivedColumns::LabelsOf(plan::StrId label) {
  const auto [entry, added] = labels_.try_emplace(label);
  if (!added || context_.set == nullptr) return entry->second;
  for (const model::InventoryNode& node : context_.set->attempt.nodes) {
    const auto text = node.labels.find(std::string(context_.plan->Str(label)));
    if (text == node.labels.end()) continue;
    const uint32_t id = context_.dictionary.Intern(context_.set->NameOf(node.node));
    entry->second.emplace(id, context_.dictionary.Intern(text->second));
  }
  return entry->second;
}

eval::Column DerivedColumns::Label(const plan::Derived& derived, const eval::Table& table) {
  const std::unordered_map<int64_t, int64_t>& labels = LabelsOf(derived.regex);
  const eval::Column nodes = eval::EvaluateValue(*context_.plan, derived.keys[0], table, context_.constants);
  eval::Column result;
  result.slots.assign(table.rows, 0);
  result.present.assign(eval::WordsFor(table.rows), 0);
  for (size_t row = 0; row < table.rows; ++row) {
    if (!nodes.Has(row)) continue;
    const auto label = labels.find(nodes.slots[row]);
    if (label == labels.end()) continue;
    eval::Set(result.present, row);
    result.slots[row] = label->second;
  }
  return result;
}

namespace {

eval::Column RecordOf(const eval::Table& table) {
  eval::Column result;
  result.slots.assign(table.rows, 0);
  result.present.assign(eval::WordsFor(table.rows), 0);
  for (size_t row = 0; row < table.first_phantom; ++row) {
    eval::Set(result.present, row);
    result.slots[row] = table.observation[row];
  }
  return result;
}

}  // namespace

void DerivedColumns::Fill(const plan::Event& event, size_t d, eval::Table& table) {
  const plan::Derived& derived = event.derived[d];
  eval::Column& column = table.columns[event.DerivedColumn(d)];
  switch (derived.kind) {
    case plan::DerivedKind::kLookup:
    case plan::DerivedKind::kHasKey:
      column = Lookup(derived, table);
      break;
    case plan::DerivedKind::kRegex:
      column = Regex(derived, table);
      break;
    case plan::DerivedKind::kLabel:
      column = Label(derived, table);
      break;
    case plan::DerivedKind::kRecord:
      column = RecordOf(table);
      break;
    case plan::DerivedKind::kTextLess:
      column = TextLess(derived, table);
      break;
    case plan::DerivedKind::kMember:
      column = Member(derived, table);
      break;
    case plan::DerivedKind::kSetSpan:
      column = SetSpan(derived, table);
      break;
    case plan::DerivedKind::kTextRank:  // FillRanks
      break;
    case plan::DerivedKind::kExpr:
      column = eval::EvaluateValue(*context_.plan, derived.keys[0], table, context_.constants);
      break;
  }
}

std::string DerivedColumns::error() const {
  plan::StrId first = kNone;
  std::string error;
  for (const auto& [id, memo] : regexes_) {
    if (memo.regex->error().empty() || id > first) continue;
    first = id;
    error = "pattern /" + std::string(memo.regex->pattern()) + "/ does not compile: " + memo.regex->error();
  }
  return error;
}

}  // namespace attr::match
