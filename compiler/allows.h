// `allow CODE "reason" [until "DATE"]`: which warnings a pack's author has looked at
// and wants to hear no more of. It holds for the declaration that it stands in or
// directly above; above the `pack` block for the whole pack.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/sema/program.h"

namespace attr::compiler {

/// The last step of a compilation: drops what is allowed, reports what `allow` cannot
/// name, and, when there was no error, those that suppress nothing. `today`: as in CompileOptions.
void ApplyAllows(const std::vector<sema::PackInput>& packs, std::optional<int64_t> today,
                 const diagnostics::SourceMap& sources, diagnostics::Sink* sink);

}  // namespace attr::compiler
