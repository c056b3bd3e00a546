// See compile.h. Only the order of the phases: parse, link, check, lower, verify.
// Each stops the next when it found an error; within a phase all errors are found.
#include "compiler/compile.h"

#include <charconv>

#include "compiler/allows.h"
#include "compiler/imports.h"
#include "compiler/lower/lower.h"
#include "compiler/testing/test_lowering.h"
#include "fmt/format.h"
#include "runtime/pack/verify_regex.h"
#include "runtime/plan/verify.h"

namespace attr::compiler {

namespace {

testing::TestScope ScopeOf(const sema::Program& program) {
  testing::TestScope scope;
  scope.sources.insert(program.sources.begin(), program.sources.end());
  for (const sema::Rule& rule : program.rules) {
    if (rule.decl) scope.rules.insert(rule.qualified);
  }
  scope.rules.insert(program.disabled.begin(), program.disabled.end());  // `expect not cause` may name them
  for (const sema::Domain& domain : program.domains) scope.domains.insert(domain.path);
  return scope;
}

void LowerTests(const sema::Program& program, bool syntax_errors, Compilation* compilation) {
  testing::TestScope scope = ScopeOf(program);
  scope.left_out = [&](std::string_view name) {
    return syntax_errors && sema::DeclaredInText(compilation->sources, name);
  };
  for (size_t i = 0; i < compilation->root_files; ++i) {
    for (const syntax::Item& item : compilation->files[i].items) {
      const auto* test = std::get_if<syntax::TestDecl>(&item.node);
      if (!test) continue;
      compilation->tests.push_back(testing::LowerTest(*test, scope, compilation->sources, compilation->sink));
    }
  }
}

/// What the verifier's words begin with ("rules[12]..."); else the pack.
diagnostics::Span PlaceOf(const sema::Program& program, const plan::Plan& plan, const std::string& message) {
  const auto in = [&message](std::string_view list, size_t size) -> std::optional<size_t> {
    size_t value = 0;
    if (message.rfind(list, 0) != 0) return std::nullopt;
    const char* begin = message.data() + list.size();
    const auto [end, error] = std::from_chars(begin, message.data() + message.size(), value);
    return error == std::errc() && end != begin && value < size ? std::optional(value) : std::nullopt;
  };
  if (const auto i = in("rules[", program.rules.size())) return program.rules[*i].span;
  if (const auto i = in("tables[", program.tables.size())) return program.tables[*i].decl->name.span;
  if (const auto i = in("domains[", program.domains.size())) return program.domains[*i].span;
  if (const auto i = in("demotions[", program.demotions.size())) return program.demotions[*i].span;
  if (const auto i = in("order[", program.order.size())) return program.order[*i].above.span;
  if (const auto i = in("events[", plan.events.size())) {
    for (const sema::Event& event : program.events) {
      if (event.decl && event.qualified == plan.Str(plan.events[*i].name)) return event.decl->name.span;
    }
  }
  return program.packs[0].input->decl->name.span;
}

void LowerPlan(const sema::Program& program, Compilation* compilation) {
  diagnostics::Sink& sink = compilation->sink;
  plan::Plan plan = lower::Lower(program, compilation->sources, sink);
  if (sink.HasErrors()) return;
  lower::ReportCycles(program, plan, sink);
  if (sink.HasErrors()) return;
  if (const Status verified = plan::Verify(plan); !verified.ok()) {
    sink.Add(diagnostics::Code::kPlanRefused, PlaceOf(program, plan, verified.error().message),
             fmt::format("the compiled pack is refused: {}", verified.error().message));
    return;
  }
  plan::StrId refused = plan::kNone;
  if (const Status verified = pack::VerifyRegexes(plan, &refused); !verified.ok()) {
    const auto pattern = refused == plan::kNone ? program.regexes.end() : program.regexes.find(plan.Str(refused));
    sink.Add(diagnostics::Code::kPlanRefused,
             pattern != program.regexes.end() ? pattern->second : PlaceOf(program, plan, verified.error().message),
             fmt::format("the compiled pack is refused: {}", verified.error().message));
    return;
  }
  lower::CheckExamples(program, compilation->sources, sink);
  lower::LintJoins(program, sink);
  if (!sink.HasErrors()) compilation->plan = std::move(plan);
}

}  // namespace

Compilation Compile(const PackSource& pack, const Importer& importer, const CompileOptions& options) {
  Compilation compilation;
  const std::vector<sema::PackInput> packs = LoadPacks(pack, importer, &compilation);
  if (packs.empty()) return compilation;
  const bool syntax_errors = compilation.sink.HasErrors();
  const sema::Program program = sema::Analyze(packs, compilation.sources, compilation.sink);
  LowerTests(program, syntax_errors, &compilation);
  if (!compilation.sink.HasErrors()) LowerPlan(program, &compilation);
  ApplyAllows(packs, options.today, compilation.sources, &compilation.sink);
  return compilation;
}

}  // namespace attr::compiler
