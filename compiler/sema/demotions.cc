// Demotions, of rules and at top level: targets resolved, tags expanded. A tag
// selects symptoms only and never its own rule; a cause is demoted by name and
// with its place.
#include <algorithm>

#include "compiler/sema/context.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

using syntax::DemoteTarget;

class DemotionAnalyzer {
 public:
  DemotionAnalyzer(Context& context, uint32_t pack, const syntax::Demote& decl)
      : context_(context), pack_(pack), decl_(decl) {}

  /// `source`: the rule that the clause stands in; kNone at top level.
  void Analyze(uint32_t source) {
    if (decl_.where) context_.NotYet(decl_.where->span, "`where` of a demotion");
    Demotion demotion;
    demotion.span = decl_.span;
    demotion.source = source;
    if (decl_.because) demotion.because = decl_.because->value;
    if (decl_.by) {
      const Item* item = FindItemOf(context_, pack_, *decl_.by, ItemKind::kRule);
      if (item) demotion.source = item->index;
    }
    if (decl_.within) demotion.within = ResolveDuration(context_, pack_, *decl_.within).value_or(0);
    if (decl_.lead) demotion.lead = ResolveDuration(context_, pack_, *decl_.lead).value_or(0);
    ReadPlace(&demotion);
    if (decl_.self_after) return AddSelf(std::move(demotion));
    for (const DemoteTarget& target : decl_.targets) AddTarget(target, demotion);
  }

 private:
  void ReadPlace(Demotion* demotion) {
    if (!decl_.on || decl_.on->text == "attempt") return;
    const std::string& place = decl_.on->text;
    if (place == "node") {
      demotion->on = plan::DemoteOn::kNode;
    } else if (place == "gpu") {
      demotion->on = plan::DemoteOn::kGpu;
    } else if (place == "rack") {
      demotion->on = plan::DemoteOn::kRack;
    } else if (place == "nvlink_domain") {
      demotion->on = plan::DemoteOn::kNvlinkDomain;
    } else {
      context_.Error(Code::kUnknownPlace, decl_.on->span, fmt::format("`on {}` is no place of a demotion", place), "",
                     DidYouMean(place, {"node", "gpu", "attempt", "rack", "nvlink_domain"}));
    }
  }

  /// The first of the rule's findings explains those that certainly begin later.
  void AddSelf(Demotion demotion) {
    demotion.after = true;
    demotion.target_text = "self";
    demotion.targets.push_back(demotion.source);
    context_.program.demotions.push_back(std::move(demotion));
  }

  void AddTarget(const DemoteTarget& target, const Demotion& base) {
    Demotion demotion = base;
    if (target.kind == DemoteTarget::Kind::kDomain) {
      context_.Error(Code::kDemoteDomain, target.name.span,
                     fmt::format("`domain {}` selects nothing", target.name.name));
      return;
    }
    if (target.kind == DemoteTarget::Kind::kTag) {
      AddTag(target, &demotion);
    } else {
      const Item* item = FindItemOf(context_, pack_, target.name, ItemKind::kRule);
      if (!item) return;
      const Rule& rule = context_.program.rules[item->index];
      if (rule.kind == plan::RuleKind::kCause && !decl_.on) {
        context_.Error(Code::kDemotionNeedsPlace, target.name.span,
                       fmt::format("`{}` is a cause: a proven fault elsewhere would vanish", target.name.name));
        return;
      }
      demotion.target_text = rule.qualified;
      if (target.name.pack.empty()) demotion.target_text = target.name.name;
      demotion.targets.push_back(item->index);
    }
    if (demotion.source == plan::kNone || demotion.targets.empty()) return;
    context_.program.demotions.push_back(std::move(demotion));
  }

  void AddTag(const DemoteTarget& target, Demotion* demotion) {
    const std::string& tag = target.name.name;
    CheckTag(context_, pack_, {tag, target.name.span}, true);
    demotion->target_text = "tag " + tag;
    const auto& rules = context_.program.rules;
    for (uint32_t i = 0; i < rules.size(); ++i) {
      if (rules[i].kind == plan::RuleKind::kSymptom && i != demotion->source && rules[i].HasTag(tag)) {
        demotion->targets.push_back(i);
      }
    }
  }

  Context& context_;
  uint32_t pack_;
  const syntax::Demote& decl_;
};

}  // namespace

void AnalyzeDemotions(Context& context) {
  const auto& rules = context.program.rules;
  for (uint32_t i = 0; i < rules.size(); ++i) {
    if (!rules[i].decl) continue;
    context.rule = i;
    for (const syntax::Demote& demote : rules[i].decl->demotes) {
      DemotionAnalyzer(context, rules[i].pack, demote).Analyze(i);
    }
  }
  context.rule = plan::kNone;
  for (uint32_t pack = 0; pack < context.program.packs.size(); ++pack) {
    for (const syntax::File* file : context.program.packs[pack].input->files) {
      for (const syntax::Item& item : file->items) {
        const auto* demote = std::get_if<syntax::Demote>(&item.node);
        if (demote) DemotionAnalyzer(context, pack, *demote).Analyze(plan::kNone);
      }
    }
  }
}

}  // namespace attr::sema
