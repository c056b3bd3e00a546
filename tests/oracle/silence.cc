// `per … gap D`: two events stay together unless a silence is certain between
// them; what hangs together by any chain of such pairs is one finding.
#include <algorithm>

#include "tests/oracle/findings.h"

namespace attr::oracle {

namespace {

bool Timed(const Row& row) { return row.span.begin_lo > kBeforeAll && row.span.end_hi < kAfterAll; }

bool StayTogether(const Row& a, const Row& b, int64_t gap) {
  if (!Timed(a) || !Timed(b)) return Timed(a) == Timed(b);
  if (a.span.tie != b.span.tie) return true;
  return a.span.begin_lo - b.span.end_hi <= gap && b.span.begin_lo - a.span.end_hi <= gap;
}

}  // namespace

std::vector<std::set<const Row*>> SplitBySilence(const std::set<const Row*>& rows, int64_t gap) {
  std::vector<std::set<const Row*>> parts;
  std::set<const Row*> left = rows;
  while (!left.empty()) {
    std::set<const Row*> part{*left.begin()};
    left.erase(left.begin());
    for (bool grown = true; grown;) {
      grown = false;
      for (auto it = left.begin(); it != left.end();) {
        const bool joins =
            std::any_of(part.begin(), part.end(), [&](const Row* row) { return StayTogether(*row, **it, gap); });
        if (joins) part.insert(*it);
        grown = grown || joins;
        it = joins ? left.erase(it) : std::next(it);
      }
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

bool SurelyOnePart(const std::set<const Row*>& part, const std::set<const Row*>& all, int64_t gap) {
  const bool timeless = std::any_of(all.begin(), all.end(), [](const Row* row) { return !Timed(*row); });
  if (timeless) return all.size() == 1;
  std::vector<const Row*> rows(part.begin(), part.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row* a, const Row* b) { return a->span.begin_lo < b->span.begin_lo; });
  for (size_t i = 1; i < rows.size(); ++i) {
    const bool near = std::any_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(i), [&](const Row* before) {
      return before->span.tie == rows[i]->span.tie && rows[i]->span.begin_hi - before->span.end_lo <= gap;
    });
    const bool one_clock =
        std::all_of(rows.begin(), rows.end(), [&](const Row* row) { return row->span.tie == rows[0]->span.tie; });
    if (!near || !one_clock) return false;
  }
  return true;
}

}  // namespace attr::oracle
