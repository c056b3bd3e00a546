#include "runtime/ingest/name_cache.h"

#include <doctest.h>

#include <random>
#include <string>

namespace attr::ingest {

TEST_CASE("names of every length have the ids that the interner gives") {
  Interner names;
  NameCache cache(&names);
  std::mt19937_64 random(5);
  for (int round = 0; round < 200'000; ++round) {
    std::string name(random() % 20, 'a');
    for (char& c : name) c = random() % 8 == 0 ? 'b' : 'a';
    uint32_t id = cache.Intern(name);
    if (names.Text(id) != name) FAIL(name);
  }
  CHECK(names.Find("aaaa") != Interner::kNone);
}

}  // namespace attr::ingest
