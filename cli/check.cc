// attrc check: every diagnostic of a pack, nothing written.
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/pack_argument.h"
#include "compiler/diagnostics/render.h"
#include "runtime/model/time_text.h"

namespace attr::cli {

namespace {

/// Midnight of the day that `allow … until` is compared with. The one place of attrc that
/// reads the date: it decides which warnings are shown, never what a pack means.
Result<compiler::CompileOptions> OptionsOf(const CheckOptions& options) {
  compiler::CompileOptions out;
  if (options.today.empty()) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    out.today = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    return out;
  }
  const auto day = model::ParseRfc3339(options.today + "T00:00:00Z");
  if (!day || options.today.size() != 10) {
    return Error{ErrorKind::kUsage, "--today is no date: " + options.today, "", 0, {}, "write it as 2027-01-31"};
  }
  out.today = day->lo;
  return out;
}

int CheckOne(const CheckOptions& options, const compiler::CompileOptions& compile, const std::string& name) {
  auto compilation = CompileArgument(name, compile);
  if (!compilation) return Fail(compilation.error());
  auto items = compilation->sink.Sorted();
  if (options.format == "json") {
    int written = WriteOut(diagnostics::RenderJsonLines(items, compilation->sources));
    if (written != kClean) return written;
  } else {
    diagnostics::RenderOptions render;
    render.color = UseColour(options.colour, STDOUT_FILENO);
    int written = WriteOut(diagnostics::RenderAll(items, compilation->sources, render));
    if (written != kClean) return written;
  }
  return compilation->sink.HasErrors() ? kFindings : kClean;
}

}  // namespace

int Check(const CheckOptions& options) {
  const auto compile = OptionsOf(options);
  if (!compile) return Fail(compile.error());
  int worst = kClean;
  for (const std::string& name : options.packs) worst = std::max(worst, CheckOne(options, *compile, name));
  return worst;
}

}  // namespace attr::cli
