#include "runtime/report/json_writer.h"

#include "runtime/base/json_text.h"
#include "runtime/model/time_text.h"

namespace attr::report {

void JsonWriter::Before() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (empty_.empty()) return;
  if (!empty_.back()) out_ += ',';
  empty_.back() = false;
  out_ += '\n';
  out_.append(2 * empty_.size(), ' ');
}

void JsonWriter::Open(char bracket) {
  Before();
  out_ += bracket;
  empty_.push_back(true);
}

void JsonWriter::Close(char bracket) {
  bool empty = empty_.back();
  empty_.pop_back();
  if (!empty) {
    out_ += '\n';
    out_.append(2 * empty_.size(), ' ');
  }
  out_ += bracket;
}

void JsonWriter::Key(std::string_view key) {
  Before();
  AppendJsonString(out_, key);
  out_ += ": ";
  after_key_ = true;
}

void JsonWriter::Text(std::string_view text) {
  Before();
  AppendJsonString(out_, text);
}

void JsonWriter::Number(uint64_t number) {
  Before();
  out_ += std::to_string(number);
}

void JsonWriter::Bool(bool value) {
  Before();
  out_ += value ? "true" : "false";
}

void JsonWriter::Null() {
  Before();
  out_ += "null";
}

void JsonWriter::Bound(int64_t nanos, int64_t precision) {
  if (nanos <= plan::kBeforeAll || nanos >= plan::kAfterAll) {
    out_ += "null";
  } else {
    AppendJsonString(out_, model::FormatRfc3339(nanos, precision));
  }
}

void JsonWriter::Time(const model::Moment& moment) {
  Before();
  bool known = moment.lo > plan::kBeforeAll || moment.hi < plan::kAfterAll;
  // A bound of coverage may be "before all" as a stamp: nothing is known either.
  if (moment.IsStamp() || !known) {
    Bound(moment.lo, moment.precision);
    return;
  }
  out_ += '[';
  Bound(moment.lo, moment.precision);
  out_ += ", ";
  Bound(moment.hi, moment.precision);
  out_ += ']';
}

void JsonWriter::Texts(const std::vector<std::string>& texts) {
  Before();
  out_ += '[';
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out_ += ", ";
    AppendJsonString(out_, texts[i]);
  }
  out_ += ']';
}

void JsonWriter::Numbers(const std::vector<uint32_t>& numbers) {
  Before();
  out_ += '[';
  for (size_t i = 0; i < numbers.size(); ++i) out_ += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
  out_ += ']';
}

void JsonWriter::FieldOrNull(std::string_view key, std::string_view text) {
  Key(key);
  text.empty() ? Null() : Text(text);
}

std::string JsonWriter::Take() { return std::move(out_) + "\n"; }

}  // namespace attr::report
