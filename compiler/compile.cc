// See compile.h. Only the order of the phases: parse, link, check, lower, verify.
// Each stops the next when it found an error; within a phase all errors are found.
#include "compiler/compile.h"

#include "compiler/imports.h"
#include "compiler/lower/lower.h"
#include "compiler/testing/test_lowering.h"
#include "fmt/format.h"
#include "runtime/plan/verify.h"

namespace attr::compiler {

namespace {

testing::TestScope ScopeOf(const sema::Program& program) {
  testing::TestScope scope;
  scope.sources.insert(program.sources.begin(), program.sources.end());
  for (const sema::Rule& rule : program.rules) {
    if (rule.decl) scope.rules.insert(rule.qualified);
  }
  for (const sema::Domain& domain : program.domains) scope.domains.insert(domain.path);
  return scope;
}

void LowerTests(const sema::Program& program, Compilation* compilation) {
  const testing::TestScope scope = ScopeOf(program);
  for (size_t i = 0; i < compilation->root_files; ++i) {
    for (const syntax::Item& item : compilation->files[i].items) {
      const auto* test = std::get_if<syntax::TestDecl>(&item.node);
      if (!test) continue;
      compilation->tests.push_back(testing::LowerTest(*test, scope, compilation->sources, compilation->sink));
    }
  }
}

void LowerPlan(const sema::Program& program, Compilation* compilation) {
  diagnostics::Sink& sink = compilation->sink;
  plan::Plan plan = lower::Lower(program, compilation->sources, sink);
  if (sink.HasErrors()) return;
  lower::ReportCycles(program, plan, sink);
  if (sink.HasErrors()) return;
  if (const Status verified = plan::Verify(plan); !verified.ok()) {
    sink.Add(diagnostics::Code::kPlanRefused, program.packs[0].input->decl->name.span,
             fmt::format("the compiled pack is refused: {}", verified.error().message));
    return;
  }
  lower::CheckExamples(program, plan, sink);
  if (!sink.HasErrors()) compilation->plan = std::move(plan);
}

}  // namespace

Compilation Compile(const PackSource& pack, const Importer& importer) {
  Compilation compilation;
  const std::vector<sema::PackInput> packs = LoadPacks(pack, importer, &compilation);
  if (packs.empty()) return compilation;
  const sema::Program program = sema::Analyze(packs, compilation.sources, compilation.sink);
  LowerTests(program, &compilation);
  if (!compilation.sink.HasErrors()) LowerPlan(program, &compilation);
  return compilation;
}

}  // namespace attr::compiler
