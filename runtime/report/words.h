// Phrases that several parts of the text report use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/verdict.h"

namespace attr::report {

/// Times without their date where it is the date that the report's head states.
class Times {
 public:
  explicit Times(const model::Verdict& verdict);
  std::string Of(const model::Moment& moment) const;
  /// "12:20:03Z" or "12:20:03Z to 12:20:09Z".
  std::string Span(const model::Moment& first, const model::Moment& last) const;
  /// "2026-03-02", empty when no time is known at all.
  const std::string& date() const { return date_; }

 private:
  std::string One(int64_t nanos, int64_t precision) const;
  std::string date_;
};

/// "nvlink_signal_integrity" of "std.nvlink::nvlink_signal_integrity".
std::string ShortName(std::string_view rule);
/// The title, or the rule's short name where it has none.
std::string TitleOf(const std::string& title, const std::string& rule);
/// "1,204".
std::string Grouped(uint64_t number);
/// "1 cause", "3 causes".
std::string Counted(uint64_t number, std::string_view one, std::string_view many);
std::string Join(const std::vector<std::string>& list, std::string_view separator);
/// "n1..n9 (9)": folded, with a count from four names on.
std::string Places(const std::vector<std::string>& names, size_t runs = 6);

}  // namespace attr::report
