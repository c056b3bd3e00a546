// The sink that gathers diagnostics, and the search for a near name. What a
// diagnostic looks like on paper is render.cc's business.
#include "compiler/diagnostics/diagnostic.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace attr::diagnostics {
namespace {

auto Key(const Diagnostic& d) {
  return std::tie(d.primary.span.file, d.primary.span.begin, d.code, d.primary.span.end, d.message, d.primary.text,
                  d.help);
}

bool SameLabels(const Diagnostic& a, const Diagnostic& b) {
  return std::equal(a.secondary.begin(), a.secondary.end(), b.secondary.begin(), b.secondary.end(),
                    [](const Label& x, const Label& y) { return x.span == y.span && x.text == y.text; });
}

constexpr size_t kMaxDistance = 3;

// Levenshtein distance inside a band of kMaxDistance around the diagonal;
// kMaxDistance + 1 stands for "farther". Linear in the length.
size_t BandedDistance(std::string_view a, std::string_view b) {
  constexpr size_t kFar = kMaxDistance + 1;
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > kMaxDistance) return kFar;
  // row[d] is the distance of a[0, i) and b[0, i + d - kMaxDistance).
  std::array<size_t, 2 * kMaxDistance + 1> row{};
  std::array<size_t, 2 * kMaxDistance + 1> next{};
  for (size_t d = 0; d < row.size(); ++d) row[d] = d < kMaxDistance ? kFar : d - kMaxDistance;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t d = 0; d < row.size(); ++d) {
      if (i + d < kMaxDistance || i + d - kMaxDistance > b.size()) {
        next[d] = kFar;
        continue;
      }
      size_t j = i + d - kMaxDistance;
      size_t best = d + 1 < row.size() ? row[d + 1] + 1 : kFar;  // a[i-1] dropped
      if (j > 0) {
        if (d > 0) best = std::min(best, next[d - 1] + 1);
        best = std::min(best, row[d] + (a[i - 1] == b[j - 1] ? 0 : 1));
      }
      next[d] = std::min(best, kFar);
    }
    row = next;
  }
  return row[b.size() - a.size() + kMaxDistance];
}

}  // namespace

void Sink::Add(Diagnostic diagnostic) {
  if (Info(diagnostic.code).severity != Severity::kError) {
    if (warning_count_++ < max_errors_) items_.push_back(std::move(diagnostic));
    return;
  }
  if (error_count_++ < max_errors_) {
    items_.push_back(std::move(diagnostic));
  } else if (error_count_ == max_errors_ + 1) {
    Diagnostic last;
    last.code = Code::kTooManyErrors;
    last.message = "too many errors: the rest is not shown";
    last.primary.span = diagnostic.primary.span;
    last.primary.text = "the first one that is left out";
    items_.push_back(std::move(last));
  }
}

void Sink::Add(Code code, Span span, std::string message, std::string label, std::string help) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.primary = {span, std::move(label)};
  diagnostic.help = std::move(help);
  Add(std::move(diagnostic));
}

std::vector<Diagnostic> Sink::Sorted() const {
  std::vector<Diagnostic> sorted = items_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return Key(a) < Key(b); });
  auto same = [](const Diagnostic& a, const Diagnostic& b) { return Key(a) == Key(b) && SameLabels(a, b); };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), same), sorted.end());
  return sorted;
}

namespace {

// Two neighbours changed places: one slip of the fingers, not two edits.
bool IsSwap(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const auto at = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
  if (at + 1 >= a.size()) return false;
  return a[at] == b[at + 1] && a[at + 1] == b[at] && a.substr(at + 2) == b.substr(at + 2);
}

}  // namespace

std::string_view NearestName(std::string_view name, const std::vector<std::string_view>& candidates) {
  const size_t allowed = std::min(kMaxDistance, name.size() / 3);
  std::string_view best;
  size_t best_distance = allowed + 1;
  for (std::string_view candidate : candidates) {
    if (candidate.empty()) continue;
    size_t distance = IsSwap(name, candidate) ? 1 : BandedDistance(name, candidate);
    if (distance < best_distance || (distance == best_distance && distance <= allowed && candidate < best)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace attr::diagnostics
