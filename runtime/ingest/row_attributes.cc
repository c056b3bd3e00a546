// The `attrs` of an observation: nested objects become dotted keys, elements of
// lists their number ("gpus.0"). Empty objects and lists have no attribute.
#include <algorithm>
#include <cstring>

#include "runtime/ingest/row_reader.h"

namespace attr::ingest {

namespace {

using model::Attribute;

constexpr int kMaxAttributeDepth = 32;

}  // namespace

bool RowReader::Attributes(Cursor::Value value, int depth) {
  const char* at = cursor_->Token(value);
  simdjson::ondemand::object object;
  if (auto code = value.get_object().get(object)) return cursor_->FailJson(code, at);
  for (auto item : object) {
    simdjson::ondemand::field field;
    if (auto code = std::move(item).get(field)) return cursor_->FailJson(code, at);
    std::string_view key;
    if (!cursor_->Key(&field, &key)) return false;
    if (!AttributeValue(field.value(), key, depth)) return false;
  }
  return true;
}

bool RowReader::AttributeValue(Cursor::Value value, std::string_view key, int depth) {
  const char* at = cursor_->Token(value);
  bool object = *at == '{';
  if (!object && *at != '[') return AppendAttribute(value, key);
  if (depth == kMaxAttributeDepth) return cursor_->Fail(at, "\"attrs\" is nested more than 32 deep");
  size_t outer = path_.size();
  path_.append(key).append(1, '.');
  bool good = true;
  if (object) {
    good = Attributes(value, depth + 1);
  } else {
    simdjson::ondemand::array array;
    if (auto code = value.get_array().get(array)) return cursor_->FailJson(code, at);
    size_t index = 0;
    for (auto item : array) {
      Cursor::Value element;
      if (auto code = std::move(item).get(element)) return cursor_->FailJson(code, at);
      if (!AttributeValue(element, std::to_string(index++), depth + 1)) return false;
    }
  }
  path_.resize(outer);
  return good;
}

Attribute AttributeOf(std::string_view key, const ScalarValue& scalar) {
  Attribute attribute;
  attribute.key = key;
  switch (scalar.kind) {
    case Scalar::kNull:
      break;
    case Scalar::kBool:
      attribute.kind = Attribute::Kind::kBool;
      attribute.number = scalar.integer;
      break;
    case Scalar::kInt:
      attribute.kind = Attribute::Kind::kInt;
      attribute.number = scalar.integer;
      break;
    case Scalar::kFloat:
      attribute.kind = Attribute::Kind::kFloat;
      std::memcpy(&attribute.number, &scalar.number, sizeof scalar.number);
      break;
    case Scalar::kBigInt:  // its digits: a double would lose some
    case Scalar::kText:
      attribute.kind = Attribute::Kind::kText;
      attribute.text = scalar.text;
      break;
  }
  return attribute;
}

bool RowReader::AppendAttribute(Cursor::Value value, std::string_view key) {
  if (!path_.empty()) key = set_->names.Text(set_->names.Intern(path_ + std::string(key)));
  ScalarValue scalar;
  if (!cursor_->Read(value, &scalar)) return false;
  if (set_->attributes.size() >= kMaxAttributes) return cursor_->Fail(key.data(), "more than 4 billion attributes");
  set_->attributes.push_back(AttributeOf(key, scalar));
  return true;
}

bool RowReader::FinishAttributes(const char* begin) {
  draft_.row.attributes_end = static_cast<uint32_t>(set_->attributes.size());
  if (draft_.row.attributes_end - draft_.row.attributes_begin < 2) return true;
  auto first = set_->attributes.begin() + draft_.row.attributes_begin;
  auto less = [](const Attribute& a, const Attribute& b) { return a.key < b.key; };
  if (!std::is_sorted(first, set_->attributes.end(), less)) std::sort(first, set_->attributes.end(), less);
  auto twice = std::adjacent_find(first, set_->attributes.end(),
                                  [](const Attribute& a, const Attribute& b) { return a.key == b.key; });
  if (twice == set_->attributes.end()) return true;
  return cursor_->Fail(begin, "the key \"attrs." + std::string(twice->key) + "\" stands twice");
}

}  // namespace attr::ingest
