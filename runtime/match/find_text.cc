#include "runtime/match/find_text.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace attr::match {

namespace {

const char* FindPlainly(const char* begin, const char* end, std::string_view needle) {
  return static_cast<const char*>(memmem(begin, static_cast<size_t>(end - begin), needle.data(), needle.size()));
}

}  // namespace

#ifdef __SSE2__
/// Sixteen places at once by the needle's first and last byte; the last block
/// overlaps the one before it.
const char* FindText(const char* begin, const char* end, std::string_view needle) {
  const size_t last = needle.size() - 1;
  if (static_cast<size_t>(end - begin) < last + 16) return FindPlainly(begin, end, needle);
  const __m128i first_byte = _mm_set1_epi8(needle.front());
  const __m128i last_byte = _mm_set1_epi8(needle.back());
  const char* const last_block = end - last - 16;
  for (const char* p = begin;; p += 16) {
    if (p > last_block) p = last_block;
    const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + last));
    const __m128i both = _mm_and_si128(_mm_cmpeq_epi8(a, first_byte), _mm_cmpeq_epi8(b, last_byte));
    for (auto bits = static_cast<unsigned>(_mm_movemask_epi8(both)); bits != 0; bits &= bits - 1) {
      const char* found = p + __builtin_ctz(bits);
      if (SameBytes(found, needle.data(), needle.size())) return found;
    }
    if (p == last_block) return nullptr;
  }
}
#else
const char* FindText(const char* begin, const char* end, std::string_view needle) {
  return FindPlainly(begin, end, needle);
}
#endif

}  // namespace attr::match
