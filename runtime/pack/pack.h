// The pack file: a verified plan as data (docs/pack-format.md).
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/plan/plan.h"

namespace attr::pack {

struct Pack {
  plan::Plan plan;
  std::string sha256;  // hex, of the file's content
};

/// Canonical: equal plans give equal bytes.
std::string Encode(const plan::Plan& plan);
/// Container checks, decoding, then plan::Verify. Errors name section and index.
Result<Pack> Decode(std::string_view bytes, const std::string& file_name);
Result<Pack> Load(const std::string& path);
/// Writes beside the target and renames.
Status Save(const plan::Plan& plan, const std::string& path);
/// The checksums of a damaged file made right again: what a stranger would do. For tests and fuzzers.
std::string WithFixedChecksums(std::string bytes);

}  // namespace attr::pack
