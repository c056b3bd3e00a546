// The order of the passes: vocabulary, names, constants and tables, events,
// rules, then what stands between rules. No pass looks ahead.
#include <algorithm>

#include "compiler/sema/context.h"

namespace attr::sema {

namespace {

/// Breadth first from `start`, itself included.
std::vector<uint32_t> Reach(const std::vector<PackInput>& packs, uint32_t start) {
  std::vector<uint32_t> reach{start};
  for (size_t i = 0; i < reach.size(); ++i) {
    for (uint32_t next : packs[reach[i]].imports) {
      if (std::find(reach.begin(), reach.end(), next) == reach.end()) reach.push_back(next);
    }
  }
  return reach;
}

}  // namespace

Program Analyze(const std::vector<PackInput>& packs, const SourceMap& sources, Sink& sink) {
  Program program;
  for (uint32_t i = 0; i < packs.size(); ++i) {
    Pack pack;
    pack.input = &packs[i];
    pack.reach = Reach(packs, i);
    program.packs.push_back(std::move(pack));
  }
  Context context{program, sources, sink, {}, sink.HasErrors(), plan::kNone};
  CollectDomains(context);
  CollectSources(context);
  CollectItems(context);
  AnalyzeConsts(context);
  CollectSiteChanges(context);
  AnalyzeTables(context);
  AnalyzeEvents(context);
  AnalyzeRules(context);
  AnalyzeDemotions(context);
  AnalyzeOrder(context);
  ApplySiteChanges(context);
  if (!sink.HasErrors()) ReportUnused(context);
  return program;
}

}  // namespace attr::sema
