// Cycles of the finished plan as diagnostics, every edge with its place.
#include "compiler/lower/lower.h"
#include "fmt/format.h"
#include "runtime/plan/graph.h"

namespace attr::lower {

namespace {

using diagnostics::Code;
using diagnostics::Diagnostic;

void ReportDemotions(const sema::Program& program, const plan::Plan& plan, diagnostics::Sink& sink) {
  const std::vector<uint32_t> cycle = plan::FindDemotionCycle(plan);
  if (cycle.empty()) return;
  Diagnostic diagnostic;
  diagnostic.code = Code::kDemotionCycle;
  std::string path;
  for (size_t i = 0; i < cycle.size(); ++i) {
    const sema::Demotion& demotion = program.demotions[cycle[i]];
    const sema::Demotion& next = program.demotions[cycle[(i + 1) % cycle.size()]];
    const std::string& source = program.rules[demotion.source].qualified;
    const std::string& target = program.rules[next.source].qualified;
    std::string label = fmt::format("`{}` demotes `{}`", source, target);
    if (demotion.target_text.rfind("tag ", 0) == 0) {
      label += fmt::format(", which carries tag `{}`", demotion.target_text.substr(4));
    }
    path += source + " -> ";
    if (i == 0) {
      diagnostic.primary = {demotion.span, std::move(label)};
    } else {
      diagnostic.secondary.push_back({demotion.span, std::move(label)});
    }
  }
  path += program.rules[program.demotions[cycle[0]].source].qualified;
  diagnostic.message = cycle.size() == 1 ? fmt::format("a rule demotes itself: {}", path)
                                         : fmt::format("demotion cycle between {} rules: {}", cycle.size(), path);
  sink.Add(std::move(diagnostic));
}

void ReportOrder(const sema::Program& program, const plan::Plan& plan, diagnostics::Sink& sink) {
  const std::vector<uint32_t> cycle = plan::FindOrderCycle(plan);
  if (cycle.empty()) return;
  Diagnostic diagnostic;
  diagnostic.code = Code::kOrderCycle;
  std::string path;
  for (size_t i = 0; i < cycle.size(); ++i) {
    const sema::OrderPair& pair = program.order[cycle[i]];
    diagnostics::Span span = pair.above.span;
    if (pair.below.span.file == span.file) span.end = pair.below.span.end;
    std::string label = fmt::format("{} stands above {}", pair.above.text, pair.below.text);
    path += fmt::format("{}{} > {}", i == 0 ? "" : ", ", pair.above.text, pair.below.text);
    if (i == 0) {
      diagnostic.primary = {span, std::move(label)};
    } else {
      diagnostic.secondary.push_back({span, std::move(label)});
    }
  }
  diagnostic.message = fmt::format("{} pairs of precedence contradict each other: {}", cycle.size(), path);
  if (cycle.size() == 1) diagnostic.message = "a pair of precedence contradicts itself: " + path;
  sink.Add(std::move(diagnostic));
}

}  // namespace

void ReportCycles(const sema::Program& program, const plan::Plan& plan, diagnostics::Sink& sink) {
  ReportDemotions(program, plan, sink);
  ReportOrder(program, plan, sink);
}

}  // namespace attr::lower
