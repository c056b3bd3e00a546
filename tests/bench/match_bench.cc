// Matching, by itself: application records against forty patterns. A third of the
// records match and give five groups; the rest is iteration noise. Beside it runs
// what it cannot be faster than: reading every byte once.
//   attr_match_bench [RECORDS] [THREADS]
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <ctime>

#include "runtime/attribute.h"
#include "runtime/match/match.h"

namespace {

using namespace attr;

struct EventText {
  const char* pattern;
  std::vector<std::pair<const char*, plan::Type>> fields;
};

const std::vector<EventText>& Patterns() {
  using plan::Type;
  static const std::vector<EventText> kPatterns = {
      {R"(\[Rank (?P<r>\d+)\] Watchdog caught collective operation timeout: WorkNCCL\(SeqNum=(?P<seq>\d+), OpType=(?P<op>\w+),.*Timeout\(ms\)=(?P<timeout>\d+)\) ran for (?P<ran>\d+) milliseconds)",
       {{"r", Type::kInt}, {"seq", Type::kInt}, {"op", Type::kText}, {"timeout", Type::kInt}, {"ran", Type::kInt}}},
      {R"(CUDA error: (?P<what>[^\n]+))", {{"what", Type::kText}}},
      {R"((?P<class>nccl(?:Remote|System|Internal|UnhandledCuda)Error): )", {{"class", Type::kText}}},
      {R"(NET/IB ?: Got completion from peer (?P<peer>\S+) with status=(?P<status>[A-Z_0-9()]+))",
       {{"peer", Type::kText}, {"status", Type::kText}}},
      {R"(DistStoreError: Timed out after \d+ seconds waiting for clients)", {}},
      {R"([Ww]atchdog thread terminated with exception)", {}},
      {R"((?i)out of memory)", {}},
      {R"(torch\.(?:cuda\.)?OutOfMemoryError: (?P<what>.*))", {{"what", Type::kText}}},
  };
  return kPatterns;
}

plan::Plan MakePlan() {
  plan::Plan plan;
  const auto str = [&](std::string text) {
    plan.strings.push_back(std::move(text));
    return static_cast<plan::StrId>(plan.strings.size() - 1);
  };
  plan::SourceRef source;
  source.alternatives.push_back({str("application"), 0});
  for (uint32_t i = 0; i < 40; ++i) {
    plan::Event event;
    event.name = str(fmt::format("event{}", i));
    event.sources = {source};
    plan::TextClause clause;
    if (i < Patterns().size()) {
      clause.patterns.push_back({str(Patterns()[i].pattern)});
      for (const auto& [name, type] : Patterns()[i].fields) {
        plan::Field field;
        field.name = field.source = str(name);
        field.type = type;
        event.fields.push_back(field);
      }
    } else {
      clause.patterns.push_back(
          {str(fmt::format(R"(Component{}Error: (?P<what>\w+) failed with code \d+)", i * 7919))});
    }
    event.texts.push_back(clause);
    plan.events.push_back(event);
    plan::Rule rule;
    rule.bindings.push_back({0, plan::BindKind::kPositive, i, plan::kNone});
    plan.rules.push_back(rule);
  }
  return plan;
}

void Fill(model::ObservationSet& set, size_t records) {
  const uint32_t source = set.names.Intern("application");
  const char* ops[] = {"ALLREDUCE", "BROADCAST", "_ALLGATHER_BASE", "SEND"};
  for (size_t i = 0; i < records; ++i) {
    const size_t rank = i % 4096;
    auto text = std::make_unique<std::string>();
    if (i % 3 == 0) {
      *text = fmt::format(
          "[rank{0}]:[E{1}] [PG 0] [Rank {0}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum={2}, "
          "OpType={3}, NumelIn=1048576, NumelOut=1048576, Timeout(ms)=600000) ran for {4} milliseconds before timing "
          "out.",
          rank, i, 1000 + i % 50, ops[i % 4], 600'000 + i % 97);
    } else {
      *text = fmt::format(
          " iteration {}/ 500000 | consumed samples: {} | elapsed time per iteration (ms): {}.4 | learning rate: "
          "1.500E-04 | global batch size: 1024 | lm loss: 2.{}E+00 | loss scale: 1.0 | grad norm: 0.{} |",
          i, i * 1024, 5000 + i % 1000, 100000 + i % 7919, 100 + i % 811);
    }
    model::Observation observation;
    observation.source = source;
    observation.text = *text;
    observation.rank = static_cast<int32_t>(rank);
    observation.node = observation.observer = set.names.Intern(fmt::format("n{}", rank / 8));
    observation.time = {static_cast<int64_t>(i), static_cast<int64_t>(i), 1};
    set.observations.push_back(observation);
    set.buffers.push_back(std::move(text));
  }
}

/// Processor time: the machine may be doing other things.
double Now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int main(int argc, char** argv) {
  const size_t records = argc > 1 ? static_cast<size_t>(std::atoll(argv[1])) : 1'000'000;
  const plan::Plan plan = MakePlan();
  model::ObservationSet set;
  Fill(set, records);
  size_t bytes = 0;
  double reading = 1e9;
  double matching = 1e9;
  Stats stats;
  for (int round = 0; round < 5; ++round) {
    double begin = Now();
    size_t lines = 0;
    bytes = 0;
    for (const model::Observation& observation : set.observations) {
      bytes += observation.text.size();
      lines += std::memchr(observation.text.data(), '\n', observation.text.size()) != nullptr ? 1 : 0;
    }
    reading = std::min(reading, Now() - begin + static_cast<double>(lines));
    eval::Context context;
    context.plan = &plan;
    context.set = &set;
    match::MatchOptions options;
    options.threads = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
    stats = {};
    begin = Now();
    if (!match::Match(context, options, &stats)) return 1;
    matching = std::min(matching, Now() - begin);
  }
  fmt::print(
      "{} records, {:.0f} MB: match {:.3f} s of processor time ({:.0f} MB/s), {} events; reading once {:.3f} s\n",
      records, static_cast<double>(bytes) / 1e6, matching, static_cast<double>(bytes) / 1e6 / matching, stats.events,
      reading);
  return 0;
}
