// The CSV reader alone: quotes, line ends, places.
#include "compiler/sema/csv.h"

#include <doctest.h>

namespace attr::sema {
namespace {

std::vector<std::string> Row(const Csv& csv, size_t row) {
  std::vector<std::string> cells;
  for (const CsvCell& cell : csv.rows[row]) cells.push_back(cell.text);
  return cells;
}
using Strings = std::vector<std::string>;

TEST_CASE("quotes hold commas, line ends and doubled quotes") {
  const Csv csv = ReadCsv("a,\"b,\r\n\"\"c\"\"\"\r\n,\n");
  REQUIRE(csv.errors.empty());
  REQUIRE(csv.rows.size() == 2);
  CHECK(Row(csv, 0) == Strings{"a", "b,\r\n\"c\""});
  CHECK(Row(csv, 1) == Strings{"", ""});
}

TEST_CASE("a byte order mark and empty lines are no cells") {
  const Csv csv = ReadCsv("\xEF\xBB\xBFx\n\n\r\ny");
  REQUIRE(csv.rows.size() == 2);
  CHECK(csv.rows[0][0].text == "x");
  CHECK(csv.rows[0][0].begin == 3);
  CHECK(csv.rows[1][0].text == "y");
}

TEST_CASE("an empty quoted cell is a row of its own") {
  const Csv csv = ReadCsv("x\n\"\"\n");
  REQUIRE(csv.rows.size() == 2);
  CHECK(csv.rows[1][0].text.empty());
}

TEST_CASE("damaged quotes are errors at their place") {
  CHECK(ReadCsv("a,\"b").errors.at(0).begin == 2);
  CHECK(ReadCsv("a,\"b\"c\nd,e").errors.at(0).begin == 5);
  CHECK(ReadCsv("a,b\"c").errors.at(0).begin == 3);
  CHECK(ReadCsv("a,\"b\"c\nd,e").rows.size() == 2);
}

TEST_CASE("nothing gives nothing") {
  CHECK(ReadCsv("").rows.empty());
  CHECK(ReadCsv("\r").rows.empty());
}

}  // namespace
}  // namespace attr::sema
