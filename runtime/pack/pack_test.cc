// Packs as bytes: round trips, damage of every byte, foreign and newer files.
#include "runtime/pack/pack.h"

#include <doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>

#include "runtime/base/sha256.h"
#include "runtime/pack/container.h"
#include "runtime/pack/schema.h"
#include "runtime/plan/sample_plan_test.h"
#include "runtime/plan/verify.h"
#include "runtime/plan/visit.h"

namespace attr::pack {
namespace {

using plan::Plan;
using plan::SamplePlan;

/// Refused as input, or read as exactly what the bytes say; `accepted` counts the latter.
bool RefusedOrExact(const std::string& bytes, size_t* accepted) {
  Result<Pack> pack = Decode(bytes, "damaged.attrpack");
  if (!pack) return pack.error().kind == ErrorKind::kInput && !pack.error().message.empty();
  ++*accepted;
  return Encode(pack->plan) == bytes && plan::Verify(pack->plan).ok();
}

std::string MessageOf(const std::string& bytes) {
  Result<Pack> pack = Decode(bytes, "x.attrpack");
  return pack ? "" : pack.error().message;
}

/// Opens a sealed pack, lets `edit` change its container, seals it again.
std::string Resealed(const std::string& bytes, const std::function<void(Container*)>& edit) {
  Result<Container> container = Open(bytes, "");
  REQUIRE(container.ok());
  edit(&*container);
  return Seal(*container);
}

TEST_CASE("a plan comes back from its bytes equal, and gives the same bytes again") {
  const Plan plan = SamplePlan();
  const std::string bytes = Encode(plan);
  Result<Pack> pack = Decode(bytes, "sample.attrpack");
  REQUIRE_MESSAGE(pack.ok(), (pack.ok() ? "" : pack.error().ToString()));
  CHECK(plan::EqualPlans(pack->plan, plan));
  CHECK(Encode(pack->plan) == bytes);
  CHECK(pack->sha256 == ToHex(Sha256Of(bytes)));
}

TEST_CASE("equality of plans sees a change in every part") {
  const Plan plan = SamplePlan();
  plan::ForEachPart(plan, [&]<class T>(const char* name, const T&) {
    Plan other = plan;
    plan::ForEachPart(other, [&]<class U>(const char* other_name, U& part) {
      if (std::string(other_name) != name) return;
      if constexpr (plan::IsVector<U>::value) {
        part.pop_back();
      } else {
        ++part.grace;
      }
    });
    INFO(name);
    CHECK(!plan::EqualPlans(plan, other));
    CHECK(Encode(plan) != Encode(other));
  });
  Plan deep = plan;
  deep.rules[3].joins[0].relations[0].distance += 1;
  CHECK(!plan::EqualPlans(plan, deep));
}

TEST_CASE("every change of one byte is refused") {
  const std::string bytes = Encode(SamplePlan());
  size_t accepted = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int change : {0x01, 0x80, 0xFF, -1}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(change < 0 ? damaged[i] + 1 : damaged[i] ^ change);
      accepted += Decode(damaged, "").ok() ? 1 : 0;
    }
  }
  CHECK(accepted == 0);
}

TEST_CASE("every change of one byte behind right checksums is refused or means what the bytes say") {
  const std::string bytes = Encode(SamplePlan());
  size_t accepted = 0, wrong = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int change : {0x01, 0x80, 0xFF, -1}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(change < 0 ? damaged[i] + 1 : damaged[i] ^ change);
      damaged = WithFixedChecksums(damaged);
      if (damaged != bytes && !RefusedOrExact(damaged, &accepted)) ++wrong;
    }
  }
  CHECK(wrong == 0);
  CHECK(accepted > 100);  // texts and numbers: the test reaches behind the checksums
}

TEST_CASE("every truncation and every addition is refused") {
  const std::string bytes = Encode(SamplePlan());
  for (size_t size = 0; size < bytes.size(); ++size) {
    CHECK(!Decode(bytes.substr(0, size), "").ok());
    CHECK(!Decode(WithFixedChecksums(bytes.substr(0, size)), "").ok());
  }
  CHECK(!Decode(bytes + '\0', "").ok());
  CHECK(!Decode(WithFixedChecksums(bytes + '\0'), "").ok());
}

TEST_CASE("a section cut short or lengthened is refused by its name") {
  const std::string bytes = Encode(SamplePlan());
  std::vector<std::string> kept(64);
  for (size_t i = 0; i < kSectionCount; ++i) {
    std::string shorter = Resealed(bytes, [&](Container* c) { c->sections[i].bytes.remove_suffix(1); });
    CHECK(!Decode(shorter, "").ok());
    std::string longer = Resealed(bytes, [&](Container* c) {
      kept[i] = std::string(c->sections[i].bytes) + '\0';
      c->sections[i].bytes = kept[i];
    });
    CHECK(MessageOf(longer).find("goes on behind its last element") != std::string::npos);
  }
}

TEST_CASE("a file of a newer format says which one") {
  std::string bytes = Encode(SamplePlan());
  bytes[kFormatAt] = 2;
  Result<Pack> pack = Decode(bytes, "new.attrpack");
  REQUIRE(!pack.ok());
  CHECK(pack.error().message == "made by a newer attrc (format 2, this one reads 1)");
  CHECK(!pack.error().help.empty());
  CHECK(pack.error().kind == ErrorKind::kInput);
}

