#include "cli/find_rule.h"

#include <fmt/format.h>

#include <vector>

#include "compiler/diagnostics/diagnostic.h"

namespace attr::cli {

Result<uint32_t> FindRule(const plan::Plan& plan, const std::string& name) {
  std::vector<uint32_t> hits;
  std::vector<std::string_view> locals;
  for (uint32_t i = 0; i < plan.rules.size(); ++i) {
    std::string_view full = plan.Str(plan.rules[i].name);
    std::string_view local = full.substr(full.rfind(':') + 1);
    locals.push_back(local);
    if (full == name) return i;
    if (local == name) hits.push_back(i);
  }
  if (hits.size() == 1) return hits.front();
  if (hits.size() > 1) {
    return Error{ErrorKind::kUsage,
                 fmt::format("several rules are named `{}`", name),
                 "",
                 0,
                 {},
                 fmt::format("write `{}`", plan.Str(plan.rules[hits.front()].name))};
  }
  std::string_view near = diagnostics::NearestName(name, locals);
  return Error{ErrorKind::kUsage,
               fmt::format("no rule `{}` in the pack", name),
               "",
               0,
               {},
               near.empty() ? "`attrc inspect PACK` lists them" : fmt::format("did you mean `{}`?", near)};
}

}  // namespace attr::cli
