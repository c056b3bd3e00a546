// Items and their names: one namespace per pack. Unqualified names resolve in
// the own pack, then among its direct imports; `pack::item` says which.
#include <algorithm>
#include <cctype>

#include "compiler/sema/context.h"
#include "fmt/format.h"

namespace attr::sema {

std::string_view Describe(ItemKind kind) {
  switch (kind) {
    case ItemKind::kEvent:
      return "event";
    case ItemKind::kRule:
      return "rule";
    case ItemKind::kTable:
      return "table";
    default:
      return "constant";
  }
}

std::string Quote(std::string_view text) { return fmt::format("`{}`", text); }

std::string DidYouMean(std::string_view name, const std::vector<std::string_view>& candidates) {
  const std::string_view near = diagnostics::NearestName(name, candidates);
  return near.empty() ? std::string() : fmt::format("did you mean `{}`?", near);
}

void Context::NotYet(Span span, const std::string& what) {
  Error(Code::kNotEvaluatedYet, span, what + " is not evaluated by this version yet");
}

bool Rule::HasTag(std::string_view tag) const { return std::find(tags.begin(), tags.end(), tag) != tags.end(); }

uint32_t Event::FindField(std::string_view name) const {
  for (uint32_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].hidden && fields[i].name == name) return plan::kSystemColumns + i;
  }
  return plan::kNone;
}

namespace {

using syntax::ConstDecl;
using syntax::EventDecl;
using syntax::OutcomeDecl;
using syntax::RuleDecl;
using syntax::TableDecl;

class Collector {
 public:
  explicit Collector(Context& context) : context_(context) {}

  void Collect() {
    for (uint32_t pack = 0; pack < context_.program.packs.size(); ++pack) CollectPack(pack);
    std::stable_sort(rules_.begin(), rules_.end(),
                     [](const Pending& a, const Pending& b) { return a.rule.qualified < b.rule.qualified; });
    std::vector<Rule>& rules = context_.program.rules;
    rules = std::move(outcomes_);
    for (Pending& pending : rules_) {
      const auto index = static_cast<uint32_t>(rules.size());
      Declare(pending.rule.pack, pending.rule.decl->name, ItemKind::kRule, index);
      rules.push_back(std::move(pending.rule));
    }
  }

 private:
  struct Pending {
    Rule rule;
  };

  void CollectPack(uint32_t pack) {
    outcome_count_ = 0;
    outcome_file_.reset();
    for (const syntax::File* file : context_.program.packs[pack].input->files) {
      for (const syntax::Item& item : file->items) CollectItem(pack, item);
    }
  }

  void CollectItem(uint32_t pack, const syntax::Item& item) {
    Program& program = context_.program;
    if (const auto* decl = std::get_if<EventDecl>(&item.node)) {
      Declare(pack, decl->name, ItemKind::kEvent, static_cast<uint32_t>(program.events.size()));
      Event& event = program.events.emplace_back();
      event.pack = pack;
      event.decl = decl;
      event.doc = item.doc;
      event.qualified = context_.Qualified(pack, decl->name.text);
    } else if (const auto* table_decl = std::get_if<TableDecl>(&item.node)) {
      Declare(pack, table_decl->name, ItemKind::kTable, static_cast<uint32_t>(program.tables.size()));
      Table& table = program.tables.emplace_back();
      table.pack = pack;
      table.decl = table_decl;
      table.qualified = context_.Qualified(pack, table_decl->name.text);
    } else if (const auto* constant = std::get_if<ConstDecl>(&item.node)) {
      Declare(pack, constant->name, ItemKind::kConst, static_cast<uint32_t>(program.consts.size()));
      program.consts.push_back(LiteralOf(constant->value));
    } else if (const auto* rule_decl = std::get_if<RuleDecl>(&item.node)) {
      CollectRule(pack, *rule_decl, item);
    } else if (const auto* outcome = std::get_if<OutcomeDecl>(&item.node)) {
      CollectOutcome(pack, *outcome, item);
    }
  }

  void CollectRule(uint32_t pack, const RuleDecl& decl, const syntax::Item& item) {
    Rule rule;
    rule.kind = decl.is_cause ? plan::RuleKind::kCause : plan::RuleKind::kSymptom;
    rule.pack = pack;
    rule.decl = &decl;
    rule.qualified = context_.Qualified(pack, decl.name.text);
    rule.title = decl.title ? decl.title->value : decl.name.text;
    rule.doc = item.doc;
    rule.span = decl.name.span;
    rules_.push_back({std::move(rule)});
  }

