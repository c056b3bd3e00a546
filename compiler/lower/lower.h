// The linked program to the rule plan. Only called for a program without
// errors; what only lowering can see (an expression too deep for the engines,
// cycles, examples that do not match) still goes to the sink.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/sema/program.h"
#include "runtime/plan/plan.h"

namespace attr::lower {

plan::Plan Lower(const sema::Program& program, const diagnostics::SourceMap& sources, diagnostics::Sink& sink);

/// Demotion and precedence cycles, with every edge labelled.
void ReportCycles(const sema::Program& program, const plan::Plan& plan, diagnostics::Sink& sink);

/// Warnings about bindings that nothing narrows.
void LintJoins(const sema::Program& program, diagnostics::Sink& sink);

/// `example` lines match with their values, `reject` lines do not. Only for a
/// program whose plan was verified.
void CheckExamples(const sema::Program& program, const diagnostics::SourceMap& sources, diagnostics::Sink& sink);

}  // namespace attr::lower
