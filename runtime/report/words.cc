#include "runtime/report/words.h"

#include "runtime/base/fold_names.h"
#include "runtime/model/time_text.h"

namespace attr::report {

namespace {

bool Known(int64_t nanos) { return nanos > plan::kBeforeAll && nanos < plan::kAfterAll; }

constexpr size_t kDate = sizeof("2026-03-02") - 1;

}  // namespace

Times::Times(const model::Verdict& v) {
  auto take = [&](const model::Moment& m) {
    if (date_.empty() && Known(m.lo)) date_ = model::FormatRfc3339(m.lo, plan::kSecond).substr(0, kDate);
  };
  take(v.start);
  for (const model::CauseView& c : v.causes) take(c.finding.first);
  for (const model::SymptomView& s : v.symptoms) take(s.finding.first);
  for (const model::CauseView& c : v.notable) take(c.finding.first);
  take(v.end);
}

std::string Times::One(int64_t nanos, int64_t precision) const {
  if (!Known(nanos)) return "?";
  std::string text = model::FormatRfc3339(nanos, precision);
  bool same = text.size() > kDate + 1 && text.compare(0, kDate, date_) == 0;
  return same ? text.substr(kDate + 1) : text;
}

std::string Times::Of(const model::Moment& m) const {
  if (!Known(m.lo) && !Known(m.hi)) return "time unknown";
  if (m.IsStamp()) return One(m.lo, m.precision);
  if (!Known(m.lo)) return "before " + One(m.hi, m.precision);
  if (!Known(m.hi)) return "after " + One(m.lo, m.precision);
  return "between " + One(m.lo, m.precision) + " and " + One(m.hi, m.precision);
}

std::string Times::Span(const model::Moment& first, const model::Moment& last) const {
  std::string a = Of(first);
  std::string b = Of(last);
  if (a == b || !last.IsStamp() || !Known(last.lo)) return a;
  if (!first.IsStamp() || !Known(first.lo)) return a + ", last " + b;
  return a + " to " + b;
}

std::string ShortName(std::string_view rule) {
  size_t at = rule.rfind("::");
  return std::string(at == std::string_view::npos ? rule : rule.substr(at + 2));
}

std::string TitleOf(const std::string& title, const std::string& rule) {
  return title.empty() ? ShortName(rule) : title;
}

std::string Grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string Counted(uint64_t number, std::string_view one, std::string_view many) {
  return Grouped(number) + " " + std::string(number == 1 ? one : many);
}

std::string Join(const std::vector<std::string>& list, std::string_view separator) {
  std::string out;
  for (const std::string& item : list) {
    if (!out.empty()) out += separator;
    out += item;
  }
  return out;
}

std::string Places(const std::vector<std::string>& names, size_t runs) {
  std::string out = FoldNames(names, runs);
  if (names.size() > 3) out += " (" + Grouped(names.size()) + ")";
  return out;
}

}  // namespace attr::report
