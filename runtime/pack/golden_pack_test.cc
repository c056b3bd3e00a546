// One pack per format version stays in tests/golden/packs and must load as what
// it was written as. After a change of the layout before a release:
//   ATTR_REGENERATE_GOLDEN=1 build/release/attr_pack_test -tc='*golden*'
// After a release the format version changes instead, and a new file is added.
#include <doctest.h>

#include <cstdlib>

#include "runtime/pack/pack.h"
#include "runtime/plan/sample_plan_test.h"
#include "runtime/plan/visit.h"

namespace attr::pack {
namespace {

TEST_CASE("the golden pack of format version 1 loads as the plan it was written from") {
  const std::string path = ATTR_SOURCE_DIR "/tests/golden/packs/format-1.attrpack";
  if (std::getenv("ATTR_REGENERATE_GOLDEN") != nullptr) REQUIRE(Save(plan::SamplePlan(), path).ok());
  Result<Pack> pack = Load(path);
  REQUIRE_MESSAGE(pack.ok(), (pack.ok() ? "" : pack.error().ToString()));
  CHECK(plan::EqualPlans(pack->plan, plan::SamplePlan()));
}

}  // namespace
}  // namespace attr::pack
