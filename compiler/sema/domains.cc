// The vocabulary that linked packs share: the tree of domains, the sources, the
// tags. A domain or a source is visible in every pack that imports its pack,
// directly or through others; there is one tree in a linked plan.
#include <algorithm>
#include <array>

#include "compiler/sema/context.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

/// language.md section 3.
constexpr std::array<std::string_view, 9> kBuiltinSources = {"application", "fabric", "health",    "history", "kernel",
                                                             "kubernetes",  "metric", "scheduler", "syslog"};

bool Reaches(const Context& context, uint32_t from, uint32_t to) {
  const auto& reach = context.program.packs[from].reach;
  return std::find(reach.begin(), reach.end(), to) != reach.end();
}

std::string ParentOf(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string() : path.substr(0, dot);
}

/// Where the parent is known: its subdomains, and how to add one.
std::string HelpBelow(const Program& program, const std::string& path) {
  const std::string parent = ParentOf(path);
  if (parent.empty() || program.domain_index.find(parent) == program.domain_index.end()) return {};
  std::string known;
  for (const Domain& domain : program.domains) {
    if (ParentOf(domain.path) == parent) known += (known.empty() ? "" : ", ") + Quote(domain.path);
  }
  return (known.empty() ? fmt::format("`{}` has no subdomains", parent) : "known below it: " + known) +
         fmt::format("; `domain {} \"title\"` adds this one", path);
}

template <class Decl, class F>
void ForEach(const Context& context, F&& f) {
  for (uint32_t pack = 0; pack < context.program.packs.size(); ++pack) {
    for (const syntax::File* file : context.program.packs[pack].input->files) {
      for (const syntax::Item& item : file->items) {
        if (const auto* decl = std::get_if<Decl>(&item.node)) f(pack, *decl);
      }
    }
  }
}

}  // namespace

void CollectDomains(Context& context) {
  std::map<std::string, Domain> by_path;
  ForEach<syntax::DomainDecl>(context, [&](uint32_t pack, const syntax::DomainDecl& decl) {
    Domain domain{decl.path.text, decl.title.value, plan::kNone, pack, decl.path.span};
    auto [it, inserted] = by_path.try_emplace(decl.path.text, domain);
    if (inserted) return;
    diagnostics::Diagnostic diagnostic;
    diagnostic.code = Code::kDuplicateName;
    diagnostic.message = fmt::format("domain `{}` is declared twice", decl.path.text);
    diagnostic.primary = {decl.path.span, ""};
    diagnostic.secondary.push_back({it->second.span, "first declared here"});
    context.sink.Add(std::move(diagnostic));
  });
  Program& program = context.program;
  for (auto& [path, domain] : by_path) {
    program.domain_index[path] = static_cast<uint32_t>(program.domains.size());
    program.domains.push_back(std::move(domain));
  }
  for (Domain& domain : program.domains) {
    const std::string parent = ParentOf(domain.path);
    if (parent.empty()) continue;
    auto it = program.domain_index.find(parent);
    if (it != program.domain_index.end() && Reaches(context, domain.pack, program.domains[it->second].pack)) {
      domain.parent = it->second;
      continue;
    }
    if (it == program.domain_index.end() && LeftOut(context, parent)) continue;
    std::vector<std::string_view> candidates;
    for (const Domain& other : program.domains) candidates.push_back(other.path);
    context.Error(Code::kDomainParent, domain.span,
                  fmt::format("domain `{}` has no parent: `{}` is not declared", domain.path, parent), "",
                  DidYouMean(parent, candidates));
  }
}

bool IsDomain(const Context& context, std::string_view path) {
  return context.program.domain_index.find(path) != context.program.domain_index.end();
}

uint32_t FindDomain(Context& context, uint32_t pack, std::string_view path, Span span) {
  const Program& program = context.program;
  auto it = program.domain_index.find(path);
  if (it != program.domain_index.end() && Reaches(context, pack, program.domains[it->second].pack)) return it->second;
  if (it == program.domain_index.end() && LeftOut(context, path)) return plan::kNone;
  std::string help;
  if (it != program.domain_index.end()) {
    help = fmt::format("it is declared in pack `{}`; import that pack",
                       context.PackName(program.domains[it->second].pack));
  } else {
    std::vector<std::string_view> candidates;
    for (const Domain& domain : program.domains) candidates.push_back(domain.path);
    help = DidYouMean(path, candidates);
    if (help.empty()) help = HelpBelow(program, std::string(path));
  }
  context.Error(Code::kUnknownDomain, span, fmt::format("unknown domain `{}`", path), "", std::move(help));
  return plan::kNone;
}

void CollectSources(Context& context) {
  std::map<std::string, Span> declared;
  ForEach<syntax::SourceDecl>(context, [&](uint32_t, const syntax::SourceDecl& decl) {
    auto [it, inserted] = declared.try_emplace(decl.name.text, decl.name.span);
    if (inserted) return;
    diagnostics::Diagnostic diagnostic;
    diagnostic.code = Code::kDuplicateName;
    diagnostic.message = fmt::format("source `{}` is declared twice", decl.name.text);
    diagnostic.primary = {decl.name.span, ""};
    diagnostic.secondary.push_back({it->second, "first declared here"});
    context.sink.Add(std::move(diagnostic));
  });
  std::vector<std::string>& sources = context.program.sources;
  for (std::string_view name : kBuiltinSources) sources.emplace_back(name);
  for (const auto& [name, span] : declared) sources.push_back(name);
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
}

bool CheckSource(Context& context, std::string_view name, Span span) {
  const auto& sources = context.program.sources;
  if (std::binary_search(sources.begin(), sources.end(), name)) return true;
  if (LeftOut(context, name)) return false;
  context.Error(Code::kUnknownSource, span, fmt::format("unknown source `{}`", name), "",
                DidYouMean(name, {sources.begin(), sources.end()}));
  return false;
}

bool CheckFindingTag(Context& context, uint32_t pack, const syntax::Name& tag) {
  std::vector<std::string_view> candidates;
  for (const Rule& rule : context.program.rules) {
    if (!rule.decl) continue;
    if (CarriesTag(*rule.decl, tag.text)) return true;
    for (const syntax::Name& other : rule.decl->tags) candidates.push_back(other.text);
  }
  std::string help = DidYouMean(tag.text, candidates);
  if (pack == 0 && !help.empty()) {
    context.Error(Code::kUnknownTag, tag.span, fmt::format("no rule carries tag `{}`", tag.text), "", std::move(help));
  }
  return false;
}

bool CheckTag(Context& context, uint32_t pack, const syntax::Name& tag, bool symptoms) {
  const auto wanted = symptoms ? plan::RuleKind::kSymptom : plan::RuleKind::kCause;
  std::vector<std::string_view> candidates;
  for (const Rule& rule : context.program.rules) {
    if (rule.kind != wanted) continue;
    if (rule.HasTag(tag.text)) return true;
    candidates.insert(candidates.end(), rule.tags.begin(), rule.tags.end());
  }
  // A pack may be written for rules that another link brings: only what looks
  // like a slip of the pen is worth a word, and only to the pack's own author.
  std::string help = DidYouMean(tag.text, candidates);
  if (pack == 0 && !help.empty()) {
    context.Error(Code::kUnknownTag, tag.span,
                  fmt::format("no {} carries tag `{}`", symptoms ? "symptom" : "cause", tag.text), "", std::move(help));
  }
  return false;
}

}  // namespace attr::sema
