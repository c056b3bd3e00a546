#include "runtime/match/record.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/match/convert.h"
#include "runtime/match/sets.h"

namespace attr::match {

namespace {

using plan::FieldFrom;
using plan::kNone;

/// `part` of `text`, extended to whole lines.
std::string_view WholeLines(std::string_view text, std::string_view part) {
  size_t begin = static_cast<size_t>(part.data() - text.data());
  size_t end = begin + part.size();
  const void* before = memrchr(text.data(), '\n', begin);
  begin = before == nullptr ? 0 : static_cast<size_t>(static_cast<const char*>(before) - text.data()) + 1;
  if (!part.empty() && text[end - 1] == '\n') {
    --end;  // the line end that it took along ends its own last line
  } else {
    end = std::min(text.find('\n', end), text.size());
  }
  return text.substr(begin, end - begin);
}

void Push(eval::Column& column, size_t row, const std::optional<int64_t>& value) {
  column.slots.push_back(value ? *value : 0);
  if (row % 64 == 0) column.present.push_back(0);
  if (value) column.present.back() |= uint64_t{1} << row % 64;
}

}  // namespace

std::string_view RecordMatcher::Cut(std::string_view text) const {
  if (text.data() == nullptr) return "";
  if (text.size() <= record_bytes_) return text;
  size_t end = record_bytes_;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

bool RecordMatcher::Try(const EventProgram& program, uint32_t observation, uint64_t alternatives, uint32_t parent_row,
                        RowSet& rows) {
  const model::Observation& record = context_.set->observations[observation];
  const Subject subject{&program, &record, observation, parent_row, Cut(record.text)};
  captures_.assign(program.fields.size(), {});
  regions_.clear();
  if (!MatchTexts(subject, alternatives, true)) return false;
  return program.each != nullptr ? TryEach(subject, rows) : AddRow(subject, rows);
}

/// One row for every match; what the text clauses captured belongs to all.
bool RecordMatcher::TryEach(const Subject& subject, RowSet& rows) {
  const std::vector<std::string_view> shared = captures_;
  const size_t regions = regions_.size();
  bool any = false;
  size_t from = 0;
  for (size_t made = 0; from <= subject.text.size(); ++made) {
    captures_ = shared;
    regions_.resize(regions);
    std::string_view whole;
    if (!subject.program->each->MatchFrom(subject.text, from, &whole, captures_.data())) break;
    if (made == kMostMatches) {
      ++cut_;
      break;
    }
    from = static_cast<size_t>(whole.data() - subject.text.data()) + whole.size();
    if (whole.empty()) {
      do ++from;
      while (from < subject.text.size() && (static_cast<unsigned char>(subject.text[from]) & 0xC0U) == 0x80U);
    }
    regions_.push_back(WholeLines(subject.text, whole));
    any = AddRow(subject, rows) || any;
  }
  return any;
}

bool RecordMatcher::AddRow(const Subject& subject, RowSet& rows) {
  const EventProgram& program = *subject.program;
  if (!MatchTexts(subject, UINT64_MAX, false) || Excluded(subject)) return false;
  if (values_.size() < program.fields.size()) values_.resize(program.fields.size());
  for (const uint32_t f : program.from_record) {
    bool given = false;
    values_[f] = Convert(subject, f, given);
    if (values_[f]) continue;
    if (!program.fields[f].field->optional) {
      ++failed_;
      ++CountsOf(program.index).failed;
      return false;
    }
    if (!given) continue;
    ++left_missing_;
    ++CountsOf(program.index).left_missing;
  }
  const size_t row = rows.observation.size();
  rows.observation.push_back(subject.number);
  if (subject.parent_row != kNone) rows.parent_row.push_back(subject.parent_row);
  if (row == 0) rows.fields.resize(program.fields.size());
  for (const uint32_t f : program.from_record)
    if (program.fields[f].stored) Push(rows.fields[f], row, values_[f]);
  return true;
}

/// Clauses on the record first, then those on fields: these may have been captured by the former.
bool RecordMatcher::MatchTexts(const Subject& subject, uint64_t alternatives, bool on_record) {
  const EventProgram& program = *subject.program;
  for (uint32_t c = 0; c < program.clauses.size(); ++c) {
    if ((program.clauses[c].clause->field == kNone) != on_record) continue;
    const uint64_t allowed = c == program.filter ? alternatives : UINT64_MAX;
    if (!MatchClause(subject, c, allowed) && !program.clauses[c].clause->optional) return false;
  }
  return true;
}

bool RecordMatcher::Excluded(const Subject& subject) const {
  const std::string_view* region = regions_.empty() ? &subject.text : regions_.data();
  const std::string_view* const end = region + std::max<size_t>(regions_.size(), 1);
  for (; region != end; ++region)
    for (const auto& unless : subject.program->unless)
      if (unless->Matches(*region)) return true;
  return false;
}

bool RecordMatcher::MatchClause(const Subject& subject, uint32_t c, uint64_t alternatives) {
  const ClauseProgram& clause = subject.program->clauses[c];
  const bool on_record = clause.clause->field == kNone;
  const std::optional<std::string_view> text = on_record ? subject.text : TextOf(subject, clause.clause->field);
  if (!text) return false;
  const bool bounds = on_record && !clause.clause->optional && !subject.program->unless.empty();
  std::string_view whole;
  for (size_t a = 0; a < clause.alternatives.size(); ++a) {
    if ((alternatives >> std::min<size_t>(a, 63) & 1U) == 0) continue;
    if (!clause.alternatives[a]->Match(*text, bounds ? &whole : nullptr, captures_.data())) continue;
    if (bounds) regions_.push_back(WholeLines(subject.text, whole));
    return true;
  }
  return false;
}

/// The text that a field column holds, as far as the record tells it.
std::optional<std::string_view> RecordMatcher::TextOf(const Subject& subject, uint32_t column) {
  if (column < plan::kSystemColumns || column - plan::kSystemColumns >= subject.program->fields.size())
    return std::nullopt;
  const size_t f = column - plan::kSystemColumns;
  const plan::Field& field = *subject.program->fields[f].field;
  switch (field.from) {
    case FieldFrom::kGroup:
      if (captures_[f].data() == nullptr) return std::nullopt;
      return captures_[f];
    case FieldFrom::kAttribute: {
      const model::Attribute* attribute = FindAttribute(subject, field);
      if (attribute == nullptr || attribute->kind != model::Attribute::Kind::kText) return std::nullopt;
      return Cut(attribute->text);
    }
    case FieldFrom::kBuiltin: {
      const std::string_view text = BuiltinText(*subject.observation, context_.plan->Str(field.source));
      if (text.empty()) return std::nullopt;
      return Cut(text);
    }
    case FieldFrom::kExpr: {
      const plan::Expr& expr = context_.plan->exprs[field.expr];
      if (expr.op != plan::Op::kColumn || expr.b >= column) return std::nullopt;
      return TextOf(subject, expr.b);
    }
    case FieldFrom::kRow:
      return std::nullopt;
    case FieldFrom::kInherited: {
      const eval::Column& parent = context_.LinesOf(subject.program->event->parent).columns[column];
      if (parent.slots.empty() || !eval::Test(parent.present, subject.parent_row)) return std::nullopt;
      return context_.dictionary.Text(static_cast<uint32_t>(parent.slots[subject.parent_row]));
    }
    default:  // folded later
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<int64_t> RecordMatcher::Convert(const Subject& subject, size_t f, bool& given) {
  const plan::Field& field = *subject.program->fields[f].field;
  if (field.from == FieldFrom::kAttribute) return FromAttribute(subject, field, given);
  if (field.from == FieldFrom::kBuiltin) return FromBuiltin(subject, field, given);
  given = captures_[f].data() != nullptr;
  return given ? FromText(field, captures_[f]) : std::nullopt;
}

/// Most texts of a cascade are one of a few: those are not hashed.
uint32_t RecordMatcher::Intern(std::string_view text) {
  if (text.empty()) return dictionary_.Intern(text);
  const auto first = static_cast<unsigned char>(text.front());
  const auto last = static_cast<unsigned char>(text.back());
  uint32_t& known = recent_[(first * 5U + last + text.size() * 17U) % recent_.size()];
  if (known == Interner::kNone || dictionary_.Text(known) != text) known = dictionary_.Intern(text);
  return known;
}

std::optional<int64_t> RecordMatcher::FromText(const plan::Field& field, std::string_view text) {
  switch (field.type) {
    case plan::Type::kText:
      return Intern(text);
    case plan::Type::kDomain:
    case plan::Type::kGpu:  // normalized when the row's node is known
      if (text.empty()) return std::nullopt;
      return Intern(text);
    case plan::Type::kNode:
      if (text.empty()) return std::nullopt;
      return dictionary_.Intern(places_.Node(text));
    case plan::Type::kTextSet:
    case plan::Type::kIntSet:
    case plan::Type::kNodeSet:
    case plan::Type::kRankSet: {
      const auto set = SetText(field.type, text, [&](std::string_view name) { return places_.Node(name); });
      return set ? std::optional<int64_t>(dictionary_.Intern(*set)) : std::nullopt;
    }
    default:
      return ConvertText(field.type, text, field.unit);
  }
}

std::optional<int64_t> RecordMatcher::FromNumber(const plan::Field& field, double value) {
  if (plan::IsId(field.type)) return FromText(field, NumberText(value));
  return ConvertFloat(field.type, value, field.unit);
}

const model::Attribute* RecordMatcher::FindAttribute(const Subject& subject, const plan::Field& field) const {
  const std::string_view key = context_.plan->Str(field.source);
  for (uint32_t a = subject.observation->attributes_begin; a < subject.observation->attributes_end; ++a)
    if (context_.set->attributes[a].key == key) return &context_.set->attributes[a];
  return nullptr;
}

/// A list of the record: its elements are attributes `key.0`, `key.1`, ...
std::optional<int64_t> RecordMatcher::FromList(const Subject& subject, const plan::Field& field, bool& given) {
  const std::string_view key = context_.plan->Str(field.source);
  std::string list;
  for (uint32_t a = subject.observation->attributes_begin; a < subject.observation->attributes_end; ++a) {
    const model::Attribute& element = context_.set->attributes[a];
    const bool of_list = element.key.size() > key.size() + 1 && element.key.starts_with(key) &&
                         element.key[key.size()] == '.' &&
                         element.key.find_first_not_of("0123456789", key.size() + 1) == std::string_view::npos;
    if (!of_list) continue;
    if (element.kind == model::Attribute::Kind::kText) list += element.text;
    if (element.kind == model::Attribute::Kind::kInt) list += std::to_string(element.number);
    list += ',';
  }
  given = !list.empty();
  return given ? FromText(field, list) : std::nullopt;
}

std::optional<int64_t> RecordMatcher::FromAttribute(const Subject& subject, const plan::Field& field, bool& given) {
  const model::Attribute* attribute = FindAttribute(subject, field);
  if (attribute == nullptr && plan::IsSet(field.type)) return FromList(subject, field, given);
  if (attribute == nullptr) return std::nullopt;
  given = attribute->kind != model::Attribute::Kind::kNull;
  switch (attribute->kind) {
    case model::Attribute::Kind::kNull:
      return std::nullopt;
    case model::Attribute::Kind::kBool:
      if (field.type == plan::Type::kBool) return attribute->number != 0 ? 1 : 0;
      if (field.type == plan::Type::kText) return FromText(field, attribute->number != 0 ? "true" : "false");
      return std::nullopt;
    case model::Attribute::Kind::kInt:
      if (plan::IsId(field.type)) return FromText(field, std::to_string(attribute->number));
      return ConvertInt(field.type, attribute->number, field.unit);
    case model::Attribute::Kind::kFloat:
      return FromNumber(field, std::bit_cast<double>(attribute->number));
    case model::Attribute::Kind::kText:
      return FromText(field, attribute->text);
  }
  return std::nullopt;
}

std::string_view RecordMatcher::BuiltinText(const model::Observation& observation, std::string_view name) const {
  if (name == "text") return observation.text;
  if (name == "name") return observation.name;
  if (name == "unit") return observation.unit;
  if (name == "severity") return observation.severity;
  if (name == "source") return context_.set->NameOf(observation.source);
  if (name == "job") return context_.set->NameOf(observation.job);
  if (name == "attempt") return context_.set->NameOf(observation.attempt);
  return {};
}

std::optional<int64_t> RecordMatcher::FromBuiltin(const Subject& subject, const plan::Field& field, bool& given) {
  const model::Observation& observation = *subject.observation;
  const std::string_view name = context_.plan->Str(field.source);
  if (name == "value") {
    given = observation.has_value;
    return given ? FromNumber(field, observation.value) : std::nullopt;
  }
  const std::string_view text = BuiltinText(observation, name);
  given = !text.empty();
  return given ? FromText(field, text) : std::nullopt;
}

}  // namespace attr::match
