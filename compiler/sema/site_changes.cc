// What a pack changes of those it imports (semantics.md S20): `disable` takes rules
// and events out of the linked program, `override` gives an imported rule another
// domain, advice or constants. Names are resolved before the rules are read, since
// the constants matter there; what is disabled is taken out at the end, so that
// whatever names it was checked as if it were there.
#include <algorithm>
#include <set>

#include "compiler/sema/context.h"
#include "fmt/format.h"

namespace attr::sema {

const Const& Context::ValueOf(uint32_t constant) {
  if (rule != plan::kNone && program.rules[rule].overridden) {
    auto& constants = program.rules[rule].overridden->constants;
    if (const auto at = constants.find(constant); at != constants.end()) {
      at->second.read = true;
      return at->second.value;
    }
  }
  return program.consts[constant];
}

namespace {

class SiteChanges {
 public:
  explicit SiteChanges(Context& context) : context_(context), program_(context.program) {}

  void Collect() {
    for (uint32_t pack = 0; pack < program_.packs.size(); ++pack) {
      for (const syntax::File* file : program_.packs[pack].input->files) {
        for (const syntax::Item& item : file->items) {
          if (const auto* disable = std::get_if<syntax::DisableDecl>(&item.node)) Disable(pack, *disable);
          if (const auto* decl = std::get_if<syntax::OverrideDecl>(&item.node)) AddOverride(pack, *decl);
        }
      }
    }
  }

 private:
  void Twice(Span first, Span second, std::string message) {
    if (second < first) std::swap(first, second);
    diagnostics::Diagnostic diagnostic;
    diagnostic.code = Code::kDuplicateName;
    diagnostic.message = std::move(message);
    diagnostic.primary = {second, ""};
    diagnostic.secondary.push_back({first, "first said here"});
    diagnostic.help = "keep one of the two";
    context_.sink.Add(std::move(diagnostic));
  }

  void Disable(uint32_t pack, const syntax::DisableDecl& decl) {
    const syntax::QName& name = decl.item;
    const Item* item = FindItem(context_, pack, name, "name");
    if (!item) return;
    const bool rule = item->kind == ItemKind::kRule;
    if (!rule && item->kind != ItemKind::kEvent) {
      context_.Error(Code::kCannotDisable, name.span,
                     fmt::format("`{}` is a {}, which does nothing by itself", name.name, Describe(item->kind)));
      return;
    }
    const uint32_t owner = rule ? program_.rules[item->index].pack : program_.events[item->index].pack;
    if (owner == pack) {
      context_.Error(Code::kCannotDisable, name.span, fmt::format("`{}` stands in the pack itself", name.name));
      return;
    }
    std::optional<Span>& disabled = rule ? program_.rules[item->index].disabled : program_.events[item->index].disabled;
    // Two packs may agree on it; one file says it once.
    if (disabled && disabled->file == name.span.file) {
      return Twice(*disabled, name.span, fmt::format("`{}` is disabled twice", name.name));
    }
    if (!disabled) disabled = name.span;
  }

  void AddOverride(uint32_t pack, const syntax::OverrideDecl& decl) {
    const syntax::QName& name = decl.item;
    const Item* item = FindItemOf(context_, pack, name, ItemKind::kRule);
    if (!item) return;
    Rule& rule = program_.rules[item->index];
    if (rule.pack == pack) {
      context_.Error(Code::kCannotOverride, name.span, fmt::format("`{}` stands in the pack itself", name.name), "",
                     "change the rule where it stands");
      return;
    }
    if (decl.domain && rule.kind != plan::RuleKind::kCause) {
      context_.Error(Code::kCannotOverride, decl.domain->span, fmt::format("symptom `{}` has no domain", name.name));
      return;
    }
    if (!decl.domain && decl.advise.empty() && decl.constants.empty()) {
      context_.Error(Code::kCannotOverride, name.span, fmt::format("nothing of `{}` is overridden", name.name), "",
                     "name a `domain`, an `advise` or a `const` between the braces");
      return;
    }
    // Packs stand root first: what is nearer to the root has spoken already.
    if (rule.overridden && rule.overridden->pack != pack) return;
    if (rule.overridden) {
      return Twice(rule.overridden->decl->item.span, name.span, fmt::format("`{}` is overridden twice", name.name));
    }
    Override change;
    change.pack = pack;
    change.decl = &decl;
    for (const syntax::ConstDecl& constant : decl.constants) AddConstant(rule, name.name, constant, &change);
    Document(decl, context_.PackName(pack), &rule);
    rule.overridden = std::move(change);
  }

