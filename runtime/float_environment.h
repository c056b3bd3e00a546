// The floating-point environment that verdicts are computed in: round to nearest,
// no flush to zero, no traps, whatever the host program has set (semantics.md S13).
#pragma once

#include <cfenv>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace attr {

/// Sets it, and gives the host's back at the end.
class FloatEnvironment {
 public:
  FloatEnvironment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
#if defined(__SSE__)
    // Whether FE_DFL_ENV clears flush-to-zero is the library's affair; say it.
    _mm_setcsr(kDefaultMxcsr);
#endif
  }
  ~FloatEnvironment() {
    std::fesetenv(&saved_);
#if defined(__SSE__)
    _mm_setcsr(host_mxcsr_);
#endif
  }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
#if defined(__SSE__)
  static constexpr unsigned kDefaultMxcsr = 0x1F80;  // all exceptions masked, round to nearest
  unsigned host_mxcsr_ = _mm_getcsr();               // before the body changes it
#endif
  std::fenv_t saved_;
};

}  // namespace attr
