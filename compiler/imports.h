// The packs of one compilation: the root and what it imports, directly or
// through others, parsed and put in order (root first, then breadth first).
#pragma once

#include <deque>

#include "compiler/compile.h"
#include "compiler/sema/program.h"

namespace attr::compiler {

/// Fills `compilation.files`, reports unknown packs, versions, cycles and pack
/// blocks. Packs without a usable `pack` block are left out.
std::vector<sema::PackInput> LoadPacks(const PackSource& root, const Importer& importer, Compilation* compilation);

}  // namespace attr::compiler
