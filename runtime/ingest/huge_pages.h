// Big buffers that are filled once from end to end: with huge pages the kernel
// clears and maps them in a fraction of the time. A hint; nothing depends on it.
#pragma once

#include <sys/mman.h>

#include <cstdint>

namespace attr::ingest {

inline void AdviseHugePages(void* data, size_t size) {
  constexpr uintptr_t kHuge = 2 << 20;
  auto begin = (reinterpret_cast<uintptr_t>(data) + kHuge - 1) & ~(kHuge - 1);
  auto end = (reinterpret_cast<uintptr_t>(data) + size) & ~(kHuge - 1);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace attr::ingest
