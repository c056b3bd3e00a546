// What `attrc run --stats` prints.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "runtime/attribute.h"

namespace attr::cli {

/// Wall-clock laps of the command's own phases.
class PhaseClock {
 public:
  void Lap(const std::string& name);
  void Restart() { last_ = std::chrono::steady_clock::now(); }
  const std::vector<Stats::Phase>& phases() const { return phases_; }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::vector<Stats::Phase> phases_;
};

std::string StatsText(const Stats& stats, const std::vector<Stats::Phase>& command_phases);

}  // namespace attr::cli
