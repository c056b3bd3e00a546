#include "runtime/pack/codec.h"

namespace attr::pack {

uint8_t Reader::Byte() {
  if (left() == 0) Fail("the section ends inside a value");
  return ok() ? static_cast<uint8_t>(bytes_[at_++]) : 0;
}

uint64_t Reader::Varint(uint64_t greatest) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    uint8_t byte = Byte();
    if (!ok()) return 0;
    uint64_t part = byte & 0x7F;
    if (shift == 63 && part > 1) break;
    value |= part << shift;
    if (byte & 0x80) continue;
    if (part == 0 && shift != 0) {
      Fail("a number in a longer form than it needs");
      return 0;
    }
    if (value > greatest) break;
    return value;
  }
  Fail("a number that is too large for its field");
  return 0;
}

size_t Reader::Count(size_t element_size, size_t least_bytes) {
  uint64_t count = Varint(UINT32_MAX);
  if (!ok()) return 0;
  if (count > left() / least_bytes) {
    Fail("a count of " + std::to_string(count) + ", more than the bytes left can hold");
    return 0;
  }
  uint64_t need = count * element_size;
  if (need > *memory_) {
    Fail("more than 1 GiB of memory would be needed");
    return 0;
  }
  *memory_ -= need;
  return static_cast<size_t>(count);
}

void Reader::Text(std::string* value) {
  size_t size = Count(1, 1);
  if (!ok()) return;
  value->assign(bytes_.substr(at_, size));
  at_ += size;
}

}  // namespace attr::pack
