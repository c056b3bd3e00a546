// Rules, demotions and precedence of the oracle's resolver.
#include <algorithm>
#include <stdexcept>

#include "compiler/syntax/parse.h"
#include "tests/oracle/pack_reader.h"

namespace attr::oracle {

namespace {

template <class Node>
std::vector<std::tuple<uint32_t, const Node*, const syntax::Item*>> Items(const Pack& pack) {
  std::vector<std::tuple<uint32_t, const Node*, const syntax::Item*>> out;
  for (uint32_t p = 0; p < pack.files.size(); ++p) {
    for (const syntax::File& file : pack.files[p]) {
      for (const syntax::Item& item : file.items) {
        if (const auto* node = std::get_if<Node>(&item.node)) out.emplace_back(p, node, &item);
      }
    }
  }
  return out;
}

}  // namespace

void PackReader::DeclareRules() {
  std::vector<uint32_t> outcomes(pack_.names.size(), 0);
  for (const auto& [p, decl, item] : Items<syntax::OutcomeDecl>(pack_)) {
    Rule rule;
    rule.kind = Kind::kOutcome;
    rule.pack = p;
    rule.qualified = pack_.names[p].pack + "::outcome#" + std::to_string(++outcomes[p]);
    rule.title = rule.state = decl->name.text;
    rule.doc = item->doc;
    rule.outcome_when = &decl->when;  // read when the rules that it may name are there
    pack_.rules.push_back(std::move(rule));
  }
  std::vector<Rule> rules;
  for (const auto& [p, decl, item] : Items<syntax::RuleDecl>(pack_)) {
    if (IsDisabled(p, decl->name.text)) continue;
    Rule rule;
    rule.kind = decl->is_cause ? Kind::kCause : Kind::kSymptom;
    rule.pack = p;
    rule.qualified = pack_.names[p].pack + "::" + decl->name.text;
    rule.title = decl->title ? decl->title->value : decl->name.text;
    rule.doc = item->doc;
    rule.decl = decl;
    for (const syntax::Name& tag : decl->tags) rule.tags.insert(tag.text);
    rules.push_back(std::move(rule));
  }
  std::sort(rules.begin(), rules.end(), [](const Rule& a, const Rule& b) { return a.qualified < b.qualified; });
  for (Rule& rule : rules) {
    pack_.names[rule.pack].rules[rule.decl->name.text] = static_cast<uint32_t>(pack_.rules.size());
    pack_.rules.push_back(std::move(rule));
  }
}

void PackReader::ReadRule(Rule& rule) {
  if (rule.decl == nullptr) {
    rule.per_attempt = true;
    ReadCondition(rule, *rule.outcome_when);
    return;
  }
  const syntax::RuleDecl& decl = *rule.decl;
  auto add = [&](const syntax::Name& name, std::vector<uint32_t>* list) {
    const uint32_t domain = pack_.domain_index.at(name.text);
    if (std::find(list->begin(), list->end(), domain) == list->end()) list->push_back(domain);
  };
  for (const syntax::Name& name : decl.suggests) add(name, &rule.suggests);
  if (decl.domain && rule.domains.empty()) {
    for (const syntax::Name& name : decl.domain->alternatives) add(name, &rule.domains);
  }
  if (rule.advise.empty()) {
    for (const syntax::Name& word : decl.advise) rule.advise.push_back(word.text);
  }
  ReadCondition(rule, *decl.when);
  ReadKeys(rule);
  for (const syntax::Export& made : decl.exports) rule.exports.emplace_back(made.name.text, made.value.get());
  for (const syntax::ClosedBy& closed : decl.closed_by) rule.closed_by.push_back(&closed);
  ReadExplain(rule);
}

void PackReader::ReadCondition(Rule& rule, const syntax::Condition& when) {
  rule.when_expr = when.expr.get();
  static constexpr Word kWords[] = {Word::kPositive, Word::kPositive, Word::kWithout, Word::kUnless, Word::kWith};
  auto add = [&](const syntax::Binding& decl, std::vector<Binding>* list) {
    Binding binding;
    binding.word = kWords[static_cast<size_t>(decl.word)];
    binding.name = decl.name.text;
    binding.event = EventOf(rule, decl);
    binding.decl = &decl;
    if (binding.event == kNone) throw std::runtime_error("no event " + decl.event.name);
    list->push_back(std::move(binding));
  };
  if (when.outcome) {
    static const syntax::Binding kPlain;
    rule.alternatives.push_back({{Word::kPositive, "outcome", EventOfOutcome(when.outcome->text), &kPlain}});
    for (const syntax::Binding& binding : when.further) add(binding, &rule.alternatives[0]);
    return;
  }
  for (const syntax::Group& group : when.groups) {
    std::vector<Binding> bindings;
    for (const syntax::Binding& binding : group.bindings) add(binding, &bindings);
    for (const syntax::Binding& binding : when.further) add(binding, &bindings);
    rule.alternatives.push_back(std::move(bindings));
  }
}

void PackReader::ReadKeys(Rule& rule) {
  if (!rule.decl->per) {
    rule.keys.emplace_back("node", nullptr);
    return;
  }
  for (const syntax::ExprPtr& expr : rule.decl->per->keys) {
    const auto* ref = std::get_if<syntax::RefExpr>(&expr->node);
    if (ref != nullptr && ref->parts.size() == 1 && ref->parts[0].text == "attempt") continue;
    const std::string base = ref != nullptr ? ref->parts.back().text : "key";
    std::string name = base;
    auto taken = [&](const auto& key) { return key.first == name; };
    for (int i = 2; std::any_of(rule.keys.begin(), rule.keys.end(), taken); ++i) name = base + std::to_string(i);
    rule.keys.emplace_back(name, expr.get());
  }
  rule.per_attempt = rule.keys.empty();
}

void PackReader::ReadExplain(Rule& rule) {
  if (!rule.decl->explain) return;
  const std::string& text = rule.decl->explain->value;
  Segment literal;
  auto flush = [&] {
    if (!literal.literal.empty()) rule.explain.push_back(std::exchange(literal, {}));
  };
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] == '{' || text[i] == '}') && i + 1 < text.size() && text[i + 1] == text[i]) {
      literal.literal += text[i++];
    } else if (text[i] == '{') {
      flush();
      const size_t close = text.find('}', i);
      Segment segment;
      segment.placeholder =
          syntax::ParseExpression(text.substr(i + 1, close - i - 1), rule.decl->explain->span, pack_.sink);
      rule.explain.push_back(std::move(segment));
      i = close;
    } else {
      literal.literal += text[i];
    }
  }
  flush();
}

