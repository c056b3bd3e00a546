// Ambiguity clauses between rule pairs and tags (semantics.md S7).
#include <doctest.h>

#include "runtime/resolve/scenario.h"

namespace attr::resolve {

namespace {

using model::VerdictStatus;

struct Pair : Scenario {
  uint32_t h = 0, s = 0;
  plan::AmbiguityClause clause;
  Pair() {
    const uint32_t hardware = Domain("hardware"), storage = Domain("storage");
    h = Cause("h", {"hardware"}, {"first"});
    s = Cause("s", {"storage"}, {"second"});
    TagPair("first", "second");
    clause.left = {plan::SideKind::kDomain, hardware};
    clause.right = {plan::SideKind::kDomain, storage};
  }
  std::vector<std::string> Left() {
    std::vector<std::string> rules;
    verdict = Resolve();
    for (const auto& cause : verdict.causes) rules.push_back(cause.finding.rule.substr(11));
    return rules;
  }
  model::Verdict verdict;
};

using Left = std::vector<std::string>;
constexpr int64_t kMinute = 60 * plan::kSecond;

}  // namespace

TEST_CASE("a clause keeps two roots from the levels below") {
  Pair p;
  p.Find(p.h, "n1", 100);
  p.Find(p.s, "n1", 160);
  CHECK(p.Left() == Left{"h"});
  p.plan.ambiguity.push_back(p.clause);
  CHECK(p.Left() == Left{"h", "s"});
  CHECK(p.verdict.status == VerdictStatus::kAmbiguous);
}

TEST_CASE("the verdict says which clause keeps two causes apart, or dropped one, and why") {
  Pair p;
  p.plan.strings.push_back("between hardware, storage");
  p.clause.text = static_cast<plan::StrId>(p.plan.strings.size() - 1);
  p.plan.strings.push_back("power takes both");
  p.clause.because = static_cast<plan::StrId>(p.plan.strings.size() - 1);
  p.Find(p.h, "n1", 100);
  p.Find(p.s, "n1", 160);
  SUBCASE("apart") {
    p.plan.ambiguity.push_back(p.clause);
    CHECK(p.Left() == Left{"h", "s"});
    REQUIRE(p.verdict.stay_two.size() == 1);
    CHECK(p.verdict.stay_two[0].rule == "test.pack::h");
    CHECK(p.verdict.stay_two[0].other == "test.pack::s");
    CHECK(p.verdict.stay_two[0].clause == "between hardware, storage");
    CHECK(p.verdict.stay_two[0].because == "power takes both");
  }
  SUBCASE("dropped") {
    p.clause.apart = 10 * plan::kSecond;
    p.clause.then = plan::AmbiguityThen::kEarliest;
    p.plan.ambiguity.push_back(p.clause);
    CHECK(p.Left() == Left{"h"});
    CHECK(p.verdict.stay_two.empty());
    REQUIRE(p.verdict.outranked.size() == 1);
    CHECK(p.verdict.outranked[0].clause == "between hardware, storage unless apart 10s then earliest");
    CHECK(p.verdict.outranked[0].because == "power takes both");
  }
}

TEST_CASE("roots that are apart: the earliest stays, or the levels below decide") {
  Pair p;
  p.Find(p.h, "n1", 600);
  p.Find(p.s, "n1", 100);
  p.clause.apart = 5 * kMinute;
  SUBCASE("then earliest, against the tags") {
    p.clause.then = plan::AmbiguityThen::kEarliest;
    p.plan.ambiguity.push_back(p.clause);
    CHECK(p.Left() == Left{"s"});
    REQUIRE(p.verdict.outranked.size() == 1);
    CHECK(p.verdict.outranked[0].by_rule == "test.pack::s");
  }
  SUBCASE("then latest") {
    p.clause.then = plan::AmbiguityThen::kLatest;
    p.plan.ambiguity.push_back(p.clause);
    CHECK(p.Left() == Left{"h"});
  }
  SUBCASE("nothing more") {
    p.plan.ambiguity.push_back(p.clause);
    CHECK(p.Left() == Left{"h"});
  }
  SUBCASE("not so far apart") {
    p.clause.apart = 10 * kMinute;
    p.clause.then = plan::AmbiguityThen::kEarliest;
    p.plan.ambiguity.push_back(p.clause);
    CHECK(p.Left() == Left{"s", "h"});
  }
  SUBCASE("the first clause that fits and whose window is not false speaks") {
    p.clause.then = plan::AmbiguityThen::kEarliest;
    plan::AmbiguityClause near = p.clause;
    near.within = kMinute;
    near.then = plan::AmbiguityThen::kLatest;
    p.plan.ambiguity = {near, p.clause};
    CHECK(p.Left() == Left{"s"});
  }
}

TEST_CASE("a pair whose times nobody can compare stays two, provisionally") {
  Pair p;
  p.Find(p.h, "n1", 600);
  const uint32_t other = p.Find(p.s, "n1", 100);
  p.evaluation.findings[other].tie = 7;  // an untied clock
  p.clause.apart = kMinute;
  p.clause.then = plan::AmbiguityThen::kEarliest;
  p.plan.ambiguity.push_back(p.clause);
  CHECK(p.Left() == Left{"s", "h"});
  CHECK_FALSE(p.verdict.settled);
}

TEST_CASE("drops happen at once: a root dropped by a dropped root is dropped") {
  Pair p;
  const uint32_t network = p.Domain("network");
  const uint32_t n = p.Cause("t", {"network"});
  p.Find(p.h, "n1", 0);
  p.Find(p.s, "n1", 360);
  p.Find(n, "n1", 720);
  p.clause.apart = 5 * kMinute;
  p.clause.then = plan::AmbiguityThen::kEarliest;
  plan::AmbiguityClause second = p.clause;
  second.left = {plan::SideKind::kDomain, network};
  p.plan.ambiguity = {p.clause, second};
  CHECK(p.Left() == Left{"h"});
}

TEST_CASE("a star leaves out what the other side names") {
  Pair p;
  p.Find(p.h, "n1", 100);
  p.Find(p.s, "n1", 160);
  p.clause.left = {plan::SideKind::kAll, 0};
  p.clause.right = {plan::SideKind::kDomain, p.Domain("hardware")};
  p.plan.ambiguity.push_back(p.clause);
  CHECK(p.Left() == Left{"h", "s"});
}

TEST_CASE("more pairs than may be compared leave it open which roots stay") {
  Pair p;
  p.clause.apart = 5 * kMinute;
  p.clause.then = plan::AmbiguityThen::kEarliest;
  p.plan.ambiguity.push_back(p.clause);
  constexpr int64_t kRoots = 3'200;  // on each side
  for (int64_t i = 0; i < kRoots; ++i) {
    p.Find(p.h, "n1", i);
    p.Find(p.s, "n1", 100'000 + i);
  }
  p.Left();
  REQUIRE(p.verdict.limits.size() == 1);
  CHECK(p.verdict.limits[0].limit == "pairs of an ambiguity clause");
  CHECK(p.verdict.limits[0].value == kRoots * kRoots);
  CHECK_FALSE(p.verdict.settled);
}

}  // namespace attr::resolve