  /// The rule's own pack says what the name means.
  void AddConstant(const Rule& rule, const std::string& rule_name, const syntax::ConstDecl& decl, Override* change) {
    const Item* item = PeekItem(context_, rule.pack, "", decl.name.text);
    if (!item || item->kind != ItemKind::kConst) {
      std::vector<std::string_view> names;
      for (const auto& [key, candidate] : program_.packs[rule.pack].items) {
        if (candidate.kind == ItemKind::kConst) names.push_back(key);
      }
      context_.Error(Code::kCannotOverride, decl.name.span,
                     fmt::format("`{}` reads no constant `{}`", rule_name, decl.name.text), "",
                     DidYouMean(decl.name.text, names));
      return;
    }
    const plan::Type is = program_.consts[item->index].type;
    Const value = LiteralOf(decl.value);
    if (value.type != is) {
      context_.Error(Code::kUnlikeTypes, decl.value.span,
                     fmt::format("constant `{}` is {}, not {}", decl.name.text, Article(is), Article(value.type)));
      return;
    }
    if (!change->constants.try_emplace(item->index, Override::Constant{value, decl.name.span}).second) {
      Twice(change->constants[item->index].span, decl.name.span,
            fmt::format("constant `{}` is overridden twice", decl.name.text));
    }
  }

  /// The rule's documentation, which reaches verdicts, says who changed what.
  static void Document(const syntax::OverrideDecl& decl, const std::string& pack, Rule* rule) {
    std::string what;
    const auto add = [&what](const std::string& name) { what += (what.empty() ? "" : ", ") + name; };
    if (decl.domain) add("domain");
    if (!decl.advise.empty()) add("advise");
    for (const syntax::ConstDecl& constant : decl.constants) add(constant.name.text);
    if (!rule->doc.empty()) rule->doc += "\n";
    rule->doc += fmt::format("Overridden by {}: {}", pack, what);
    if (decl.because) rule->doc += fmt::format(", because {}", decl.because->value);
    rule->doc += ".";
  }

  Context& context_;
  Program& program_;
};

class Removal {
 public:
  explicit Removal(Context& context) : context_(context), program_(context.program) {}

  void Apply() {
    ReportUnread();
    ReportBound();
    if (context_.sink.HasErrors()) return;
    DropEvents();
    DropRules();
  }

 private:
  void ReportUnread() {
    for (const Rule& rule : program_.rules) {
      if (!rule.overridden || rule.disabled) continue;
      for (const auto& [index, constant] : rule.overridden->constants) {
        if (constant.read) continue;
        context_.Error(
            Code::kCannotOverride, constant.span,
            fmt::format("`{}` reads no constant `{}`", rule.decl->name.text, context_.sources.Text(constant.span)));
      }
    }
  }

  void Bound(Span disabled, Span by, const std::string& who, const std::string& what) {
    diagnostics::Diagnostic diagnostic;
    diagnostic.code = Code::kDisabledInUse;
    diagnostic.message = fmt::format("`{}` is disabled, but `{}` needs it", what, who);
    diagnostic.primary = {disabled, ""};
    diagnostic.secondary.push_back({by, "needed here"});
    context_.sink.Add(std::move(diagnostic));
  }

  void ReportBound() {
    const auto event = [this](uint32_t index, Span by, const std::string& who) {
      if (index == plan::kNone || !program_.events[index].disabled) return;
      Bound(*program_.events[index].disabled, by, who, program_.events[index].qualified);
    };
    for (const Rule& rule : program_.rules) {
      if (rule.disabled) continue;
      for (const Binding& binding : rule.bindings) {
        event(binding.event, binding.span, rule.qualified);
        ReportFinding(binding, rule);
        if (binding.event == plan::kNone) continue;
        const plan::EventOrigin origin = program_.events[binding.event].origin;
        const bool stall = origin == plan::EventOrigin::kStalled || origin == plan::EventOrigin::kNotStalled;
        if (stall) event(program_.events[binding.event].of, binding.span, rule.qualified);
      }
    }
    for (const Event& e : program_.events) {
      if (e.disabled) continue;
      if (!e.decl) continue;
      event(e.parent, e.decl->name.span, e.qualified);
      event(e.fold.closed_by, e.decl->name.span, e.qualified);
      for (const uint32_t member : e.members) event(member, e.decl->name.span, e.qualified);
    }
  }

