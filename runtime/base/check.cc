#include "runtime/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace attr {

void CheckFailed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "attrc: internal error: %s does not hold (%s:%d)\n", expression, file, line);
  std::fputs("please report this with the command and its input\n", stderr);
  std::_Exit(4);
}

}  // namespace attr