TEST_CASE("another schema, a newer language and something else altogether are told apart") {
  const std::string bytes = Encode(SamplePlan());
  CHECK(MessageOf(Resealed(bytes, [](Container* c) { ++c->schema; })).find("another build") != std::string::npos);
  CHECK(MessageOf(Resealed(bytes, [](Container* c) { c->language = 2; })) ==
        "made for language version 2, this attrc knows version 1");
  CHECK(MessageOf("pack site.training 1.0.0 {}") == "this is not a compiled pack");
  CHECK(MessageOf("") == "this is not a compiled pack");
}

TEST_CASE("the names in the header must be those of the pack inside") {
  const std::string bytes = Encode(SamplePlan());
  CHECK(MessageOf(Resealed(bytes, [](Container* c) { c->name = "std.gpu"; })).find("header: name") == 0);
}

TEST_CASE("an unknown optional section is skipped, an unknown required one refused") {
  const Plan plan = SamplePlan();
  const std::string bytes = Encode(plan);
  std::string optional = Resealed(bytes, [](Container* c) { c->sections.push_back({40, 0, "from the future", 0}); });
  Result<Pack> pack = Decode(optional, "");
  REQUIRE(pack.ok());
  CHECK(plan::EqualPlans(pack->plan, plan));
  std::string required = Resealed(bytes, [](Container* c) {
    c->sections.push_back({40, kRequired, "from the future", 0});
  });
  CHECK(MessageOf(required) == "section 40: required, but not known here");
}

TEST_CASE("missing, doubled, unordered and wrongly marked sections are refused") {
  const std::string bytes = Encode(SamplePlan());
  CHECK(MessageOf(Resealed(bytes, [](Container* c) { c->sections.pop_back(); })) == "section 15: missing");
  CHECK(!Decode(Resealed(bytes, [](Container* c) { c->sections.push_back(c->sections.back()); }), "").ok());
  CHECK(!Decode(Resealed(bytes, [](Container* c) { std::swap(c->sections[2], c->sections[3]); }), "").ok());
  CHECK(!Decode(Resealed(bytes, [](Container* c) { c->sections[4].flags = 0; }), "").ok());
  CHECK(!Decode(Resealed(bytes, [](Container* c) { c->sections[4].flags = 3; }), "").ok());
  std::string many = Resealed(bytes, [](Container* c) {
    for (uint32_t id = 100; id < 200; ++id) c->sections.push_back({id, 0, "", 0});
  });
  CHECK(MessageOf(many).find("at most 64") != std::string::npos);
}

TEST_CASE("a count that the bytes cannot hold is refused before anything is allocated") {
  const std::string bytes = Encode(SamplePlan());
  const std::string huge("\xff\xff\xff\xff\x0f", 5);
  std::string damaged = Resealed(bytes, [&](Container* c) { c->sections[10].bytes = huge; });
  CHECK(MessageOf(damaged).find("rules: a count of 4294967295") == 0);
}

TEST_CASE("numbers in a longer form than they need are refused") {
  const std::string bytes = Encode(SamplePlan());
  const std::string zero("\x80\x00", 2);  // 0 in two bytes
  std::string damaged = Resealed(bytes, [&](Container* c) { c->sections[12].bytes = zero; });
  CHECK(MessageOf(damaged) == "order: a number in a longer form than it needs");
}

TEST_CASE("patterns are compiled before a pack is accepted") {
  auto message = [](const std::string& pattern) {
    Plan plan = SamplePlan();
    plan.strings.push_back(pattern);
    plan.events[2].texts[0].patterns.push_back({static_cast<plan::StrId>(plan.strings.size() - 1)});
    return MessageOf(Encode(plan));
  };
  CHECK(message("plain words") == "");
  CHECK(message("(unclosed").find("events[2].texts[0].patterns[1]: the pattern does not compile") == 0);
  CHECK(message(std::string(4097, 'a')).find("more than 4096 bytes") != std::string::npos);
  std::string groups;
  for (int i = 0; i < 33; ++i) groups += "(a)";
  CHECK(message(groups).find("more than 32 groups") != std::string::npos);
  CHECK(message("(?:[\\x{80}-\\x{10FFFF}]{60}){20}").find("events[2].texts[0].patterns[1]") == 0);
  CHECK(!message("(?P<twice>a)|(?P<twice>b)").empty());
}

TEST_CASE("a field from a group that no clause has is refused") {
  Plan plan = SamplePlan();
  plan.events[2].fields[1].source = plan.events[1].fields[3].source;  // "level"
  CHECK(MessageOf(Encode(plan)) == "events[2].fields[1]: no text clause has the group it is taken from");
}

TEST_CASE("a saved pack loads, replaces an older one whole and leaves nothing beside it") {
  const std::string path = std::string(ATTR_BINARY_DIR) + "/saved_test.attrpack";
  std::ofstream(path) << "an older file";
  const Plan plan = SamplePlan();
  REQUIRE(Save(plan, path).ok());
  Result<Pack> pack = Load(path);
  REQUIRE(pack.ok());
  CHECK(plan::EqualPlans(pack->plan, plan));
  CHECK(access((path + ".new-" + std::to_string(getpid())).c_str(), F_OK) != 0);
  std::remove(path.c_str());
}

TEST_CASE("files that cannot be read or written are errors that name them") {
  Result<Pack> missing = Load("no/such/file.attrpack");
  REQUIRE(!missing.ok());
  CHECK(missing.error().file == "no/such/file.attrpack");
  CHECK(missing.error().kind == ErrorKind::kInput);
  CHECK(!Load(ATTR_BINARY_DIR).ok());
  CHECK(!Save(SamplePlan(), "no/such/folder/x.attrpack").ok());
}

}  // namespace
}  // namespace attr::pack