  void CollectOutcome(uint32_t pack, const OutcomeDecl& decl, const syntax::Item& item) {
    if (outcome_file_ && outcome_file_->file != decl.name.span.file) {
      diagnostics::Diagnostic diagnostic;
      diagnostic.code = Code::kSplitOutcomes;
      diagnostic.message = fmt::format("outcomes of pack `{}` stand in two files", context_.PackName(pack));
      diagnostic.primary = {decl.name.span, ""};
      diagnostic.secondary.push_back({*outcome_file_, "the first ones stand here"});
      context_.sink.Add(std::move(diagnostic));
    }
    if (!outcome_file_) outcome_file_ = decl.name.span;
    if (!decl.when.expr) return AddOutcome(pack, decl, item, {});
    // Alternatives of an expression are outcomes of one state after each other.
    std::vector<std::vector<StallTerm>> alternatives = OutcomeTerms(*decl.when.expr, false);
    const bool long_one = std::any_of(alternatives.begin(), alternatives.end(),
                                      [](const auto& terms) { return terms.size() > plan::kMaxBindings; });
    if (alternatives.empty() || long_one) {
      context_.Error(Code::kTooManyBindings, decl.when.expr->span,
                     fmt::format("written out, the expression has more than {} parts", plan::kMaxAllBindings));
      return;
    }
    for (std::vector<StallTerm>& terms : alternatives) AddOutcome(pack, decl, item, std::move(terms));
  }

  void AddOutcome(uint32_t pack, const OutcomeDecl& decl, const syntax::Item& item, std::vector<StallTerm> terms) {
    Rule rule;
    rule.terms = std::move(terms);
    rule.kind = plan::RuleKind::kOutcome;
    rule.pack = pack;
    rule.outcome = &decl;
    rule.qualified = fmt::format("{}::outcome#{}", context_.PackName(pack), ++outcome_count_);
    rule.title = decl.name.text;
    rule.doc = item.doc;
    rule.span = decl.name.span;
    outcomes_.push_back(std::move(rule));
  }

  void Declare(uint32_t pack, const syntax::Name& name, ItemKind kind, uint32_t index) {
    auto& items = context_.program.packs[pack].items;
    auto [it, inserted] = items.try_emplace(name.text, Item{kind, index, name.span});
    if (inserted) return;
    // Rules are declared after their sort, so the later place may come first here.
    Span first = it->second.span, second = name.span;
    if (second < first) std::swap(first, second);
    diagnostics::Diagnostic diagnostic;
    diagnostic.code = Code::kDuplicateName;
    diagnostic.message = fmt::format("`{}` is declared twice in pack `{}`", name.text, context_.PackName(pack));
    diagnostic.primary = {second, ""};
    diagnostic.secondary.push_back({first, "first declared here"});
    context_.sink.Add(std::move(diagnostic));
  }

  Context& context_;
  std::vector<Pending> rules_;
  std::vector<Rule> outcomes_;
  uint32_t outcome_count_ = 0;
  std::optional<Span> outcome_file_;
};

const Item* Peek(const Pack& pack, std::string_view name) {
  auto it = pack.items.find(name);
  return it == pack.items.end() ? nullptr : &it->second;
}

std::optional<uint32_t> VisiblePack(const Context& context, uint32_t from, std::string_view name) {
  const auto& packs = context.program.packs;
  if (packs[from].input->name == name) return from;
  for (uint32_t import : packs[from].input->imports) {
    if (packs[import].input->name == name) return import;
  }
  return std::nullopt;
}

void ReportPack(Context& context, uint32_t from, const syntax::QName& name) {
  const auto& packs = context.program.packs;
  std::vector<std::string_view> candidates{packs[from].input->name};
  for (uint32_t import : packs[from].input->imports) candidates.push_back(packs[import].input->name);
  bool linked = false;
  for (const Pack& pack : packs) linked = linked || pack.input->name == name.pack;
  context.Error(
      Code::kUnknownPack, name.span,
      linked ? fmt::format("pack `{}` is not imported by `{}`", name.pack, packs[from].input->name)
             : fmt::format("unknown pack `{}`", name.pack),
      "",
      linked ? fmt::format("add `import {} ...` to the `pack` block", name.pack) : DidYouMean(name.pack, candidates));
}

void ReportUnknown(Context& context, uint32_t from, const std::vector<uint32_t>& packs, const syntax::QName& name,
                   std::string_view wanted) {
  if (LeftOut(context, name.name)) return;
  std::vector<std::string_view> candidates;
  for (uint32_t pack : packs) {
    for (const auto& [key, item] : context.program.packs[pack].items) {
      if (wanted == "name" || Describe(item.kind) == wanted) candidates.push_back(key);
    }
  }
  std::string help = DidYouMean(name.name, candidates);
  if (help.empty()) {
    for (const Pack& pack : context.program.packs) {
      if (!Peek(pack, name.name) || VisiblePack(context, from, pack.input->name)) continue;
      help = fmt::format("pack `{}` has one; import it to name it", pack.input->name);
      break;
    }
  }
  context.Error(Code::kUnknownName, name.span, fmt::format("unknown {} `{}`", wanted, name.name), "", std::move(help));
}

}  // namespace

