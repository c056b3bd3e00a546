// Phantoms of a source: what may have happened in each blind time. Shared by all
// events that read the same source; gaps are numbered in order of first use.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/match/coverage.h"

namespace attr::match {

struct Phantom {
  Place place;
  Interval time;
  uint32_t gap = 0;  // index into Context::gaps
};

class PhantomIndex {
 public:
  PhantomIndex(eval::Context& context, const CoverageIndex& coverage) : context_(context), coverage_(coverage) {}
  /// By place, then time. Several sources (`from a, b`): each on its own.
  const std::vector<Phantom>& Of(const plan::SourceRef& source, const plan::EventScope& scope);

 private:
  std::string KeyOf(const plan::SourceRef& source, const plan::EventScope& scope) const;
  uint32_t GapOf(const plan::SourceRef& source, uint32_t node, Interval time);

  eval::Context& context_;
  const CoverageIndex& coverage_;
  std::map<std::string, std::vector<Phantom>> known_;
};

/// The times that scope lets in (language.md section 6.1): the attempt's window with
/// grace, or what the event widens it to. What may count where nobody looked is not proved absent there, so that blind
/// time reaches as far. Unknown bounds are infinite.
Intervals ClippedScope(const model::Attempt& attempt, int64_t grace, const plan::EventScope& own);

}  // namespace attr::match
