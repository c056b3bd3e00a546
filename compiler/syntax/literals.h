// Literal tokens to values: numbers, units, times, strings, regular expressions.
// Reports what is out of range or badly escaped; knows no names and no types.
#pragma once

#include <optional>
#include <string>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/syntax/ast.h"

namespace attr::syntax {

/// `begin` of `span` is where `text` begins in the file, so that an escape can be
/// pointed at. All return nullopt after reporting.
class Literals {
 public:
  explicit Literals(diagnostics::Sink& sink) : sink_(sink) {}

  /// Decimal or `0x…`; `negative` applies a sign that stood before.
  std::optional<int64_t> Integer(std::string_view text, Span span, bool negative = false);
  std::optional<double> Float(std::string_view text, Span span, bool negative = false);
  /// `1h30m`, in nanoseconds.
  std::optional<int64_t> Duration(std::string_view text, Span span, bool negative = false);
  /// `1.5GiB`, in bytes, rounded down to a whole byte.
  std::optional<int64_t> Size(std::string_view text, Span span, bool negative = false);
  std::optional<DateTimeValue> DateTime(std::string_view text, Span span);
  /// `12:10`, `12:10:02`, `12:10:02.5`: nanoseconds since midnight.
  std::optional<TestMoment> TimeOfDay(std::string_view text, Span span);
  /// With its quotes, `"…"` or backticks.
  std::optional<std::string> String(std::string_view text, Span span);
  /// With its slashes; `\/` becomes `/`, everything else stays as written.
  static std::string Regex(std::string_view text);

 private:
  bool Escape(std::string_view text, size_t& at, Span span, std::string& out);
  void BadEscape(std::string_view text, size_t begin, size_t end, Span span);
  std::nullopt_t Fail(diagnostics::Code code, Span span, std::string message);
  diagnostics::Sink& sink_;
};

}  // namespace attr::syntax
