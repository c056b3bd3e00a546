// Text of a table's cell to a slot of the column's type.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/sema/program.h"

namespace attr::sema {

/// nullopt: the text does not have the type. The text itself must not be empty.
std::optional<Cell> ParseCell(plan::Type type, int64_t unit, std::string_view text);

}  // namespace attr::sema
