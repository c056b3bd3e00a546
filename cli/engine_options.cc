#include "cli/commands.h"
#include "cli/console.h"

namespace attr::cli {

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
