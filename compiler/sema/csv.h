// RFC 4180 with CRLF, quotes and a byte order mark. Every cell keeps the place
// that it was read from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attr::sema {

struct CsvCell {
  std::string text;
  uint32_t begin = 0, end = 0;  // bytes in the file
};
struct CsvError {
  uint32_t begin = 0, end = 0;
  std::string message;
};
struct Csv {
  std::vector<std::vector<CsvCell>> rows;  // the header first; empty lines are left out
  std::vector<CsvError> errors;
};

Csv ReadCsv(std::string_view text);

}  // namespace attr::sema
