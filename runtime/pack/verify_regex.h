// The part of the verifier that needs RE2: every pattern compiles, is small
// enough, and has the groups that fields are taken from.
#pragma once

#include "runtime/base/result.h"
#include "runtime/plan/plan.h"

namespace attr::pack {

inline constexpr size_t kMaxPatternBytes = 4096;
inline constexpr size_t kMaxPatterns = 5000;
inline constexpr int kMaxProgram = 8192;           // instructions of 8 bytes, each direction
inline constexpr uint64_t kMaxPrograms = 2 << 20;  // instructions, all patterns and directions
inline constexpr int kMaxGroups = 32;

/// The plan must have passed plan::Verify. `refused` (may be null) gets the pattern
/// that is not accepted; it stays when something else is missing.
Status VerifyRegexes(const plan::Plan& plan, plan::StrId* refused = nullptr);

}  // namespace attr::pack
