// `precedence`: chains to pairs, each side a rule, a tag, a domain or `*`. A
// bare undotted name that is both a rule and a domain is an error (S21).
#include "compiler/sema/context.h"
#include "fmt/format.h"

namespace attr::sema {

namespace {

using syntax::OrderRef;

class OrderAnalyzer {
 public:
  OrderAnalyzer(Context& context, uint32_t pack) : context_(context), pack_(pack) {}

  void Analyze(const syntax::AmbiguityDecl& decl) {
    for (const syntax::Between& between : decl.clauses) {
      const std::optional<OrderSide> left = Side(between.left), right = Side(between.right);
      if (!left || !right) continue;
      if (left->kind == plan::SideKind::kAll && right->kind == plan::SideKind::kAll) {
        context_.Error(Code::kOrderSide, right->span, "`*` on both sides names nothing");
        continue;
      }
      AmbiguityClause clause{*left, *right};
      if (between.within) clause.within = ResolveDuration(context_, pack_, *between.within).value_or(0);
      if (between.unless_apart) clause.apart = ResolveDuration(context_, pack_, *between.unless_apart).value_or(0);
      clause.then = static_cast<plan::AmbiguityThen>(between.then);
      if (between.because) clause.because = between.because->value;
      context_.program.ambiguity.push_back(std::move(clause));
    }
  }

  void Analyze(const syntax::PrecedenceDecl& decl) {
    for (const syntax::Prefer& prefer : decl.prefers) context_.NotYet(prefer.span, "`prefer`");
    for (const syntax::Chain& chain : decl.chains) {
      std::vector<std::optional<OrderSide>> sides;
      for (const OrderRef& reference : chain.items) sides.push_back(Side(reference));
      for (size_t i = 0; i + 1 < sides.size(); ++i) {
        if (sides[i] && sides[i + 1]) AddPair(*sides[i], *sides[i + 1]);
      }
    }
  }

 private:
  void AddPair(const OrderSide& above, const OrderSide& below) {
    if (above.kind == plan::SideKind::kAll && below.kind == plan::SideKind::kAll) {
      context_.Error(Code::kOrderSide, below.span, "`*` on both sides ranks nothing");
      return;
    }
    const bool star = above.kind == plan::SideKind::kAll || below.kind == plan::SideKind::kAll;
    if (!star && above.kind != below.kind) {
      static constexpr std::string_view kKinds[] = {"a rule", "a tag", "a domain"};
      context_.Error(Code::kOrderSide, below.span,
                     fmt::format("{} is not ranked against {}", kKinds[static_cast<size_t>(above.kind)],
                                 kKinds[static_cast<size_t>(below.kind)]),
                     "", "both sides of `>` are rules, tags or domains: each is a level of its own");
      return;
    }
    context_.program.order.push_back({above, below});
  }

  std::optional<OrderSide> Side(const OrderRef& reference) {
    OrderSide side;
    side.span = reference.span;
    const syntax::QName& name = reference.name;
    side.text = name.pack.empty() ? name.name : name.pack + "::" + name.name;
    switch (reference.kind) {
      case OrderRef::Kind::kStar:
        side.text = "*";
        return side;
      case OrderRef::Kind::kTag:
        CheckTag(context_, pack_, {name.name, reference.span}, false);
        side.kind = plan::SideKind::kTag;
        side.tag = name.name;
        side.text = "tag " + name.name;
        return side;
      case OrderRef::Kind::kDomain:
        side.text = "domain " + name.name;
        return Domain(name, std::move(side));
      default:
        return Bare(name, std::move(side));
    }
  }

  std::optional<OrderSide> Bare(const syntax::QName& name, OrderSide side) {
    if (!name.pack.empty()) return RuleSide(name, std::move(side));
    if (name.name.find('.') != std::string::npos) return Domain(name, std::move(side));
    const Item* item = PeekItem(context_, pack_, "", name.name);
    const bool domain = IsDomain(context_, name.name);
    if (item && item->kind == ItemKind::kRule && domain) {
      context_.Error(Code::kOrderSide, name.span, fmt::format("`{}` is both a rule and a domain", name.name), "",
                     fmt::format("write `domain {}` or `{}::{}`", name.name, context_.PackName(pack_), name.name));
      return std::nullopt;
    }
    if (domain) return Domain(name, std::move(side));
    if (item) return RuleSide(name, std::move(side));
    if (LeftOut(context_, name.name)) return std::nullopt;
    std::vector<std::string_view> names;
    for (const sema::Domain& candidate : context_.program.domains) names.push_back(candidate.path);
    for (const Pack& pack : context_.program.packs) {
      for (const auto& [key, candidate] : pack.items) {
        if (candidate.kind == ItemKind::kRule) names.push_back(key);
      }
    }
    context_.Error(Code::kUnknownName, name.span, fmt::format("`{}` is neither a rule nor a domain", name.name), "",
                   DidYouMean(name.name, names));
    return std::nullopt;
  }

  std::optional<OrderSide> Domain(const syntax::QName& name, OrderSide side) {
    const uint32_t domain = FindDomain(context_, pack_, name.name, name.span);
    if (domain == plan::kNone) return std::nullopt;
    side.kind = plan::SideKind::kDomain;
    side.index = domain;
    return side;
  }

  std::optional<OrderSide> RuleSide(const syntax::QName& name, OrderSide side) {
    const Item* item = FindItemOf(context_, pack_, name, ItemKind::kRule);
    if (!item) return std::nullopt;
    if (context_.program.rules[item->index].kind != plan::RuleKind::kCause) {
      context_.Error(Code::kOrderSide, name.span, fmt::format("`{}` is a symptom: only causes compete", name.name));
      return std::nullopt;
    }
    side.kind = plan::SideKind::kRule;
    side.index = item->index;
    return side;
  }

  Context& context_;
  uint32_t pack_;
};

}  // namespace

static_assert(static_cast<int>(plan::AmbiguityThen::kLatest) == static_cast<int>(syntax::Between::Then::kLatest));

void AnalyzeAmbiguity(Context& context, uint32_t pack) {
  const syntax::File* first = nullptr;
  for (const syntax::File* file : context.program.packs[pack].input->files) {
    for (const syntax::Item& item : file->items) {
      const auto* decl = std::get_if<syntax::AmbiguityDecl>(&item.node);
      if (!decl) continue;
      if (first && first != file) {
        context.Error(Code::kSplitAmbiguity, item.span, "a second file with `ambiguity` clauses");
        return;
      }
      first = file;
      OrderAnalyzer(context, pack).Analyze(*decl);
    }
  }
}

void AnalyzeOrder(Context& context) {
  for (uint32_t pack = 0; pack < context.program.packs.size(); ++pack) AnalyzeAmbiguity(context, pack);
  for (uint32_t pack = 0; pack < context.program.packs.size(); ++pack) {
    for (const syntax::File* file : context.program.packs[pack].input->files) {
      for (const syntax::Item& item : file->items) {
        const auto* decl = std::get_if<syntax::PrecedenceDecl>(&item.node);
        if (decl) OrderAnalyzer(context, pack).Analyze(*decl);
      }
    }
  }
}

}  // namespace attr::sema
