// The border of evaluation: the floating-point environment of verdicts inside, no
// exception outside.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "runtime/base/result.h"
#include "runtime/float_environment.h"

namespace attr {

/// What `work` returns (a Result), or an internal error "<what> failed: …" of what it throws.
template <class Work>
auto Guarded(const char* what, const Work& work) -> decltype(work()) {
  const auto internal = [&](const std::string& why) {
    Error error;
    error.kind = ErrorKind::kInternal;
    error.message = std::string(what) + " failed: " + why;
    return error;
  };
  try {
    const FloatEnvironment environment;
    return work();
  } catch (const std::bad_alloc&) {
    return internal("out of memory");
  } catch (const std::exception& e) {
    return internal(e.what());
  } catch (...) {
    return internal("unknown exception");
  }
}

}  // namespace attr