void PackReader::ReadDemotion(uint32_t pack, uint32_t source, const syntax::Demote& decl) {
  Demotion base;
  base.source = source;
  base.pack = pack;
  if (decl.because) base.because = decl.because->value;
  if (decl.within) base.within = pack_.Duration(pack, *decl.within);
  if (decl.lead) base.lead = pack_.Duration(pack, *decl.lead);
  base.where = decl.where.get();
  if (decl.on && decl.on->text == "node") base.on = Place::kNode;
  if (decl.on && decl.on->text == "gpu") base.on = Place::kGpu;
  if (decl.on && base.on == Place::kAttempt && decl.on->text != "attempt") {
    base.on = Place::kLabel;
    base.label = decl.on->text;
  }
  if (decl.self_after) {
    base.self_after = true;
    base.targets.push_back(source);
    pack_.demotions.push_back(std::move(base));
    return;
  }
  for (const syntax::DemoteTarget& target : decl.targets) {
    Demotion demotion = base;
    if (target.kind == syntax::DemoteTarget::Kind::kTag) {
      for (uint32_t r = 0; r < pack_.rules.size(); ++r) {
        const Rule& rule = pack_.rules[r];
        const bool tagged =
            rule.decl != nullptr && std::any_of(rule.decl->tags.begin(), rule.decl->tags.end(),
                                                [&](const auto& t) { return t.text == target.name.name; });
        if (rule.kind == Kind::kSymptom && r != source && tagged) demotion.targets.push_back(r);
      }
    } else {
      const uint32_t rule = pack_.FindRule(pack, target.name);
      if (rule != kNone) demotion.targets.push_back(rule);  // else disabled
    }
    if (!demotion.targets.empty()) pack_.demotions.push_back(std::move(demotion));
  }
}

