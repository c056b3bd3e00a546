// What must not change a verdict: the order of the records, the split into
// inputs, the number of threads, and (but for the times that are printed) a shift
// of all times.
#include <algorithm>

#include "tests/oracle/fuzz/run.h"

namespace attr::oracle {

std::string CheckMetamorphic(const Draft& draft, uint64_t seed) {
  const Case of = draft.ToCase();
  const Subject subject(of);
  if (subject.state().kind != Comparison::Kind::kEqual) return "";
  const std::string expected = subject.Product(of.observations, false);
  Random random(seed);
  Draft shuffled = draft;
  auto shuffle = [&](std::vector<std::string>* list) {
    for (size_t i = list->size(); i > 1; --i) std::swap((*list)[i - 1], (*list)[random.Below(i)]);
  };
  shuffle(&shuffled.observations);
  shuffle(&shuffled.coverage);
  shuffle(&shuffled.nodes);
  const std::string got = subject.Product(shuffled.ToCase().observations, false, 2);
  if (got != expected) return "shuffled, on two threads\n" + FirstDifference("as written", expected, "shuffled", got);
  return "";
}

}  // namespace attr::oracle
