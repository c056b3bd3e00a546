// attrc inspect: what a pack holds, and what became of one rule.
#include <fmt/format.h>

#include <iterator>
#include <set>
#include <string_view>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/find_rule.h"
#include "cli/pack_argument.h"
#include "compiler/syntax/parse.h"
#include "runtime/jit/native_engine.h"
#include "runtime/model/time_text.h"
#include "runtime/plan/dump.h"

namespace attr::cli {

namespace {

/// "a, b, c", each once, sorted.
std::string Joined(const std::set<std::string_view>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

/// What rules may name: domains, the sources that events read, tags.
void Vocabulary(const plan::Plan& plan, std::string* out) {
  auto to = std::back_inserter(*out);
  std::set<std::string_view> sources, causes, symptoms;
  for (const plan::Event& event : plan.events) {
    for (const plan::SourceRef& source : event.sources) {
      for (const plan::SourceAlternative& alternative : source.alternatives)
        sources.insert(plan.Str(alternative.source));
    }
  }
  for (const plan::Rule& rule : plan.rules) {
    for (const plan::StrId tag : rule.tags) {
      (rule.kind == plan::RuleKind::kSymptom ? symptoms : causes).insert(plan.Str(tag));
    }
  }
  if (!sources.empty()) fmt::format_to(to, "reads     {}\n", Joined(sources));
  if (!causes.empty()) fmt::format_to(to, "tags      of causes: {}\n", Joined(causes));
  if (!symptoms.empty()) fmt::format_to(to, "tags      of symptoms: {}\n", Joined(symptoms));
}

void Order(const plan::Plan& plan, std::string* out) {
  auto to = std::back_inserter(*out);
  for (const plan::OrderPair& pair : plan.order) fmt::format_to(to, "order     {}\n", plan.Str(pair.text));
  static constexpr const char* kThen[] = {"", " then earliest", " then latest"};
  for (const plan::AmbiguityClause& clause : plan.ambiguity) {
    std::string text(plan.Str(clause.text));
    if (clause.within != plan::kNoWindow) text += " within " + model::FormatDuration(clause.within);
    if (clause.apart != plan::kNoWindow) text += " unless apart " + model::FormatDuration(clause.apart);
    fmt::format_to(to, "ambiguity {}{}{}\n", text, kThen[static_cast<size_t>(clause.then)],
                   clause.because == 0 ? "" : fmt::format(" because \"{}\"", plan.Str(clause.because)));
  }
}

std::string Summary(const pack::Pack& pack) {
  const plan::Plan& plan = pack.plan;
  std::string out;
  auto to = std::back_inserter(out);
  fmt::format_to(to, "pack      {} {}\nsha256    {}\nlanguage  {}\n", plan.Str(plan.meta.name),
                 plan.Str(plan.meta.version), pack.sha256, plan.meta.language);
  for (const auto& import : plan.meta.imports) {
    fmt::format_to(to, "imports   {} {}\n", plan.Str(import.name), plan.Str(import.version));
  }
  Vocabulary(plan, &out);
  fmt::format_to(to, "holds     {} domains, {} tables, {} events, {} rules, {} demotions, {} precedence pairs\n\n",
                 plan.domains.size(), plan.tables.size(), plan.events.size(), plan.rules.size(), plan.demotions.size(),
                 plan.order.size());
  for (const plan::Domain& domain : plan.domains) {
    fmt::format_to(to, "domain    {}  {}\n", plan.Str(domain.path), plan.Str(domain.title));
  }
  for (const plan::Event& event : plan.events) fmt::format_to(to, "event     {}\n", plan.Str(event.name));
  static constexpr const char* kKinds[] = {"cause", "symptom", "outcome"};
  for (const plan::Rule& rule : plan.rules) {
    fmt::format_to(to, "{:<9} {}  {}\n", kKinds[static_cast<size_t>(rule.kind)], plan.Str(rule.name),
                   plan.Str(rule.title));
  }
  Order(plan, &out);
  return out;
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
