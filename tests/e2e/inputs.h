// What the end-to-end tests share: the standard pack, every way to run it, and
// the same observations in other orders and splits.
#pragma once

#include <string>
#include <vector>

#include "runtime/attribute.h"
#include "runtime/ingest/observation_reader.h"
#include "runtime/pack/pack.h"

namespace attr::e2e {

const pack::Pack& StandardPack();
std::string ReadFile(const std::string& path);
void WriteFile(const std::string& path, const std::string& text);
/// Folders below examples/ that hold an observations.ndjson, in byte order.
std::vector<std::string> IncidentFolders();

/// Below the build folder: native code of a pack is made once for all its tests.
std::string CacheFolder();

/// The verdict as JSON, or "error: ..." so that a difference shows.
std::string Run(std::vector<std::string> inputs, EngineChoice engine, unsigned threads);

/// NDJSON: header first. Lines in another order, by a fixed generator.
std::string Shuffled(const std::string& ndjson, uint64_t seed);
/// The lines dealt to `parts` files, each with the header.
std::vector<std::string> Split(const std::string& ndjson, size_t parts);
/// The same set as one JSON document.
std::string AsDocument(const std::string& ndjson);

}  // namespace attr::e2e
