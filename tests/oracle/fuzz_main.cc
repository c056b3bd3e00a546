#include <cstdio>

#include "tests/oracle/fuzz/files.h"

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const attr::oracle::Comparison result = attr::oracle::Compare(attr::oracle::ReadCase(argv[i]), {true});
    std::printf("%s: %d\n%s\n", argv[i], static_cast<int>(result.kind), result.why.c_str());
  }
  return 0;
}
