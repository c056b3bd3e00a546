#include "runtime/base/fold_names.h"

#include <doctest.h>

namespace attr {

TEST_CASE("runs of three fold, pairs and strangers do not") {
  CHECK(FoldNames({}) == "");
  CHECK(FoldNames({"n1"}) == "n1");
  CHECK(FoldNames({"n1", "n2"}) == "n1, n2");
  CHECK(FoldNames({"n1", "n2", "n3", "n7"}) == "n1..n3, n7");
  CHECK(FoldNames({"gpu-08", "gpu-09", "gpu-10", "gpu-11"}) == "gpu-08..gpu-11");
  CHECK(FoldNames({"n9", "n10", "n11"}) == "n9..n11");
  CHECK(FoldNames({"a1", "b2", "c3"}) == "a1, b2, c3");
  CHECK(FoldNames({"n9", "n010", "n11"}) == "n9, n010, n11");
}

TEST_CASE("what a limit leaves out is counted") {
  CHECK(FoldNames({"a", "b", "c", "d"}, 2) == "a, b and 2 more");
  CHECK(FoldNames({"n1", "n2", "n3", "x", "y"}, 2) == "n1..n3, x and 1 more");
  CHECK(FoldNames({"a", "b"}, 2) == "a, b");
}

TEST_CASE("names sort naturally and stand once") {
  std::vector<std::string> names = {"n10", "n2", "n10", "a"};
  SortNames(&names);
  CHECK(names == std::vector<std::string>{"a", "n2", "n10"});
}

}  // namespace attr
