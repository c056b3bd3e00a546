// attrc inspect: what a pack holds, and what became of one rule.
#include <fmt/format.h>

#include <iterator>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/pack_argument.h"
#include "compiler/syntax/parse.h"
#include "runtime/jit/native_engine.h"
#include "runtime/plan/dump.h"

namespace attr::cli {

namespace {

std::string Summary(const pack::Pack& pack) {
  const plan::Plan& plan = pack.plan;
  std::string out;
  auto to = std::back_inserter(out);
  fmt::format_to(to, "pack      {} {}\nsha256    {}\nlanguage  {}\n", plan.Str(plan.meta.name),
                 plan.Str(plan.meta.version), pack.sha256, plan.meta.language);
  for (const auto& import : plan.meta.imports) {
    fmt::format_to(to, "imports   {} {}\n", plan.Str(import.name), plan.Str(import.version));
  }
  fmt::format_to(to, "holds     {} domains, {} tables, {} events, {} rules, {} demotions, {} precedence pairs\n\n",
                 plan.domains.size(), plan.tables.size(), plan.events.size(), plan.rules.size(), plan.demotions.size(),
                 plan.order.size());
  for (const plan::Event& event : plan.events) fmt::format_to(to, "event     {}\n", plan.Str(event.name));
  static constexpr const char* kKinds[] = {"cause", "symptom", "outcome"};
  for (const plan::Rule& rule : plan.rules) {
    fmt::format_to(to, "{:<9} {}  {}\n", kKinds[static_cast<size_t>(rule.kind)], plan.Str(rule.name),
                   plan.Str(rule.title));
  }
  return out;
}

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

/// The tree as it was written: only a folder or an embedded pack has it.
int EmitAst(const InspectOptions& options) {
  auto compilation = CompileArgument(options.pack);
  if (!compilation) return Fail(compilation.error());
  for (const syntax::File& file : compilation->files) {
    for (const syntax::Item& item : file.items) {
      const auto* rule = std::get_if<syntax::RuleDecl>(&item.node);
      if (rule != nullptr && rule->name.text == options.rule.substr(options.rule.rfind(':') + 1)) {
        return WriteOut(syntax::Dump(item));
      }
    }
  }
  return Fail(Error{ErrorKind::kUsage,
                    fmt::format("no rule `{}` in the pack's sources", options.rule),
                    "",
                    0,
                    {},
                    "`attrc inspect PACK` lists them"});
}

}  // namespace

int Inspect(const InspectOptions& options) {
  if (options.emit == "ast") {
    if (!options.rule.empty()) return EmitAst(options);
    return Fail(Error{ErrorKind::kUsage, "--emit=ast needs --rule", "", 0, {}, ""});
  }
  auto pack = LoadPackArgument(options.pack);
  if (!pack) return Fail(pack.error());
  if (options.rule.empty()) {
    if (options.emit.empty()) return WriteOut(Summary(*pack));
    if (options.emit == "plan") return WriteOut(plan::Dump(pack->plan));
    return Fail(Error{ErrorKind::kUsage, fmt::format("--emit={} needs --rule", options.emit), "", 0, {}, ""});
  }
  auto rule = FindRule(pack->plan, options.rule);
  if (!rule) return Fail(rule.error());
  if (options.emit.empty() || options.emit == "plan") return WriteOut(plan::DumpRule(pack->plan, *rule));
  auto text = jit::EmitRule(pack->plan, *rule, options.emit == "asm" ? jit::Emit::kAsm : jit::Emit::kLlvm);
  return text ? WriteOut(*text) : Fail(text.error());
}

}  // namespace attr::cli
