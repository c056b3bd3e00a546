// One diagnostic: what is wrong, where, why, and what to do. Every kind has a
// code in the registry (registry.h), a page in docs/diagnostics and a golden
// test; codes are never reused. Rendering is render.h's business.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/registry.h"
#include "compiler/diagnostics/source.h"

namespace attr::diagnostics {

struct Label {
  Span span;
  std::string text;
};

struct Diagnostic {
  Code code{};
  std::string message;           // one sentence, lower case, no full stop
  Label primary;                 // narrowest span; text may be empty
  std::vector<Label> secondary;  // explaining labels, in the order to be read
  std::string help;              // what to do; empty when the registry's help suffices
};

/// Collects the diagnostics of one compilation. Order of `Add` does not matter:
/// `Sorted` orders by file, offset and code and drops exact duplicates.
class Sink {
 public:
  explicit Sink(size_t max_errors = 1000) : max_errors_(max_errors) {}

  /// Beyond `max_errors` errors only the count grows, and one A0006 says so.
  /// Warnings are counted apart, with the same cap.
  void Add(Diagnostic diagnostic);
  /// Shorthand for the common case of one label.
  void Add(Code code, Span span, std::string message, std::string label = {}, std::string help = {});

  /// Hands every warning to `keep`, which may add to it; those it answers false for are dropped.
  template <class F>
  void ReviewWarnings(const F& keep) {
    std::vector<Diagnostic> kept;
    for (Diagnostic& item : items_) {
      if (Info(item.code).severity == Severity::kError || keep(item)) {
        kept.push_back(std::move(item));
      } else {
        --warning_count_;
      }
    }
    items_ = std::move(kept);
  }

  bool HasErrors() const { return error_count_ > 0; }
  size_t error_count() const { return error_count_; }
  size_t warning_count() const { return warning_count_; }
  bool Full() const { return error_count_ >= max_errors_; }
  std::vector<Diagnostic> Sorted() const;

 private:
  size_t max_errors_;
  size_t error_count_ = 0;
  size_t warning_count_ = 0;
  std::vector<Diagnostic> items_;
};

/// The candidate nearest to `name` (Levenshtein distance at most 3 and at most a
/// third of the length; two neighbours that changed places count as one), or empty.
/// Ties go to the alphabetically first.
std::string_view NearestName(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace attr::diagnostics