bool LeftOut(const Context& context, std::string_view name) {
  return context.syntax_errors && DeclaredInText(context.sources, name);
}

bool DeclaredInText(const SourceMap& sources, std::string_view name) {
  if (name.empty()) return false;
  const std::vector<std::string_view> declares = {"cause", "const", "domain", "event", "source", "symptom", "table"};
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  for (uint32_t file = 0; file < sources.size(); ++file) {
    const std::string_view text = sources.file(file).text();
    for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const size_t end = at + name.size();
      if (end < text.size() && word(text[end])) continue;
      const size_t gap = text.substr(0, at).find_last_not_of(" \t");
      if (gap == std::string_view::npos || gap + 1 == at) continue;
      size_t begin = gap + 1;
      while (begin > 0 && word(text[begin - 1])) --begin;
      // A declaration begins its line; `domain x` inside a rule is a use.
      if (begin > 0 && text[begin - 1] != '\n') continue;
      const std::string_view keyword = text.substr(begin, gap + 1 - begin);
      if (!diagnostics::NearestName(keyword, declares).empty()) return true;  // as `casue c`
    }
  }
  return false;
}

void CollectItems(Context& context) { Collector(context).Collect(); }

const Item* FindItem(Context& context, uint32_t pack, const syntax::QName& name, std::string_view wanted) {
  const auto& packs = context.program.packs;
  if (!name.pack.empty()) {
    const std::optional<uint32_t> in = VisiblePack(context, pack, name.pack);
    if (!in) {
      ReportPack(context, pack, name);
      return nullptr;
    }
    const Item* item = Peek(packs[*in], name.name);
    if (!item) ReportUnknown(context, pack, {*in}, name, wanted);
    if (item) item->used = true;
    return item;
  }
  const Item* found = Peek(packs[pack], name.name);
  if (!found) {
    std::vector<uint32_t> holders;
    for (uint32_t import : packs[pack].input->imports) {
      if (Peek(packs[import], name.name)) holders.push_back(import);
    }
    if (holders.size() > 1) {
      context.Error(Code::kAmbiguousName, name.span,
                    fmt::format("`{}` stands in both `{}` and `{}`", name.name, context.PackName(holders[0]),
                                context.PackName(holders[1])),
                    "", fmt::format("write `{}::{}`, for example", context.PackName(holders[0]), name.name));
      return nullptr;
    }
    if (!holders.empty()) found = Peek(packs[holders[0]], name.name);
  }
  if (!found) {
    std::vector<uint32_t> where{pack};
    where.insert(where.end(), packs[pack].input->imports.begin(), packs[pack].input->imports.end());
    ReportUnknown(context, pack, where, name, wanted);
    return nullptr;
  }
  found->used = true;
  return found;
}

const Item* FindItemOf(Context& context, uint32_t pack, const syntax::QName& name, ItemKind kind) {
  const Item* item = FindItem(context, pack, name, Describe(kind));
  if (!item || item->kind == kind) return item;
  diagnostics::Diagnostic diagnostic;
  diagnostic.code = Code::kWrongItemKind;
  diagnostic.message = fmt::format("`{}` is a {}, not a {}", name.name, Describe(item->kind), Describe(kind));
  if (kind == ItemKind::kEvent) {
    diagnostic.message = fmt::format("`{}` is a {}, not an event", name.name, Describe(item->kind));
  } else if (item->kind == ItemKind::kEvent) {
    diagnostic.message = fmt::format("`{}` is an event, not a {}", name.name, Describe(kind));
  }
  diagnostic.primary = {name.span, ""};
  diagnostic.secondary.push_back({item->span, "declared here"});
  context.sink.Add(std::move(diagnostic));
  return nullptr;
}

const Item* PeekItem(const Context& context, uint32_t pack, std::string_view qualifier, std::string_view name) {
  const auto& packs = context.program.packs;
  if (!qualifier.empty()) {
    const std::optional<uint32_t> in = VisiblePack(context, pack, qualifier);
    return in ? Peek(packs[*in], name) : nullptr;
  }
  if (const Item* own = Peek(packs[pack], name)) return own;
  for (uint32_t import : packs[pack].input->imports) {
    if (const Item* item = Peek(packs[import], name)) return item;
  }
  return nullptr;
}

}  // namespace attr::sema
