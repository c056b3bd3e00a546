#include "compiler/standard/standard_packs.h"

#include "compiler/standard/importer.h"

namespace attr::standard {

compiler::Importer StandardImporter() {
  return ImporterOf(std::vector<EmbeddedFile>(kEmbeddedFiles, kEmbeddedFiles + kEmbeddedFileCount));
}

std::string_view StandardPack() { return kEmbeddedPack; }

}  // namespace attr::standard
