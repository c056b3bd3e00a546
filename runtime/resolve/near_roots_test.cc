#include "runtime/resolve/near_roots.h"

#include <doctest.h>

#include <random>
#include <set>

namespace attr::resolve {
namespace {

Begin RandomBegin(std::mt19937_64* random) {
  const auto below = [&](uint64_t bound) { return static_cast<int64_t>((*random)() % bound); };
  if (below(10) == 0) return std::nullopt;
  eval::Span span;
  span.begin_lo = below(1'000);
  span.begin_hi = span.begin_lo + (below(4) == 0 ? below(100) : 0);
  span.precision = below(3);
  span.tie = below(2);
  span.clock = span.tie * 2 + below(2);
  span.skew = below(5);
  if (below(10) == 0) span.begin_lo = plan::kBeforeAll;
  if (below(10) == 0) span.begin_hi = plan::kAfterAll;
  return span;
}

/// Nobody knows, or the distance of the begins may be within the window.
bool MayBeNear(const Begin& x, const Begin& y, int64_t window) {
  if (!x || !y || x->tie != y->tie) return true;
  const int64_t bound = window + eval::Tolerance(*x, *y);
  return x->begin_lo - y->begin_hi <= bound && y->begin_lo - x->begin_hi <= bound;
}

TEST_CASE("every root that may be near is visited, once") {
  std::mt19937_64 random(1);
  uint64_t visits = 0, all = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<Begin> begins;
    for (int i = 0; i < 40; ++i) begins.push_back(RandomBegin(&random));
    const int64_t window = static_cast<int64_t>(random() % 50);
    const NearRoots near(begins, window);
    const Begin from = RandomBegin(&random);
    std::multiset<uint32_t> visited;
    near.ForEach(from, [&](uint32_t position) { visited.insert(position); });
    CHECK(near.Count(from) == visited.size());
    for (uint32_t i = 0; i < begins.size(); ++i) {
      CHECK(visited.count(i) <= 1);
      if (MayBeNear(from, begins[i], window)) CHECK(visited.count(i) == 1);
    }
    visits += visited.size();
    all += begins.size();
  }
  CHECK(visits < all * 3 / 4);
}

}  // namespace
}  // namespace attr::resolve
