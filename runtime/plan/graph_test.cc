// Demotion cycles, and what precedence says between rules.
#include "runtime/plan/graph.h"

#include <doctest.h>

#include <map>

namespace attr::plan {
namespace {

/// A plan of causes named by tags and domains; enough for the graphs.
struct Builder {
  Plan plan;
  std::map<std::string, uint32_t> domain_of;

  StrId Str(const std::string& text) {
    for (StrId i = 0; i < plan.strings.size(); ++i) {
      if (plan.strings[i] == text) return i;
    }
    plan.strings.push_back(text);
    return static_cast<StrId>(plan.strings.size() - 1);
  }
  uint32_t Dom(const std::string& path) {
    if (auto it = domain_of.find(path); it != domain_of.end()) return it->second;
    uint32_t parent = kNone;
    if (size_t dot = path.rfind('.'); dot != std::string::npos) parent = Dom(path.substr(0, dot));
    plan.domains.push_back({Str(path), 0, parent});
    return domain_of[path] = static_cast<uint32_t>(plan.domains.size() - 1);
  }
  uint32_t Cause(const std::string& name, std::vector<std::string> domains, std::vector<std::string> tags = {}) {
    Rule rule;
    rule.name = Str(name);
    for (const std::string& d : domains) rule.domains.push_back(Dom(d));
    for (const std::string& t : tags) rule.tags.push_back(Str(t));
    plan.rules.push_back(rule);
    return static_cast<uint32_t>(plan.rules.size() - 1);
  }
  /// "*", "tag x", "rule x" or a domain.
  OrderSide Side(const std::string& text) {
    if (text == "*") return {SideKind::kAll, 0};
    if (text.rfind("tag ", 0) == 0) return {SideKind::kTag, Str(text.substr(4))};
    if (text.rfind("rule ", 0) == 0) {
      for (uint32_t i = 0; i < plan.rules.size(); ++i) {
        if (plan.Str(plan.rules[i].name) == text.substr(5)) return {SideKind::kRule, i};
      }
    }
    return {SideKind::kDomain, Dom(text)};
  }
  void Pair(const std::string& above, const std::string& below) {
    plan.order.push_back({Side(above), Side(below), {}, Str(above + " > " + below)});
  }
  void Demote(uint32_t source, std::vector<uint32_t> targets) {
    Demotion demotion;
    demotion.source = source;
    demotion.targets = std::move(targets);
    plan.demotions.push_back(demotion);
  }
};

using Indices = std::vector<uint32_t>;

TEST_CASE("demotions without a cycle give none, also along two ways to one rule") {
  Builder b;
  for (int i = 0; i < 4; ++i) b.Cause("r" + std::to_string(i), {"host"});
  b.Demote(0, {1, 2});
  b.Demote(1, {3});
  b.Demote(2, {3});
  CHECK(FindDemotionCycle(b.plan).empty());
}

TEST_CASE("a demotion cycle is given in its order, without the way into it") {
  Builder b;
  for (int i = 0; i < 4; ++i) b.Cause("r" + std::to_string(i), {"host"});
  b.Demote(0, {1});
  b.Demote(3, {1});
  b.Demote(1, {2});
  b.Demote(2, {3});
  CHECK(FindDemotionCycle(b.plan) == Indices{2, 3, 1});
}

TEST_CASE("a rule that demotes itself is a cycle of one") {
  Builder b;
  b.Cause("r", {"host"});
  b.Demote(0, {0});
  CHECK(FindDemotionCycle(b.plan) == Indices{0});
}

TEST_CASE("a chain of twenty thousand demotions needs no deep stack") {
  Builder b;
  b.plan.rules.resize(20'000);
  for (uint32_t i = 0; i + 1 < 20'000; ++i) b.Demote(i, {i + 1});
  CHECK(FindDemotionCycle(b.plan).empty());
  b.Demote(19'999, {0});
  CHECK(FindDemotionCycle(b.plan).size() == 20'000);
}

TEST_CASE("rule pairs are closed transitively and name their chain") {
  Builder b;
  uint32_t x = b.Cause("x", {"host"}), y = b.Cause("y", {"host"}), z = b.Cause("z", {"host"});
  b.Pair("rule x", "rule y");
  b.Pair("rule y", "rule z");
  Order order(b.plan);
  CHECK(order.Above(Level::kRule, x, z) == 0);
  CHECK(order.Chain(Level::kRule, x, z) == OrderChain{0, 1});
  CHECK(order.Above(Level::kRule, y, z) == 1);
  CHECK(order.Above(Level::kRule, z, x) == kNone);
  CHECK(order.Above(Level::kRule, x, x) == kNone);
  CHECK(order.Above(Level::kTag, x, y) == kNone);
  CHECK(FindOrderCycle(b.plan).empty());
}

TEST_CASE("a cycle of rule pairs is found") {
  Builder b;
  b.Cause("x", {"host"});
  b.Cause("y", {"host"});
  b.Cause("z", {"host"});
  b.Pair("rule z", "rule x");
  b.Pair("rule x", "rule y");
  b.Pair("rule y", "rule z");
  CHECK(FindOrderCycle(b.plan).size() == 3);
}

TEST_CASE("tags: one way is an order, both ways none") {
  Builder b;
  uint32_t hard = b.Cause("hard", {"host"}, {"hardware"}), soft = b.Cause("soft", {"host"}, {"software"});
  uint32_t both = b.Cause("both", {"host"}, {"hardware", "software"});
  b.Pair("tag hardware", "tag software");
  Order order(b.plan);
  CHECK(order.Above(Level::kTag, hard, soft) == 0);
  CHECK(order.Above(Level::kTag, soft, hard) == kNone);
  CHECK(order.Above(Level::kTag, hard, both) == 0);
  CHECK(order.Above(Level::kTag, both, soft) == 0);
  uint32_t both2 = b.Cause("both2", {"host"}, {"hardware", "software"});
  Order again(b.plan);
  CHECK(again.Above(Level::kTag, both, both2) == kNone);
  CHECK(again.Above(Level::kTag, both2, both) == kNone);
  CHECK(FindOrderCycle(b.plan).empty());
}

TEST_CASE("a cycle that exists only between rules with several tags is found") {
  Builder b;
  b.Cause("x", {"host"}, {"a", "b"});
  b.Cause("y", {"host"}, {"c", "d"});
  b.Cause("z", {"host"}, {"e", "f"});
  b.Pair("tag a", "tag c");
  b.Pair("tag d", "tag e");
  CHECK(FindOrderCycle(b.plan).empty());
  b.Pair("tag f", "tag b");
  CHECK(FindOrderCycle(b.plan) == Indices{0, 1, 2});
}

TEST_CASE("a star gives way to all but its own side, which it excludes") {
  Builder b;
  uint32_t limit = b.Cause("limit", {"platform"}, {"fallback"}), gpu = b.Cause("gpu", {"hardware"});
  uint32_t exit = b.Cause("exit", {"application"}, {"fallback"});
  b.Pair("*", "tag fallback");
  Order order(b.plan);
  CHECK(order.Above(Level::kTag, gpu, limit) == 0);
  CHECK(order.Above(Level::kTag, limit, gpu) == kNone);
  CHECK(order.Above(Level::kTag, limit, exit) == kNone);
  CHECK(order.Above(Level::kTag, exit, limit) == kNone);
}

TEST_CASE("a star in a chain reaches through, and named pairs overrule it") {
  Builder b;
  uint32_t other = b.Cause("other", {"host"}), fall = b.Cause("fall", {"host"}, {"fallback"});
  uint32_t last = b.Cause("last", {"host"}, {"last"});
  b.Pair("*", "tag fallback");
  b.Pair("tag fallback", "tag last");
  Order order(b.plan);
  CHECK(order.Chain(Level::kTag, other, last) == OrderChain{0, 1});
  CHECK(order.Above(Level::kTag, fall, last) == 1);
  CHECK(order.Above(Level::kTag, last, fall) == kNone);
  CHECK(FindOrderCycle(b.plan).empty());
}

TEST_CASE("two stars over two tags leave these without order") {
  Builder b;
  uint32_t x = b.Cause("x", {"host"}, {"a"}), y = b.Cause("y", {"host"}, {"b"}), z = b.Cause("z", {"host"});
  b.Pair("*", "tag a");
  b.Pair("*", "tag b");
  Order order(b.plan);
  CHECK(order.Above(Level::kTag, x, y) == kNone);
  CHECK(order.Above(Level::kTag, y, x) == kNone);
  CHECK(order.Above(Level::kTag, z, x) == 0);
  CHECK(FindOrderCycle(b.plan).empty());
}

TEST_CASE("`name > *` puts a rule above every other") {
  Builder b;
  uint32_t x = b.Cause("x", {"host"}), y = b.Cause("y", {"host"}), z = b.Cause("z", {"host"});
  b.Pair("rule x", "*");
  b.Pair("rule y", "rule x");
  Order order(b.plan);
  CHECK(order.Above(Level::kRule, x, z) == 0);
  CHECK(order.Above(Level::kRule, z, x) == kNone);
  CHECK(order.Above(Level::kRule, y, x) == 1);
  CHECK(order.Above(Level::kRule, x, y) == kNone);
  CHECK(order.Chain(Level::kRule, y, z) == OrderChain{1, 0});
}

TEST_CASE("domains: descendants count, and the deeper pair decides") {
  Builder b;
  uint32_t ib = b.Cause("ib", {"network.ib"}), gpu = b.Cause("gpu", {"hardware.gpu.memory"});
  uint32_t eth = b.Cause("eth", {"network.ethernet"});
  b.Pair("hardware", "network");
  b.Pair("network.ib", "hardware.gpu");
  Order order(b.plan);
  CHECK(order.Above(Level::kDomain, ib, gpu) == 1);
  CHECK(order.Above(Level::kDomain, gpu, ib) == kNone);
  CHECK(order.Above(Level::kDomain, gpu, eth) == 0);
  CHECK(FindOrderCycle(b.plan) == Indices{});
}

TEST_CASE("two domain pairs, neither deeper on both sides, contradict each other where a rule meets both") {
  Builder b;
  b.Cause("ib", {"network.ib"});
  b.Pair("network.ib", "hardware");
  b.Pair("hardware.gpu", "network");
  CHECK(FindOrderCycle(b.plan).empty());
  uint32_t gpu = b.Cause("gpu", {"hardware.gpu"});
  CHECK(FindOrderCycle(b.plan).size() == 2);
  Order order(b.plan);
  CHECK(order.Above(Level::kDomain, 0, gpu) == kNone);
}

TEST_CASE("a domain pair speaks for alternatives only when it speaks the same for each") {
  Builder b;
  uint32_t mixed = b.Cause("mixed", {"storage", "network.ib"}), net = b.Cause("net", {"network.ib", "network.roce"});
  uint32_t app = b.Cause("app", {"application"});
  b.Pair("network", "application");
  Order order(b.plan);
  CHECK(order.Above(Level::kDomain, net, app) == 0);
  CHECK(order.Above(Level::kDomain, mixed, app) == kNone);
  b.Pair("storage", "application");
  CHECK(Order(b.plan).Above(Level::kDomain, mixed, app) == 1);
}

TEST_CASE("a domain above its own ancestor says nothing inside itself") {
  Builder b;
  uint32_t x = b.Cause("x", {"hardware.gpu"}), y = b.Cause("y", {"hardware.gpu.memory"}),
           z = b.Cause("z", {"hardware"});
  b.Pair("hardware.gpu", "hardware");
  Order order(b.plan);
  CHECK(order.Above(Level::kDomain, x, z) == 0);
  CHECK(order.Above(Level::kDomain, x, y) == kNone);
  CHECK(order.Above(Level::kDomain, y, x) == kNone);
  CHECK(FindOrderCycle(b.plan).empty());
}

TEST_CASE("a star on a domain excludes its descendants") {
  Builder b;
  uint32_t app = b.Cause("app", {"application"}), code = b.Cause("code", {"application.code"}),
           io = b.Cause("io", {"storage"});
  b.Pair("*", "application");
  Order order(b.plan);
  CHECK(order.Above(Level::kDomain, io, code) == 0);
  CHECK(order.Above(Level::kDomain, app, code) == kNone);
  CHECK(order.Above(Level::kDomain, code, app) == kNone);
}

}  // namespace
}  // namespace attr::plan
