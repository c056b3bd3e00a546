// --engine, --threads, --cache-dir, --no-cache: shared by run and test.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "runtime/attribute.h"

namespace attr::cli {

struct EngineOptions {
  std::string engine = "auto";
  unsigned threads = 1;
  std::string cache_dir;
  bool no_cache = false;
};

void AddEngineOptions(CLI::App& command, EngineOptions& options);
AttributeOptions ToAttributeOptions(const EngineOptions& options, const std::string& pack_sha256);

}  // namespace attr::cli
