// Packs behind right checksums: what is accepted means what its bytes say.
// The mutator changes one section and seals the file again, so that most inputs
// reach the decoder and the verifier. Seeds: tests/golden/packs.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/pack/container.h"
#include "runtime/pack/pack.h"
#include "runtime/pack/schema.h"
#include "runtime/plan/dump.h"
#include "runtime/plan/visit.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

namespace pack = attr::pack;

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

std::string Text(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes = pack::WithFixedChecksums(Text(data, size));
  attr::Result<pack::Pack> decoded = pack::Decode(bytes, "fuzz.attrpack");
  if (!decoded) {
    Require(decoded.error().kind == attr::ErrorKind::kInput, "a damaged pack must be an input error");
    Require(!decoded.error().message.empty(), "an error without a message");
    return 0;
  }
  const std::string again = pack::Encode(decoded->plan);
  attr::Result<pack::Container> container = pack::Open(bytes, "");
  Require(container.ok(), "decoded, but not opened");
  // Only sections from the future may get lost.
  if (container->sections.size() == pack::kSectionCount) Require(again == bytes, "encoding gives other bytes");
  attr::Result<pack::Pack> twice = pack::Decode(again, "again.attrpack");
  Require(twice.ok() && attr::plan::EqualPlans(decoded->plan, twice->plan), "it does not come back");
  Require(!attr::plan::Dump(decoded->plan).empty(), "nothing to show");
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  const std::string bytes = pack::WithFixedChecksums(Text(data, size));
  attr::Result<pack::Container> container = pack::Open(bytes, "");
  if (!container || container->sections.empty() || seed % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);
  pack::Section& section = container->sections[seed / 16 % container->sections.size()];
  std::string changed(section.bytes);
  const size_t room = changed.size() + 64;
  changed.resize(room);
  changed.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(changed.data()), section.bytes.size(), room));
  section.bytes = changed;
  const std::string sealed = pack::Seal(*container);
  if (sealed.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, sealed.data(), sealed.size());
  return sealed.size();
}
