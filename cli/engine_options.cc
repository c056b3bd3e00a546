#include "cli/engine_options.h"

#include "cli/console.h"

namespace attr::cli {

void AddEngineOptions(CLI::App& command, EngineOptions& options) {
  command.add_option("--engine", options.engine, "auto, interpreter or native; the verdict is the same")
      ->check(CLI::IsMember({"auto", "interpreter", "native"}))
      ->capture_default_str();
  command.add_option("--threads", options.threads, "threads for matching; the verdict is the same")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  auto* folder = command.add_option("--cache-dir", options.cache_dir,
                                    "folder of compiled code (default: the user's cache folder, below it attrc)");
  command.add_flag("--no-cache", options.no_cache, "compile in memory, read and write no cache")->excludes(folder);
}

AttributeOptions ToAttributeOptions(const EngineOptions& options, const std::string& pack_sha256) {
  AttributeOptions out;
  out.engine = options.engine == "native"        ? EngineChoice::kNative
               : options.engine == "interpreter" ? EngineChoice::kInterpreter
                                                 : EngineChoice::kAuto;
  out.threads = options.threads;
  out.pack_sha256 = pack_sha256;
  if (!options.no_cache) out.cache_dir = options.cache_dir.empty() ? DefaultCacheDir() : options.cache_dir;
  return out;
}

}  // namespace attr::cli
