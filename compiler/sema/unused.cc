// Constants of the root pack that nothing reads. Tables, events and rules may be
// there for the packs that import this one.
#include "compiler/sema/context.h"
#include "fmt/format.h"

namespace attr::sema {

void ReportUnused(Context& context) {
  for (const auto& [name, item] : context.program.packs[0].items) {
    if (item.used || item.kind != ItemKind::kConst) continue;
    context.Error(Code::kUnusedItem, item.span, fmt::format("constant `{}` is not used", name));
  }
}

}  // namespace attr::sema