  /// A rule whose findings another binds by its name; a tag goes on selecting the rest.
  void ReportFinding(const Binding& binding, const Rule& by) {
    if (binding.event == plan::kNone) return;
    const Event& event = program_.events[binding.event];
    if (event.rules.size() != 1) return;
    const Rule& bound = program_.rules[event.rules[0]];
    const bool named = event.qualified == bound.qualified;
    if (named && bound.disabled) Bound(*bound.disabled, binding.span, by.qualified, bound.qualified);
  }

  void DropEvents() {
    std::vector<uint32_t>& order = program_.event_order;
    std::erase_if(order, [this](uint32_t event) { return program_.events[event].disabled.has_value(); });
  }

  void DropRules() {
    std::vector<uint32_t> index(program_.rules.size(), plan::kNone);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < program_.rules.size(); ++i) {
      if (program_.rules[i].disabled) {
        program_.disabled.push_back(program_.rules[i].qualified);
      } else {
        index[i] = kept++;
      }
    }
    if (kept == program_.rules.size()) return;
    BridgeOrder(index);
    for (Event& event : program_.events) {
      for (uint32_t& rule : event.rules) rule = index[rule];
      std::erase(event.rules, plan::kNone);
    }
    std::erase_if(program_.rules, [](const Rule& rule) { return rule.disabled.has_value(); });
    const auto gone = [&index](const OrderSide& side) {
      return side.kind == plan::SideKind::kRule && index[side.index] == plan::kNone;
    };
    const auto renumber = [&index](OrderSide* side) {
      if (side->kind == plan::SideKind::kRule) side->index = index[side->index];
    };
    std::erase_if(program_.order, [&](const OrderPair& pair) { return gone(pair.above) || gone(pair.below); });
    for (OrderPair& pair : program_.order) renumber(&pair.above), renumber(&pair.below);
    std::erase_if(program_.ambiguity, [&](const AmbiguityClause& c) { return gone(c.left) || gone(c.right); });
    for (AmbiguityClause& clause : program_.ambiguity) renumber(&clause.left), renumber(&clause.right);
    RenumberDemotions(index);
  }

  void RenumberDemotions(const std::vector<uint32_t>& index) {
    for (Demotion& demotion : program_.demotions) {
      demotion.source = index[demotion.source];
      for (uint32_t& target : demotion.targets) target = index[target];
      std::erase(demotion.targets, plan::kNone);
    }
    std::erase_if(program_.demotions, [](const Demotion& d) { return d.source == plan::kNone || d.targets.empty(); });
  }

  /// Precedence is closed over declared names: what stood above a disabled rule
  /// stays above what stood below it.
  void BridgeOrder(const std::vector<uint32_t>& index) {
    const auto is = [](const OrderSide& side, uint32_t rule) {
      return side.kind == plan::SideKind::kRule && side.index == rule;
    };
    std::vector<OrderPair>& order = program_.order;
    std::set<std::pair<uint32_t, uint32_t>> known;
    for (const OrderPair& pair : order) {
      if (pair.above.kind == plan::SideKind::kRule && pair.below.kind == plan::SideKind::kRule) {
        known.insert({pair.above.index, pair.below.index});
      }
    }
    for (uint32_t rule = 0; rule < index.size(); ++rule) {
      if (index[rule] != plan::kNone) continue;
      std::vector<OrderPair> above, below;
      for (const OrderPair& pair : order) {
        if (is(pair.below, rule) && pair.above.kind == plan::SideKind::kRule) above.push_back(pair);
        if (is(pair.above, rule) && pair.below.kind == plan::SideKind::kRule) below.push_back(pair);
      }
      std::erase_if(order, [&](const OrderPair& pair) { return is(pair.above, rule) || is(pair.below, rule); });
      for (const OrderPair& high : above) {
        for (const OrderPair& low : below) {
          if (known.insert({high.above.index, low.below.index}).second) order.push_back({high.above, low.below});
        }
      }
    }
  }

  Context& context_;
  Program& program_;
};

}  // namespace

void CollectSiteChanges(Context& context) { SiteChanges(context).Collect(); }

void ApplySiteChanges(Context& context) { Removal(context).Apply(); }

}  // namespace attr::sema
