// One golden case of a diagnostic: a pack in one file, and how its diagnostics
// are expected to be rendered.
//
// A case is the text of `pack.attr`. Lines that begin with `--- ` divide it:
//   --- file: NAME    a further rule file
//   --- table: NAME   a table
//   --- pack: NAME    what follows belongs to a pack that can be imported
// `<<N*TEXT>>` is TEXT repeated N times, `<<HH>>` the byte with that hexadecimal
// number: for files that no editor should have to open.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/compile.h"

namespace attr::golden {

struct Case {
  compiler::PackSource root;
  std::vector<compiler::PackSource> imports;
};

Case ReadCase(std::string_view text);

/// Compiles the case and renders all its diagnostics; `codes` are those that were given.
std::string RenderCase(const Case& golden, std::vector<std::string>& codes);

}  // namespace attr::golden
