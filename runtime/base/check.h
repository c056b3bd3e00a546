// ATTR_CHECK: for what cannot happen. User input never meets it.
#pragma once

namespace attr {
[[noreturn]] void CheckFailed(const char* expression, const char* file, int line);
}  // namespace attr

#define ATTR_CHECK(expression) \
  ((expression) ? static_cast<void>(0) : ::attr::CheckFailed(#expression, __FILE__, __LINE__))
