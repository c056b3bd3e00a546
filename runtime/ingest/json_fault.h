// Where a text stops being JSON. Asked only when the parser has given up: it says
// that something is wrong, not always where. Internal to this room.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace attr::ingest {

struct JsonFault {
  const char* at = nullptr;  // nullptr: nothing is wrong
  std::string expected;      // what should stand there
};

/// Strings whose bytes are not to be looked at: their escapes are resolved in place already. Ascending.
using ResolvedStrings = std::vector<std::pair<const char*, const char*>>;

/// Looks from `begin`, which stands where a value may, inside the brackets `open` ("{[": an object's list).
JsonFault FindJsonFault(const char* begin, const char* end, std::string open, const ResolvedStrings& resolved);

}  // namespace attr::ingest
