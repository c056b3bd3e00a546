// The nearest candidate of a rule that found nothing: tuples are tried binding by
// binding, in canonical order; what got furthest, and there failed the fewest
// conditions by the least time, is the one to show. Bounded by a count of candidates.
#pragma once

#include "runtime/explain/trace.h"

namespace attr::explain {

inline constexpr uint32_t kNoRow = UINT32_MAX;

struct Nearest {
  /// The binding at which every tuple failed; kNone: some tuple satisfies all that `when` and
  /// `and` ask, and `rows` is the first such.
  uint32_t failed = plan::kNone;
  std::vector<uint32_t> rows;  // by binding; kNoRow where none is bound
  /// A negative binding that takes the tuple away, and its row in `rows`; else kNone.
  uint32_t taken_by = plan::kNone;
  uint64_t looked_at = 0;
  bool more = false;
  // How near it came: bindings that were met, conditions that failed, by how much time.
  size_t level = 0, fails = SIZE_MAX;
  int64_t miss = 0;

  bool complete() const { return failed == plan::kNone; }
  bool satisfied() const { return complete() && taken_by == plan::kNone; }
};
/// Of all alternatives of a rule the one that came nearest. `only`: by binding, the rows to
/// try; empty lists: all real rows of the table.
Nearest FindNearest(const eval::Context& context, const TracedRule& rule, uint64_t budget,
                    const std::vector<std::vector<uint32_t>>& only = {});

/// One alternative.
class Search {
 public:
  Search(const eval::Context& context, const TracedRule& rule, uint32_t alternative, uint64_t budget);
  Nearest Run(const std::vector<std::vector<uint32_t>>& only);

 private:
  bool Extend(size_t level);
  bool Finish();
  bool Taken(uint32_t binding);
  template <class F>
  bool EachRow(uint32_t binding, F&& f);

  const eval::Context& context_;
  const TracedRule& rule_;
  uint64_t budget_;
  std::vector<uint32_t> positive_, negative_;
  std::vector<std::vector<Part>> parts_;  // by binding
  std::vector<std::vector<uint32_t>> only_;
  std::vector<uint32_t> rows_;
  Nearest out_;
  bool complete_ = false;  // some tuple satisfied the positive bindings
};

}  // namespace attr::explain
