// Cells as slots, in the forms of semantics.md S13.
#include "compiler/sema/cells.h"

#include <doctest.h>

#include <bit>

namespace attr::sema {
namespace {

using plan::Type;

int64_t Slot(Type type, std::string_view text, int64_t unit = 1) {
  const auto cell = ParseCell(type, unit, text);
  REQUIRE(cell.has_value());
  return cell->slot;
}
bool Bad(Type type, std::string_view text, int64_t unit = 1) { return !ParseCell(type, unit, text).has_value(); }

TEST_CASE("integers are decimal with leading zeros, or hex") {
  CHECK(Slot(Type::kInt, "079") == 79);
  CHECK(Slot(Type::kInt, "0x1F") == 31);
  CHECK(Slot(Type::kInt, "-5") == -5);
  CHECK(Slot(Type::kInt, "-9223372036854775808") == INT64_MIN);
  CHECK(Bad(Type::kInt, "9223372036854775808"));
  CHECK(Bad(Type::kInt, "1.5"));
  CHECK(Bad(Type::kInt, "5 "));
  CHECK(Bad(Type::kInt, "-"));
  CHECK(Bad(Type::kRank, "-1"));
}

TEST_CASE("quantities are in the column's unit or carry one") {
  CHECK(Slot(Type::kDuration, "5", plan::kSecond) == 5 * plan::kSecond);
  CHECK(Slot(Type::kDuration, "1h30m") == 5400 * plan::kSecond);
  CHECK(Slot(Type::kDuration, "1.5", 1'000'000) == 1'500'000);
  CHECK(Slot(Type::kSize, "30GiB") == int64_t{30} << 30);
  CHECK(Slot(Type::kSize, "7", 1024) == 7168);
  CHECK(Slot(Type::kTime, "2026-01-01T00:00:00Z") == 1767225600 * plan::kSecond);
  CHECK(Slot(Type::kTime, "1767225600", plan::kSecond) == 1767225600 * plan::kSecond);
  CHECK(Bad(Type::kDuration, "5 parsecs"));
  CHECK(Bad(Type::kDuration, "h"));
  CHECK(Bad(Type::kDuration, "9223372036854775807", plan::kSecond));
  CHECK(Bad(Type::kSize, "MiB"));
}

TEST_CASE("floats are finite and bools are words") {
  CHECK(std::bit_cast<double>(Slot(Type::kFloat, "2.5e3")) == 2500.0);
  CHECK(Bad(Type::kFloat, "nan"));
  CHECK(Bad(Type::kFloat, "inf"));
  CHECK(Slot(Type::kBool, "true") == 1);
  CHECK(Bad(Type::kBool, "yes"));
}

}  // namespace
}  // namespace attr::sema
