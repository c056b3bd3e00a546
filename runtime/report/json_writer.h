// A JSON document as text: two blanks of indentation, lists of plain values on
// one line, keys in the order of the calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/observation_set.h"

namespace attr::report {

class JsonWriter {
 public:
  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }
  void Key(std::string_view key);
  void Text(std::string_view text);
  void Number(uint64_t number);
  void Bool(bool value);
  void Null();
  /// A stamp as RFC 3339, a range as [from, to] with null for an unknown end, null when nothing is known.
  void Time(const model::Moment& moment);
  void Texts(const std::vector<std::string>& texts);
  void Numbers(const std::vector<uint32_t>& numbers);

  void Field(std::string_view key, std::string_view text) { Key(key), Text(text); }
  void Field(std::string_view key, uint64_t number) { Key(key), Number(number); }
  void Field(std::string_view key, const model::Moment& moment) { Key(key), Time(moment); }
  void Field(std::string_view key, const std::vector<std::string>& texts) { Key(key), Texts(texts); }
  /// null when it is empty.
  void FieldOrNull(std::string_view key, std::string_view text);

  std::string Take();

 private:
  void Open(char bracket);
  void Close(char bracket);
  void Before();
  void Bound(int64_t nanos, int64_t precision);

  std::string out_;
  std::vector<bool> empty_;  // of each open bracket
  bool after_key_ = false;
};

}  // namespace attr::report
