// The reader beside simdjson alone on the same bytes (On-Demand, line by line,
// every key and every string looked at): ratio, absolute, peak memory.
//   attr_read_bench [--simdjson-only] FILE
#include <simdjson.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "runtime/ingest/observation_reader.h"

namespace {

/// CPU time of this process: these machines are shared, and one core is what counts.
double Seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double PeakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Bytes of strings seen, so that nothing is optimized away.
uint64_t Touch(simdjson::ondemand::object object) {
  uint64_t seen = 0;
  for (auto item : object) {
    simdjson::ondemand::field field;
    if (std::move(item).get(field)) return 0;
    auto value = field.value();
    simdjson::ondemand::json_type type;
    if (value.type().get(type)) return 0;
    if (type == simdjson::ondemand::json_type::string) {
      std::string_view text;
      if (value.get_string().get(text)) return 0;
      seen += text.size();
    } else if (type == simdjson::ondemand::json_type::number) {
      double number = 0;
      if (!value.get_double().get(number)) seen += number > 0 ? 1 : 0;
    }
  }
  return seen;
}

uint64_t SimdjsonAlone(const attr::Bytes& bytes, uint64_t* lines) {
  simdjson::ondemand::parser parser;
  uint64_t seen = 0;
  const char* end = bytes.data() + bytes.size();
  for (const char* at = bytes.data(); at < end; ++*lines) {
    const auto* stop = static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
    if (stop == nullptr) stop = end;
    simdjson::ondemand::document document;
    simdjson::ondemand::object object;
    simdjson::padded_string_view line(at, static_cast<size_t>(stop - at),
                                      static_cast<size_t>(end - at) + simdjson::SIMDJSON_PADDING);
    if (!parser.iterate(line).get(document) && !document.get_object().get(object)) seen += Touch(object);
    at = stop + 1;
  }
  return seen;
}

}  // namespace

int main(int argc, char** argv) {
  bool only = argc > 1 && std::strcmp(argv[1], "--simdjson-only") == 0;
  if (argc != (only ? 3 : 2)) {
    std::fprintf(stderr, "usage: attr_read_bench [--simdjson-only] FILE\n");
    return 2;
  }
  const char* path = argv[argc - 1];
  double alone = 1e9;
  double megabytes = 0;
  {
    auto input = attr::ingest::ReadInput(path);
    if (!input.ok()) {
      std::fprintf(stderr, "%s\n", input.error().ToString().c_str());
      return 3;
    }
    megabytes = static_cast<double>(input->bytes.size()) / (1024 * 1024);
    size_t size = input->bytes.size();
    input->bytes.Reserve(size + simdjson::SIMDJSON_PADDING);
    std::memset(input->bytes.data() + size, 0, simdjson::SIMDJSON_PADDING);
    uint64_t lines = 0;
    uint64_t seen = 0;
    for (int round = 0; round < 3; ++round) {
      lines = 0;
      double start = Seconds();
      seen = SimdjsonAlone(input->bytes, &lines);
      alone = std::min(alone, Seconds() - start);
    }
    std::printf("simdjson alone   %.3f s  %.0f MB/s  (%.0f MB, %llu lines, %llu bytes of strings)\n", alone,
                megabytes / alone, megabytes, static_cast<unsigned long long>(lines),
                static_cast<unsigned long long>(seen));
  }
  if (only) return 0;
  double best = 1e9;
  double load = 0;
  for (int round = 0; round < 3; ++round) {
    double before = Seconds();
    auto input = attr::ingest::ReadInput(path);
    if (!input.ok()) return 3;
    std::vector<attr::ingest::Input> inputs;
    inputs.push_back(std::move(*input));
    double start = Seconds();
    auto set = attr::ingest::ReadObservations(std::move(inputs));
    double took = Seconds() - start;
    if (!set.ok()) {
      std::fprintf(stderr, "%s\n", set.error().ToString().c_str());
      return 3;
    }
    if (took < best) load = start - before;
    best = std::min(best, took);
    if (round == 0) std::printf("sha256           %s\n", set->sha256.c_str());
  }
  double budget = 1.3 * alone + 0.5;
  std::printf("ReadObservations %.3f s  %.2f x simdjson alone  (budget 1.3 x + 0.5 s = %.3f s)  file read %.3f s\n",
              best, best / alone, budget, load);
  std::printf("peak memory      %.0f MB  %.2f x the input  (budget 2.2 x)\n", PeakMegabytes(),
              PeakMegabytes() / megabytes);
  return 0;
}
