// Three readings of one truth in three bits: surely (must), nominal (presumed),
// maybe (may). `and` and `or` are & and |; only `not` needs a function, because it
// swaps the bounds.
#pragma once

#include <cstdint>

#include "runtime/eval/tables.h"

namespace attr::resolve {

using Bits = uint8_t;
inline constexpr Bits kNo = 0;
inline constexpr Bits kYes = eval::kAllBits;

inline Bits Not(Bits b) {
  return static_cast<Bits>((b & eval::kMayBit ? 0 : eval::kMustBit) |
                           (b & eval::kPresumedBit ? 0 : eval::kPresumedBit) |
                           (b & eval::kMustBit ? 0 : eval::kMayBit));
}
/// What the nominal reading takes it for, without doubt.
inline Bits Nominal(Bits b) { return b & eval::kPresumedBit ? kYes : kNo; }
inline bool IsKnown(Bits b) { return b == kNo || b == kYes; }

}  // namespace attr::resolve
