// The standard packs as they were when this binary was built: their sources, so
// that a site pack can import them anywhere, and one compiled pack of all of
// them ("std"), so that `--pack std` needs no compile.
#pragma once

#include <string_view>

#include "compiler/compile.h"

namespace attr::standard {

/// Knows std and every std.* pack.
compiler::Importer StandardImporter();
/// Bytes of the compiled pack "std" (docs/pack-format.md).
std::string_view StandardPack();

}  // namespace attr::standard
