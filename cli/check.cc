// attrc check: every diagnostic of a pack, nothing written.
#include <unistd.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/pack_argument.h"
#include "compiler/diagnostics/render.h"

namespace attr::cli {

namespace {

int CheckOne(const CheckOptions& options, const std::string& name) {
  auto compilation = CompileArgument(name);
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
  int worst = kClean;
  for (const std::string& name : options.packs) worst = std::max(worst, CheckOne(options, name));
  return worst;
}

}  // namespace attr::cli
