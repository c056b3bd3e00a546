// Times as text, the minute of the one before remembered: neighbours share it.
// Internal to this room.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "runtime/model/observation_set.h"

namespace attr::ingest {

/// The same as TimeOf for every text, in a fraction of the time for "...Z" within the minute before.
class StampReader {
 public:
  std::optional<model::Moment> Read(std::string_view text) {
    model::Moment moment;
    if (WithinMinute(text, &moment)) return moment;
    return ReadAnew(text);
  }

 private:
  static constexpr size_t kMinute = 17;  // "2026-03-02T12:10:"
  bool WithinMinute(std::string_view text, model::Moment* out) const;
  std::optional<model::Moment> ReadAnew(std::string_view text);

  std::array<char, kMinute> minute_{};
  int64_t begin_ = 0;  // of that minute
};

}  // namespace attr::ingest
