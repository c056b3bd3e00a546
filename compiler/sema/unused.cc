// Constants and tables of the root pack that nothing reads. Events and rules
// may be there for the packs that import this one.
#include "compiler/sema/context.h"
#include "fmt/format.h"

namespace attr::sema {

void ReportUnused(Context& context) {
  for (const auto& [name, item] : context.program.packs[0].items) {
    if (item.used || (item.kind != ItemKind::kConst && item.kind != ItemKind::kTable)) continue;
    context.Error(Code::kUnusedItem, item.span, fmt::format("{} `{}` is not used", Describe(item.kind), name));
  }
}

}  // namespace attr::sema
