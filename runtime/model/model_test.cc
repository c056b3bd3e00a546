// Names of the model's closed sets, inventory, canonical ids.
#include <doctest.h>

#include "runtime/model/canonical.h"
#include "runtime/model/observation_set.h"
#include "runtime/model/verdict.h"

namespace attr::model {

namespace {

InventoryNode Node(ObservationSet* set, const char* name, std::vector<std::string> aliases = {},
                   std::vector<int32_t> ranks = {}) {
  InventoryNode node;
  node.node = set->names.Intern(name);
  node.aliases = std::move(aliases);
  node.ranks = std::move(ranks);
  return node;
}

Observation Row(ObservationSet* set, const char* source, int64_t seconds, const char* text) {
  Observation row;
  row.source = set->names.Intern(source);
  row.text = text;
  row.time = {seconds * plan::kSecond, seconds * plan::kSecond, plan::kSecond};
  return row;
}

}  // namespace

TEST_CASE("closed sets have the words of the documents") {
  CHECK(Name(VerdictStatus::kNoFailure) == "no_failure");
  CHECK(Name(VerdictStatus::kAttributed) == "attributed");
  CHECK(Name(VerdictStatus::kAmbiguous) == "ambiguous");
  CHECK(Name(VerdictStatus::kUnattributed) == "unattributed");
  CHECK(Name(Truth::kConfirmed) == "confirmed");
  CHECK(Name(Truth::kPresumed) == "presumed");
  CHECK(Name(Truth::kPossible) == "possible");
  CHECK(Name(Truth::kUnevaluable) == "unevaluable");
  CHECK(Name(CoverageStatus::kOk) == "ok");
  CHECK(Name(CoverageStatus::kEmpty) == "empty");
  CHECK(Name(CoverageStatus::kPartial) == "partial");
  CHECK(Name(CoverageStatus::kError) == "error");
  CHECK(Name(CoverageStatus::kAbsent) == "absent");
}

TEST_CASE("a node is found by alias, by FQDN and by short name") {
  ObservationSet set;
  set.attempt.nodes = {Node(&set, "n1", {"10.0.0.1", "pod-a"}), Node(&set, "n2.cluster.local")};
  REQUIRE(!IndexInventory(&set));
  auto name = [&](const char* text) { return set.NameOf(set.ResolveNode(text)); };
  CHECK(name("n1") == "n1");
  CHECK(name("10.0.0.1") == "n1");
  CHECK(name("pod-a") == "n1");
  CHECK(name("n1.cluster.local") == "n1");
  CHECK(name("n2") == "n2.cluster.local");
  CHECK(name("n2.other.net") == "n2.other.net");
  CHECK(name("10.0.0.2") == "10.0.0.2");
  CHECK(name("n3") == "n3");
}

TEST_CASE("a short name that two nodes share is nobody's") {
  ObservationSet set;
  set.attempt.nodes = {Node(&set, "n1.a"), Node(&set, "n1.b")};
  REQUIRE(!IndexInventory(&set));
  CHECK(set.NameOf(set.ResolveNode("n1")) == "n1");
  CHECK(set.NameOf(set.ResolveNode("n1.a")) == "n1.a");
}

TEST_CASE("what two nodes claim is refused") {
  ObservationSet ranks;
  ranks.attempt.nodes = {Node(&ranks, "n1", {}, {0, 1}), Node(&ranks, "n2", {}, {1})};
  CHECK(IndexInventory(&ranks) == "rank 1 belongs to both n1 and n2");
  ObservationSet aliases;
  aliases.attempt.nodes = {Node(&aliases, "n1", {"x"}), Node(&aliases, "n2", {"x"})};
  CHECK(IndexInventory(&aliases) == "the name x belongs to both n1 and n2");
}

TEST_CASE("a GPU is found by index, UUID and any spelling of its PCI address") {
  ObservationSet set;
  InventoryNode node = Node(&set, "n1");
  node.gpus.emplace_back(set.names.Intern("gpu0"), std::vector<std::string>{"0", "GPU-ab12", "0000:1b:00.0"});
  set.attempt.nodes = {node};
  REQUIRE(!IndexInventory(&set));
  auto name = [&](const char* text) { return set.NameOf(set.ResolveGpu(node.node, text)); };
  CHECK(name("0") == "gpu0");
  CHECK(name("gpu-AB12") == "gpu0");
  CHECK(name("0000:1B:00") == "gpu0");
  CHECK(name("PCI:0000:1b:00") == "gpu0");
  CHECK(name("00000000:1B:00.0") == "gpu0");
  CHECK(name("0000:1c:00") == "0000:1c:00");
  CHECK(set.NameOf(set.ResolveGpu(kNoId, "0")) == "0");
}

TEST_CASE("an id of content counts equals and keeps the input's own") {
  ObservationSet set;
  set.observations = {Row(&set, "kernel", 5, "b"), Row(&set, "kernel", 5, "a"), Row(&set, "kernel", 5, "b")};
  set.observations.push_back(Row(&set, "kernel", 9, "given"));
  set.observations.back().id = "k-9";
  Canonicalize(&set);
  CHECK(set.observations[0].text == "a");
  CHECK(set.IdOf(0).size() == 12);
  CHECK(set.IdOf(2) == set.IdOf(1) + "-2");
  CHECK(set.IdOf(0) != set.IdOf(1));
  CHECK(set.IdOf(3) == "k-9");
}

TEST_CASE("the canonical order compares sources as text, whatever was seen first") {
  ObservationSet set;
  set.observations = {Row(&set, "syslog", 5, "x"), Row(&set, "kernel", 5, "x"), Row(&set, "kernel", 4, "x")};
  set.observations.push_back(Row(&set, "application", 0, "no time"));
  set.observations.back().time = Moment{};
  Canonicalize(&set);
  CHECK(set.observations[0].time.lo == 4 * plan::kSecond);
  CHECK(set.NameOf(set.observations[1].source) == "kernel");
  CHECK(set.NameOf(set.observations[2].source) == "syslog");
  CHECK(set.observations[3].text == "no time");
}

}  // namespace attr::model
