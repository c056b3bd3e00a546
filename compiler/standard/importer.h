// Packs out of a list of files, one folder a pack: how the embedded standard
// packs and the build's own folder of them are read alike.
#pragma once

#include <vector>

#include "compiler/compile.h"
#include "compiler/standard/embedded.h"

namespace attr::standard {

/// The files' text must outlive nothing: it is copied.
compiler::Importer ImporterOf(const std::vector<EmbeddedFile>& files);

}  // namespace attr::standard