Side PackReader::ReadSide(uint32_t pack, const syntax::OrderRef& ref) const {
  using RefKind = syntax::OrderRef::Kind;
  Side side;
  side.text = ref.name.pack.empty() ? ref.name.name : ref.name.pack + "::" + ref.name.name;
  if (ref.kind == RefKind::kStar) {
    side.text = "*";
    return side;
  }
  if (ref.kind == RefKind::kTag) {
    side.kind = SideKind::kTag;
    side.tag = ref.name.name;
    side.text = "tag " + ref.name.name;
    return side;
  }
  const auto domain = ref.name.pack.empty() ? pack_.domain_index.find(ref.name.name) : pack_.domain_index.end();
  if (domain != pack_.domain_index.end()) {
    if (ref.kind == RefKind::kDomain) side.text = "domain " + ref.name.name;
    side.kind = SideKind::kDomain;
    side.index = domain->second;
    return side;
  }
  side.kind = SideKind::kRule;
  side.index = pack_.FindRule(pack, ref.name);
  if (side.index != kNone) return side;
  // Disabled: chains go through it, but no finding is of it.
  uint32_t number = kNone;
  for (const std::string& qualified : pack_.disabled) {
    --number;
    const size_t colons = qualified.find("::");
    const bool named = ref.name.pack.empty() || ref.name.pack == qualified.substr(0, colons);
    if (named && qualified.substr(colons + 2) == ref.name.name) side.index = number;
  }
  return side;
}

void PackReader::ReadOrder() {
  for (const auto& [p, decl, item] : Items<syntax::AmbiguityDecl>(pack_)) {
    for (const syntax::Between& between : decl->clauses) {
      Clause clause{ReadSide(p, between.left), ReadSide(p, between.right), {}, {}, {}, {}};
      if (between.within) clause.within = pack_.Duration(p, *between.within);
      if (between.unless_apart) clause.apart = pack_.Duration(p, *between.unless_apart);
      if (between.then == syntax::Between::Then::kEarliest) clause.then = Clause::Then::kEarliest;
      if (between.then == syntax::Between::Then::kLatest) clause.then = Clause::Then::kLatest;
      clause.text = "between " + clause.left.text + ", " + clause.right.text;
      pack_.clauses.push_back(std::move(clause));
    }
  }
  for (const auto& [p, decl, item] : Items<syntax::PrecedenceDecl>(pack_)) {
    for (const syntax::Prefer& prefer : decl->prefers) {
      Preference made;
      made.pack = p;
      made.over = pack_.FindRule(p, prefer.over);
      made.under = pack_.FindRule(p, prefer.under);
      made.decl = &prefer;
      auto named = [](const syntax::QName& name) { return (name.pack.empty() ? "" : name.pack + "::") + name.name; };
      made.text = "prefer " + named(prefer.over) + " over " + named(prefer.under);
      pack_.preferences.push_back(std::move(made));
    }
    for (const syntax::Chain& chain : decl->chains) {
      for (size_t i = 0; i + 1 < chain.items.size(); ++i) {
        Pair pair{ReadSide(p, chain.items[i]), ReadSide(p, chain.items[i + 1]), ""};
        pair.text = pair.above.text + " > " + pair.below.text;
        pack_.order.push_back(std::move(pair));
      }
    }
  }
}

}  // namespace attr::oracle
