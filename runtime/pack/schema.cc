#include "runtime/pack/schema.h"

#include "runtime/plan/visit.h"

namespace attr::pack {

std::string SchemaText() {
  std::string text;
  const plan::Plan plan;
  plan::ForEachPart(plan, [&]<class T>(const char* name, const T&) {
    text += name;
    text += ':';
    plan::DescribeLayout<T>(&text);
    text += '\n';
  });
  text += "types:" + std::to_string(plan::kTypeCount) + " ops:" + std::to_string(plan::kOpCount) +
          " columns:" + std::to_string(plan::kSystemColumns) + '\n';
  return text;
}

uint64_t SchemaHash() {
  static const uint64_t kHash = [] {
    uint64_t hash = 0xcbf29ce484222325;
    for (char c : SchemaText()) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    return hash;
  }();
  return kHash;
}

std::string HexOf(uint64_t value) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out(16, '0');
  for (size_t i = 16; i-- > 0; value >>= 4) out[i] = kDigits[value & 15];
  return out;
}

}  // namespace attr::pack
