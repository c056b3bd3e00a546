// Any bytes as one input or as two: the reader answers with a set or an error. A
// set that it gives is the same when the inputs change places.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/ingest/observation_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  size_t cut = bytes.find('\x1e');  // between two inputs
  std::string first(bytes.substr(0, cut));
  std::string second(cut == std::string_view::npos ? std::string_view() : bytes.substr(cut + 1));
  auto read = [](std::vector<attr::ingest::Input> inputs) { return attr::ingest::ReadObservations(std::move(inputs)); };
  if (second.empty()) {
    auto set = read({{"a", first}});
    if (set.ok() && !set->observations.empty()) set->IdOf(set->observations.size() - 1);
    return 0;
  }
  auto one = read({{"a", first}, {"b", second}});
  auto other = read({{"b", second}, {"a", first}});
  if (one.ok() != other.ok()) std::abort();
  if (one.ok() && one->sha256 != other->sha256) std::abort();
  return 0;
}
