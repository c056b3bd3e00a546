#include "cli/stats_text.h"

#include <fmt/format.h>

#include <iterator>

namespace attr::cli {

void PhaseClock::Lap(const std::string& name) {
  auto now = std::chrono::steady_clock::now();
  auto nanos = std::chrono::duration_cast<std::chrono::nanoseconds>(now - last_).count();
  phases_.push_back({name, static_cast<uint64_t>(nanos)});
  last_ = now;
}

std::string StatsText(const Stats& stats, const std::vector<Stats::Phase>& command_phases) {
  std::string out;
  auto line = [&](std::string_view name, const std::string& value) {
    fmt::format_to(std::back_inserter(out), "  {:<20}{}\n", name, value);
  };
  out += "engine\n";
  line("engine", stats.engine);
  line("kernels", fmt::format("{}, {} compiled, {} from the cache", stats.kernels, stats.kernels_compiled,
                              stats.kernels_from_cache));
  line("object cache", stats.cache.empty() ? "not used" : stats.cache);
  out += "work\n";
  line("observations", fmt::format("{} in scope, {} matched", stats.observations, stats.matched_lines));
  line("events", fmt::format("{}, and {} phantoms for what was not collected", stats.events, stats.phantoms));
  line("candidate pairs", std::to_string(stats.candidate_pairs));
  line("findings", fmt::format("{}, {} demotion edges", stats.findings, stats.edges));
  out += "time\n";
  for (const auto* phases : {&command_phases, &stats.phases}) {
    for (const Stats::Phase& phase : *phases) line(phase.name, fmt::format("{:.3f} ms", double(phase.nanos) / 1e6));
  }
  return out;
}

}  // namespace attr::cli
