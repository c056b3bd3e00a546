// Rules in an order in which each stands behind those whose findings it binds
// (semantics.md S14): a rule's keys and exports are known when another reads them.
// The graph has an edge for every `finding`, also through a tag, from `when outcome` to
// the outcomes of that state, and from every outcome to the one before it.
#include <algorithm>

#include "compiler/sema/context.h"
#include "compiler/sema/dependency_walk.h"
#include "fmt/format.h"

namespace attr::sema {

bool CarriesTag(const syntax::RuleDecl& rule, std::string_view tag) {
  return std::any_of(rule.tags.begin(), rule.tags.end(), [&](const syntax::Name& name) { return name.text == tag; });
}

namespace {

struct RuleEdge {
  uint32_t to = 0;
  Span span;
  std::string why;  // "binds findings of `b`"
};

class RuleOrder {
 public:
  explicit RuleOrder(Context& context) : context_(context), rules_(context.program.rules) {}

  std::vector<uint32_t> Run() {
    return DependencyWalk<RuleEdge>().Run(
        static_cast<uint32_t>(rules_.size()), [this](uint32_t rule) { return WaitsFor(rule); },
        [this](const Step* first, const Step* end) { ReportCycle(first, end); });
  }

 private:
  using Step = DependencyWalk<RuleEdge>::Step;

  std::vector<RuleEdge> WaitsFor(uint32_t index) const {
    std::vector<RuleEdge> edges;
    const Rule& rule = rules_[index];
    if (rule.disabled) return edges;
    const syntax::Condition* when = nullptr;
    if (rule.outcome) {
      when = &rule.outcome->when;
    } else if (rule.decl->when) {
      when = &*rule.decl->when;
    }
    if (when) {
      if (when->outcome) AddOutcome(*when->outcome, &edges);
      for (const syntax::Group& group : when->groups) {
        for (const syntax::Binding& binding : group.bindings) AddBinding(rule, binding, &edges);
      }
      for (const syntax::Binding& binding : when->further) AddBinding(rule, binding, &edges);
    }
    if (rule.outcome && index != 0) edges.push_back({index - 1, rule.span, "comes after " + Named(index - 1)});
    return edges;
  }

  void AddOutcome(const syntax::Name& state, std::vector<RuleEdge>* edges) const {
    for (uint32_t r = 0; r < rules_.size(); ++r) {
      if (rules_[r].outcome && rules_[r].outcome->name.text == state.text) {
        edges->push_back({r, state.span, "binds " + Named(r)});
      }
    }
  }

  void AddBinding(const Rule& rule, const syntax::Binding& binding, std::vector<RuleEdge>* edges) const {
    if (binding.finding_tag) {
      const syntax::Name& tag = *binding.finding_tag;
      for (uint32_t r = 0; r < rules_.size(); ++r) {
        if (!rules_[r].decl || !CarriesTag(*rules_[r].decl, tag.text)) continue;
        edges->push_back(
            {r, tag.span, fmt::format("binds findings of {}, which carries tag `{}`", Named(r), tag.text)});
      }
    } else if (binding.finding) {
      const Item* item = PeekItem(context_, rule.pack, binding.event.pack, binding.event.name);
      if (!item || item->kind != ItemKind::kRule) return;
      edges->push_back({item->index, binding.event.span, "binds findings of " + Named(item->index)});
    }
  }

  std::string Named(uint32_t rule) const {
    if (rules_[rule].outcome) return fmt::format("outcome `{}`", rules_[rule].title);
    return fmt::format("`{}`", rules_[rule].qualified);
  }

  void ReportCycle(const Step* first, const Step* end) {
    diagnostics::Diagnostic diagnostic;
    diagnostic.code = Code::kFindingCycle;
    std::string path;
    bool known = false;
    for (const Step* step = first; step != end; ++step) {
      const RuleEdge& edge = step->taken();
      path += Named(step->item) + " -> ";
      diagnostics::Label label{edge.span, fmt::format("{} {}", Named(step->item), edge.why)};
      if (step == first) {
        diagnostic.primary = std::move(label);
      } else {
        diagnostic.secondary.push_back(std::move(label));
      }
      known = known || rules_[step->item].cyclic;
      rules_[step->item].cyclic = true;
    }
    diagnostic.message = "findings wait for each other: " + path + Named(first->item);
    if (!known) context_.sink.Add(std::move(diagnostic));
  }

  Context& context_;
  std::vector<Rule>& rules_;
};

}  // namespace

std::vector<uint32_t> OrderRules(Context& context) { return RuleOrder(context).Run(); }

}  // namespace attr::sema
